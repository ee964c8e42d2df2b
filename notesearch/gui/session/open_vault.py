"""Opens and closes vaults, and holds the state of the open vault for the windows."""

import contextlib
import time
from collections.abc import Callable, Mapping, Set
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.errors import (
    IndexDamagedError,
    IndexFileError,
    NotesearchError,
    VaultMissingError,
    WatchingError,
)
from notesearch.gui.session.search_worker import OpenLibrary
from notesearch.gui.session.vault_session import VaultSession, WindowWorkers
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.translation import error_text
from notesearch.gui.widgets.answer_texts import (
    empty_folder_message,
    failed_message,
    unread_folder_message,
)
from notesearch.gui.widgets.notices import Message, choose_folder_message
from notesearch.note_addresses import split_vault
from notesearch.status import Phase, Progress, Report, Status

_REPEAT_S = 1.0
"""While notes are read, queries are repeated at most once in this many seconds."""

_LONG_S = 1.0
"""Time after which the progress is shown while changed notes are read."""

_ENOUGH_S = 3.0
"""After this many seconds of embedding, its speed is known well enough."""


class OpenVault(QObject):
    """Opens and closes vaults, and holds the state of the open vault.

    Several vaults may be open and searched together. The threads of the last vault end while the
    next one opens.

    Attributes:
        folders: The folders of the open vaults by name. Paths of notes begin with the name; it is
            empty if only one vault is open.
        session: The threads of the open vault; None while none is open.
        status: The state of the index; None until it is known.
        progress: What the indexer is doing now.
        problem: A sentence that says why the index cannot be updated; empty if it can.
        open_problem: A sentence that says why the vault cannot be searched; empty if it can.
        paused: Whether indexing is paused.
        is_missing: Whether the folder could not be reached last time.
        time_left: Estimates how long embedding still takes.

    Signals:
        opening: The attribute ``session`` changed. Carries True if the same vault is opened again.
        index_changed: The index changed: a query may have other results now.
        state_changed: One of the attributes changed.
        failed: The index could not be updated, or is damaged; carries the ``NotesearchError``.
        updated: The index was updated; carries the ``Report``.
        idle: The index is up to date, or cannot be updated for now.
        delete_failed: An index could not be deleted; carries a sentence that says why.
    """

    opening = Signal(bool)
    index_changed = Signal()
    state_changed = Signal()
    failed = Signal(object)
    updated = Signal(object)
    idle = Signal()
    delete_failed = Signal(str)

    def __init__(
        self,
        opener: Callable[[Mapping[str, Path]], OpenLibrary],
        parent: QObject | None = None,
        *,
        paused: bool = False,
    ) -> None:
        super().__init__(parent)
        self._opener = opener
        self.paused = paused
        self.folders: Mapping[str, Path] = {}
        self.session: VaultSession | None = None
        self._waits = False  # the session is not started yet
        self._to_delete: list[Path] = []
        self._writing: dict[QObject, frozenset[Path]] = {}
        """The folders whose index an ending session, or a deletion, may write; by its thread."""
        self._reset()

    def main_workers(self) -> WindowWorkers | None:
        """Return the threads that answer the main window; None while no vault is open."""
        return self.session.main if self.session else None

    def quick_workers(self) -> WindowWorkers | None:
        """Return the threads that answer quick search; None while no vault is open."""
        return self.session.quick if self.session else None

    @property
    def is_open(self) -> bool:
        """Whether any vault is open."""
        return bool(self.folders)

    @property
    def path(self) -> Path | None:
        """The folder of the open vault; None while no vault or several are open."""
        return self.folders.get("")

    def place(self, path: str) -> tuple[Path, str] | None:
        """Return the folder of the note's vault, and the note's path in it; None if unknown."""
        name, inside = split_vault(path, self.folders)
        return (self.folders[name], inside) if name in self.folders else None

    @property
    def counting(self) -> Progress | None:
        """The progress of reading notes, unless that takes only a moment; else None."""
        if self.progress.phase is not Phase.WORDS or self.paused:
            return None
        is_first = self.status is None or not self.status.last_scan
        takes_long = time.monotonic() - self._reading_since > _LONG_S
        return self.progress if is_first or takes_long else None

    @property
    def is_stuck(self) -> bool:
        """Whether no notes can be read for now: paused, the folder is missing, or a problem.

        Of several folders, one may fail while the others are still being read.
        """
        others_are_read = len(self.folders) > 1 and self.progress.phase is not Phase.IDLE
        has_failed = self.is_missing or bool(self.problem)
        return self.paused or bool(self.open_problem) or (has_failed and not others_are_read)

    @property
    def obstacle(self) -> Message | None:
        """The page that says why there is nothing to search; None if there is something."""
        status = self.status
        if not self.is_open:
            return choose_folder_message()
        if self.open_problem:
            return failed_message(self.open_problem)
        if status and status.notes:
            return None
        first = next(iter(self.folders.values()))
        # Until the indexer is idle, the status may be older than notes that were read since.
        is_settled = self.progress.phase is Phase.IDLE
        if is_settled and status and status.last_scan and not status.vault_missing:
            return empty_folder_message(first)
        return unread_folder_message(first) if self.is_stuck else None

    def open(self, path: Path) -> None:
        """Close the open vault, and open the folder ``path``."""
        self.open_joined({"": path})

    def open_joined(self, folders: Mapping[str, Path]) -> None:
        """Open several vaults together, by name. Paths of notes then begin with the name."""
        self._reset()
        self.folders = dict(folders)
        self._begin(same=False)

    @Slot()
    def reopen(self) -> None:
        """Open the same vault again, because a setting for indexing or searching changed."""
        if self.is_open:
            self.progress = Progress(Phase.SCAN)
            self.problem = self.open_problem = ""
            self._begin(same=True)

    def leave(self) -> None:
        """Close the vault and open no other."""
        self._retire()
        self._reset()
        self.folders = {}
        self.opening.emit(False)
        self.state_changed.emit()

    @Slot()
    def refresh(self) -> None:
        """Compare the folder with its index now."""
        if self.session:
            self.session.refresh()

    @Slot()
    def refresh_missing(self) -> None:
        """Compare the folder with its index if the folder could not be reached last time."""
        if self.is_missing or (self.status is not None and self.status.vault_missing):
            self.refresh()

    @Slot()
    def rebuild(self) -> None:
        """Delete the index and build it again."""
        if self.session:
            self.session.rebuild()

    def set_paused(self, paused: bool) -> None:
        """Pause or resume indexing, in this vault and those opened later."""
        self.paused = paused
        if self.session:
            self.session.set_paused(paused)
        self.state_changed.emit()

    @Slot(str, bool)
    def remove(self, path: str, with_index: bool) -> None:
        """If ``with_index``, delete the index of the vault ``path`` once no thread uses it."""
        if with_index:
            self._to_delete.append(Path(path))
            self._go_on()

    def close(self) -> None:
        """End all threads and wait for them."""
        FileCall.end_all(self)
        if self.session:
            self.session.close()
            self.session.deleteLater()
            self.session = None

    def _reset(self) -> None:
        self.status: Status | None = None
        self.progress = Progress(Phase.SCAN)
        self.problem = self.open_problem = ""
        self._reading_since = 0.0
        self.time_left = TimeLeft()
        self.is_missing = False
        self._repeated_at = 0.0

    def _begin(self, *, same: bool) -> None:
        self._retire()
        opener = self._opener(self.folders)
        self.session = session = VaultSession(
            opener, self, folders=self.folders.values(), paused=self.paused
        )
        session.main.words.failed.connect(self._on_open_failed)
        session.progress_made.connect(self._on_progress)
        session.index_updated.connect(self._on_updated)
        session.index_failed.connect(self._on_failed)
        session.status_changed.connect(self._on_status)
        self._waits = True
        self.opening.emit(same)
        self._go_on()
        self.state_changed.emit()

    def _retire(self) -> None:
        """End the threads of the open vault without waiting for them."""
        if self.session:
            self.session.stop()
            ending = self._write(self.session.wait, self.session.folders)
            ending.finished.connect(self.session.deleteLater)
            ending.start()
            self.session = None

    def _write(self, call: Callable[[], None], folders: frozenset[Path]) -> FileCall:
        """Return a thread that may write an index of ``folders``, which may be on a dead disk."""
        thread = FileCall(call, self)
        self._writing[thread] = folders
        thread.failed.connect(self._on_delete_failed)
        thread.finished.connect(self._go_on)
        return thread

    @Slot()
    def _go_on(self) -> None:
        """Delete indexes and start the session, unless a thread may still write these indexes.

        Threads of other folders do not count: if their disk is dead, they never end.
        """
        # A thread that has ended may be destroyed by now, and then it is not the sender any more.
        running = {call for call in self.findChildren(FileCall) if not call.isFinished()}
        self._writing = {
            call: folders for call, folders in self._writing.items() if call in running
        }
        for path in [path for path in self._to_delete if not self._is_written({path})]:
            self._to_delete.remove(path)
            delete = partial(_delete_index, self._opener({"": path}))
            self._write(delete, frozenset({path})).start()
        if self._waits and self.session and not self._is_written(self.session.folders):
            self._waits = False
            self.session.start()

    def _is_written(self, folders: Set[Path]) -> bool:
        return any(folders & writing for writing in self._writing.values())

    @Slot(object)
    def _on_delete_failed(self, error: NotesearchError) -> None:
        self.delete_failed.emit(error_text(error))

    @property
    def _is_late(self) -> bool:
        """Whether the signal that is handled now comes from a session that is open no more."""
        sender = self.sender()
        session = self.session
        senders = (session, session.main.words) if session else ()
        return sender is not None and sender not in senders

    @Slot(object)
    def _on_open_failed(self, error: NotesearchError) -> None:
        if self._is_late:
            return
        self.open_problem = error_text(error)
        self.state_changed.emit()
        self.idle.emit()

    @Slot(object)
    def _on_progress(self, progress: Progress) -> None:
        if self._is_late:
            return
        now = time.monotonic()
        if progress.phase is Phase.WORDS and self.progress.phase is not Phase.WORDS:
            self._reading_since = now
        self.progress = progress
        self.time_left.update(progress)
        self.state_changed.emit()
        if progress.phase is Phase.WORDS and now - self._repeated_at >= _REPEAT_S:
            self._repeated_at = now
            self.index_changed.emit()
        if progress.phase is Phase.IDLE:
            self.idle.emit()

    @Slot(object)
    def _on_updated(self, report: Report) -> None:
        if self._is_late:
            return
        recovered = self.is_missing or bool(self.problem)
        self.problem = self.open_problem = ""
        self.is_missing = False
        self.updated.emit(report)
        self.state_changed.emit()
        if report or recovered:
            self.index_changed.emit()

    @Slot(object)
    def _on_failed(self, error: NotesearchError) -> None:
        if self._is_late:
            return
        goes_on = isinstance(error, IndexDamagedError | WatchingError)
        if isinstance(error, VaultMissingError):
            self.is_missing = True
        elif not goes_on:
            self.problem = error_text(error)
            if isinstance(error, IndexFileError) and self.status is None:
                self.open_problem = self.problem
        if not goes_on and len(self.folders) == 1:  # of several, the others go on
            self.progress = Progress(Phase.SCAN)
        self.state_changed.emit()
        self.failed.emit(error)
        if not goes_on:
            self.idle.emit()

    @Slot(object)
    def _on_status(self, status: Status) -> None:
        if self._is_late:
            return
        self.status = status
        self.state_changed.emit()


def _delete_index(open_library: OpenLibrary) -> None:
    """Delete a vault's index, and in any case the record of opened sections."""
    with contextlib.closing(open_library()) as library:
        try:
            library.parts[""].delete_index()
        finally:
            library.parts[""].forget_openings()


class TimeLeft:
    """Estimates the ``seconds`` until all passages are embedded; None while that is unknown."""

    def __init__(self) -> None:
        self.seconds: float | None = None
        self._began = 0.0
        self._first = self._last = Progress(Phase.IDLE)

    def update(self, progress: Progress) -> None:
        """Update ``seconds`` from the latest ``progress`` of the indexer."""
        now = time.monotonic()
        last = self._last
        self._last = progress
        self.seconds = None
        continues = last.phase is progress.phase is Phase.MEANING and last.done <= progress.done
        if not continues:
            self._began, self._first = now, progress
        done = progress.done - self._first.done
        took = now - self._began
        if done and took >= _ENOUGH_S:
            self.seconds = (progress.total - progress.done) * took / done
