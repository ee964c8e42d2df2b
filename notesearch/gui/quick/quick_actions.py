"""The actions of quick search, each once, with its key and its name."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from notesearch.gui.translation import translate
from notesearch.gui.window.actions import PaneActions

if TYPE_CHECKING:
    from notesearch.gui.quick.quick_window import QuickWindow


class QuickActions(PaneActions):
    """The actions of quick search."""

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(window, parent)
        self.go_on = self.make(
            translate("window", "Continue in the main window"), "Ctrl+Return", "Ctrl+Enter"
        )
        self.open_main = self.make(translate("window", "Open notesearch"))

    def connect_window(self, window: "QuickWindow") -> None:
        """Let keys lead from one part of the window to another, and out of it."""
        self.open_section.triggered.connect(window.results.view.opened)
        self.focus_field.triggered.connect(window.field.focus_all)
        self.next_pane.triggered.connect(lambda: window.cycle_panes(1))
        self.previous_pane.triggered.connect(lambda: window.cycle_panes(-1))
        self.show_preview.triggered.connect(window.toggle_preview)
        actions = window.action_list
        self.show_menu.triggered.connect(lambda: actions.show_actions(self.window_groups()))

    def section_groups(self) -> list[list[QAction]]:
        """Return what can be done with the selected section, as the action list shows it."""
        (first, *opening), *others = super().section_groups()
        return [[first, self.go_on, *opening], *others]

    def window_groups(self) -> list[list[QAction]]:
        """Return what can be done where no section is selected, as the action list shows it."""
        return [
            [self.open_main, self.update_index],
            [self.settings, self.keys, self.close_window, self.quit],
        ]
