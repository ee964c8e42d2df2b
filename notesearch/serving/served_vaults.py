"""The vaults of a server: answers requests of MCP and HTTP about one vault or several."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from notesearch.config import Settings, require_folder
from notesearch.errors import ModelError, NotesearchError
from notesearch.libraries import NoteLibraries, answers_of, merged_tags, query_in
from notesearch.library import AnyQuery, has_folder
from notesearch.note_addresses import known_vault, naming_vault, within_vaults
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
from notesearch.serving.served_vault import ServedVault
from notesearch.serving.text_pages import PAGE_CHARACTERS, continuation_at, page_start, text_page
from notesearch.wire import (
    LinkList,
    NoteList,
    Outline,
    ReadPage,
    ReindexResponse,
    TagCount,
    TagList,
    VaultTotals,
    note_list,
    read_page,
    silent_remarks,
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
        total = sum(total for _, total in lists.values())
        return note_list(notes[: given.n], total, [*unmet, *silent_remarks(unanswered)])

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
        served = self._vaults[name]
        library = served.library
        with naming_vault(name, self._vaults):
            whole = served.ask(lambda: library.read(inside, given.section))
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
        served = self._vaults[name]
        outline = whole_outline(note, served.ask(lambda: served.library.sections(note)), name)
        entries = outline.sections
        source = f"headings of {served.library.vault}/{note}"
        content = str(entries)
        start = page_start(source, content, given.continuation or "")
        end = start + _OUTLINE_PAGE
        following = continuation_at(end, source, content) if end < len(entries) else ""
        return replace(outline, sections=entries[start:end], continuation=following)

    def linked(self, given: LinkArguments) -> LinkList:
        """Return a note's links to other notes, and the links to it; raises as ``read`` does."""
        name, note = self._note(given)
        served = self._vaults[name]
        outgoing = served.ask(lambda: served.library.outgoing(note))
        backlinks = served.ask(lambda: served.library.backlinks(note))
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
        served = self._vaults[name]
        if not sections and served.ask(served.library.status).pending:
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
        each = [replace(answers[name], name=name) for name in chosen]
        if len(each) == 1:
            return with_fields_of(each[0], VaultTotals, vaults=[])
        sums = ("notes", "sections", "passages", "words", "pending", "index_bytes", "unread_count")
        totals = {name: sum(getattr(stats, name) for stats in each) for name in sums}
        watching = [stats.watching for stats in each]  # “live” is shorter than “comparing every …”
        passage_words = sum(stats.average_passage_words * stats.passages for stats in each)
        return with_fields_of(
            each[0],
            VaultTotals,
            **totals,
            name="",
            vault=", ".join(stats.vault for stats in each),
            state=min((stats.state for stats in each), key=_ORDER.index),
            problem=" ".join(stats.problem for stats in each if stats.problem),
            meaning=all(stats.meaning for stats in each),
            last_scan=min(stats.last_scan for stats in each),
            average_passage_words=round(passage_words / max(totals["passages"], 1)),
            watching=max(watching, key=len) if all(watching) else "",
            unread=[],
            vaults=each,
        )

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
        served = self._vaults[name]
        return name, served.ask(lambda: served.library.note_path(inside))
