"""One open vault: its library, the threads that answer each window, and the one that indexes."""

import weakref
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from notesearch.errors import IndexDamagedError
from notesearch.gui.session.index_bridge import IndexBridge
from notesearch.gui.session.search_worker import OpenLibrary, SearchAnswer
from notesearch.gui.session.window_workers import WindowWorkers

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary, Watch

_STARTED_MS = 1500
"""After this time, work that nobody waits for starts even if a query is still unanswered."""

_PAINTED_MS = 20
"""By then an answer is painted."""


class VaultSession(QObject):
    """Starts the threads of a vault and ends them in order.

    Attributes:
        main: Answers the main window, and opens the library.
        quick: Answers quick search.
        index: Reports on indexing.

    Signals:
        start_finished: The query that was typed while the program started is answered, so
            nothing urgent is left to do. Emitted again a little later where nothing was typed.
        ended: All threads have ended, after ``retire``.
    """

    start_finished = Signal()
    ended = Signal()

    def __init__(
        self, open_library: OpenLibrary, parent: QObject | None = None, *, paused: bool = False
    ) -> None:
        super().__init__(parent)
        self._paused = paused
        self.index = IndexBridge(self)
        self.main = WindowWorkers(open_library, self)
        self.main.words.opened.connect(self._on_opened)
        self.quick = WindowWorkers(partial(_library_of, self.main), self)
        for workers in (self.main, self.quick):
            workers.requested.connect(self._pause_indexing)
        self._watch: Watch | None = None
        self._library: NoteLibrary | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._finish_start)
        self._closed = self._has_ended = False
        self._ending = _Ending(self)
        self._ending.finished.connect(self._on_ended)

    @property
    def library(self) -> "NoteLibrary | None":
        """The library, once it is open. Call only its quick methods here."""
        return self._library

    @property
    def has_ended(self) -> bool:
        """All threads have ended, after ``retire``."""
        return self._has_ended

    def start(self) -> None:
        """Open the library in the searching thread."""
        self.main.start()

    def refresh(self) -> None:
        """Compare the whole folder with the index soon."""
        if self._watch:
            self._watch.refresh_now()

    def rebuild(self) -> None:
        """Delete the index and build it again from the notes."""
        if self._library:
            self._watched(self._library).start_over(IndexDamagedError("index_rebuild_asked"))

    def set_paused(self, paused: bool) -> None:
        """Pause or resume indexing."""
        self._paused = paused
        if self._watch:
            (self._watch.pause if paused else self._watch.resume)()

    def close(self) -> None:
        """End all threads and close the library. Return when they have ended."""
        self._stop()
        self._ending.wait()
        self.wait()

    def retire(self) -> None:
        """Emit nothing but ``ended`` from now on, and end all threads without waiting for them."""
        self.blockSignals(True)
        self.index.blockSignals(True)
        for workers in (self.main, self.quick):
            workers.silence()
        self._stop()
        self._ending.start()

    def wait(self) -> None:
        """Return when all threads have ended. May be called in any thread."""
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
        """Leave the processor to the request for a moment."""
        if self._watch:
            self._watch.typing_pause.typed()

    @Slot()
    def _on_ended(self) -> None:
        self._ending.wait()
        self._has_ended = True
        self.blockSignals(False)
        self.ended.emit()

    @Slot(object)
    def _on_opened(self, library: "NoteLibrary") -> None:
        if self._closed:
            return
        self._library = library
        self.quick.start()
        self._later.start(_STARTED_MS)
        if self.main.has_query:  # the answer comes first, indexing after it
            for worker in (self.main.words, self.main.meaning):
                worker.answered.connect(self._on_answered)
        else:
            self._watched(library)
            self.start_finished.emit()

    @Slot(object)
    def _on_answered(self, answer: SearchAnswer) -> None:
        if answer.final and self._later.isActive():
            self._later.start(_PAINTED_MS)

    @Slot()
    def _finish_start(self) -> None:
        """Do what nobody waits for, once the program has started."""
        if self._library is not None:
            self._watched(self._library)
        self.main.warm_up()  # for quick search too: it is the same process
        self.start_finished.emit()

    def _watched(self, library: "NoteLibrary") -> "Watch":
        """Return the watch of the folder. Start it the first time."""
        if self._watch is None:
            self._watch = self.index.watch(library, paused=self._paused)
        return self._watch


class _Ending(QThread):
    """Waits in the background for the threads of a session that is no longer needed."""

    def __init__(self, session: VaultSession) -> None:
        super().__init__(session)
        self._session = weakref.ref(session)  # the session holds this thread

    def run(self) -> None:
        """Wait."""
        session = self._session()
        if session is not None:
            session.wait()


def _library_of(workers: WindowWorkers) -> "NoteLibrary":
    assert workers.library is not None
    return workers.library
