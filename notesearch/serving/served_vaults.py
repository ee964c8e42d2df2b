"""The vaults of a server: answers requests of MCP and HTTP about one vault or several."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from notesearch.config import Settings, require_folder
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    ModelError,
    NotesearchError,
    VaultMissingError,
    WatchingError,
)
from notesearch.libraries import NoteLibraries, answers_of, merged_tags, query_in
from notesearch.library import AnyQuery, NoteLibrary, has_folder
from notesearch.messages import counted
from notesearch.note_addresses import known_vault, within_vaults
from notesearch.notes import word_count
from notesearch.results import Mode, PassagesFound, SearchResult, SectionResult
from notesearch.serving.parameters import (
    Filters,
    LinkArguments,
    NoteListArguments,
    OutlineArguments,
    ReadArguments,
    RelatedArguments,
    TagArguments,
    tag_filter,
)
from notesearch.serving.served_text import PAGE_CHARACTERS, continuation_at, page_start, text_page
from notesearch.status import Phase, Progress, Report, Status, total
from notesearch.wire import (
    LinkList,
    NoteList,
    Outline,
    ReadPage,
    ReindexResponse,
    TagCount,
    TagList,
    VaultStats,
    VaultTotals,
    note_list,
    read_page,
    silent_remarks,
    vault_stats,
    whole_outline,
    with_fields_of,
)

_OUTLINE_PAGE = 250
"""Sections on one page of an outline: about as long as a page of text."""

_Answer = TypeVar("_Answer")

_THREADS = 4
"""Threads for requests. Each caches megabytes of the index, so there are only a few."""

_NOTICE_S = 0.05
"""Time within which the operating system reports a saved note."""

_ORDER = ("indexing", "embedding", "outdated", "current")
"""The states of an index; several vaults have the first that one of them has."""


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


class ServedVault:
    """A vault of a server; thread-safe. It listens to the thread that indexes the vault."""

    def __init__(self, library: NoteLibrary) -> None:
        """Answer from ``library``, and keep its index up to date until it is closed."""
        self.library = library
        self._last_loss = ""
        self._reports = deque[Report](maxlen=_MOST_REPORTS)
        self._progress = Progress(Phase.IDLE)
        self._failure: NotesearchError | None = None
        self._watch = library.watch(self)

    def progressed(self, progress: Progress) -> None:
        """Remember the progress, and that nothing prevents indexing."""
        self._progress = progress
        self._failure = None

    def updated(self, report: Report) -> None:
        """Remember the report until the next ``reindex``."""
        self._reports.append(report)

    def failed(self, error: NotesearchError) -> None:
        """Remember the error that prevents indexing, or that another process indexes."""
        self._failure = error
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
        return isinstance(self._failure, IndexBusyError)

    @property
    def _problem(self) -> NotesearchError | None:
        failure = self._failure
        return None if isinstance(failure, IndexBusyError) else failure

    def catch_up(self) -> None:
        """Wait, for a limited time, until the notes that were reported so far are indexed."""
        indexed = self.library.indexed
        # The thread may not know yet that the index is gone, or that the folder is back.
        is_missing = isinstance(self._problem, VaultMissingError)
        if self.is_indexed_elsewhere or is_missing or not indexed:
            self._watch.freshness.ask_again()
        self._watch.freshness.wait(_INDEX_WAIT_S if indexed else _FIRST_INDEX_WAIT_S)
        if self.is_indexed_elsewhere:
            self.library.wait_for_other(_OTHER_PROCESS_WAIT_S)

    def stats(self) -> tuple[Status, VaultStats]:
        """Return the state of the index, for the program and for its clients."""
        self.library.load_model()
        status = self.ask(self.library.status)
        obstacle = self._obstacle(missing=status.vault_missing)
        sample = self.ask(lambda: self.library.vectors.sample(_PASSAGE_SAMPLE))
        return status, vault_stats(
            status,
            state="outdated" if obstacle else self._state(status),
            problem=str(obstacle or self._problem or status.meaning_problem),
            average_passage_words=round(sum(map(word_count, sample)) / max(len(sample), 1)),
        )

    def unknown_stats(self, problem: str) -> tuple[Status, VaultStats]:
        """Return the stats of an empty vault with ``problem``, for an index that cannot be read."""
        status = Status(str(self.library.vault), self.library.settings.model)
        state = "outdated" if self._obstacle() else "indexing"
        return status, vault_stats(status, state=state, problem=problem)

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
        if self.is_indexed_elsewhere:
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
        if force and self.is_indexed_elsewhere:
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
            elsewhere=self.is_indexed_elsewhere,
            **{kind: sum(len(getattr(report, kind)) for report in reports) for kind in kinds},
            notes=status.notes,
            pending=status.pending,
            rebuilt=force,
        )


class ServedVaults:
    """Answers requests about one or several vaults; thread-safe. Use ``opened`` to create one.

    MCP and HTTP give the same arguments, in which any address may name a note. An argument
    ``vault`` is the name of a vault; None means all vaults.
    """

    def __init__(self, vaults: Mapping[str, ServedVault]) -> None:
        self._vaults = dict(vaults)
        libraries = {name: served.library for name, served in vaults.items()}
        by_library = {served.library: served for served in vaults.values()}
        self._libraries = NoteLibraries(
            libraries, lambda library, question: by_library[library].ask(question)
        )
        self._threads = ThreadPoolExecutor(_THREADS, "notesearch-answers")

    @classmethod
    @contextmanager
    def opened(cls, folders: Sequence[Path], settings: Settings) -> Iterator["ServedVaults"]:
        """Open the vaults in ``folders`` and keep their indexes up to date during the block.

        Raises:
            VaultMissingError: None of the folders exists, and none has an index.
        """
        with NoteLibraries.open(folders, settings=settings) as libraries:
            if not any(library.indexed or library.vault.is_dir() for library in libraries):
                require_folder(next(iter(libraries)).vault)
            served = cls({name: ServedVault(libraries[name]) for name in libraries.names})
            try:
                yield served
            finally:
                served.close()

    def close(self) -> None:
        """Wait for the answers that are in progress; they no longer wait for indexing."""
        for vault in self._vaults.values():
            vault.stop_waiting()
        self._threads.shutdown(cancel_futures=True)

    async def run_in_thread(self, work: Callable[[], _Answer]) -> _Answer:
        """Run ``work`` in a thread, and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the vaults."""
        return tuple(self._vaults)

    @property
    def are_several(self) -> bool:
        """Whether there are several vaults; then paths begin with the name of their vault."""
        return len(self._vaults) > 1

    def search(
        self, query: str, filters: Filters, *, limit: int, per_note: int, mode: Mode | str
    ) -> SearchResult:
        """Find sections, even in notes saved a moment ago; raises as ``NoteLibraries.search``."""
        queries = self._queries(filters, query)
        found = self._when_current(
            queries,
            lambda: self._libraries.search(queries, limit=limit, per_note=per_note, mode=mode),
        )
        return replace(found, query=query)  # without the filters

    def passages(self, query: str, filters: Filters, *, limit: int, per_note: int) -> PassagesFound:
        """Find passages by meaning, even in notes saved a moment ago; raises as ``search`` does."""
        queries = self._queries(filters, query)
        found = self._when_current(
            queries, lambda: self._libraries.passages(queries, limit=limit, per_note=per_note)
        )
        return replace(found, query=query)

    def list_notes(self, given: NoteListArguments) -> NoteList:
        """Return the newest notes that match the filters; raises as ``search`` does."""
        queries = self._queries(given, "")
        lists, unanswered = self._when_current(
            queries,
            lambda: self._libraries.answers(
                lambda name, library: library.list_notes(queries[name], given.n), queries
            ),
        )
        notes = [
            replace(note, vault=name) for name, (newest, _) in lists.items() for note in newest
        ]
        notes.sort(key=lambda note: note.date, reverse=True)
        unmet = [] if notes else self._unmet("", given)
        count = sum(matching for _, matching in lists.values())
        return note_list(notes[: given.n], count, [*unmet, *silent_remarks(unanswered)])

    def tags(self, given: TagArguments) -> TagList:
        """Return the tags that begin with a text, the most used first; raises as ``search``."""
        beginning = given.beginning or ""
        answers, unanswered = self._libraries.answers(
            lambda _, library: library.tags(beginning), self._chosen(given.vault)
        )
        ranked = merged_tags(answers.values())
        unmet = [] if ranked else ["No note has a tag."]
        if unmet and beginning:
            unmet = self._unmet(tag_filter(beginning), Filters(vault=given.vault))
        first = [TagCount(*pair) for pair in ranked[: given.n]]
        return TagList(len(ranked), first, [*unmet, *silent_remarks(unanswered)])

    def _unmet(self, query: str, filters: Filters) -> list[str]:
        queries = self._queries(filters, query)
        result = self._libraries.search(queries, limit=1, per_note=1, mode=Mode.WORDS)
        return [unmet.sentence for unmet in result.unmet]

    def read(self, given: ReadArguments, size: int = PAGE_CHARACTERS) -> ReadPage:
        """Read a page, of up to ``size`` characters, of a note or of a full section.

        Raises as ``NoteLibrary.read``, ``text_page`` and ``known_vault``.
        """
        name, inside = self._holding(given.path, given.vault)
        library = self._libraries[name]
        whole = self._libraries.answer(name, lambda library: library.read(inside, given.section))
        lines = (0, 0) if given.section else library.resolved(inside).lines
        part = f":{lines}" if lines[1] else " > ".join(whole.section_path)
        source = f"{library.vault}/{whole.path}{part}"
        page = text_page(source, whole.complete, given.continuation or "", size)
        of_note = whole.is_whole and not (lines[1] or given.continuation)
        return read_page(
            whole,
            library.sections(whole.path),
            page=page.text,
            first_line=page.line,
            continuation=page.continuation,
            properties=library.links(whole.path).all_properties() if of_note else {},
            vault=name,
        )

    def sections(self, given: OutlineArguments) -> Outline:
        """Return a page of a note's outline; raises as ``read`` does."""
        name, note = self._note(given)
        links = self._libraries.answer(name, lambda library: library.sections(note))
        outline = whole_outline(note, links, name)
        entries = outline.sections
        source = f"headings of {self._libraries[name].vault}/{note}"
        content = str(entries)
        start = page_start(source, content, given.continuation or "")
        end = start + _OUTLINE_PAGE
        following = continuation_at(end, source, content) if end < len(entries) else ""
        return replace(outline, sections=entries[start:end], continuation=following)

    def linked(self, given: LinkArguments) -> LinkList:
        """Return a note's links to other notes, and the links to it; raises as ``read`` does."""
        name, note = self._note(given)
        outgoing = self._libraries.answer(name, lambda library: library.outgoing(note))
        backlinks = self._libraries.answer(name, lambda library: library.backlinks(note))
        return LinkList(note, list(outgoing), list(backlinks), name)

    def related(self, given: RelatedArguments) -> tuple[SectionResult, ...]:
        """Find sections similar in meaning to a section or, if none is given, to the whole note.

        Raises:
            ModelError: The vectors are being made, or meaning is off.
        """
        name, inside = self._holding(given.path, given.vault)
        chosen = self._chosen(given.vault)
        sections = self._when_current(
            chosen,
            lambda: self._libraries.related(
                name,
                inside,
                given.section,
                limit=given.n,
                other_notes_only=not given.own_note,
                vaults=chosen,
            ),
        )
        if not sections and self._libraries.answer(name, NoteLibrary.status).pending:
            raise ModelError("meaning_being_made")
        return sections

    def notes(self) -> Sequence[tuple[str, str]]:
        """Return the address and title of every note, sorted by vault and path."""
        names, _ = self._libraries.answers(lambda _, library: library.note_names())
        return [
            (f"{vault}/{path}" if self.are_several else path, title)
            for vault in names
            for path, title in sorted(names[vault])
        ]

    def stats(self, vault: str | None = None) -> VaultTotals:
        """Return what a vault contains and the state of its index; for several vaults, the sums.

        One of several that cannot answer counts as empty, with the reason as its problem.
        """
        chosen = self._chosen(vault)
        answers, unanswered = answers_of(chosen, lambda name: chosen[name].stats())
        for one in unanswered:
            answers[one.vault] = chosen[one.vault].unknown_stats(one.reason)
        each = [replace(answers[name][1], name=name) for name in chosen]
        if len(each) == 1:
            return with_fields_of(each[0], VaultTotals, vaults=[])
        whole = total({name: answers[name][0] for name in chosen}, complete=not unanswered)
        passage_words = sum(stats.average_passage_words * stats.passages for stats in each)
        stats = vault_stats(
            whole,
            state=min((stats.state for stats in each), key=_ORDER.index),
            problem=" ".join(stats.problem for stats in each if stats.problem),
            average_passage_words=round(passage_words / max(whole.passages, 1)),
        )
        meaning = all(stats.meaning for stats in each)
        return with_fields_of(stats, VaultTotals, meaning=meaning, unread=[], vaults=each)

    def reindex(self, vault: str | None = None, *, force: bool = False) -> ReindexResponse:
        """Compare the folder of ``vault``, or all folders, with the index; return what changed.

        With ``force``, delete and rebuild the indexes. If this takes longer than the time limit, it
        goes on after the answer, whose ``finished`` is then false.

        Raises:
            NotesearchError: A folder cannot be compared; the others have been.
        """
        chosen = self._chosen(vault)
        answers, unanswered = answers_of(chosen, lambda name: chosen[name].reindex(force=force))
        if unanswered:
            first = unanswered[0]
            raise NotesearchError("vault_outdated", vault=first.vault, reason=first.reason)
        each = answers.values()
        counts = ("added", "changed", "moved", "removed", "notes", "pending")
        return ReindexResponse(
            finished=all(answer.finished for answer in each),
            elsewhere=any(answer.elsewhere for answer in each),
            **{count: sum(getattr(answer, count) for answer in each) for count in counts},
            rebuilt=force,
        )

    def searched(self, filters: Filters) -> tuple[str, ...]:
        """Return the names of the vaults in which a search with ``filters`` searches."""
        return tuple(self._queries(filters, ""))

    def remarks(
        self, result: SearchResult | PassagesFound, filters: Filters, *, once: bool = False
    ) -> list[str]:
        """Return the remarks of each searched vault, after its name if there are several."""
        silent = {vault.vault for vault in result.unanswered}
        return [
            f"{name}: {remark}" if self.are_several else remark
            for name in self.searched(filters)
            if name not in silent
            for remark in self._vaults[name].remarks(result, once=once)
        ]

    def _when_current(self, names: Iterable[str], question: Callable[[], _Answer]) -> _Answer:
        """Return the answer to ``question`` after all notes saved so far are indexed.

        ``names`` are the vaults that ``question`` asks. It is asked at once, and a second time if
        the system then reports that notes were saved just before. Waits for each vault only for a
        limited time. Raises as ``question`` does.
        """
        asked = [self._vaults[name] for name in names]
        started = time.monotonic()
        for vault in asked:
            vault.catch_up()
        before = [vault.turns for vault in asked]
        answer = question()
        if all(vault.is_indexed_elsewhere for vault in asked):
            return answer  # ``catch_up`` has waited for the other processes
        time.sleep(max(0.0, _NOTICE_S - (time.monotonic() - started)))
        for vault in asked:
            vault.catch_up()
        is_same = before == [vault.turns for vault in asked]
        return answer if is_same else question()

    def _queries(self, filters: Filters, query: str) -> dict[str, AnyQuery]:
        """Return ``query`` with ``filters`` for each vault to search, by the vault's name."""
        chosen = self._chosen(filters.vault)
        searched = chosen
        for name, inside in within_vaults(f"{filters.path or ''}/", chosen):
            # In the only vault, ``path`` may also be a folder with the vault's name.
            if self.are_several or not has_folder(chosen[name].library.vault, name):
                filters = filters.model_copy(update={"path": inside.strip("/") or None})
                searched = {name: chosen[name]}
                break
        if not self.are_several:
            ((name, vault),) = searched.items()
            return {name: filters.query_with_filters(query, vault.library.vault)}
        return {
            name: query_in(name, query, chosen, filters.query_with_filters("", vault.library.vault))
            for name, vault in searched.items()
        }

    def _chosen(self, vault: str | None) -> dict[str, ServedVault]:
        if not vault:
            return self._vaults
        name = known_vault(vault, self._vaults)
        return {name: self._vaults[name]}

    def _holding(self, path: str, vault: str | None) -> tuple[str, str]:
        return self._libraries.find_vault(path, self._chosen(vault))

    def _note(self, given: LinkArguments | OutlineArguments) -> tuple[str, str]:
        """Return the name of the vault that has the requested note, and the note's path in it."""
        name, inside = self._holding(given.path, given.vault)
        return name, self._libraries.answer(name, lambda library: library.note_path(inside))
