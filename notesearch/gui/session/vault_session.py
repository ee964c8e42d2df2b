"""One open vault: its library, the threads that answer the windows, and the one that indexes."""

import weakref
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from notesearch.errors import IndexDamagedError
from notesearch.gui.session.index_worker import IndexBridge
from notesearch.gui.session.search_worker import OpenLibrary, SearchAnswer
from notesearch.gui.session.workers import Workers
from notesearch.gui.translation import translate

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary, Watch

_STARTED_MS = 1500
"""After that nothing waits any more for a question that was typed while the program started."""

_PAINTED_MS = 20
"""By then an answer is painted."""


class VaultSession(QObject):
    """Starts the threads of a vault and ends them in order; passes their signals on.

    Attributes:
        main: They answer the main window, and open the library.
        quick: They answer quick search.

    Signals:
        opened: Queries are answered from now on.
        rested: What was asked while the program started is answered: nobody waits any more. Where
            nothing was asked it is told again a little later.
        open_failed: The library cannot be opened (``NotesearchError``).
        progress_made, index_updated, index_failed, status_changed: As of ``IndexBridge``.
        ended: All threads are gone, after ``retire``.
    """

    opened = Signal()
    rested = Signal()
    open_failed = Signal(object)
    progress_made = Signal(object)
    index_updated = Signal(object)
    index_failed = Signal(object)
    status_changed = Signal(object)
    ended = Signal()

    def __init__(
        self, open_library: OpenLibrary, parent: QObject | None = None, *, paused: bool = False
    ) -> None:
        super().__init__(parent)
        self._paused = paused
        self.main = Workers(open_library, self)
        self.main.opened.connect(self._on_opened)
        self.main.open_failed.connect(self.open_failed)
        self.quick = Workers(partial(_opened, self.main), self)
        for workers in (self.main, self.quick):
            workers.wanted.connect(self._stand_still)
        self._watch: Watch | None = None
        self._library: NoteLibrary | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._do_the_rest)
        self._closed = self._gone = False
        self._ending = _Ending(self)
        self._ending.finished.connect(self._on_ended)

    @property
    def library(self) -> "NoteLibrary | None":
        """The library, once it is open. Only its quick methods may be called here."""
        return self._library

    def start(self) -> None:
        """Open the library in the searching thread."""
        self.main.start()

    def refresh(self) -> None:
        """Compare the whole folder with the index soon."""
        if self._watch:
            self._watch.refresh_now()

    def rebuild(self) -> None:
        """Make the index again, from the notes alone."""
        if self._library:
            self._watched(self._library).start_over(IndexDamagedError(_asked()))

    def set_paused(self, paused: bool) -> None:
        """Have changed notes wait, or indexed."""
        self._paused = paused
        if self._watch:
            (self._watch.pause if paused else self._watch.resume)()

    def close(self) -> None:
        """End all threads and close the library; returns when they are gone."""
        self._stop()
        self._ending.wait()
        self.wait()

    def retire(self) -> None:
        """Tell nothing any more, and end all threads without waiting for them."""
        for source in (self, self.main, self.quick):
            source.blockSignals(True)
        self._stop()
        self._ending.start()

    def wait(self) -> None:
        """Return when all threads are gone; called in whichever thread."""
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
    def _stand_still(self) -> None:
        if self._watch:
            self._watch.standstill.ask()

    @property
    def has_ended(self) -> bool:
        """All threads are gone, after ``retire``."""
        return self._gone

    @Slot()
    def _on_ended(self) -> None:
        self._ending.wait()
        self._gone = True
        self.blockSignals(False)
        self.ended.emit()

    @Slot(object)
    def _on_opened(self, library: "NoteLibrary") -> None:
        if self._closed:
            return
        self._library = library
        self.quick.start()
        self._later.start(_STARTED_MS)
        if self.main.is_asked:  # who waits for an answer has the processor first
            self.main.answered.connect(self._on_answered)
        else:
            self._watched(library)
            self.rested.emit()
        self.opened.emit()

    @Slot(object)
    def _on_answered(self, answer: SearchAnswer) -> None:
        if answer.final and self._later.isActive():
            self._later.start(_PAINTED_MS)

    @Slot()
    def _do_the_rest(self) -> None:
        """Have all done that nobody waits for, once the program has started."""
        if self._library is not None:
            self._watched(self._library)
        self.main.warm_up()  # quick search reads in the same process
        self.rested.emit()

    def _watched(self, library: "NoteLibrary") -> "Watch":
        """Follow the folder from now on, if that is not done yet."""
        if self._watch is None:
            bridge = IndexBridge(library, self)
            bridge.progress_made.connect(self.progress_made)
            bridge.index_updated.connect(self.index_updated)
            bridge.index_failed.connect(self.index_failed)
            bridge.status_changed.connect(self.status_changed)
            self._watch = library.watch(bridge, paused=self._paused)
        return self._watch


class _Ending(QThread):
    """Waits for the threads of a session that is not needed any more."""

    def __init__(self, session: VaultSession) -> None:
        super().__init__(session)
        self._session = weakref.ref(session)  # which holds this thread

    def run(self) -> None:
        """Wait."""
        session = self._session()
        if session is not None:
            session.wait()


def _opened(workers: Workers) -> "NoteLibrary":
    assert workers.library is not None
    return workers.library


def _asked() -> str:
    return translate(
        "window",
        "Rebuilding the index. You can search notes as soon as they are read.",
    )
