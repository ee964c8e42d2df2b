"""The threads of an open vault: those that answer each window, and the one that indexes."""

import logging
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from notesearch.errors import NotesearchError
from notesearch.gui.session.reading_thread import Question, ReadingRequest, ReadingThread
from notesearch.gui.session.search_worker import (
    MeaningWorker,
    OpenLibrary,
    SearchAnswer,
    SearchRequest,
    WordsWorker,
)
from notesearch.gui.session.worker_threads import FileCall
from notesearch.processes import return_free_memory
from notesearch.status import Phase, Progress, Report, Status

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary
    from notesearch.joined_library import JoinedWatch
    from notesearch.library import Watch

    AnyWatch = Watch | JoinedWatch

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

    def silence(self) -> None:
        """Block all signals from now on."""
        for source in (self, *self._threads):
            source.blockSignals(True)

    def stop(self) -> None:
        """Let the threads end soon. Call ``wait`` to wait for them."""
        self._stopped = True
        for thread in self._threads:
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

    The object lives in the GUI thread, but the indexing thread calls ``progressed``, ``updated``
    and ``failed``.

    Attributes:
        main: Answers the main window, and opens the library.
        quick: Answers quick search.
        has_ended: Whether all threads have ended, after ``retire``.

    Signals:
        progress_made: Carries a ``Progress``, at most five times a second in each phase.
        index_updated: The index was updated; carries a ``Report``.
        index_failed: Carries a ``NotesearchError``. The indexer tries again by itself.
        status_changed: Carries the new ``Status``.
        ended: All threads have ended, after ``retire``.
    """

    progress_made = Signal(object)
    index_updated = Signal(object)
    index_failed = Signal(object)
    status_changed = Signal(object)
    ended = Signal()

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
        self._watch: AnyWatch | None = None
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._finish_start)
        self._closed = self.has_ended = False

    def start(self) -> None:
        """Open the library in the thread that searches by words."""
        self.main.start()

    def refresh(self) -> None:
        """Compare the whole folder with the index soon."""
        if self._watch:
            self._watch.refresh_now()

    def rebuild(self) -> None:
        """Ask the indexing thread to delete the index and build it again from the notes."""
        if self.main.library:
            self._watched(self.main.library).rebuild()

    def set_paused(self, paused: bool) -> None:
        """Pause or resume indexing."""
        self._paused = paused
        if self._watch:
            (self._watch.pause if paused else self._watch.resume)()

    def close(self) -> None:
        """End all threads, wait for them, and close the library."""
        self._stop()
        FileCall.end_all(self)
        self.wait()

    def retire(self) -> None:
        """End all threads without waiting for them; from now on, emit only ``ended``."""
        self.blockSignals(True)
        for workers in (self.main, self.quick):
            workers.silence()
        self._stop()
        ending = FileCall(self.wait, self)
        ending.finished.connect(self._on_ended)
        ending.start()

    def wait(self) -> None:
        """Wait until all threads have ended, and close the library. Any thread may call this."""
        for workers in (self.main, self.quick):
            workers.wait()
        if self._watch:
            self._watch.close()
        if self.main.library:
            self.main.library.close()

    def _stop(self) -> None:
        self._closed = True
        self._later.stop()
        for workers in (self.main, self.quick):
            workers.stop()

    @Slot()
    def _pause_indexing(self) -> None:
        if self._watch:
            self._watch.pause_briefly()

    @Slot()
    def _on_ended(self) -> None:
        FileCall.end_all(self)
        self.has_ended = True
        self.blockSignals(False)
        self.ended.emit()

    @Slot(object)
    def _on_opened(self, library: "SearchedLibrary") -> None:
        if self._closed:
            return
        self.quick.start()
        self.main.reading.ask(Question("status", _status_of, self._show_first_status))
        self._later.start(_STARTED_MS)
        if not self.main.has_query:  # else indexing starts after the answer
            self._watched(library)

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
            self._watched(self.main.library)
        # For quick search, too: both are in one process.
        self.main.reading.ask(Question("rendering", _warm_up))

    def _watched(self, library: "SearchedLibrary") -> "AnyWatch":
        """Return the watch of the folder; start it at the first call."""
        if self._watch is None:
            self._watch = library.watch(self, paused=self._paused)
        return self._watch

    def progressed(self, progress: Progress) -> None:
        """Emit ``progress``; within one phase, only a few times a second."""
        now = time.monotonic()
        is_same_phase = progress.phase is self._phase and progress.phase is not Phase.IDLE
        if is_same_phase and now - self._progress_at < _PROGRESS_S:
            return
        if progress.phase is not self._phase or self._is_count_due:
            self._emit_status(can_wait=progress.phase is not Phase.IDLE)
        if progress.phase is Phase.IDLE:  # indexing has ended, and its memory is free
            return_free_memory()
        self._progress_at = now
        self._phase = progress.phase
        self.progress_made.emit(progress)

    def updated(self, report: Report) -> None:
        """Emit the new status and ``report``, which says what changed in the index."""
        self._emit_status(can_wait=self._phase is not Phase.IDLE)
        self.index_updated.emit(report)

    def failed(self, error: NotesearchError) -> None:
        """Emit the status and the error."""
        is_one_of_several = error.code == "vault_outdated"  # progress follows
        self._emit_status(can_wait=is_one_of_several and self._phase is not Phase.IDLE)
        self.index_failed.emit(error)

    def _emit_status(self, *, can_wait: bool) -> None:
        """Emit the status; if it ``can_wait`` and takes long to count, only now and then.

        To count 200 folders after each change of one would take minutes.
        """
        if self._closed or self.main.library is None:
            return  # counting would delay the end
        began = time.monotonic()
        self._is_count_due = can_wait and began < self._next_count_at
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
