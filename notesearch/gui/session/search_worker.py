"""The two threads that search: one searches by words at once, the other by words and meaning."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from notesearch.errors import ModelError, NotesearchError, SearchCancelledError
from notesearch.gui.results.results_model import is_sorted_by_date
from notesearch.gui.session.worker_threads import NewestWorker
from notesearch.gui.translation import error_text
from notesearch.results import Mode, SearchResult, View

if TYPE_CHECKING:
    from notesearch.libraries import NoteLibraries
    from notesearch.library import NoteLibrary

    SearchedLibrary = NoteLibrary | NoteLibraries
    """The library that a window searches: one vault, or several."""

log = logging.getLogger(__name__)

_FIRST_LIMIT = 60
"""Maximum sections in the answer by words: three screens full. The other answer has the rest."""
_FIRST_PER_NOTE = 15
"""Of these, the maximum of one note, so that a long note does not hide all others."""
_ONE_CHARACTER_LIMIT = 50
_MEANING_FROM = 3
_MEANING_AFTER_S = 0.12
"""Seconds without a keystroke after which the search by meaning starts."""
_PAINTED_S = 0.03
"""Seconds until the visible rows are painted. Only after that, other snippets are made."""
_MEANING_DONE_S = 0.6
"""In the answer by words, snippets out of view are made this many seconds after the keystroke. By
then, the search by meaning has usually answered; if not, it takes much longer."""

OpenLibrary = Callable[[], "SearchedLibrary"]
"""Opens the library to search; raises a ``NotesearchError`` if it cannot."""


@dataclass(frozen=True, slots=True)
class Like:
    """A section to which results are compared: similar ones move up, or down if not ``more``."""

    path: str
    line: int
    heading: str
    more: bool

    @property
    def place(self) -> tuple[str, int]:
        """The path and the line, which identify the section."""
        return self.path, self.line


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The query in the field, and how to search for it.

    Attributes:
        generation: Number of the request; answers to older ones are dropped.
        typed_at: Time of the keystroke on the clock ``time.monotonic``.
        repeat: Whether the query is searched again because the index changed, so that one answer is
            enough.
        within: Search only in this folder (``travel/``) or note; empty for everywhere.
        newest: Whether to list the most recently changed notes first.
        view: The rows that the list has room for; their snippets are made first.
        likes: The sections that change the order.
    """

    generation: int
    text: str
    typed_at: float
    repeat: bool = False
    within: str = ""
    newest: bool = False
    view: View | None = None
    likes: tuple[Like, ...] = ()

    @property
    def in_note(self) -> bool:
        """Whether to search only in one note, and so to list all its sections that match."""
        return bool(self.within) and not self.within.endswith("/")

    @property
    def with_meaning(self) -> bool:
        """Whether the text is long enough to be searched by meaning."""
        return len(self.text.strip()) >= _MEANING_FROM


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The answer to a request.

    Attributes:
        result: What was found; None if the index could not answer.
        final: Whether words and meaning have both answered, so that no other answer follows.
        problem: A sentence that says why the index could not answer.
    """

    request: SearchRequest
    result: SearchResult | None
    final: bool
    problem: str = ""


class _SearchWorker(NewestWorker[SearchRequest]):
    """The common part of the two threads that search; each does so in its own ``mode``.

    Signals:
        answered: Carries a ``SearchAnswer``. Rows out of view may still lack their snippets.
        snippets_ready: Carries the last answer again, now with all or with better snippets.
    """

    answered = Signal(object)
    snippets_ready = Signal(object)
    mode: Mode

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.library: SearchedLibrary | None = None

    def is_final(self, request: SearchRequest) -> bool:
        """Return whether this thread gives the last answer to ``request``."""
        return self.mode is Mode.HYBRID or not request.with_meaning

    def give_up(self, request: SearchRequest) -> None:
        """Send an answer without a result after an error, because Enter may wait for an answer."""
        self.answered.emit(SearchAnswer(request, None, self.is_final(request)))

    def search(self, request: SearchRequest) -> SearchResult | None:
        """Search, emit the answer, and return the result.

        Returns None without an answer if a newer request came first. After an error, returns None
        and the answer names the problem.
        """
        assert self.library is not None
        final = self.is_final(request)
        limit = self.library.settings.results
        if len(request.text.strip()) == 1:
            limit = min(limit, _ONE_CHARACTER_LIMIT)
        per_note = limit if final or request.in_note else _FIRST_PER_NOTE
        result = None
        problem = ""
        early = list[SearchResult]()

        def emit_early(ranked: SearchResult) -> None:
            early.append(ranked)
            self.answered.emit(SearchAnswer(request, ranked, final))
            pause = time.monotonic() + _PAINTED_S if final else request.typed_at + _MEANING_DONE_S
            self.slot.outdated_before(pause)

        try:
            result = self.library.search(
                request.text,
                limit=limit if final else min(limit, _FIRST_LIMIT),
                per_note=per_note,
                mode=self.mode,
                within=request.within,
                newest=request.newest,
                cancelled=self.slot.outdated,
                early=None if self.reranks(request) or request.likes else emit_early,
                view=request.view,
            )
            if request.likes:
                liked = [like.place for like in request.likes if like.more]
                unliked = [like.place for like in request.likes if not like.more]
                result = self.library.by_likeness(result, liked, unliked)
            elif self.reranks(request):
                result = self._reranked(result)
        except SearchCancelledError:
            return None
        except NotesearchError as error:
            log.info("no answer: %s", error)
            problem = error_text(error)
        signal = self.snippets_ready if early else self.answered
        signal.emit(SearchAnswer(request, result, final, problem))
        return result

    def reranks(self, request: SearchRequest) -> bool:
        """Return whether a reranker sorts the results of ``request`` before they are shown.

        It never sorts the quick answers by words, nor a list sorted by date.
        """
        assert self.library is not None
        has_reranker = bool(self.library.reranking.name)
        return self.mode is Mode.HYBRID and has_reranker and not request.newest

    def _reranked(self, result: SearchResult) -> SearchResult:
        assert self.library is not None
        if is_sorted_by_date(result):
            return result
        try:
            return self.library.reranking.rerank(result, stopped=self.slot.outdated)
        except ModelError as error:
            log.warning("the results are not reranked: %s", error)
            return result


class WordsWorker(_SearchWorker):
    """Opens the library, and searches by words at once.

    Signals:
        opened: Carries the open library (``NoteLibrary`` or ``NoteLibraries``).
        failed: The library cannot be opened; carries the ``NotesearchError``.
    """

    opened = Signal(object)
    failed = Signal(object)
    mode = Mode.WORDS

    def __init__(self, open_library: OpenLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open_library = open_library

    def run(self) -> None:
        """Open the library and answer queries until stopped."""
        try:
            self.library = self._open_library()
        except NotesearchError as error:
            self.failed.emit(error)
            return
        except Exception as error:
            log.exception("the library cannot be opened")
            self.failed.emit(NotesearchError("library_unopenable", error=str(error)))
            return
        self.opened.emit(self.library)
        super().run()

    def work(self, request: SearchRequest) -> None:
        """Answer by words at once, unless only the final answer is to be shown.

        That is so if only the index has changed, or if sections that the user likes or dislikes
        decide the order.
        """
        if self.is_final(request) or not (request.repeat or request.likes):
            self.search(request)


class MeaningWorker(_SearchWorker):
    """Answers by words and meaning once typing pauses, in its own thread: the model can be slow."""

    mode = Mode.HYBRID

    def begin(self, library: "SearchedLibrary") -> None:
        """Start the thread, which answers queries from ``library``."""
        self.library = library
        self.start()

    def work(self, request: SearchRequest) -> None:
        """Give the final answer after a pause in typing, unless a newer request comes first."""
        pause = request.typed_at + _MEANING_AFTER_S
        if request.with_meaning and not self.slot.outdated_before(pause):
            result = self.search(request)
            if result is not None and not self.slot.outdated_before(time.monotonic() + _PAINTED_S):
                self._sharpen(request, result)

    def _sharpen(self, request: SearchRequest, result: SearchResult) -> None:
        assert self.library is not None
        try:
            sharper = self.library.sharpen(result, cancelled=self.slot.outdated)
        except NotesearchError as error:  # in most cases because of a newer request
            log.info("the snippets stay as they are: %s", error)
            return
        if sharper is not result:
            self.snippets_ready.emit(SearchAnswer(request, sharper, final=True))
