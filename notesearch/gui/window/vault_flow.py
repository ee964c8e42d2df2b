"""Which folder is open and how its index is: status line, progress, banner and pages follow it."""

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    NotesearchError,
    VaultMissingError,
)
from notesearch.gui.session.search_flow import SearchFlow
from notesearch.gui.session.search_worker import OpenLibrary
from notesearch.gui.session.session_turns import SessionTurns
from notesearch.gui.session.vault_session import VaultSession
from notesearch.gui.translation import error_text
from notesearch.gui.widgets import messages
from notesearch.gui.widgets.message_page import Message, choose_folder_message
from notesearch.gui.window.actions import Actions
from notesearch.gui.window.index_notices import IndexNotices
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.window.pace import Pace
from notesearch.gui.window.status_bar import StatusLine, no_folder
from notesearch.gui.window.status_line import status_line
from notesearch.status import Phase, Progress, Report, Status

_REPEAT_S = 1.0
_LONG_S = 1.0


class VaultFlow(QObject):
    """Opens and closes vaults, and shows the state of the open one.

    Signals:
        opening: A vault is being opened (``Path``).
        changed: The index changed: what was asked is asked again.
        told: Another ``StatusLine`` says how the index is.
        idle: The index is up to date, or cannot be for now.
        retired: The threads of a vault that was open have ended.
    """

    opening = Signal(object)
    changed = Signal()
    told = Signal(object)
    idle = Signal()
    retired = Signal()

    def __init__(
        self,
        window: MainWindow,
        actions: Actions,
        search: SearchFlow,
        opener: Callable[[Path], OpenLibrary],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window, self._actions, self._search = window, actions, search
        self.notices = IndexNotices(window.banner, actions, self)
        self.turns = SessionTurns(opener, self)
        self.turns.retired.connect(self.retired)
        self.vault: Path | None = None
        self._forget()
        search.asked.connect(self._pass_query)
        search.emptied.connect(self.show_page)
        self.changed.connect(search.repeat)
        window.activated.connect(self._look_again)
        actions.update_index.triggered.connect(self.refresh)
        actions.try_again.triggered.connect(self.refresh)

    @property
    def session(self) -> VaultSession | None:
        """The threads of the open vault."""
        return self.turns.current

    @property
    def status(self) -> Status | None:
        """The state of the index, as last told."""
        return self._status

    @property
    def line(self) -> StatusLine:
        """What is to be said about the index now."""
        if self.vault is None:
            return no_folder()
        known = self._status, self._progress, self._problem
        told = self.notices.is_shown or bool(self._open_problem)
        return status_line(*known, told=told, paused=self.turns.paused, left=self._pace.left)

    @property
    def counting(self) -> Progress | None:
        """How many notes are indexed, while they are."""
        busy = self._progress.phase is Phase.WORDS and not self.turns.paused
        return self._progress if busy else None

    @property
    def obstacle(self) -> Message | None:
        """The page that says why nothing can be searched, if so."""
        status, idle = self._status, self._progress.phase in {Phase.IDLE, Phase.MEANING}
        if self.vault is None:
            return choose_folder_message()
        if self._open_problem:
            return messages.failed(self._open_problem)
        if status and not status.notes and not status.vault_missing and idle:
            return messages.empty_folder(self.vault)
        return None

    def open(self, vault: Path) -> None:
        """Open ``vault`` in place of the one that is open."""
        self._forget()
        self.vault = vault
        self._search.forget()
        self._window.field.set_enabled(True)
        self._start(vault)
        self._search.query(self._window.field.text)
        self._window.field.setFocus()

    @Slot()
    def reopen(self) -> None:
        """Open the same vault again: it is indexed or searched otherwise from now on."""
        if self.vault is not None:
            self._progress, self._problem, self._open_problem = Progress(Phase.SCAN), "", ""
            self._start(self.vault)
            self._search.repeat()

    def leave(self) -> None:
        """Have no vault open."""
        self.turns.retire()
        self._forget()
        self.vault = None
        self._search.forget()
        self.opening.emit(None)
        self._window.field.clear()
        self.show_page()

    def _start(self, vault: Path) -> None:
        session = self.turns.next(vault)
        session.main.words.failed.connect(self._on_open_failed)
        for worker in (session.main.words, session.main.meaning):
            worker.answered.connect(self._search.answer)
            worker.completed.connect(self._search.complete)
        session.index.progress_made.connect(self._on_progress)
        session.index.index_updated.connect(self._on_updated)
        session.index.index_failed.connect(self._on_failed)
        session.index.status_changed.connect(self._on_status)
        self.opening.emit(vault)
        self.turns.begin()
        self._show_state()

    def close(self) -> None:
        """End the threads of the open vault."""
        self.turns.close()

    @Slot()
    def refresh(self) -> None:
        """Compare the folder with its index now."""
        if self.session:
            self.session.refresh()

    @Slot()
    def rebuild(self) -> None:
        """Make the index of the open vault again."""
        if self.session:
            self.session.rebuild()

    def set_paused(self, paused: bool) -> None:
        """Have changed notes wait, or indexed, in this vault and those opened later."""
        self.turns.set_paused(paused)
        self._show_state()

    @Slot()
    def show_page(self) -> None:
        """Show the page that fits while no query is asked."""
        actions, page = self._actions, self.obstacle
        choices = [actions.choose_folder, actions.sample_notes]
        if self.vault is None:
            self._window.field.set_enabled(False)
        if page is None:
            choices = []
        elif self._open_problem:
            choices = [actions.try_again if self._problem else choices[0], actions.show_details]
        self._window.page.show_page(page or messages.empty_query(self._status), choices)
        self._window.show_page()
        self._show_state()
        if self.vault is None:
            self._window.page.focus_action()

    def _forget(self) -> None:
        self._status: Status | None = None
        self._progress, self._pace = Progress(Phase.SCAN), Pace()
        self._problem = self._open_problem = ""
        self.notices.forget()
        self._repeated = self._counting_since = 0.0

    @Slot(object)
    def _pass_query(self, request: object) -> None:
        if self.session:
            self.session.main.search(request)  # type: ignore[arg-type]

    @Slot(object)
    def _on_open_failed(self, error: NotesearchError) -> None:
        self._open_problem = error_text(error)
        self.show_page()
        self.idle.emit()

    @Slot(object)
    def _on_progress(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.phase is Phase.WORDS and self._progress.phase is not Phase.WORDS:
            self._counting_since = now
        changed = progress.phase is not self._progress.phase
        self._progress = self._pace.look(progress)
        self._show_state()
        if progress.phase is Phase.WORDS and now - self._repeated >= _REPEAT_S:
            self._repeated = now
            self.changed.emit()
        if changed and not self._search.text.strip():
            self.show_page()
        if progress.phase is Phase.IDLE:
            self.idle.emit()

    @Slot(object)
    def _on_updated(self, report: Report) -> None:
        recovered = self.notices.is_shown or bool(self._problem)
        self._problem = self._open_problem = ""
        self.notices.settle()
        self._show_state()
        if report or recovered:
            self.changed.emit()

    @Slot(object)
    def _on_failed(self, error: NotesearchError) -> None:
        if isinstance(error, VaultMissingError):
            self.notices.tell_missing(error_text(error), self.vault, self._status)
        elif isinstance(error, IndexDamagedError):
            self.notices.tell_rebuilt(error.sentence)
        else:
            self._problem = error_text(error)
            self._progress = Progress(Phase.SCAN)
            if isinstance(error, IndexFileError) and self._status is None:
                self._on_open_failed(error)
            elif not isinstance(error, IndexBusyError):
                self.notices.tell_failed(error_text(error))
        self._show_state()
        if not isinstance(error, IndexDamagedError):
            self.idle.emit()

    @Slot(object)
    def _on_status(self, status: Status) -> None:
        known, self._status = self._status, status
        self._search.set_status(status)
        if status.rebuilt:
            self.notices.tell_rebuilt(status.rebuilt)
        self._show_state()
        if known is None and status.notes:  # the first answer
            self.changed.emit()
        if not self._search.text.strip():
            self.show_page()

    @Slot()
    def _look_again(self) -> None:
        if self._status is not None and self._status.vault_missing:
            self.refresh()

    def _show_state(self) -> None:
        self._window.status.set_line(self.line)
        self.told.emit(self.line)
        if self.vault is None:
            return
        counting = self.counting
        self._search.set_progress(counting)
        first = self._status is None or not self._status.last_scan
        if counting and (first or time.monotonic() - self._counting_since > _LONG_S):
            self._window.progress.set_progress(counting.done, counting.total)
        else:
            self._window.progress.set_progress(0, 0)
