"""The threads that answer one window: words, meaning, and reading for its preview."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.session.around_section import CountRequest, RelatedRequest
from notesearch.gui.session.read_worker import (
    MatchRequest,
    ReadRequest,
    ReadWorker,
    RecentRequest,
    WarmUpRequest,
)
from notesearch.gui.session.search_worker import (
    MeaningWorker,
    OpenLibrary,
    SearchRequest,
    WordsWorker,
)

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary


class Workers(QObject):
    """Each window has its own, so that no window waits for, or cancels, what another one asks.

    Signals:
        opened: Queries are answered from now on (``NoteLibrary``).
        open_failed: The library cannot be opened (``NotesearchError``).
        answered: A ``SearchAnswer``.
        completed: The last one again, with all snippets, and again with sharper ones.
        loaded: A ``Reading``.
        matched: The ticket of a ``MatchRequest`` and spans.
        recalled: The ``SectionResult``s of a ``RecentRequest`` that are still there.
        counted, related: The answers to a ``CountRequest`` and a ``RelatedRequest``.
        wanted: Something was asked.
    """

    opened = Signal(object)
    open_failed = Signal(object)
    answered = Signal(object)
    completed = Signal(object)
    loaded = Signal(object)
    matched = Signal(int, object)
    recalled = Signal(object)
    counted = Signal(object)
    related = Signal(object)
    wanted = Signal()

    def __init__(self, open_library: OpenLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = WordsWorker(open_library, self)
        self._words.opened.connect(self._on_opened)
        self._words.failed.connect(self.open_failed)
        self._words.answered.connect(self.answered)
        self._words.completed.connect(self.completed)
        self._newest: SearchRequest | None = None
        self._recent: RecentRequest | None = None
        self._meaning: MeaningWorker | None = None
        self._read: ReadWorker | None = None
        self._stopped = False

    @property
    def library(self) -> "NoteLibrary | None":
        """The library, once it is open. Only its quick methods may be called here."""
        return self._words.library

    @property
    def is_asked(self) -> bool:
        """A query was asked, and is not empty."""
        return self._newest is not None and bool(self._newest.text.strip())

    def start(self) -> None:
        """Open the library in the searching thread, and answer."""
        self._words.start()

    def search(self, request: SearchRequest) -> None:
        """Have the newest query answered."""
        self._newest = request
        self.wanted.emit()
        self._words.ask(request)
        if self._meaning:
            self._meaning.ask(request)

    def read(self, request: ReadRequest | MatchRequest | CountRequest | RelatedRequest) -> None:
        """Have the section for the preview read, its matches found, or more about it."""
        if self._read:
            self.wanted.emit()
            self._read.ask(request)

    def recall(self, request: RecentRequest) -> None:
        """Have the sections that were opened last looked up."""
        self._recent = request
        if self._read:
            self._read.ask(request)

    @Slot()
    def warm_up(self) -> None:
        """Have the first section wait for nothing."""
        if self._read and not self._stopped:
            self._read.ask(WarmUpRequest())

    def stop(self) -> None:
        """Let the threads end soon; ``wait`` for them."""
        self._stopped = True
        for worker in (self._words, self._meaning, self._read):
            if worker:
                worker.stop()

    def wait(self) -> None:
        """Return when the threads are gone."""
        for worker in (self._words, self._meaning, self._read):
            if worker:
                worker.wait()

    @Slot(object)
    def _on_opened(self, library: "NoteLibrary") -> None:
        if self._stopped:
            return
        self._read = ReadWorker(library, self)
        self._read.loaded.connect(self.loaded)
        self._read.matched.connect(self.matched)
        self._read.recalled.connect(self.recalled)
        self._read.counted.connect(self.counted)
        self._read.related.connect(self.related)
        self._read.start()
        self._meaning = MeaningWorker(library, self)
        self._meaning.answered.connect(self.answered)
        self._meaning.completed.connect(self.completed)
        self._meaning.start()
        if self._newest:
            self._meaning.ask(self._newest)
        if self._recent:
            self._read.ask(self._recent)
        self.opened.emit(library)
