"""What can be done with the selected section beyond opening it: the popovers of the main window."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui.actions import Actions
from notesearch.gui.main_window import MainWindow


class SectionFlow(QObject):
    """Fills the popovers and does what is chosen in them."""

    def __init__(self, window: MainWindow, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        actions.all_actions.triggered.connect(self.show_actions)
        actions.open_section.triggered.connect(window.results.view.opened)
        window.digits.chosen.connect(window.results.view.opened)

    @Slot()
    def show_actions(self) -> None:
        """Offer what can be done with the selected section; without one, with the folder."""
        actions, window = self._actions, self._window
        selected = window.shows_results and window.results.view.section is not None
        groups = actions.section_groups() if selected else actions.window_groups()
        window.action_list.show_actions(groups)
