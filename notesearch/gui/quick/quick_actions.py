"""The actions of quick search: those of both windows, and its own."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from notesearch.gui.session.pane_actions import PaneActions
from notesearch.gui.translation import translate


class QuickActions(PaneActions):
    """The actions that the window of quick search offers."""

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(window, parent)
        self.go_on = self.make(
            translate("window", "Continue in the main window"), "Ctrl+Return", "Ctrl+Enter"
        )
        self.open_main = self.make(translate("window", "Open notesearch"))

    def section_groups(self) -> list[list[QAction]]:
        """Return the actions on the selected section, in the groups of the action list."""
        (first, *opening), *others = super().section_groups()
        return [[first, self.go_on, *opening], *others]

    def window_groups(self) -> list[list[QAction]]:
        """Return the actions that need no selected section, in the groups of the action list."""
        return [
            [self.open_main, self.update_index],
            [self.settings, self.tips, self.keys, self.close_window, self.quit],
        ]
