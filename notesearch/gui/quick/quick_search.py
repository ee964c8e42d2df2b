"""Quick search: when its window is shown and hidden, what it keeps, where it hands over to."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.quick.quick_actions import QuickActions
from notesearch.gui.quick.quick_presence import QuickPresence
from notesearch.gui.quick.quick_window import QuickWindow
from notesearch.gui.results.flat_model import FlatModel
from notesearch.gui.results.results_rows import SectionKey
from notesearch.gui.results.row_menu import RowMenu
from notesearch.gui.session.announcer import Announcer
from notesearch.gui.session.lookups import RecentRequest, RecentSections
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.query_history import HistoryFlow, QueryHistory
from notesearch.gui.session.recents import Recents
from notesearch.gui.session.search_flow import SearchFlow
from notesearch.gui.translation import translate
from notesearch.gui.widgets import messages
from notesearch.gui.widgets.key_hints import Hint, caps_of
from notesearch.gui.widgets.message_page import Message
from notesearch.gui.widgets.theme import Theme
from notesearch.gui.window.key_page import KeyPage, key_groups
from notesearch.gui.window.open_flow import OpenFlow
from notesearch.gui.window.outline_flow import OutlineFlow
from notesearch.gui.window.status_bar import StatusLine
from notesearch.gui.window.vault_flow import VaultFlow
from notesearch.gui.window.within_note import WithinNote
from notesearch.results import SectionResult


class QuickSearch(QObject):
    """The second window on the vault that is open, with a search of its own.

    Signals:
        continued: The main window shall go on with a query and a selected section
            (``SectionKey`` or None).
        leaving: The program is to end.
    """

    continued = Signal(str, object)
    leaving = Signal()

    def __init__(
        self,
        vaults: VaultFlow,
        preferences: Preferences,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._vaults = vaults
        self._preferences = preferences
        self._recents = Recents(preferences.paths.data)
        self._recent: tuple[SectionResult, ...] = ()
        self._shown: Message | tuple[SectionResult, ...] | None = None
        self.model = FlatModel()  # of no parent: it ends after the window that shows it
        self.preview = PreviewPane(theme, compact=True)
        self.window = QuickWindow(self.model, self.preview, theme)
        self.actions = QuickActions(self.window, self)
        self.search = SearchFlow(self.window, self.model, self)
        self.reading = PreviewController(self.preview, self)
        self.outline = OutlineFlow(self.window, self.window.outline, self.reading, self)
        self.within = WithinNote(
            self.window.field, self.actions, self.search, self.reading, vaults, self
        )
        self.opening = OpenFlow(self.window, self.actions, self.reading, vaults, preferences, self)
        self.announcer = Announcer(self.window, self)
        self.history = HistoryFlow(self.window.field, QueryHistory(preferences.paths.data), self)
        self.presence = QuickPresence(self.window, preferences, self)
        self._behind = False  # of the index
        self._show_hints()
        self._connect()
        self._on_opening(vaults.vault)
        self._tell(vaults.line)

    @Slot()
    def toggle(self) -> None:
        """Show the window, or hide it where the user looks at it already."""
        self.presence.toggle()

    def show(self, query: str = "") -> None:
        """Show the window and give it the keyboard, on ``query`` or what it had lately."""
        self.presence.show(query)

    @Slot()
    def hide(self) -> None:
        """Hide the window; what it shows is kept for a while."""
        self.presence.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.window.set_theme(theme)
        self.preview.set_theme(theme)

    def close(self) -> None:
        """Wait for nothing any more."""
        self.reading.stop()
        self.announcer.stop()
        self.hide()

    @Slot()
    def _show_hints(self) -> None:
        self.window.foot.set_hints(
            Hint(caps_of("Enter"), self.opening.label),
            Hint(caps_of("Ctrl+Enter"), translate("window", "Main window")),
            Hint(caps_of("Ctrl+K"), translate("window", "All actions")),
        )

    def _connect(self) -> None:
        window, view, vaults = self.window, self.window.results.view, self._vaults
        window.escaped.connect(self._escape)
        window.field.escaped.connect(self._escape)
        self.presence.appearing.connect(self._catch_up)
        view.selected.connect(self._on_selected)
        view.opened.connect(self.opening.open_selected)
        self.opening.opened.connect(self._on_opened)
        self.search.asked.connect(self._ask)
        self.search.emptied.connect(self._show_empty)
        self.search.missed.connect(self.reading.clear)
        self.search.settled.connect(self.announcer.after_pause)
        self.outline.asked.connect(self._read)
        self.outline.open_wanted.connect(self._open_at)
        self.reading.note_missing.connect(self.model.set_gone)
        vaults.opening.connect(self._on_opening)
        vaults.changed.connect(self._on_changed)
        vaults.told.connect(self._on_told)
        self._preferences.changed.connect(self._show_hints)
        self._connect_actions()

    def _connect_actions(self) -> None:
        actions, window = self.actions, self.window
        actions.connect_preview(self.preview, self.reading)
        actions.update_index.triggered.connect(self._vaults.refresh)
        actions.close_window.triggered.connect(self.hide)
        actions.quit.triggered.connect(self.leaving)
        actions.connect_window(window)
        actions.all_actions.triggered.connect(self._show_actions)
        self.row_menu = RowMenu(window.results.view, actions.section_groups, self)
        actions.outline.triggered.connect(self.outline.show)
        actions.keys.triggered.connect(self._show_keys)
        window.digits.chosen.connect(window.results.view.opened)
        actions.go_on.triggered.connect(self._hand_over)
        actions.open_main.triggered.connect(self._hand_over)

    @Slot(object)
    def _on_opening(self, vault: Path | None) -> None:
        """Search and read in the vault that is being opened."""
        self.search.forget()
        session = self._vaults.session
        self.reading.attach(session.quick if session else None)
        if session is not None:
            for worker in (session.quick.words, session.quick.meaning):
                worker.answered.connect(self.search.answer)
                worker.completed.connect(self.search.complete)
            session.quick.reading.recalled.connect(self._on_recalled)
            session.quick.reading.counted.connect(self.outline.count)
        self._recent = ()
        if vault is not None:
            self._recall(self._recents.of(vault))
        self.window.field.set_enabled(vault is not None)
        self.search.query(self.window.field.text)

    def _recall(self, sections: tuple[SectionResult, ...]) -> None:
        if self._vaults.session and sections:
            self._vaults.session.quick.reading.ask(RecentRequest(sections))

    @Slot(object)
    def _on_recalled(self, found: RecentSections) -> None:
        known, self._recent = self._recent, found.sections
        if found.sections != known and not self.search.text.strip():
            self._show_empty()

    @Slot()
    def _show_empty(self) -> None:
        """Show what fits while nothing is asked: an obstacle, recent sections, or an invitation."""
        window, obstacle = self.window, self._vaults.obstacle
        self._shown = fitting = self._fitting()
        if isinstance(fitting, tuple):
            self.model.set_recent(fitting)
            window.show_results()
            window.results.view.select(self.model.first_section())
            return
        self.reading.clear()
        self.model.set_recent(())
        window.page.show_page(fitting, [self.actions.open_main] if obstacle is not None else [])
        window.show_page()

    def _fitting(self) -> Message | tuple[SectionResult, ...]:
        """Return what fits while nothing is asked: recent sections, or a page."""
        if self._vaults.obstacle is not None:
            return self._vaults.obstacle
        return self._recent or messages.type_to_search(self._vaults.status)

    @Slot(object)
    def _ask(self, request: object) -> None:
        if self._vaults.session:
            self._vaults.session.quick.search(request)  # type: ignore[arg-type]

    @Slot(object)
    def _read(self, request: object) -> None:
        if self._vaults.session:
            self._vaults.session.quick.read(request)  # type: ignore[arg-type]

    @Slot()
    def _on_changed(self) -> None:
        """Ask again, if anybody looks; else when somebody does."""
        self._behind = True
        if self.window.isVisible():
            self._catch_up()

    @Slot()
    def _catch_up(self) -> None:
        if not self.window.field.text:
            self.within.leave_note()
        self._tell(self._vaults.line)
        if self._behind:
            self._behind = False
            self.search.repeat()
            if self._vaults.vault is not None:
                self._recall(self._recents.of(self._vaults.vault))

    @Slot(object)
    def _on_told(self, line: StatusLine) -> None:
        """Show the news, if anybody looks; else when somebody does."""
        if self.window.isVisible():
            self._tell(line)

    def _tell(self, line: StatusLine) -> None:
        self.window.foot.set_line(line)
        self.search.set_status(self._vaults.status)
        self.search.set_progress(self._vaults.counting)
        if not self.search.text.strip() and self._fitting() != self._shown:
            self._show_empty()

    @Slot(object)
    def _on_selected(self, result: SectionResult) -> None:
        self.opening.turn_to(result)
        self.reading.show(result, self.search.text)

    @Slot(object)
    def _on_opened(self, section: SectionResult) -> None:
        """Remember what was opened, and only now hide: the editor was given this window's focus."""
        self.history.remember(self.search.text)
        self.remember(section)
        self.hide()

    @Slot(str, int)
    def _open_at(self, path: str, line: int) -> None:
        if self.opening.open_at(path, line):
            self.hide()

    @Slot()
    def _show_keys(self) -> None:
        KeyPage(key_groups(self.actions), self.window.theme, self.window).show()

    @Slot(object)
    def remember(self, section: SectionResult) -> None:
        """Put a section that was opened, in whichever window, before the other recent ones."""
        if self._vaults.vault is not None:
            self._recall(self._recents.add(self._vaults.vault, section))

    @Slot()
    def _show_actions(self) -> None:
        """Offer what can be done with the selected section; without one, with the program."""
        window = self.window
        selected = window.shows_results and window.results.view.section is not None
        groups = self.actions.section_groups() if selected else self.actions.window_groups()
        window.action_list.show_actions(groups)

    @Slot()
    def _escape(self) -> None:
        if not self.search.give_up_enter():
            self.presence.escape()

    @Slot()
    def _hand_over(self) -> None:
        section, text = self.window.results.view.section, self.window.field.text
        self.continued.emit(text, SectionKey.of(section) if section and text.strip() else None)
        self.hide()
