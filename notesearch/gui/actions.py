"""What the user can do besides typing: every action once, with its key and its name."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu


class Actions(QObject):
    """The window's actions; ``app`` connects them, menu, banner and pages show them."""

    def __init__(self, window: QMainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self.update_index = self._make("Update index", "F5")
        self.choose_folder = self._make("Choose folder…", "Ctrl+O")
        self.sample_notes = self._make("Try the sample notes")
        self.about = self._make("About notesearch")
        self.close_window = self._make("Close window", "Ctrl+W")
        self.quit = self._make("Quit", "Ctrl+Q")
        self.try_again = self._make("Try again")
        self.copy_path = self._make("Copy path")
        self.focus_field = self._make("Search", "Ctrl+F", "Ctrl+L")
        self.next_pane = self._make("Next pane", "F6")
        self.previous_pane = self._make("Previous pane", "Shift+F6")
        self.show_menu = self._make("Menu", "F10")
        self.wider = self._make("Parent section", "Alt+Up")
        self.narrower = self._make("Back to the section", "Alt+Down")
        self.whole_note = self._make("Whole note", "Alt+Shift+Up")
        self.scroll_up = self._make("Scroll the preview up", "Shift+Up")
        self.scroll_down = self._make("Scroll the preview down", "Shift+Down")
        self.scroll_page_up = self._make("Page up in the preview", "Shift+PgUp")
        self.scroll_page_down = self._make("Page down in the preview", "Shift+PgDown")
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def menu(self) -> QMenu:
        """Return the menu behind the button at the top right."""
        menu = QMenu(self._window)
        menu.addActions([self.update_index, self.choose_folder, self.sample_notes])
        menu.addSeparator()
        menu.addAction(self.about)
        menu.addSeparator()
        menu.addActions([self.close_window, self.quit])
        return menu

    def _make(self, text: str, *keys: str) -> QAction:
        action = QAction(text, self)
        if keys:
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            self._window.addAction(action)
        return action
