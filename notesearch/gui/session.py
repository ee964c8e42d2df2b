"""One open vault: its library, the threads that answer the windows, and the one that indexes."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.index_worker import IndexBridge
from notesearch.gui.search_worker import OpenLibrary
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
    """

    opened = Signal()
    open_failed = Signal(object)
    progress_made = Signal(object)
    index_updated = Signal(object)
    index_failed = Signal(object)
    status_changed = Signal(object)

    def __init__(self, open_library: OpenLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.main = Workers(open_library, self)
        self.main.opened.connect(self._on_opened)
        self.main.open_failed.connect(self.open_failed)
        self.quick = Workers(partial(_opened, self.main), self)
        self._watch: Watch | None = None
        self._closed = False

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

    def close(self) -> None:
        """End all threads and close the library; returns when they are gone."""
        self._closed = True
        for workers in (self.main, self.quick):
            workers.stop()
        for workers in (self.main, self.quick):
            workers.wait()
        if self._watch:
            self._watch.close()
        if self.main.library:
            self.main.library.close()

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
        self._watch = library.watch(bridge)
        self.opened.emit()


def _opened(workers: Workers) -> "NoteLibrary":
    assert workers.library is not None
    return workers.library
