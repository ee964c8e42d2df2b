"""The threads of an open vault: those that answer each window, and the one that indexes."""

import logging
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from notesearch.errors import IndexDamagedError, NotesearchError
from notesearch.gui.session.search_worker import (
    MeaningWorker,
    OpenLibrary,
    SearchAnswer,
    SearchRequest,
    WordsWorker,
)
from notesearch.gui.session.section_reader import Question, ReadingRequest, ReadingThread
from notesearch.processes import return_free_memory
from notesearch.status import Phase, Progress, Report, Status, joint_progress

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary
    from notesearch.library import Watch

log = logging.getLogger(__name__)


class WindowWorkers(QObject):
    """The threads that answer one window. Each window has its own, so none waits for another.

    Requests may come before the library is open. Then the newest of each type is answered later.

    Signals:
        requested: The window asked for something.
    """

    requested = Signal()

    def __init__(self, open_library: OpenLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words = WordsWorker(open_library, self)
        self.words.opened.connect(self._on_opened)
        self.meaning = MeaningWorker(self)
        self.reading = ReadingThread(self)
        self.has_query = self._stopped = False

    @property
    def library(self) -> "SearchedLibrary | None":
        """The library; None until it is open. In the GUI thread, call only its quick methods."""
        return self.words.library

    def start(self) -> None:
        """Open the library in the thread for words; the other threads start once it is open."""
        self.words.start()

    def search(self, request: SearchRequest) -> None:
        """Let the threads answer ``request``, by words and by meaning."""
        self.has_query = bool(request.text.strip())
        self.requested.emit()
        self.words.ask(request)
        self.meaning.ask(request)

    def read(self, request: ReadingRequest) -> None:
        """Let the reading thread answer ``request``; pause indexing for a moment."""
        self.requested.emit()
        self.reading.ask(request)

    def stop(self) -> None:
        """Let the threads end soon, without further signals. Call ``wait`` to wait for them."""
        self._stopped = True
        self.blockSignals(True)
        for thread in self._threads:
            thread.blockSignals(True)
            thread.stop()

    def wait(self) -> None:
        """Wait until the threads have ended."""
        for thread in self._threads:
            thread.wait()

    @property
    def _threads(self) -> tuple[WordsWorker, MeaningWorker, ReadingThread]:
        return self.words, self.meaning, self.reading

    @Slot(object)
    def _on_opened(self, library: "SearchedLibrary") -> None:
        if self._stopped:
            return
        self.reading.begin(library)
        self.meaning.begin(library)


def _warm_up(_library: "SearchedLibrary") -> None:
    from notesearch.markdown.render.section_html import warm_up

    warm_up()


_PROGRESS_S = 0.2
"""Within a phase of indexing, its progress is reported at most once in this many seconds."""

_QUICK_S = 0.1
_MOST_COUNTING = 0.1
"""If counting takes longer than ``_QUICK_S``, indexing spends this share of its time on it."""

_STARTED_MS = 1500
"""After this time, indexing starts even if a query typed at the start is not answered yet."""

_PAINTED_MS = 20
"""After this time, an answer that has arrived is on the screen."""


class VaultSession(QObject):
    """Starts the threads of a vault, or of several, and ends them in order.

    The object lives in the GUI thread, but the indexing thread of each vault calls ``progressed``,
    ``updated`` and ``failed``, with the name of the vault if there are several.

    Attributes:
        main: Answers the main window, and opens the library.
        quick: Answers quick search.

    Signals:
        progress_made: Carries a ``Progress``, at most five times a second in each phase.
        index_updated: The index was updated; carries a ``Report``.
        index_failed: Carries a ``NotesearchError``. The indexer tries again by itself.
        status_changed: Carries the new ``Status``.
    """

    progress_made = Signal(object)
    index_updated = Signal(object)
    index_failed = Signal(object)
    status_changed = Signal(object)

    def __init__(
        self,
        open_library: OpenLibrary,
        parent: QObject | None = None,
        *,
        folders: Iterable[Path] = (),
        paused: bool = False,
    ) -> None:
        super().__init__(parent)
        self.folders = frozenset(folders)
        self._paused = paused
        self._progress_at = 0.0
        self._phase: Phase | None = None
        self._next_count_at = 0.0
        self._is_count_due = False
        self.main = WindowWorkers(open_library, self)
        self.main.words.opened.connect(self._on_opened)
        for worker in (self.main.words, self.main.meaning):
            worker.answered.connect(self._on_answered)
        self.quick = WindowWorkers(partial(_library_of, self.main), self)
        for workers in (self.main, self.quick):
            workers.requested.connect(self._pause_indexing)
        self._watches: list[Watch] = []  # of each vault
        self._lock = threading.Lock()
        self._progress: dict[str, Progress] = {}
        self._failures: dict[str, NotesearchError] = {}
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._finish_start)
        self._stopped = False

    def start(self) -> None:
        """Open the library in the thread that searches by words."""
        self.main.start()

    def refresh(self) -> None:
        """Compare the whole folder with the index soon."""
        for watch in self._watches:
            watch.refresh_now()

    def rebuild(self) -> None:
        """Ask the indexing thread to delete the index and build it again from the notes."""
        if self.main.library:
            self._start_indexing(self.main.library)
        for watch in self._watches:
            watch.rebuild()

    def set_paused(self, paused: bool) -> None:
        """Pause or resume indexing."""
        self._paused = paused
        for watch in self._watches:
            (watch.pause if paused else watch.resume)()

    def stop(self) -> None:
        """Let all threads end soon, without further signals. Call ``wait`` to wait for them."""
        self._stopped = True
        self.blockSignals(True)
        self._later.stop()
        for workers in (self.main, self.quick):
            workers.stop()

    def close(self) -> None:
        """End all threads, wait for them, and close the library."""
        self.stop()
        self.wait()

    def wait(self) -> None:
        """Wait until all threads have ended, and close the library. Any thread may call this."""
        for workers in (self.main, self.quick):
            workers.wait()
        for watch in self._watches:
            watch.close()
        if self.main.library:
            self.main.library.close()

    @Slot()
    def _pause_indexing(self) -> None:
        for watch in self._watches:
            watch.pause_briefly()

    @Slot(object)
    def _on_opened(self, library: "SearchedLibrary") -> None:
        if self._stopped:
            return
        self.quick.start()
        self.main.reading.ask(Question("status", _status_of, self._show_first_status))
        self._later.start(_STARTED_MS)
        if not self.main.has_query:  # else indexing starts after the answer
            self._start_indexing(library)

    def _show_first_status(self, status: Status) -> None:
        """Emit the ``status`` of the index as it was opened, unless indexing has begun."""
        if self._phase is None:
            self.status_changed.emit(status)

    @Slot(object)
    def _on_answered(self, answer: SearchAnswer) -> None:
        """Start indexing after the final answer, or if no words match: the index may be empty."""
        is_useful = answer.result is not None and bool(answer.result.sections)
        if self._later.isActive() and (answer.final or not is_useful):
            self._later.start(_PAINTED_MS)

    @Slot()
    def _finish_start(self) -> None:
        """Start indexing, and load what rendering needs."""
        if self.main.library is not None:
            self._start_indexing(self.main.library)
        # For quick search, too: both are in one process.
        self.main.reading.ask(Question("rendering", _warm_up))

    def _start_indexing(self, library: "SearchedLibrary") -> None:
        if self._watches:
            return
        self._progress = dict.fromkeys(library.parts, Progress(Phase.SCAN))
        self._watches = [
            part.watch(_VaultListener(self, name), paused=self._paused)
            for name, part in library.parts.items()
        ]

    def progressed(self, progress: Progress, vault: str = "") -> None:
        """Emit the progress of all vaults; within one phase, only a few times a second."""
        with self._lock:
            self._progress[vault] = progress
            self._emit_progress()

    def _emit_progress(self) -> None:
        progress = joint_progress(self._progress.values())
        now = time.monotonic()
        is_same_phase = progress.phase is self._phase
        is_idle = progress.phase is Phase.IDLE
        if is_same_phase and not is_idle and now - self._progress_at < _PROGRESS_S:
            return
        self._progress_at = now
        self._phase = progress.phase
        if not is_same_phase or self._is_count_due:
            self._emit_status()
        if is_idle:  # indexing has ended, and its memory is free
            return_free_memory()
        self.progress_made.emit(progress)

    def updated(self, report: Report, vault: str = "") -> None:
        """Emit the new status and ``report``, which says what changed in the index.

        Then report again the errors of vaults that are not up to date.
        """
        with self._lock:
            self._failures.pop(vault, None)
            self._emit_status()
            self.index_updated.emit(_with_vault(report, vault) if vault else report)
            for error in self._failures.values():
                self.index_failed.emit(error)

    def failed(self, error: NotesearchError, vault: str = "") -> None:
        """Emit the status and the error; the others of several vaults go on."""
        with self._lock:
            if not vault or isinstance(error, IndexDamagedError):
                self._phase = Phase.IDLE
                self._emit_status()
                self.index_failed.emit(error)
                return
            outdated = NotesearchError("vault_outdated", vault=vault, reason=error.sentence)
            self._failures[vault] = outdated
            self._progress[vault] = Progress(Phase.IDLE)
            self._emit_status()
            self.index_failed.emit(outdated)
            self._emit_progress()

    def _emit_status(self) -> None:
        """Emit the status; while indexing goes on, only now and then if it takes long to count.

        To count 200 folders after each change of one would take minutes.
        """
        if self._stopped or self.main.library is None:
            return  # counting would delay the end
        began = time.monotonic()
        self._is_count_due = self._phase is not Phase.IDLE and began < self._next_count_at
        if self._is_count_due:
            return
        try:
            self.status_changed.emit(self.main.library.status())
        except NotesearchError as error:
            log.info("no status: %s", error)
        took = time.monotonic() - began
        self._next_count_at = began + (took / _MOST_COUNTING if took > _QUICK_S else 0.0)


def _status_of(library: "SearchedLibrary") -> Status:
    return library.status()


def _library_of(workers: WindowWorkers) -> "SearchedLibrary":
    assert workers.library is not None
    return workers.library


class _VaultListener:
    """Passes the reports of an indexing thread on to the session, with the name of its vault."""

    def __init__(self, session: VaultSession, vault: str) -> None:
        self._session = session
        self._vault = vault

    def progressed(self, progress: Progress) -> None:
        self._session.progressed(progress, self._vault)

    def updated(self, report: Report) -> None:
        self._session.updated(report, self._vault)

    def failed(self, error: NotesearchError) -> None:
        self._session.failed(error, self._vault)


def _with_vault(report: Report, vault: str) -> Report:
    """Return ``report`` with the name of ``vault`` before each path."""

    def named(paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{vault}/{path}" for path in paths)

    return replace(
        report,
        added=named(report.added),
        changed=named(report.changed),
        moved=named(report.moved),
        moved_from=named(report.moved_from),
        removed=named(report.removed),
        unread=tuple(replace(note, path=f"{vault}/{note.path}") for note in report.unread),
    )
