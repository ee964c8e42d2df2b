"""Finds sections by where their links lead."""

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from notesearch.store.conditions import Condition, LinksTo, leading, only_those
from notesearch.store.index_state import Cancelled, IndexState
from notesearch.store.rows import LinkHit

_REMEMBERED = 32

_Row = tuple[int, str, int | None, int | None]


class LinkReader:
    """The part of the reader that looks links up."""

    def __init__(self, state: IndexState) -> None:
        """Read links from the index of ``state``."""
        self._state = state
        self._cached = lru_cache(_REMEMBERED)(self._read)
        state.when_changed(self._cached.cache_clear)

    def to(
        self, target: LinksTo, condition: Condition | None = None, cancelled: Cancelled = None
    ) -> Mapping[int, LinkHit]:
        """Return the sections that link to ``target`` and fulfil ``condition``, by id.

        This scans all links: an index of them would be as large again.
        """
        self._state.refresh()
        with self._state.reading(cancelled):
            return self._cached(target, condition)

    def _read(self, target: LinksTo, condition: Condition | None) -> Mapping[int, LinkHit]:
        where, values = leading(target)
        only, more = only_those(condition, "link.section_id")
        query = f"select section_id, address, start, stop from link where {where}{only}"
        rows = cast("list[_Row]", self._state.sql.execute(query, (*values, *more)).fetchall())
        found: dict[int, LinkHit] = {}
        for section_id, address, start, stop in rows:
            share = len(target.address) / len(address)
            if section_id not in found or share > found[section_id].share:
                span = None if start is None or stop is None else (start, stop)
                found[section_id] = LinkHit(section_id, share, span)
        return found
