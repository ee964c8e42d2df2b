"""Quick search: connects its window with the open vault."""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from notesearch.gui.quick.quick_presence import QuickPresence
from notesearch.gui.quick.quick_window import QuickWindow
from notesearch.gui.results.results_model import ResultsModel, SectionKey
from notesearch.gui.session.actions import QuickActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.search_pane import SearchPane
from notesearch.gui.translation import translate
from notesearch.gui.widgets.key_hints import Hint, caps_of
from notesearch.gui.widgets.message_page import Message, type_to_search_message
from notesearch.gui.widgets.theme import Theme
from notesearch.gui.window.index_display import IndexDisplay
from notesearch.gui.window.key_page import KeyPage, key_groups


class QuickSearch(QObject):
    """A second window on the open vault, with a search of its own.

    Args:
        vault: The open vault.
        display: Has the line about the state of the index.
        preferences: The settings.
        theme: The theme of the window.

    Signals:
        continued: The main window should continue with this query and selected section
            (``SectionKey`` or None).
    """

    continued = Signal(str, object)

    def __init__(
        self,
        vault: OpenVault,
        display: IndexDisplay,
        preferences: Preferences,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._vault = vault
        self._display = display
        self._outdated = False  # the index changed while the window was hidden
        self.model = ResultsModel(flat=True)  # without a parent, so that it outlives the window
        self.window = QuickWindow(self.model, theme)
        self.actions = QuickActions(self.window, self)
        self.pane = SearchPane(
            self.window,
            self.model,
            self.actions,
            vault,
            vault.quick_workers,
            preferences,
            partial(_start_page, vault, self.actions),
            self,
        )
        self.presence = QuickPresence(self.window, preferences, self)
        self._connect(preferences)
        self._connect_actions()
        self._show_hints()
        self.pane.follow_vault(False)
        self._show_state()

    @Slot()
    def toggle(self) -> None:
        """Show the window, or hide it if it is the active window."""
        self.presence.toggle()

    def show(self, query: str = "") -> None:
        """Show and focus the window, with ``query``, else with its last contents if still kept."""
        self.presence.show(query)

    @Slot()
    def hide(self) -> None:
        """Hide the window."""
        self.presence.hide()

    @Slot(object)
    def set_theme(self, theme: Theme) -> None:
        """Apply ``theme`` to the window and to its list of keys."""
        self.window.set_theme(theme)
        for page in self.window.findChildren(KeyPage):
            page.set_theme(theme)

    def close(self) -> None:
        """Hide the window and stop all timers."""
        self.pane.close()
        self.hide()

    def _connect(self, preferences: Preferences) -> None:
        window = self.window
        window.escaped.connect(self._escape)
        window.field.escaped.connect(self._escape)
        self.presence.appearing.connect(self._catch_up)
        # Hide only after the editor was started, so that this window can pass the focus on to it.
        self.pane.opener.opened.connect(self.hide)
        self._vault.index_changed.connect(self._on_index_changed)
        self._display.line_changed.connect(self._on_line_changed)
        preferences.changed.connect(self._show_hints)

    def _connect_actions(self) -> None:
        actions, window = self.actions, self.window
        for action, slot in (
            (actions.close_window, self.hide),
            (actions.next_pane, lambda: window.cycle_panes(1)),
            (actions.previous_pane, lambda: window.cycle_panes(-1)),
            (actions.show_preview, window.toggle_preview),
            (actions.show_menu, self._show_menu),
            (actions.keys, self._show_keys),
            (actions.go_on, self._hand_over),
            (actions.open_main, self._hand_over),
        ):
            action.triggered.connect(slot)

    @Slot()
    def _show_hints(self) -> None:
        self.window.foot.set_hints(
            Hint(caps_of("Enter"), self.pane.opener.label),
            Hint(caps_of("Ctrl+Enter"), translate("window", "Main window")),
            Hint(caps_of("Ctrl+K"), translate("window", "All actions")),
        )

    @Slot()
    def _on_index_changed(self) -> None:
        """Search again, now if the window is visible, else when it appears."""
        self._outdated = True
        if self.window.isVisible():
            self._catch_up()

    @Slot()
    def _on_line_changed(self) -> None:
        """Show the state of the index if the window is visible; ``_catch_up`` does it later."""
        if self.window.isVisible():
            self._show_state()

    @Slot()
    def _catch_up(self) -> None:
        if not self.window.field.text:
            self.pane.scope.leave_note()
        self._show_state()
        if self._outdated:
            self._outdated = False
            self.pane.refresh()

    def _show_state(self) -> None:
        self.window.foot.set_line(self._display.line)
        self.pane.show_state()

    @Slot()
    def _show_menu(self) -> None:
        self.window.command_palette.show_actions(self.actions.window_groups())

    @Slot()
    def _show_keys(self) -> None:
        KeyPage(key_groups(self.actions), self.window.theme, self.window).show()

    @Slot()
    def _escape(self) -> None:
        if not self.pane.search.cancel_enter() and not self.window.notice.close_message():
            self.presence.escape()

    @Slot()
    def _hand_over(self) -> None:
        """Pass query and selected section on to the main window, and hide this window."""
        section, text = self.window.results.view.section, self.window.field.text
        self.continued.emit(text, SectionKey.of(section) if section and text.strip() else None)
        self.hide()


def _start_page(vault: OpenVault, actions: QuickActions) -> tuple[Message, list[QAction]]:
    """Return the message and the buttons of the page that is shown while nothing is searched."""
    obstacle = vault.obstacle
    if obstacle is None:
        return type_to_search_message(vault.status), []
    return obstacle, [actions.open_main]
