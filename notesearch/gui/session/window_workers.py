"""The threads that answer one window: search by words, search by meaning, and reading."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.session.reading_thread import ReadingRequest, ReadingThread, WarmUpRequest
from notesearch.gui.session.search_worker import (
    MeaningWorker,
    OpenLibrary,
    SearchRequest,
    WordsWorker,
)

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary


class WindowWorkers(QObject):
    """Answers one window, so that no window waits for another or cancels its requests.

    Requests may come before the library is open; the newest ones are answered then.

    Attributes:
        words: Opens the library, and answers queries by words.
        meaning: Answers queries by words and meaning.
        reading: Reads sections for the preview, and answers further questions about notes.

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
        self._has_query = self._stopped = False

    @property
    def library(self) -> "NoteLibrary | None":
        """The library, once it is open. Call only its quick methods here."""
        return self.words.library

    @property
    def has_query(self) -> bool:
        """The newest query is not empty."""
        return self._has_query

    def start(self) -> None:
        """Open the library in the thread that searches by words, and answer requests."""
        self.words.start()

    def search(self, request: SearchRequest) -> None:
        """Answer the newest query, by words and by meaning."""
        self._has_query = bool(request.text.strip())
        self.requested.emit()
        self.words.ask(request)
        self.meaning.ask(request)

    def read(self, request: ReadingRequest) -> None:
        """Read a section for the preview, or find out more about it."""
        self.requested.emit()
        self.reading.ask(request)

    @Slot()
    def warm_up(self) -> None:
        """Load what the first section needs before it is selected."""
        if not self._stopped:
            self.reading.ask(WarmUpRequest())

    def silence(self) -> None:
        """Emit nothing any more."""
        for source in (self, *self._threads):
            source.blockSignals(True)

    def stop(self) -> None:
        """Let the threads end soon. Call ``wait`` to wait for them."""
        self._stopped = True
        for thread in self._threads:
            thread.stop()

    def wait(self) -> None:
        """Return when the threads have ended."""
        for thread in self._threads:
            thread.wait()

    @property
    def _threads(self) -> tuple[WordsWorker, MeaningWorker, ReadingThread]:
        return self.words, self.meaning, self.reading

    @Slot(object)
    def _on_opened(self, library: "NoteLibrary") -> None:
        if self._stopped:
            return
        self.reading.begin(library)
        self.meaning.begin(library)
