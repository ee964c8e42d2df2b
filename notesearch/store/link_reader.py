"""The reader's side of links: which sections point at an address."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import cast

from notesearch.store.conditions import Condition, LinksTo, leading, only_those
from notesearch.store.db import Connection, translated
from notesearch.store.rows import LinkHit
from notesearch.store.word_reader import WordReader

_REMEMBERED = 32

_Row = tuple[int, str, int | None, int | None]

Cancelled = Callable[[], bool] | None


class LinkReader(WordReader):
    """The part of the reader that goes by where sections point at."""

    def __init__(self, connection: Connection, path: Path) -> None:
        """Read the index at ``path`` over ``connection``."""
        super().__init__(connection, path)
        self._linking = lru_cache(_REMEMBERED)(self._read_linking)

    def _forget(self) -> None:
        super()._forget()
        self._linking.cache_clear()

    def linking(
        self, asked: LinksTo, condition: Condition | None = None, cancelled: Cancelled = None
    ) -> Mapping[int, LinkHit]:
        """Return the sections that point at what is ``asked`` and fulfil ``condition``, by id.

        All links are looked through: an index of them would be as large again.
        """
        self.languages()
        with translated(self._path), self._db.stopping_when(cancelled):
            return self._linking(asked, condition)

    def _read_linking(self, asked: LinksTo, condition: Condition | None) -> Mapping[int, LinkHit]:
        where, values = leading(asked)
        only, more = only_those(condition, "link.section_id")
        query = f"select section_id, address, start, stop from link where {where}{only}"
        rows = cast("list[_Row]", self._db.sql.execute(query, (*values, *more)).fetchall())
        found: dict[int, LinkHit] = {}
        for section_id, address, start, stop in rows:
            share = len(asked.address) / len(address)
            if section_id not in found or share > found[section_id].share:
                span = None if start is None or stop is None else (start, stop)
                found[section_id] = LinkHit(section_id, share, span)
        return found
