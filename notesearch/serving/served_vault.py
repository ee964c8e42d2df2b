"""One vault of a server: keeps its index up to date, and waits until it is before it answers."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    ModelError,
    NotesearchError,
    VaultMissingError,
    WatchingError,
)
from notesearch.library import NoteLibrary
from notesearch.messages import counted
from notesearch.notes import word_count
from notesearch.results import Mode, PassagesFound, SearchResult
from notesearch.status import Phase, Progress, Report, Status
from notesearch.wire import ReindexResponse, VaultStats, vault_stats

_INDEX_WAIT_S = 2.0
"""How long a search waits until the notes saved before it are indexed."""

_OTHER_PROCESS_WAIT_S = 5.0
"""How long a search waits for another process that indexes. Usually 0.2 s are enough, but that
process indexes a note that is saved again and again only every two seconds."""

_FIRST_INDEX_WAIT_S = 20.0
"""How long a search waits if there is no index yet."""

_REINDEX_S = 25.0
_MOST_REPORTS = 100
_PASSAGE_SAMPLE = 250
"""Number of passages from which the average number of words is estimated."""

_BEHIND = "Notes saved in the last seconds may be missing; search again to find them."

_Answer = TypeVar("_Answer")


class ServedVault:
    """A vault of a server; thread-safe. It listens to the thread that indexes the vault."""

    def __init__(self, library: NoteLibrary) -> None:
        """Answer from ``library``, and keep its index up to date until it is closed."""
        self.library = library
        self._last_loss = ""
        self._reports = deque[Report](maxlen=_MOST_REPORTS)
        self._progress = Progress(Phase.IDLE)
        self._problem: NotesearchError | None = None
        self._elsewhere = False
        self._watch = library.watch(self)

    def progressed(self, progress: Progress) -> None:
        """Remember the progress, and that nothing prevents indexing."""
        self._progress = progress
        self._problem = None
        self._elsewhere = False

    def updated(self, report: Report) -> None:
        """Remember the report until the next ``reindex``."""
        self._reports.append(report)

    def failed(self, error: NotesearchError) -> None:
        """Remember the error that prevents indexing, or that another process indexes."""
        self._elsewhere = isinstance(error, IndexBusyError)
        self._problem = None if self._elsewhere else error
        self._progress = Progress(Phase.IDLE)

    def stop_waiting(self) -> None:
        """Make all answers come at once: they no longer wait until notes are indexed."""
        self._watch.freshness.close()

    def ask(self, question: Callable[[], _Answer]) -> _Answer:
        """Return the answer to ``question``; wait and ask again if the index is being built.

        Raises ModelError if search by meaning is not possible yet, or another error.
        """
        try:
            return question()
        except IndexDamagedError:
            self.catch_up()
            return question()
        except IndexFileError as error:
            if self.library.indexed:
                raise
            with suppress(NotesearchError):
                self.catch_up()
            if self.library.indexed:
                return question()
            raise self._problem or error from error
        except ModelError as error:
            if error.code == "meaning_not_ready":  # this server makes the vectors
                raise ModelError("meaning_being_made") from error
            raise

    @property
    def turns(self) -> int:
        """How many times the indexing thread has looked at changes."""
        return self._watch.freshness.turns

    @property
    def is_indexed_elsewhere(self) -> bool:
        """Whether another process indexes the vault."""
        return self._elsewhere

    def catch_up(self) -> None:
        """Wait, for a limited time, until the notes that were reported so far are indexed."""
        indexed = self.library.indexed
        # The thread may not know yet that the index is gone, or that the folder is back.
        is_missing = isinstance(self._problem, VaultMissingError)
        if self._elsewhere or is_missing or not indexed:
            self._watch.freshness.ask_again()
        self._watch.freshness.wait(_INDEX_WAIT_S if indexed else _FIRST_INDEX_WAIT_S)
        if self._elsewhere:
            self.library.wait_for_other(_OTHER_PROCESS_WAIT_S)

    def stats(self) -> VaultStats:
        """Return what the vault contains and the state of its index."""
        self.library.load_model()
        status = self.ask(self.library.status)
        obstacle = self._obstacle(missing=status.vault_missing)
        sample = self.ask(lambda: self.library.vectors.sample(_PASSAGE_SAMPLE))
        return vault_stats(
            status,
            state="outdated" if obstacle else self._state(status),
            problem=str(obstacle or self._problem or status.meaning_problem),
            average_passage_words=round(sum(map(word_count, sample)) / max(len(sample), 1)),
        )

    def unknown_stats(self, problem: str) -> VaultStats:
        """Return the stats of an empty vault with ``problem``, for an index that cannot be read."""
        status = Status(str(self.library.vault), self.library.settings.model)
        state = "outdated" if self._obstacle() else "indexing"
        return vault_stats(status, state=state, problem=problem)

    def _state(self, status: Status) -> str:
        match self._progress.phase:
            case Phase.SCAN | Phase.WORDS:
                return "indexing"
            case Phase.MEANING:
                return "embedding"
        return "embedding" if status.pending and status.meaning else "current"

    def remarks(self, result: SearchResult | PassagesFound, *, once: bool = False) -> list[str]:
        """Return sentences about what ``result`` may lack.

        With ``once``, leave out why meaning was not searched if the last call gave the same reason.
        """
        lost = self.ask(lambda: self.library.lost_meaning(result))
        if once and lost == self._last_loss:
            lost = ""
        elif once and lost:
            self._last_loss = lost
        by_words = isinstance(result, SearchResult) and result.mode is Mode.WORDS
        remarks = [lost, self._outdated_remark(), self._progress_remark(by_words=by_words)]
        if not (result.total or any(remarks) or self._is_up_to_date()):
            remarks.append(_BEHIND)
        return [sentence for sentence in remarks if sentence]

    def _is_up_to_date(self) -> bool:
        if self._elsewhere:
            return self.library.wait_for_other(0.0)
        return self._watch.freshness.wait(0.0)

    def _outdated_remark(self) -> str:
        missing = self.ask(lambda: self.library.vault_missing)
        obstacle = self._obstacle(missing=missing)
        if not obstacle:
            return ""
        return f"The index cannot be updated, so notes may have changed. {obstacle}"

    def _obstacle(self, *, missing: bool = False) -> NotesearchError | None:
        """Return why the index cannot be updated; None if it can.

        A ``missing`` folder is a reason, even if the indexing thread has not noticed it yet.
        """
        problem = self._problem
        if isinstance(problem, IndexDamagedError | WatchingError):
            problem = None  # it is being made again, or is up to date nevertheless
        if missing and not problem:
            return VaultMissingError("vault_missing", vault=str(self.library.vault))
        return problem

    def _progress_remark(self, *, by_words: bool) -> str:
        """Return a sentence on the progress of indexing; "" if there is none to report.

        With ``by_words``, vectors that are still missing are not reported.
        """
        progress = self._progress
        if progress.phase in {Phase.SCAN, Phase.WORDS} and progress.total:
            return f"Notes are being indexed: {progress.done:,} of {progress.total:,} are done."
        if progress.phase is Phase.MEANING and progress.total and not by_words:
            left = counted(progress.total - progress.done, "text")
            return f"Search by meaning cannot find everything yet: {left} still without a vector."
        return ""

    def reindex(self, *, force: bool = False) -> ReindexResponse:
        """Compare the whole folder with the index now, and return what changed.

        With ``force``, delete the index and make it again.

        Raises:
            IndexBusyError: Another process maintains the index, so it cannot be made again.
        """
        self.catch_up()
        if force and self._elsewhere:
            raise IndexBusyError("index_busy")
        self._reports.clear()
        if force:
            self._watch.rebuild()
        else:
            self._watch.refresh_now()
        finished = self._watch.freshness.wait(_REINDEX_S)
        reports = list(self._reports)
        if self._problem:
            raise self._problem
        status = self.ask(self.library.status)
        kinds = ("added", "changed", "moved", "removed")
        return ReindexResponse(
            finished=finished,
            elsewhere=self._elsewhere,
            **{kind: sum(len(getattr(report, kind)) for report in reports) for kind in kinds},
            notes=status.notes,
            pending=status.pending,
            rebuilt=force,
        )
