"""All actions of the main window; ``PaneActions`` has those that quick search has, too."""

from PySide6.QtCore import QObject, Slot, qVersion
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from notesearch import __version__
from notesearch.gui.session.pane_actions import PaneActions
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.dialogs import message_box
from notesearch.gui.window.key_page import KeyPage, key_groups
from notesearch.gui.window.main_window import MainWindow


class MainActions(PaneActions):
    """All actions of the main window; those on the window itself are connected here."""

    switch_folders = True

    def __init__(self, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(window, parent)
        self._main = window
        self.give_keys(self.open_second, "Ctrl+Return", "Ctrl+Enter")
        self.quick_search = self.make(translate("window", "Open quick search"))
        self.choose_folder = self.make(translate("window", "Choose folder…"), "Ctrl+O")
        self.sample_notes = self.make(translate("window", "Try the sample notes"))
        self.about = self.make(translate("window", "About notesearch"))
        self.related = self.make(translate("window", "Show related sections"))
        self.backlinks = self.make(translate("window", "Show backlinks"), "Ctrl+Shift+B")
        self.why = self.make(translate("window", "Why this result?"))
        self.why_not = self.make(translate("window", "Why is a note not here?"))
        self.choose_scope = self.make(translate("window", "Search one folder…"))
        self.search_everywhere = self.make(translate("window", "Search everywhere"))
        self.try_again = self.make(translate("window", "Try again"))
        self.close_to_tray = self.make(translate("window", "Keep running in the tray when closed"))
        self.start_at_login = self.make(
            translate("window", "Start in the background when I log in")
        )
        self.pause = self.make(translate("window", "Pause indexing"))
        for choice in (self.close_to_tray, self.start_at_login, self.pause):
            choice.setCheckable(True)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)
        for action, slot in (
            (self.close_window, window.close),
            (self.next_pane, self._next_pane),
            (self.previous_pane, self._previous_pane),
            (self.show_menu, window.open_menu),
            (self.show_preview, window.toggle_preview),
            (self.about, self.show_about_box),
            (self.keys, self.show_key_page),
        ):
            action.triggered.connect(slot)

    def section_groups(self) -> list[list[QAction]]:
        """Return the groups of the command palette (Ctrl+K) on the selected section."""
        opening, showing, searching, steering, copying = super().section_groups()
        return [
            opening,
            [*showing, self.related, self.backlinks],
            searching,
            steering,
            copying,
            [self.why, self.why_not, self.show_preview],
        ]

    def window_groups(self) -> list[list[QAction]]:
        """Return the groups of the command palette (Ctrl+K) that need no selected section."""
        return [
            [self.why_not],
            [self.quick_search, self.update_index, self.pause],
            [self.choose_folder, self.sample_notes],
            [self.settings, self.tips, self.keys, self.about, self.close_window, self.quit],
        ]

    def menu(self) -> QMenu:
        """Return the menu behind the button at the top right."""
        menu = QMenu(self._main)
        menu.addActions([self.quick_search, self.update_index, self.pause])
        menu.addActions([self.choose_folder, self.sample_notes])
        menu.addSeparator()
        menu.addActions([self.close_to_tray, self.start_at_login])
        menu.addSeparator()
        menu.addActions([self.settings, self.tips, self.keys, self.about])
        menu.addSeparator()
        menu.addActions([self.close_window, self.quit])
        return menu

    @Slot()
    def _next_pane(self) -> None:
        self._main.cycle_panes(1)

    @Slot()
    def _previous_pane(self) -> None:
        self._main.cycle_panes(-1)

    @Slot()
    def show_key_page(self) -> None:
        """Show all keyboard shortcuts."""
        KeyPage(key_groups(self), self._main.theme, self._main).show()

    @Slot()
    def show_about_box(self) -> None:
        """Show a box with the program's purpose, version and licence."""
        text = translate(
            "window",
            "Finds the section you mean in your own folder of Markdown notes. It never"
            " changes your notes, and nothing leaves this computer.\n\nFree software under"
            " the MIT License. Built with Qt {version}.",
        )
        box = message_box(
            self._main,
            translate("window", "About notesearch"),
            f"notesearch {__version__}",
            text.format(version=qVersion()),
        )
        box.setIconPixmap(icons.app_icon().pixmap(64, 64))
        box.open()
