"""One open vault: its library, the threads that answer the windows, and the one that indexes."""

import weakref
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, Signal, Slot

from notesearch.errors import IndexDamagedError
from notesearch.gui.index_worker import IndexBridge
from notesearch.gui.search_worker import OpenLibrary
from notesearch.gui.translation import translate
from notesearch.gui.workers import Workers

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary, Watch


class VaultSession(QObject):
    """Starts the threads of a vault and ends them in order; passes their signals on.

    Attributes:
        main: They answer the main window, and open the library.
        quick: They answer quick search.

    Signals:
        opened: Queries are answered from now on.
        open_failed: The library cannot be opened (``NotesearchError``).
        progress_made, index_updated, index_failed, status_changed: As of ``IndexBridge``.
        ended: All threads are gone, after ``retire``.
    """

    opened = Signal()
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
        self._watch: Watch | None = None
        self._closed = self._gone = False
        self._ending = _Ending(self)
        self._ending.finished.connect(self._on_ended)

    @property
    def library(self) -> "NoteLibrary | None":
        """The library, once it is open. Only its quick methods may be called here."""
        return self.main.library if self._watch else None

    def start(self) -> None:
        """Open the library in the searching thread."""
        self.main.start()

    def refresh(self) -> None:
        """Compare the whole folder with the index soon."""
        if self._watch:
            self._watch.refresh_now()

    def rebuild(self) -> None:
        """Make the index again, from the notes alone."""
        if self._watch:
            self._watch.start_over(IndexDamagedError(_asked()))

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
        for workers in (self.main, self.quick):
            workers.stop()

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
        self.quick.start()
        bridge = IndexBridge(library, self)
        bridge.progress_made.connect(self.progress_made)
        bridge.index_updated.connect(self.index_updated)
        bridge.index_failed.connect(self.index_failed)
        bridge.status_changed.connect(self.status_changed)
        self._watch = library.watch(bridge, paused=self._paused)
        self.opened.emit()


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
        "The index is being made again, as you asked. Words are found as soon as they are read.",
    )
