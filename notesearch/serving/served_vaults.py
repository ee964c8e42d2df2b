"""The vaults of a server, answered for as one: each tool and address may name one of them."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TypeVar

from notesearch.config import Settings
from notesearch.joint_answers import answers_of, joint_passages, joint_result
from notesearch.libraries import NoteLibraries
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
)

_MORE_THREADS = 3
"""Threads besides the first one, for requests that arrive while it is busy."""

_ORDER = ("indexing", "embedding", "current")
"""States of an index, the least complete first."""

_Answer = TypeVar("_Answer")


class ServedVaults:
    """Answers requests about one vault or several. Several threads may use it.

    Each answer names the vault of a note.
    """

    def __init__(self, vaults: Mapping[str, ServedVault]) -> None:
        """Take vaults by name. Use ``opened`` instead, which also keeps them up to date."""
        self._vaults = dict(vaults)
        self._first_thread = ThreadPoolExecutor(1, "notesearch-answers")
        self._more_threads = ThreadPoolExecutor(_MORE_THREADS, "notesearch-more-answers")
        self._first_is_free = True

    @classmethod
    @contextmanager
    def opened(cls, folders: Sequence[Path], settings: Settings) -> Iterator["ServedVaults"]:
        """Open the vaults in ``folders`` and keep their indexes up to date during the block.

        Raises:
            VaultMissingError: There is no such folder, and no index of it.
        """
        with NoteLibraries.open(folders, settings=settings) as libraries, ExitStack() as stack:
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
        """Wait for the answers that are being made, but not for notes that they wait for."""
        for vault in self._vaults.values():
            vault.close()
        self._first_thread.shutdown(cancel_futures=True)
        self._more_threads.shutdown(cancel_futures=True)

    async def run_in_thread(self, work: Callable[[], _Answer]) -> _Answer:
        """Return the result of ``work``, run in a thread.

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
        """Whether paths in a text begin with the name of their vault."""
        return len(self._vaults) > 1

    def search(
        self, query: str, filters: Filters, *, limit: int, per_note: int, mode: Mode | str
    ) -> SearchResult:
        """Find sections, even in notes saved a moment ago; raises as the library does.

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
        return joint_result(answers, unanswered, limit=limit)

    def passages(self, query: str, filters: Filters, *, limit: int, per_note: int) -> PassagesFound:
        """Find passages by meaning; raises as ``search`` does."""
        asked = self._asked(filters, query)
        answers, _ = answers_of(
            asked,
            lambda name: self._vaults[name].passages(asked[name], limit=limit, per_note=per_note),
        )
        return joint_passages(answers, limit=limit)

    def list_notes(self, filters: Filters, limit: int) -> NoteList:
        """Return the newest notes that fulfil ``filters``; raises as ``search`` does."""
        lists = {
            name: self._vaults[name].list_notes(text, limit)
            for name, text in self._asked(filters, "").items()
        }
        notes = [replace(note, vault=name) for name, (found, _) in lists.items() for note in found]
        notes.sort(key=lambda note: note.date, reverse=True)
        return note_list(notes[:limit], sum(total for _, total in lists.values()))

    def tags(self, beginning: str, limit: int, vault: str | None = None) -> TagList:
        """Return the tags that begin with ``beginning``, the most used first."""
        counts: dict[str, int] = {}
        for one in self._chosen(vault).values():
            for tag, notes in one.tags(beginning):
                counts[tag] = counts.get(tag, 0) + notes
        ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        return TagList(len(counts), [TagCount(*one) for one in ranked[:limit]])

    def read(
        self,
        path: str,
        section: str | None = None,
        continuation: str = "",
        *,
        size: int = PAGE_CHARACTERS,
        vault: str | None = None,
    ) -> ReadPage:
        """Read a page of a note or a full section; raises as ``ServedVault.read`` does.

        Raises:
            NoteMissingError: No vault has the note, or several have.
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
        """Return the links of a note to others, and of others to it; raises as ``read`` does."""
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
        found = self._vaults[name].related(inside, section, limit=limit, own_note=own_note)
        return tuple(replace(one, vault=name) for one in found)

    def notes(self) -> Sequence[tuple[str, str]]:
        """Return the address and title of every note, by vault and path."""
        prefixes = {name: f"{name}/" * self.are_several for name in self._vaults}
        return [
            (f"{prefixes[name]}{path}", title)
            for name, vault in self._vaults.items()
            for path, title in vault.notes()
        ]

    def stats(self, vault: str | None = None) -> VaultTotals:
        """Return what a vault contains and the state of its index; of several, also the sums."""
        chosen = self._chosen(vault)
        each = [replace(one.stats(), name=name) for name, one in chosen.items()]
        first = {one.name: getattr(each[0], one.name) for one in fields(VaultStats)}
        if len(each) == 1:
            return VaultTotals(**first)
        sums = ("notes", "sections", "passages", "words", "pending", "index_bytes", "unread_count")
        totals = {name: sum(getattr(one, name) for one in each) for name in sums}
        others = {
            "name": "",
            "vault": ", ".join(one.vault for one in each),
            "state": min((one.state for one in each), key=_ORDER.index),
            "problem": " ".join(one.problem for one in each if one.problem),
            "meaning": all(one.meaning for one in each),
            "last_scan": min(one.last_scan for one in each),
            "unread": [],
        }
        return VaultTotals(**{**first, **totals, **others}, vaults=each)

    def reindex(self, vault: str | None = None, *, force: bool = False) -> ReindexResponse:
        """Compare the folders with their indexes now, and return what changed.

        With ``force``, make the indexes again.

        Raises:
            IndexBusyError: Another process maintains an index that shall be made again.
        """
        each = [one.reindex(force=force) for one in self._chosen(vault).values()]
        return ReindexResponse(
            finished=all(one.finished for one in each),
            elsewhere=any(one.elsewhere for one in each),
            added=sum(one.added for one in each),
            changed=sum(one.changed for one in each),
            moved=sum(one.moved for one in each),
            removed=sum(one.removed for one in each),
            notes=sum(one.notes for one in each),
            pending=sum(one.pending for one in each),
            rebuilt=force,
        )

    def asked(self, filters: Filters) -> tuple[str, ...]:
        """Return the names of the vaults that a search with ``filters`` asks."""
        return tuple(self._asked(filters, ""))

    def remarks(
        self, result: SearchResult | PassagesFound, filters: Filters, *, once: bool = False
    ) -> list[str]:
        """Return sentences on what may be missing in ``result``, as ``ServedVault`` does."""
        return [
            f"{name}: {remark}" if self.are_several else remark
            for name in self.asked(filters)
            for remark in self._vaults[name].remarks(result, once=once)
        ]

    def _asked(self, filters: Filters, query: str) -> dict[str, str]:
        """Return the query with its filters for each vault to ask, by name.

        A path that begins with the name of a vault chooses it.
        """
        chosen = self._chosen(filters.vault)
        if self.are_several and filters.path:
            for name, inside in within_vaults(f"{filters.path}/", chosen):
                part = filters.model_copy(update={"path": inside.strip("/") or None})
                return {name: part.query_with_filters(query, self._vaults[name].folder)}
        return {
            name: filters.query_with_filters(query, vault.folder) for name, vault in chosen.items()
        }

    def _chosen(self, vault: str | None) -> dict[str, ServedVault]:
        """Return the vault called ``vault``; all if it is empty."""
        if not vault:
            return self._vaults
        name = known_vault(vault, self._vaults)
        return {name: self._vaults[name]}

    def _holding(self, path: str, vault: str | None) -> tuple[str, str]:
        """Return the name of the vault with the note at ``path``, and its address there."""
        chosen = self._chosen(vault)
        if not self.are_several:
            return next(iter(chosen)), path
        return vault_holding(path, {name: one.note_path for name, one in chosen.items()})
