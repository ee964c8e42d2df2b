"""A vault as programs are served it over a protocol: always current, bounded, by exact names."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from notesearch.config import Settings
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    ModelError,
    NoteMissingError,
    NotesearchError,
    VaultMissingError,
)
from notesearch.library import NoteLibrary, wait_for_other
from notesearch.results import Mode, SearchResult, SectionResult
from notesearch.serving.paging import count_of, page
from notesearch.serving.unseen import shown
from notesearch.status import Phase, Progress, Report, Status
from notesearch.wire.pages import Outline, ReadPage, outline, read_page
from notesearch.wire.sections import instant
from notesearch.wire.state import Reindexed, UnreadNote, VaultStats

if TYPE_CHECKING:
    from notesearch.library import Watch

MOST_SECTIONS, MOST_PER_NOTE = 50, 5
LONGEST_QUERY = 2_000

_PATIENCE_S = 2.0
"""How long a search waits until the index knows what was saved before it."""

_OTHERS_PATIENCE_S = 1.0
"""How long it waits for another process that keeps the index; mostly a fifth of a second does."""

_FIRST_PATIENCE_S = 20.0
"""How long it waits where there is no index yet."""

_HEARD_OF_S = 0.02
"""Within how long the system tells of a note that was saved; most searches take longer."""

_REINDEX_S = 25.0
_OTHERS = 3
"""Threads beside the first, for what is asked while that one is at work."""

_UNREAD_LISTED = 50
_LISTED = 250
"""Sections on one page of an outline: about as much as a page of text."""

_SAMPLED = 250
"""Passages whose words are counted for their average."""

_Answer = TypeVar("_Answer")


class _Followed:
    """Remembers what the indexing thread tells; ``elsewhere``: another process indexes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reports: list[Report] = []
        self.progress = Progress(Phase.IDLE)
        self.problem: NotesearchError | None = None
        self.elsewhere = False

    def progressed(self, progress: Progress) -> None:
        """Remember how far it is."""
        self.progress = progress
        self.problem = None
        self.elsewhere = False

    def updated(self, report: Report) -> None:
        """Remember what an update did."""
        with self._lock:
            self._reports = [*self._reports[-99:], report]

    def failed(self, error: NotesearchError) -> None:
        """Remember what stands in the way."""
        self.elsewhere = isinstance(error, IndexBusyError)
        self.problem = None if self.elsewhere else error
        self.progress = Progress(Phase.IDLE)

    def take(self) -> Sequence[Report]:
        """Return what was reported since the last time."""
        with self._lock:
            taken, self._reports = self._reports, []
            return taken


class ServedVault:
    """Answers what programs ask of one vault; safe to use from several threads."""

    def __init__(self, library: NoteLibrary) -> None:
        """Take the library; use ``opened`` instead, which keeps its index current meanwhile."""
        self._library = library
        self._followed = _Followed()
        self._watch: Watch | None = None
        self._first = ThreadPoolExecutor(1, "notesearch-answers")
        self._others = ThreadPoolExecutor(_OTHERS, "notesearch-more-answers")
        self._first_is_free = True

    @classmethod
    @contextmanager
    def opened(cls, vault: Path, settings: Settings) -> Iterator["ServedVault"]:
        """Open ``vault`` and keep its index current while it is served.

        Raises:
            VaultMissingError: It is no folder, and was none that was indexed.
        """
        with NoteLibrary.open(vault, settings=settings) as library:
            if not (library.indexed or library.vault.is_dir()):
                raise VaultMissingError("vault_unknown", vault=str(library.vault))
            served = cls(library)
            served._watch = library.watch(served._followed)
            try:
                yield served
            finally:
                served._first.shutdown(cancel_futures=True)
                served._others.shutdown(cancel_futures=True)

    async def in_thread(self, work: Callable[[], _Answer]) -> _Answer:
        """Return what ``work`` does, done in a thread while others are answered.

        Who asks one thing after the other is answered by the same thread: each remembers for
        itself what it read of the index, which is megabytes.
        """
        running = asyncio.get_running_loop()
        if not self._first_is_free:
            return await running.run_in_executor(self._others, work)
        self._first_is_free = False
        return await running.run_in_executor(self._first, self._in_first, work)

    def _in_first(self, work: Callable[[], _Answer]) -> _Answer:
        try:
            return work()
        finally:
            self._first_is_free = True

    @property
    def folder(self) -> Path:
        """The folder of the notes."""
        return self._library.vault

    def search(
        self, text: str, *, limit: int, per_note: int, mode: Mode | str = Mode.HYBRID
    ) -> SearchResult:
        """Find sections, also of what was saved a moment ago; raises as the library does."""
        result = self._current(
            lambda: self._library.search(text, limit=limit, per_note=per_note, mode=mode)
        )
        if Mode(mode) is Mode.MEANING and not result.meaning:
            raise ModelError(self._library.status().meaning_problem or "meaning_being_made")
        return result

    def related(
        self, path: str, section: str | None, *, limit: int, own_note: bool
    ) -> tuple[SectionResult, ...]:
        """Find sections near to one, or to a note; raises as the library does."""
        self._catch_up()
        note = self.note(path)
        found = self._asked(
            lambda: self._library.related(note, section, limit=limit, other_notes_only=not own_note)
        )
        if not found and self._asked(self._library.status).pending:
            raise ModelError("meaning_being_made")
        return found

    def read(self, path: str, section: str | None = None, continuation: str = "") -> ReadPage:
        """Read a note or a full section, page by page; raises as the library does.

        Raises:
            PageMissingError: The note has changed since its first page.
        """
        found = self.note(path)
        whole = self._asked(lambda: self._library.read(found, section))
        piece = page(whole.text, continuation)
        links = self._library.sections(found)
        return read_page(whole, links, (piece.text, piece.line, piece.continuation))

    def sections(self, path: str, continuation: str = "") -> Outline:
        """Return a note's outline, page by page; raises as the library does.

        Raises:
            PageMissingError: The continuation is none that was given.
        """
        found = self.note(path)
        entries = outline(self._asked(lambda: self._library.sections(found)))
        words = sum(entry.words for entry in entries)
        start = count_of(continuation) if continuation else 0
        end = start + _LISTED
        following = str(end) if end < len(entries) else ""
        return Outline(found, entries[start:end], len(entries), words, following)

    def note(self, path: str) -> str:
        """Return the path of the note that is meant by ``path``, also as it was shown.

        Raises:
            NoteMissingError: No note is called so, or it lies outside the folder.
        """
        try:
            return self._library.note_path(path)
        except NoteMissingError:
            for known, _ in self.notes():
                if shown(known) == path != known:
                    return known
            raise

    def notes(self) -> Sequence[tuple[str, str]]:
        """Return path and title of every note, by path."""
        return sorted(self._asked(self._library.note_names))

    def stats(self) -> VaultStats:
        """Return what is in the vault and how far its index is."""
        status = self._asked(self._library.status)
        problem = self._followed.problem
        return VaultStats(
            vault=status.vault,
            state=self._state(status),
            problem=str(problem) if problem else status.meaning_problem,
            notes=status.notes,
            sections=status.sections,
            passages=status.passages,
            words=status.words,
            average_passage_words=_average_words(
                self._asked(lambda: self._library.vectors.sample(_SAMPLED))
            ),
            pending=status.pending,
            meaning=status.meaning,
            model=status.model,
            last_scan=instant(status.last_scan) if status.last_scan else "",
            watching=status.watching,
            index_bytes=status.index_bytes,
            unread_count=len(status.unread),
            unread=[
                UnreadNote(note.path, note.reason, note.remark)
                for note in status.unread[:_UNREAD_LISTED]
            ],
        )

    def _state(self, status: Status) -> str:
        match self._followed.progress.phase:
            case Phase.SCAN | Phase.WORDS:
                return "indexing"
            case Phase.MEANING:
                return "embedding"
        return "embedding" if status.pending and status.meaning else "current"

    def remarks(self, result: SearchResult) -> list[str]:
        """Return sentences on what may be missing in ``result``."""
        told = [self._unfinished()]
        if (
            self._followed.elsewhere
            and not result.sections
            and not wait_for_other(self._library, 0.0)
        ):
            told.append(_KEPT_ELSEWHERE)
        return [sentence for sentence in told if sentence]

    def _unfinished(self) -> str:
        """Return a sentence on notes that may not be found yet; empty when all are."""
        told = self._followed.progress
        if told.phase in {Phase.SCAN, Phase.WORDS} and told.total:
            return f"Notes are being indexed: {told.done:,} of {told.total:,} are."
        if told.phase is Phase.MEANING and told.total:
            left = f"{told.total - told.done:,} of {told.total:,}"
            return f"Not everything is found by meaning yet: {left} texts wait for their vector."
        return ""

    def reindex(self) -> Reindexed:
        """Compare the whole folder with the index now, and say what came of it."""
        assert self._watch
        self._catch_up()
        self._followed.take()
        self._watch.refresh_now()
        finished = self._watch.freshness.wait(_REINDEX_S)
        reports = self._followed.take()
        if self._followed.problem:
            raise self._followed.problem
        status = self._asked(self._library.status)
        return Reindexed(
            finished=finished,
            elsewhere=self._followed.elsewhere,
            added=sum(len(report.added) for report in reports),
            changed=sum(len(report.changed) for report in reports),
            moved=sum(len(report.moved) for report in reports),
            removed=sum(len(report.removed) for report in reports),
            notes=status.notes,
            pending=status.pending,
        )

    def _current(self, question: Callable[[], _Answer]) -> _Answer:
        """Ask the library, again where something that was saved before is heard of only now."""
        assert self._watch
        started = time.monotonic()
        self._catch_up()
        turns = self._watch.freshness.turns
        answer = self._asked(question)
        if self._followed.elsewhere:
            return answer  # it was waited for
        time.sleep(max(0.0, _HEARD_OF_S - (time.monotonic() - started)))
        self._catch_up()
        return answer if turns == self._watch.freshness.turns else self._asked(question)

    def _catch_up(self) -> None:
        if self._watch:
            if self._followed.elsewhere:
                self._watch.freshness.ask_again()
            indexed = self._library.indexed
            self._watch.freshness.wait(_PATIENCE_S if indexed else _FIRST_PATIENCE_S)
            if self._followed.elsewhere:
                wait_for_other(self._library, _OTHERS_PATIENCE_S)

    def _asked(self, question: Callable[[], _Answer]) -> _Answer:
        """Ask the library, again once where its index was damaged and is made again."""
        try:
            return question()
        except IndexDamagedError:
            self._catch_up()
            return question()
        except IndexFileError as error:
            if self._library.indexed:
                raise
            with suppress(NotesearchError):
                self._catch_up()
            if self._library.indexed:
                return question()
            raise self._followed.problem or error from error


def _average_words(passages: Sequence[str]) -> int:
    return round(sum(len(text.split()) for text in passages) / len(passages)) if passages else 0


_KEPT_ELSEWHERE = (
    "Another notesearch keeps this index: what was saved in the last seconds may be missing; ask"
    " again for it."
)
