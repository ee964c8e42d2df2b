"""The vaults of a server: answers requests about all of them together, or about a named one."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TypeVar

from notesearch.config import Settings
from notesearch.errors import NotesearchError, VaultMissingError
from notesearch.libraries import NoteLibraries
from notesearch.library import AnyQuery, query_in
from notesearch.merged_answers import answers_of, merged_passages, merged_result
from notesearch.note_addresses import known_vault, vault_holding, within_vaults
from notesearch.results import Mode, PassagesFound, SearchResult, SectionResult
from notesearch.serving.continuation import PAGE_CHARACTERS
from notesearch.serving.parameters import Filters
from notesearch.serving.served_vault import ServedVault
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
    silent_remarks,
)

_MORE_THREADS = 3
"""Threads besides the first one, for requests that arrive while the first one is busy."""

_ORDER = ("indexing", "embedding", "current")
"""The states of an index, the least complete first."""

_Answer = TypeVar("_Answer")


class ServedVaults:
    """Answers requests about one or several vaults; thread-safe. Use ``opened`` to create one.

    Each answer names the vault of a note. An argument ``vault`` is the name of a vault; None means
    all vaults.
    """

    def __init__(self, vaults: Mapping[str, ServedVault]) -> None:
        """Answer from ``vaults``, by name."""
        self._vaults = dict(vaults)
        self._first_thread = ThreadPoolExecutor(1, "notesearch-answers")
        self._more_threads = ThreadPoolExecutor(_MORE_THREADS, "notesearch-more-answers")
        self._first_is_free = True

    @classmethod
    @contextmanager
    def opened(cls, folders: Sequence[Path], settings: Settings) -> Iterator["ServedVaults"]:
        """Open the vaults in ``folders`` and keep their indexes up to date during the block.

        A folder that is missing now is searched as soon as it is there.

        Raises:
            VaultMissingError: There is none of the folders, and no index of any.
        """
        with NoteLibraries.open(folders, settings=settings) as libraries, ExitStack() as stack:
            if not any(library.indexed or library.vault.is_dir() for library in libraries):
                first = next(iter(libraries)).vault
                raise VaultMissingError("vault_unknown", vault=str(first))
            served = cls(
                {
                    name: stack.enter_context(ServedVault.following(libraries[name]))
                    for name in libraries.names
                }
            )
            try:
                yield served
            finally:
                served.close()

    def close(self) -> None:
        """End: wait for the answers that are being made; these no longer wait for indexing."""
        for vault in self._vaults.values():
            vault.close()
        self._first_thread.shutdown(cancel_futures=True)
        self._more_threads.shutdown(cancel_futures=True)

    async def run_in_thread(self, work: Callable[[], _Answer]) -> _Answer:
        """Run ``work`` in a thread, and return its result.

        Requests that do not overlap use the same thread, because each thread caches megabytes of
        the index.
        """
        loop = asyncio.get_running_loop()
        if not self._first_is_free:
            return await loop.run_in_executor(self._more_threads, work)
        self._first_is_free = False
        return await loop.run_in_executor(self._first_thread, self._run_in_first, work)

    def _run_in_first(self, work: Callable[[], _Answer]) -> _Answer:
        try:
            return work()
        finally:
            self._first_is_free = True

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
        """Find sections, even in notes saved a moment ago; raises as ``ServedVault.search`` does.

        Raises:
            VaultNameError: No vault has the name in ``filters``.
        """
        asked = self._asked(filters, query)
        answers, unanswered = answers_of(
            asked,
            lambda name: self._vaults[name].search(
                asked[name], limit=limit, per_note=per_note, mode=mode
            ),
        )
        return merged_result(answers, unanswered, limit=limit)

    def passages(self, query: str, filters: Filters, *, limit: int, per_note: int) -> PassagesFound:
        """Find passages by meaning; raises as ``search`` does."""
        asked = self._asked(filters, query)
        answers, unanswered = answers_of(
            asked,
            lambda name: self._vaults[name].passages(asked[name], limit=limit, per_note=per_note),
        )
        return merged_passages(answers, unanswered, limit=limit)

    def list_notes(self, filters: Filters, limit: int) -> NoteList:
        """Return the newest notes that fulfil ``filters``; raises as ``search`` does."""
        asked = self._asked(filters, "")
        lists, unanswered = answers_of(
            asked, lambda name: self._vaults[name].list_notes(asked[name], limit)
        )
        notes = [
            replace(note, vault=name) for name, (newest, _) in lists.items() for note in newest
        ]
        notes.sort(key=lambda note: note.date, reverse=True)
        total = sum(total for _, total in lists.values())
        return note_list(notes[:limit], total, silent_remarks(unanswered))

    def tags(self, beginning: str, limit: int, vault: str | None = None) -> TagList:
        """Return the tags that begin with ``beginning``, the most used first."""
        chosen = self._chosen(vault)
        answers, unanswered = answers_of(chosen, lambda name: chosen[name].tags(beginning))
        counts = Counter[str]()
        for tags in answers.values():
            counts.update(dict(tags))
        ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        first = [TagCount(*pair) for pair in ranked[:limit]]
        return TagList(len(counts), first, silent_remarks(unanswered))

    def read(
        self,
        path: str,
        section: str | None = None,
        continuation: str = "",
        *,
        size: int = PAGE_CHARACTERS,
        vault: str | None = None,
    ) -> ReadPage:
        """Read a page of a note or of a full section; raises as ``ServedVault.read`` does.

        Raises:
            NoteMissingError: No vault has the note, or several vaults have it.
            VaultNameError: There is no such vault.
        """
        name, inside = self._holding(path, vault)
        page = self._vaults[name].read(inside, section, continuation, size)
        return replace(page, vault=name)

    def sections(self, path: str, continuation: str = "", vault: str | None = None) -> Outline:
        """Return a page of a note's outline; raises as ``read`` does."""
        name, inside = self._holding(path, vault)
        return replace(self._vaults[name].sections(inside, continuation), vault=name)

    def linked(self, path: str, vault: str | None = None) -> LinkList:
        """Return a note's links to other notes, and the links to it; raises as ``read`` does."""
        name, inside = self._holding(path, vault)
        return replace(self._vaults[name].linked(inside), vault=name)

    def related(
        self,
        path: str,
        section: str | None,
        *,
        limit: int,
        own_note: bool,
        vault: str | None = None,
    ) -> tuple[SectionResult, ...]:
        """Find sections of the same vault similar to a section or note; raises as ``read`` does."""
        name, inside = self._holding(path, vault)
        sections = self._vaults[name].related(inside, section, limit=limit, own_note=own_note)
        return tuple(replace(section, vault=name) for section in sections)

    def notes(self) -> Sequence[tuple[str, str]]:
        """Return the address and title of every note, sorted by vault and path."""
        notes, _ = answers_of(self._vaults, lambda name: self._vaults[name].notes())
        prefixes = {name: f"{name}/" * self.are_several for name in notes}
        return [(f"{prefixes[name]}{path}", title) for name in notes for path, title in notes[name]]

    def stats(self, vault: str | None = None) -> VaultTotals:
        """Return what a vault contains and the state of its index; of several vaults, the sums.

        Of several vaults, one that cannot answer counts as empty, with the reason as its problem.
        """
        chosen = self._chosen(vault)
        answers, unanswered = answers_of(chosen, lambda name: chosen[name].stats())
        for one in unanswered:
            answers[one.vault] = chosen[one.vault].unknown_stats(one.reason)
        each = [replace(answers[name], name=name) for name in chosen]
        first = {field.name: getattr(each[0], field.name) for field in fields(VaultStats)}
        if len(each) == 1:
            return VaultTotals(**first)
        sums = ("notes", "sections", "passages", "words", "pending", "index_bytes", "unread_count")
        totals = {name: sum(getattr(stats, name) for stats in each) for name in sums}
        watching = [stats.watching for stats in each]  # “live” is shorter than “comparing every …”
        passage_words = sum(stats.average_passage_words * stats.passages for stats in each)
        others = {
            "name": "",
            "vault": ", ".join(stats.vault for stats in each),
            "state": min((stats.state for stats in each), key=_ORDER.index),
            "problem": " ".join(stats.problem for stats in each if stats.problem),
            "meaning": all(stats.meaning for stats in each),
            "last_scan": min(stats.last_scan for stats in each),
            "average_passage_words": round(passage_words / max(totals["passages"], 1)),
            "watching": max(watching, key=len) if all(watching) else "",
            "unread": [],
        }
        return VaultTotals(**{**first, **totals, **others}, vaults=each)

    def reindex(self, vault: str | None = None, *, force: bool = False) -> ReindexResponse:
        """Compare the folders with their indexes now, and return what changed.

        With ``force``, delete the indexes and make them again.

        Raises:
            IndexBusyError: With ``force``, another process maintains one of the indexes.
            NotesearchError: One of several folders cannot be compared; the others were.
        """
        chosen = self._chosen(vault)
        answers, unanswered = answers_of(chosen, lambda name: chosen[name].reindex(force=force))
        for silent in unanswered:
            raise NotesearchError("vault_outdated", vault=silent.vault, reason=silent.reason)
        each = answers.values()
        return ReindexResponse(
            finished=all(answer.finished for answer in each),
            elsewhere=any(answer.elsewhere for answer in each),
            added=sum(answer.added for answer in each),
            changed=sum(answer.changed for answer in each),
            moved=sum(answer.moved for answer in each),
            removed=sum(answer.removed for answer in each),
            notes=sum(answer.notes for answer in each),
            pending=sum(answer.pending for answer in each),
            rebuilt=force,
        )

    def asked(self, filters: Filters) -> tuple[str, ...]:
        """Return the names of the vaults in which a search with ``filters`` searches."""
        return tuple(self._asked(filters, ""))

    def remarks(
        self, result: SearchResult | PassagesFound, filters: Filters, *, once: bool = False
    ) -> list[str]:
        """Return ``ServedVault.remarks`` of each searched vault; of several, after its name."""
        silent = {vault.vault for vault in result.unanswered}
        return [
            f"{name}: {remark}" if self.are_several else remark
            for name in self.asked(filters)
            if name not in silent
            for remark in self._vaults[name].remarks(result, once=once)
        ]

    def _asked(self, filters: Filters, query: str) -> dict[str, AnyQuery]:
        """Return ``query`` with ``filters`` for each vault to search, by the vault's name.

        A path in ``filters`` that begins with the name of a vault chooses that vault. So does one
        in ``query``.
        """
        chosen = self._chosen(filters.vault)
        if self.are_several and filters.path:
            for name, inside in within_vaults(f"{filters.path}/", chosen):
                part = filters.model_copy(update={"path": inside.strip("/") or None})
                text = part.query_with_filters(query, self._vaults[name].folder)
                return {name: text if part.path else query_in(name, text, chosen)}
        texts = {
            name: filters.query_with_filters(query, vault.folder) for name, vault in chosen.items()
        }
        if not self.are_several:
            return dict(texts)
        return {name: query_in(name, text, chosen) for name, text in texts.items()}

    def _chosen(self, vault: str | None) -> dict[str, ServedVault]:
        """Return the vaults to use by name: the one called ``vault``, or all if that is empty."""
        if not vault:
            return self._vaults
        name = known_vault(vault, self._vaults)
        return {name: self._vaults[name]}

    def _holding(self, path: str, vault: str | None) -> tuple[str, str]:
        """Return the name of the vault with the note at ``path``, and the note's address in it."""
        chosen = self._chosen(vault)
        if not self.are_several:
            return next(iter(chosen)), path
        return vault_holding(path, {name: served.note_path for name, served in chosen.items()})
