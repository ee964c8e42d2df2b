"""One open vault: its library and the threads that index, search and read it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.index_worker import IndexBridge
from notesearch.gui.read_worker import MatchRequest, ReadRequest, ReadWorker
from notesearch.gui.search_worker import (
    MeaningWorker,
    OpenLibrary,
    SearchRequest,
    WordsWorker,
)

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary, Watch


class VaultSession(QObject):
    """Starts the threads of a vault and ends them in order; passes their signals on.

    Signals:
        opened: Queries are answered from now on.
        open_failed: The library cannot be opened (``NotesearchError``).
        answered: A ``SearchAnswer``.
        sharpened: The last one again, with sharper snippets.
        loaded: A ``Reading``.
        matched: The ticket of a ``MatchRequest`` and spans.
        progress_made, index_updated, index_failed, status_changed: As of ``IndexBridge``.
    """

    opened = Signal()
    open_failed = Signal(object)
    answered = Signal(object)
    sharpened = Signal(object)
    loaded = Signal(object)
    matched = Signal(int, object)
    progress_made = Signal(object)
    index_updated = Signal(object)
    index_failed = Signal(object)
    status_changed = Signal(object)

    def __init__(self, open_library: OpenLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = WordsWorker(open_library, self)
        self._words.opened.connect(self._on_opened)
        self._words.failed.connect(self.open_failed)
        self._words.answered.connect(self.answered)
        self._newest: SearchRequest | None = None
        self._meaning: MeaningWorker | None = None
        self._read: ReadWorker | None = None
        self._watch: Watch | None = None
        self._closed = False

    @property
    def library(self) -> "NoteLibrary | None":
        """The library, once it is open. Only its quick methods may be called here."""
        return self._words.library if self._read else None

    def start(self) -> None:
        """Open the library in the searching thread."""
        self._words.start()

    def search(self, request: SearchRequest) -> None:
        """Have the newest query answered."""
        self._newest = request
        self._words.ask(request)
        if self._meaning:
            self._meaning.ask(request)

    def read(self, request: ReadRequest | MatchRequest) -> None:
        """Have the section for the preview read, or its matches found."""
        if self._read:
            self._read.ask(request)

    def refresh(self) -> None:
        """Compare the whole folder with the index soon."""
        if self._watch:
            self._watch.refresh_now()

    def close(self) -> None:
        """End all threads and close the library; returns when they are gone."""
        self._closed = True
        workers = [worker for worker in (self._words, self._meaning, self._read) if worker]
        for worker in workers:
            worker.stop()
        for worker in workers:
            worker.wait()
        if self._watch:
            self._watch.close()
        if self._words.library:
            self._words.library.close()

    @Slot(object)
    def _on_opened(self, library: "NoteLibrary") -> None:
        if self._closed:
            return
        self._read = ReadWorker(library, self)
        self._read.loaded.connect(self.loaded)
        self._read.matched.connect(self.matched)
        self._read.start()
        self._meaning = MeaningWorker(library, self)
        self._meaning.answered.connect(self.answered)
        self._meaning.sharpened.connect(self.sharpened)
        self._meaning.start()
        if self._newest:
            self._meaning.ask(self._newest)
        bridge = IndexBridge(library, self)
        bridge.progress_made.connect(self.progress_made)
        bridge.index_updated.connect(self.index_updated)
        bridge.index_failed.connect(self.index_failed)
        bridge.status_changed.connect(self.status_changed)
        self._watch = library.watch(bridge)
        self.opened.emit()
