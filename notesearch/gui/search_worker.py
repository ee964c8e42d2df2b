"""The searching thread: opens the library, then answers the newest query, words first."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from notesearch.errors import NotesearchError, SearchCancelledError
from notesearch.gui.newest import NewestWorker
from notesearch.notes import Mode, SearchResult

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

log = logging.getLogger(__name__)

CAP = 200
_CAP_ONE_CHARACTER = 50
_MEANING_FROM = 3
_MEANING_AFTER_S = 0.12

OpenLibrary = Callable[[], "NoteLibrary"]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query as it stands in the field.

    Attributes:
        generation: Counts the requests; an answer to an older one is dropped.
        asked: ``time.monotonic`` of the keystroke.
        repeat: The same query again because the index changed: one answer, no haste.
    """

    generation: int
    text: str
    asked: float
    repeat: bool = False


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What was found for a request.

    Attributes:
        result: None when the index could not answer.
        final: Words and meaning both answered; nothing more will come.
    """

    request: SearchRequest
    result: SearchResult | None
    final: bool


class SearchWorker(NewestWorker[SearchRequest]):
    """Searches in a thread of its own.

    Signals:
        opened: The library is open (``NoteLibrary``).
        failed: The library cannot be opened (``NotesearchError``).
        answered: A ``SearchAnswer``.
    """

    opened = Signal(object)
    failed = Signal(object)
    answered = Signal(object)

    def __init__(self, open_library: OpenLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open_library = open_library
        self.library: NoteLibrary | None = None

    def run(self) -> None:
        """Open the library and answer queries until stopped."""
        try:
            self.library = self._open_library()
        except NotesearchError as error:
            self.failed.emit(error)
            return
        except Exception as error:
            log.exception("the library cannot be opened")
            self.failed.emit(NotesearchError(f"Your notes cannot be opened ({error})."))
            return
        self.opened.emit(self.library)
        super().run()

    def work(self, request: SearchRequest) -> None:
        """Answer by words, then once more with meaning."""
        with_meaning = len(request.text.strip()) >= _MEANING_FROM
        try:
            if not (request.repeat and with_meaning):
                words = self._search(request.text, Mode.WORDS)
                self.answered.emit(SearchAnswer(request, words, final=not with_meaning))
            if with_meaning and not self.slot.outdated_before(request.asked + _MEANING_AFTER_S):
                both = self._search(request.text, Mode.HYBRID)
                self.answered.emit(SearchAnswer(request, both, final=True))
        except SearchCancelledError:
            return
        except NotesearchError as error:
            log.info("no answer: %s", error)
            self.answered.emit(SearchAnswer(request, None, final=True))

    def give_up(self, request: SearchRequest) -> None:
        """Tell that nothing will come: an Enter may wait for it."""
        self.answered.emit(SearchAnswer(request, None, final=True))

    def _search(self, text: str, mode: Mode) -> SearchResult:
        assert self.library is not None
        cap = CAP if len(text.strip()) > 1 else _CAP_ONE_CHARACTER
        outdated = self.slot.outdated
        return self.library.search(text, limit=cap, per_note=cap, mode=mode, cancelled=outdated)
