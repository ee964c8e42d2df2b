"""The actions of the main window: those of both windows, and its own."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from notesearch.gui.session.pane_actions import PaneActions
from notesearch.gui.translation import translate


class MainActions(PaneActions):
    """The actions that the menu, the banner and the pages of the main window show."""

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(window, parent)
        self.give_keys(self.open_second, "Ctrl+Return", "Ctrl+Enter")
        self.quick_search = self.make(translate("window", "Open quick search"))
        self.choose_folder = self.make(translate("window", "Choose folder…"), "Ctrl+O")
        self.sample_notes = self.make(translate("window", "Try the sample notes"))
        self.about = self.make(translate("window", "About notesearch"))
        self.related = self.make(translate("window", "Show related sections"))
        self.why = self.make(translate("window", "Why this result?"))
        self.choose_scope = self.make(translate("window", "Search one folder…"))
        self.search_everywhere = self.make(translate("window", "Search all folders"))
        self.try_again = self.make(translate("window", "Try again"))
        self.show_details = self.make(translate("window", "Show details"))
        self.close_to_tray = self.make(translate("window", "Keep running in the tray when closed"))
        self.start_at_login = self.make(
            translate("window", "Start in the background when I log in")
        )
        self.pause = self.make(translate("window", "Pause indexing"))
        for choice in (self.close_to_tray, self.start_at_login, self.pause):
            choice.setCheckable(True)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def section_groups(self) -> list[list[QAction]]:
        """Return the actions on the selected section, in the groups of the action list."""
        opening, showing, copying = super().section_groups()
        showing.insert(-1, self.related)
        return [opening, showing, copying, [self.why, self.show_preview]]

    def window_groups(self) -> list[list[QAction]]:
        """Return the actions that need no selected section, in the groups of the action list."""
        return [
            [self.quick_search, self.update_index, self.pause],
            [self.choose_folder, self.sample_notes],
            [self.settings, self.tips, self.keys, self.about, self.close_window, self.quit],
        ]

    def menu(self) -> QMenu:
        """Return the menu behind the button at the top right."""
        menu = QMenu(self._window)
        menu.addActions([self.quick_search, self.update_index, self.pause])
        menu.addActions([self.choose_folder, self.sample_notes])
        menu.addSeparator()
        menu.addActions([self.close_to_tray, self.start_at_login])
        menu.addSeparator()
        menu.addActions([self.settings, self.tips, self.keys, self.about])
        menu.addSeparator()
        menu.addActions([self.close_window, self.quit])
        return menu
