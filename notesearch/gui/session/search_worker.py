"""The searching threads: one answers the newest query by words at once, one with meaning."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from notesearch.errors import ModelError, NotesearchError, SearchCancelledError
from notesearch.gui.results.results_rows import by_rules_alone
from notesearch.gui.session.newest import NewestWorker
from notesearch.gui.translation import translate
from notesearch.results import Mode, SearchResult, View

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

log = logging.getLogger(__name__)

_CAP_AT_FIRST = 60  # three screens full; the rest arrives with meaning
_CAP_ONE_CHARACTER = 50
_MEANING_FROM = 3
_MEANING_AFTER_S = 0.12
_PAINTED_S = 0.03
"""Until the rows in view are painted: what is out of view is cut after that."""

_MEANING_TOLD_S = 0.6
"""After the key: by then meaning has told all that words would, or is not going to."""

OpenLibrary = Callable[[], "NoteLibrary"]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query as it stands in the field.

    Attributes:
        generation: Counts the requests; an answer to an older one is dropped.
        asked: ``time.monotonic`` of the keystroke.
        repeat: The same query again because the index changed: one answer, no haste.
        within: Only in this folder (``travel/``) or note; empty everywhere.
        newest: The notes that were changed last stand first.
        view: What the list has room for: these snippets are cut first.
    """

    generation: int
    text: str
    asked: float
    repeat: bool = False
    within: str = ""
    newest: bool = False
    view: View | None = None

    @property
    def with_meaning(self) -> bool:
        """The text is long enough to mean something."""
        return len(self.text.strip()) >= _MEANING_FROM


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What was found for a request.

    Attributes:
        result: None when the index could not answer.
        final: Words and meaning both answered; nothing more will come.
        problem: Why the index could not answer, a sentence.
    """

    request: SearchRequest
    result: SearchResult | None
    final: bool
    problem: str = ""


class _Searching(NewestWorker[SearchRequest]):
    """What both searching threads share.

    Signals:
        answered: A ``SearchAnswer``; of what is out of view, the snippets may be missing.
        completed: The last one again, with all snippets, and again with sharper ones.
    """

    answered = Signal(object)
    completed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.library: NoteLibrary | None = None

    def give_up(self, request: SearchRequest) -> None:
        """Tell that nothing will come: an Enter may wait for it."""
        final = isinstance(self, MeaningWorker) or not request.with_meaning
        self.answered.emit(SearchAnswer(request, None, final))

    @property
    def cap(self) -> int:
        """How many sections the user wants to see at most."""
        return self.library.settings.results if self.library else 0

    def search(
        self, request: SearchRequest, mode: Mode, cap: int, *, final: bool
    ) -> SearchResult | None:
        """Search and emit the answer, unless a newer request has come."""
        assert self.library is not None
        if len(request.text.strip()) == 1:
            cap = min(cap, _CAP_ONE_CHARACTER)
        result, problem, early = None, "", list[SearchResult]()

        def tell(ranked: SearchResult) -> None:
            early.append(ranked)
            self.answered.emit(SearchAnswer(request, ranked, final))
            rest = time.monotonic() + _PAINTED_S if final else request.asked + _MEANING_TOLD_S
            self.slot.outdated_before(rest)

        try:
            result = self.library.search(
                request.text,
                limit=cap,
                per_note=cap,
                mode=mode,
                within=request.within,
                newest=request.newest,
                cancelled=self.slot.outdated,
                early=None if self.reranks(request) else tell,
                view=request.view,
            )
            if self.reranks(request):
                result = self._reranked(result)
        except SearchCancelledError:
            return None
        except NotesearchError as error:
            log.info("no answer: %s", error)
            problem = str(error)
        signal = self.completed if early else self.answered
        signal.emit(SearchAnswer(request, result, final, problem))
        return result

    def reranks(self, request: SearchRequest) -> bool:
        """Whether a model shall put what was found in a better order before it is shown."""
        return False

    def _reranked(self, result: SearchResult) -> SearchResult:
        assert self.library is not None
        if by_rules_alone(result):
            return result
        try:
            return self.library.reranking.of(result, stopped=self.slot.outdated)
        except ModelError as error:
            log.warning("the order stays as it was: %s", error)
            return result


class WordsWorker(_Searching):
    """Opens the library and answers by words, at once.

    Signals:
        opened: The library is open (``NoteLibrary``).
        failed: The library cannot be opened (``NotesearchError``).
    """

    opened = Signal(object)
    failed = Signal(object)

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
            self.failed.emit(
                NotesearchError(
                    translate("window", "Your notes can't be opened ({error}).").format(error=error)
                )
            )
            return
        self.opened.emit(self.library)
        super().run()

    def work(self, request: SearchRequest) -> None:
        """Answer by words; the final answer where meaning has nothing to add."""
        if not request.with_meaning:
            self.search(request, Mode.WORDS, self.cap, final=True)
        elif not request.repeat:
            self.search(request, Mode.WORDS, min(_CAP_AT_FIRST, self.cap), final=False)


class MeaningWorker(_Searching):
    """Answers by words and meaning, once typing pauses.

    It has a thread of its own because the model may take its time, the first time most of all.
    """

    def __init__(self, library: "NoteLibrary", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.library = library

    def work(self, request: SearchRequest) -> None:
        """Give the final answer, unless more is typed."""
        pause = request.asked + _MEANING_AFTER_S
        if request.with_meaning and not self.slot.outdated_before(pause):
            result = self.search(request, Mode.HYBRID, self.cap, final=True)
            if result is not None:
                self._sharpen(request, result)

    def reranks(self, request: SearchRequest) -> bool:
        """Only here: who types sees the words at once, and the better order with the meaning."""
        assert self.library is not None
        return bool(self.library.reranking.name) and not request.newest

    def _sharpen(self, request: SearchRequest, result: SearchResult) -> None:
        assert self.library is not None
        try:
            sharper = self.library.sharpen(result, cancelled=self.slot.outdated)
        except NotesearchError as error:  # a newer request most of the time
            log.info("snippets stay as they are: %s", error)
            return
        if sharper is not result:
            self.completed.emit(SearchAnswer(request, sharper, final=True))
