"""What can be done with the selected section beyond opening it: the popovers of the main window."""

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.results.row_menu import RowMenu
from notesearch.gui.session.lookups import CountRequest, RelatedRequest, RelatedSections
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choice_popover import Choice
from notesearch.gui.window.actions import Actions
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.window.outline_flow import OutlineFlow, section_hints
from notesearch.gui.window.vault_flow import VaultFlow
from notesearch.results import SectionResult


class SectionFlow(QObject):
    """Fills the popovers and does what is chosen in them.

    Signals:
        open_wanted: A place is to be opened in the editor: path of the note, line.
    """

    open_wanted = Signal(str, int)

    def __init__(
        self,
        window: MainWindow,
        actions: Actions,
        reading: PreviewController,
        vaults: VaultFlow,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._reading = reading
        self._vaults = vaults
        self._asked: RelatedRequest | None = None
        self._related: tuple[SectionResult, ...] = ()
        view, popovers = window.results.view, window.popovers
        self.outline = OutlineFlow(window, popovers.outline, reading, self)
        self.row_menu = RowMenu(view, actions.section_groups, self)
        self.outline.asked.connect(self._ask)
        self.outline.open_wanted.connect(self.open_wanted)
        actions.all_actions.triggered.connect(self.show_actions)
        actions.open_section.triggered.connect(view.opened)
        actions.outline.triggered.connect(self.outline.show)
        actions.related.triggered.connect(self.ask_related)
        actions.why.triggered.connect(self.explain)
        window.digits.chosen.connect(view.opened)
        popovers.related.chosen.connect(self._show_related)
        popovers.related.opened.connect(self._open_related)
        vaults.opening.connect(self._on_opening)

    @Slot()
    def show_actions(self) -> None:
        """Offer what can be done with the selected section; without one, with the folder."""
        selected = self._window.shows_results and self._window.results.view.section is not None
        groups = self._actions.section_groups() if selected else self._actions.window_groups()
        self._window.popovers.actions.show_actions(groups)

    @Slot()
    def ask_related(self) -> None:
        """Have the sections of other notes found that are near the one on show."""
        place = self._reading.place
        if place is not None and self._vaults.session and self._window.shows_results:
            self._asked = RelatedRequest(place[0], self._reading.section_path)
            self._vaults.session.main.read(self._asked)

    @Slot()
    def explain(self) -> None:
        """Say why the selected section was found."""
        section = self._window.results.view.section
        if section is not None and self._window.shows_results:
            self._window.popovers.why.explain(section)

    @Slot(object)
    def _ask(self, request: CountRequest) -> None:
        if self._vaults.session:
            self._vaults.session.main.read(request)

    @Slot(object)
    def _on_opening(self, _vault: object) -> None:
        self._asked = None
        if self._vaults.session:
            self._vaults.session.main.reading.counted.connect(self.outline.count)
            self._vaults.session.main.reading.related.connect(self._on_related)

    @Slot(object)
    def _on_related(self, related: RelatedSections) -> None:
        if related.request != self._asked:
            return
        self._asked, self._related = None, related.sections
        nothing = related.problem or translate("window", "No other note has a related section.")
        choices = [
            Choice(" › ".join(section.section_path), detail=section.title)
            for section in related.sections
        ]
        self._window.popovers.related.offer(
            choices,
            prompt=translate("window", "Filter related sections") if choices else nothing,
            hints=section_hints() if choices else (),
            anchor=self._window.outline_anchor,
        )

    @Slot(int)
    def _show_related(self, at: int) -> None:
        self._reading.go_to(self._related[at].path, self._related[at].line)

    @Slot(int)
    def _open_related(self, at: int) -> None:
        self.open_wanted.emit(self._related[at].path, self._related[at].line)
