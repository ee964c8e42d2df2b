"""All actions of both windows: names, keys, menu, and the command palette that Ctrl+K opens."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from notesearch.gui.translation import shortcut_text, translate
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.keys import KeyRepeatFilter
from notesearch.gui.widgets.popovers import ChoicePopover

KEYS = "keys"
"""A property of actions: the key that triggers it, if a widget handles the key, such as Enter."""


def keys_text(action: QAction) -> str:
    """Return the first shortcut of ``action`` as this platform writes it; empty for none."""
    return shortcut_text(action.property(KEYS) or action.shortcut())


class PaneActions(QObject):
    """The actions that both windows have, on the field, the list and the preview of ``window``."""

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        KeyRepeatFilter(window, self)
        self._make_window_actions()
        self._make_section_actions()
        self._make_preview_actions()

    def _make_window_actions(self) -> None:
        make = self.make
        self.update_index = make(translate("Update index"), "F5")
        self.close_window = make(translate("Close window"), "Ctrl+W")
        self.quit = make(translate("Quit"), "Ctrl+Q")
        self.settings = make(translate("Settings…"), "Ctrl+,")
        self.choose_editor = make(translate("Choose editor…"))
        self.show_details = make(translate("Show details"))
        self.focus_field = make(translate("Search"), "Ctrl+F", "Ctrl+L")
        self.next_pane = make(translate("Next pane"), "F6")
        self.previous_pane = make(translate("Previous pane"), "Shift+F6")
        self.all_actions = make(translate("All actions"), "Ctrl+K")
        self.keys = make(translate("Keyboard shortcuts"), "F1", "Ctrl+?")
        self.tips = make(translate("Search tips"), "Shift+F1")
        self.show_menu = make(translate("Menu"), "F10")
        for action in (self.next_pane, self.previous_pane):
            action.setAutoRepeat(True)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.settings.setMenuRole(QAction.MenuRole.PreferencesRole)

    def _make_section_actions(self) -> None:
        make = self.make
        self.copy_markdown = make(translate("Copy as Markdown"), "Ctrl+Shift+C")
        self.copy_link = make(translate("Copy link to the section"), "Ctrl+Shift+L")
        self.copy_path = make(translate("Copy path"), "Ctrl+Alt+C")
        self.reveal = make(translate("Show in the file manager"), "Ctrl+Shift+R")
        self.export_pdf = make(translate("Export as PDF…"))
        self.print_section = make(translate("Print…"), "Ctrl+P")
        self.search_in_note = make(translate("Search this note only"), "Ctrl+Shift+F")
        self.star = make(translate("Star this query"), "Ctrl+D")
        self.name_star = make(translate("Name this query…"), "Ctrl+Shift+D")
        self.queries = make(translate("Starred and earlier queries"), "Ctrl+Shift+H")
        self.new_note = make(translate("New note"))
        self.more_like = make(translate("More like this"))
        self.less_like = make(translate("Less like this"))
        self.narrow = make(translate("Narrow the results"), "Alt+N")
        self.open_section = make(translate("Open note"))
        self.open_section.setProperty(KEYS, "Return")
        self.open_second = make(translate("Open note"))

    def _make_preview_actions(self) -> None:
        make = self.make
        self.wider = make(translate("Show parent section"), "Alt+Up")
        self.narrower = make(translate("Go back to the section"), "Alt+Down")
        self.whole_note = make(translate("Show whole note"), "Alt+Shift+Up")
        self.outline = make(translate("Note outline"), "Ctrl+Shift+O")
        self.find = make(translate("Find in the preview"), "Alt+F")
        self.enlarge = make(translate("Enlarge picture"), "Alt+E")
        self.show_preview = make(translate("Show or hide the preview"), "Alt+P")
        self.scroll_up = make(translate("Scroll the preview up"), "Shift+Up")
        self.scroll_down = make(translate("Scroll the preview down"), "Shift+Down")
        self.scroll_page_up = make(translate("Scroll the preview up a page"), "Shift+PgUp")
        self.scroll_page_down = make(translate("Scroll the preview down a page"), "Shift+PgDown")
        self.back = make(translate("Go back in the preview"), "Alt+Left")
        self.forward = make(translate("Go forward in the preview"), "Alt+Right")
        self.larger = make(translate("Larger text in the preview"), "Ctrl++", "Ctrl+=")
        self.smaller = make(translate("Smaller text in the preview"), "Ctrl+-")
        self.usual_size = make(translate("Default text size in the preview"), "Ctrl+0")
        for action in (
            *(self.wider, self.narrower, self.back, self.forward, self.larger, self.smaller),
            *(self.scroll_up, self.scroll_down, self.scroll_page_up, self.scroll_page_down),
        ):
            action.setAutoRepeat(True)

    def section_groups(self) -> list[list[QAction]]:
        """Return the actions on the selected section, in groups."""
        return [
            [self.open_section, self.open_second, self.reveal],
            [self.wider, self.whole_note, self.outline, self.find, self.enlarge],
            [self.search_in_note, self.narrow, self.star, self.name_star],
            [self.more_like, self.less_like],
            [
                *(self.copy_markdown, self.copy_link, self.copy_path),
                *(self.export_pdf, self.print_section),
            ],
        ]

    def window_groups(self) -> list[list[QAction]]:
        """Return the actions that need no selected section, in groups."""
        raise NotImplementedError

    def palette_groups(self, *, selected: bool) -> list[list[QAction]]:
        """Return what the command palette lists; ``selected`` if a section is selected."""
        return [*(self.section_groups() if selected else ()), *self.window_groups()]

    def make(self, text: str, *keys: str) -> QAction:
        """Return a new action of the window. Its shortcuts ``keys`` do not repeat while held."""
        action = QAction(text, self)
        action.setAutoRepeat(False)
        if keys:
            self.give_keys(action, *keys)
        return action

    def give_keys(self, action: QAction, *keys: str) -> None:
        """Let ``keys`` trigger ``action`` anywhere in the window."""
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._window.addAction(action)


class MainActions(PaneActions):
    """The actions of the main window."""

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(window, parent)
        make = self.make
        self.give_keys(self.open_second, "Ctrl+Enter", "Ctrl+Return")
        self.quick_search = make(translate("Open quick search"))
        self.choose_folder = make(translate("Choose folder…"), "Ctrl+O")
        self.sample_notes = make(translate("Try the sample notes"))
        self.about = make(translate("About notesearch"))
        self.related = make(translate("Show related sections"))
        self.backlinks = make(translate("Show backlinks"), "Ctrl+Shift+B")
        self.why = make(translate("Why this result?"))
        self.why_not = make(translate("Why is a note not here?"))
        self.choose_scope = make(translate("Search one folder…"))
        self.search_everywhere = make(translate("Search everywhere"))
        self.try_again = make(translate("Try again"))
        self.pause = make(translate("Pause indexing"))
        self.pause.setCheckable(True)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def section_groups(self) -> list[list[QAction]]:
        """Return the groups of both windows, with those that only the main window has."""
        opening, showing, searching, steering, copying = super().section_groups()
        return [
            opening,
            [*showing, self.related, self.backlinks],
            searching,
            steering,
            copying,
            [self.why, self.show_preview],
        ]

    def window_groups(self) -> list[list[QAction]]:
        """Return the actions that need no selected section."""
        return [
            [self.queries, self.choose_scope, self.why_not],
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
        menu.addActions([self.settings, self.tips, self.keys, self.about])
        menu.addSeparator()
        menu.addActions([self.close_window, self.quit])
        return menu


class QuickActions(PaneActions):
    """The actions that the window of quick search offers."""

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(window, parent)
        make = self.make
        self.go_on = make(translate("Continue in the main window"), "Ctrl+Enter", "Ctrl+Return")

    def section_groups(self) -> list[list[QAction]]:
        """Return the groups of both windows, and the action to continue in the main window."""
        (first, *opening), *others = super().section_groups()
        return [[first, self.go_on, *opening], *others]

    def window_groups(self) -> list[list[QAction]]:
        """Return the actions that need no selected section."""
        return [
            [self.go_on, self.update_index, self.queries, self.show_preview],
            [self.settings, self.tips, self.keys, self.close_window, self.quit],
        ]


def show_actions(popover: ChoicePopover, groups: Iterable[Sequence[QAction]]) -> None:
    """List in ``popover`` once each enabled, visible action of ``groups``; close an open list.

    The list closes before an action is triggered, by choice or by its keys.
    """
    name = translate("Actions")
    if popover.close_list(name):
        return
    choices = list[Choice]()
    listed = set[QAction]()
    for group in groups:
        possible = (action for action in group if action.isEnabled() and action.isVisible())
        offered = [action for action in possible if action not in listed]
        listed.update(offered)
        for action in offered:
            action.triggered.connect(popover.close_actions, Qt.ConnectionType.UniqueConnection)
            is_last = action is offered[-1]
            keys = keys_text(action)
            choices.append(Choice(action.text(), keys, ends_group=is_last, value=action))
    popover.offer(name, choices, QAction.trigger, prompt=translate("Search actions"))
