"""What the user can do besides typing: every action once, with its key and its name."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.keyboard import KeyRepeatFilter
from notesearch.gui.window.action_list import KEYS

_SCROLLED_LINES = 3
_ZOOM_STEP = 10


class PaneActions(QObject):
    """What both windows offer around their field, list and preview."""

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        KeyRepeatFilter(window, self)
        self.update_index = self.make(translate("window", "Update index"), "F5")
        self.close_window = self.make(translate("window", "Close window"), "Ctrl+W")
        self.quit = self.make(translate("window", "Quit"), "Ctrl+Q")
        self.settings = self.make(translate("window", "Settings…"), "Ctrl+,")
        self.copy_markdown = self.make(translate("window", "Copy as Markdown"), "Ctrl+Shift+C")
        self.copy_link = self.make(translate("window", "Copy link to the section"), "Ctrl+Shift+L")
        self.copy_path = self.make(translate("window", "Copy path"), "Ctrl+Alt+C")
        self.reveal = self.make(translate("window", "Show in the file manager"), "Ctrl+Shift+R")
        self.choose_editor = self.make(translate("window", "Choose editor…"))
        self.focus_field = self.make(translate("window", "Search"), "Ctrl+F", "Ctrl+L")
        self.next_pane = self.make(translate("window", "Next pane"), "F6")
        self.previous_pane = self.make(translate("window", "Previous pane"), "Shift+F6")
        self.wider = self.make(translate("window", "Show parent section"), "Alt+Up")
        self.narrower = self.make(translate("window", "Go back to the section"), "Alt+Down")
        self.whole_note = self.make(translate("window", "Show whole note"), "Alt+Shift+Up")
        self.outline = self.make(translate("window", "Note outline"), "Ctrl+Shift+O")
        self.show_preview = self.make(translate("window", "Show or hide the preview"), "Alt+P")
        self.search_in_note = self.make(
            translate("window", "Search this note only"), "Ctrl+Shift+F"
        )
        self.scroll_up = self.make(translate("window", "Scroll the preview up"), "Shift+Up")
        self.scroll_down = self.make(translate("window", "Scroll the preview down"), "Shift+Down")
        self.scroll_page_up = self.make(
            translate("window", "Scroll the preview up a page"), "Shift+PgUp"
        )
        self.scroll_page_down = self.make(
            translate("window", "Scroll the preview down a page"), "Shift+PgDown"
        )
        self.all_actions = self.make(translate("window", "All actions"), "Ctrl+K")
        self.back = self.make(translate("window", "Go back in the preview"), "Alt+Left")
        self.forth = self.make(translate("window", "Go forward in the preview"), "Alt+Right")
        self.larger = self.make(
            translate("window", "Larger text in the preview"), "Ctrl++", "Ctrl+="
        )
        self.smaller = self.make(translate("window", "Smaller text in the preview"), "Ctrl+-")
        self.usual_size = self.make(
            translate("window", "Default text size in the preview"), "Ctrl+0"
        )
        self.keys = self.make(translate("window", "Keyboard shortcuts"), "F1", "Ctrl+?")
        self.show_menu = self.make(translate("window", "Menu"), "F10")
        self.open_section = self.make(translate("window", "Open note"))
        self.open_section.setProperty(KEYS, "Return")
        self.open_second = self.make(translate("window", "Open note"))
        for action in (
            *(self.next_pane, self.previous_pane, self.wider, self.narrower, self.back, self.forth),
            *(self.scroll_up, self.scroll_down, self.scroll_page_up, self.scroll_page_down),
            *(self.larger, self.smaller),
        ):
            action.setAutoRepeat(True)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.settings.setMenuRole(QAction.MenuRole.PreferencesRole)

    def section_groups(self) -> list[list[QAction]]:
        """Return what can be done with the selected section, as the action list shows it."""
        return [
            [self.open_section, self.open_second, self.reveal],
            [self.wider, self.whole_note, self.outline, self.search_in_note],
            [self.copy_markdown, self.copy_link, self.copy_path],
        ]

    def connect_preview(self, preview: PreviewPane, reading: PreviewController) -> None:
        """Let the keys of the preview work from anywhere in the window."""
        self.wider.triggered.connect(reading.widen)
        self.narrower.triggered.connect(reading.narrow)
        self.whole_note.triggered.connect(reading.show_note)
        preview.update_button.clicked.connect(self.update_index.trigger)
        self.back.triggered.connect(reading.back)
        self.forth.triggered.connect(reading.forward)
        self.scroll_up.triggered.connect(lambda: preview.scroll_lines(-_SCROLLED_LINES))
        self.scroll_down.triggered.connect(lambda: preview.scroll_lines(_SCROLLED_LINES))
        self.scroll_page_up.triggered.connect(lambda: preview.scroll_pages(-1))
        self.scroll_page_down.triggered.connect(lambda: preview.scroll_pages(1))
        self.larger.triggered.connect(lambda: preview.set_zoom(preview.zoom + _ZOOM_STEP))
        self.smaller.triggered.connect(lambda: preview.set_zoom(preview.zoom - _ZOOM_STEP))
        self.usual_size.triggered.connect(lambda: preview.set_zoom(100))

    def make(self, text: str, *keys: str) -> QAction:
        """Return a new action of the window; to hold its keys is to press them once."""
        action = QAction(text, self)
        action.setAutoRepeat(False)
        if keys:
            self.give_keys(action, *keys)
        return action

    def give_keys(self, action: QAction, *keys: str) -> None:
        """Let ``keys`` trigger ``action`` from anywhere in the window."""
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._window.addAction(action)


class Actions(PaneActions):
    """The main window's actions; ``app`` connects them, menu, banner and pages show them."""

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
        """Return what can be done with the selected section, as the action list shows it."""
        opening, showing, copying = super().section_groups()
        showing.insert(-1, self.related)
        return [opening, showing, copying, [self.why, self.show_preview]]

    def window_groups(self) -> list[list[QAction]]:
        """Return what can be done where no section is selected, as the action list shows it."""
        return [
            [self.quick_search, self.update_index, self.pause],
            [self.choose_folder, self.sample_notes],
            [self.settings, self.keys, self.about, self.close_window, self.quit],
        ]

    def menu(self) -> QMenu:
        """Return the menu behind the button at the top right."""
        menu = QMenu(self._window)
        menu.addActions([self.quick_search, self.update_index, self.pause])
        menu.addActions([self.choose_folder, self.sample_notes])
        menu.addSeparator()
        menu.addActions([self.close_to_tray, self.start_at_login])
        menu.addSeparator()
        menu.addActions([self.settings, self.keys, self.about])
        menu.addSeparator()
        menu.addActions([self.close_window, self.quit])
        return menu
