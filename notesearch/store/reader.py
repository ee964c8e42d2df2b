"""Everything that is read from the index; one reader per thread."""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

from notesearch.status import Unread
from notesearch.store import relevance
from notesearch.store.conditions import Condition, only_those, sql_of, wall_clock_ahead
from notesearch.store.db import Connection, translated
from notesearch.store.row_reader import RowReader
from notesearch.store.rows import Counts, ListedSection, WordHit
from notesearch.store.vector_reader import THESE

_NEWEST = """
    with counted as materialized (
        select s.note_id, count(*) as of_note from section s where {0} group by s.note_id
    ), shown as materialized (
        select c.*, coalesce(n.dated, n.mtime_ns / 1000000000 + ?) as age, n.path
        from counted c join note n on n.id = c.note_id order by age desc, path limit ?
    ), found as (
        select s.id, s.ordinal, n.of_note, n.age, n.path,
            row_number() over (partition by s.note_id order by s.ordinal) as place
        from shown n cross join section s on s.note_id = n.note_id where {0}
    )
    select id, of_note, (select sum(of_note) from counted)
    from found where place <= ? order by age desc, path, ordinal limit ?"""


_SCORED = "select words.rowid, -bm25(words, ?, ?, ?, ?, ?, ?, ?) from words where words match ?"
_PLACED = f"select words.rowid, {relevance.NAME}(words) from words where words match ? limit ?"


_UNREAD = """select count(*) from passage where exists
    (select 1 from meta where key = 'next' and value != '') and section_id in
    (select id from section where note_id not in (select note_id from next_note))"""
"""About how many passages a model that is to take over will make of notes it has not read yet."""

_WAITING = (
    "(select count(*) from passage where identity_id in (select id from pending where not of_path))"
    " + (select count(*) from next_passage where hash in"
    " (select hash from next_pending where not of_path))"
)
"""How many passages wait for their vector; texts of heading paths wait with them."""

_COUNTS = 512
_RANKINGS = 24
"""Remembered, of up to some two thousand sections each."""


class Reader(RowReader):
    """Reads rankings, rows, labels and vectors."""

    def __init__(self, connection: Connection, path: Path) -> None:
        """Read the index at ``path`` over ``connection``."""
        super().__init__(connection, path)
        # While somebody types, the words before the last are asked for with every letter.
        self._counted = lru_cache(_COUNTS)(self._count)
        self._ranked = lru_cache(_RANKINGS)(self._score)
        self._placed = lru_cache(_RANKINGS)(self._read_placed)

    def _forget(self) -> None:
        super()._forget()
        for remembered in (self._counted, self._ranked, self._placed):
            remembered.cache_clear()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let the block read one state of the index, whatever is written meanwhile."""
        with translated(self._path):
            self._db.sql.execute("begin")
            try:
                self.languages()
                self._held = self._languages_at
                yield
            finally:
                self._held = None
                if self._db.sql.in_transaction:
                    self._db.sql.execute("rollback")

    def count(
        self,
        match: str,
        most: int,
        condition: Condition | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> int:
        """Return how many sections match an FTS5 expression, or ``most`` when there are more."""
        self.languages()
        with translated(self._path), self._db.stopping_when(cancelled):
            return self._counted(match, most, condition)

    def _count(self, match: str, most: int, condition: Condition | None) -> int:
        if condition is None and relevance.is_costly(match):
            return len(self._placed(match, most))
        only, values = only_those(condition, "words.rowid")
        found = f"select 1 from words where words match ?{only} limit ?"
        rows = self._db.sql.execute(f"select count(*) from ({found})", (match, *values, most))
        return cast("int", rows.fetchall()[0][0])

    def scored(
        self,
        match: str,
        weights: Sequence[float],
        most: int,
        cancelled: Callable[[], bool] | None = None,
        condition: Condition | None = None,
    ) -> tuple[WordHit, ...]:
        """Return sections that match an FTS5 expression, in no order, with their BM25.

        Args:
            match: FTS5 query; every term in it quoted.
            weights: Of folder, title, aliases, parent headings, own heading, tags, body.
            most: Sections at most; which of them, where there are more, is left open.
            cancelled: Asked from time to time.
            condition: What the sections must fulfil.
        """
        self.languages()
        with translated(self._path), self._db.stopping_when(cancelled):
            return self._ranked(match, tuple(weights), most, condition)

    def _score(
        self, match: str, weights: tuple[float, ...], most: int, condition: Condition | None
    ) -> tuple[WordHit, ...]:
        if condition is None and relevance.is_costly(match):
            placed = self._placed(match, most + 1)
            if len(placed) <= most:
                return tuple(map(WordHit._make, relevance.scores(placed, weights)))
        only, values = only_those(condition, "words.rowid")
        rows = self._db.sql.execute(f"{_SCORED}{only} limit ?", (*weights, match, *values, most))
        return tuple(map(WordHit._make, rows))

    def _read_placed(self, match: str, most: int) -> tuple[relevance.Row, ...]:
        """Return sections that match an FTS5 expression, each with where it does."""
        rows = self._db.sql.execute(_PLACED, (match, most))
        return tuple(cast("Iterable[relevance.Row]", rows))

    def scored_of(
        self,
        match: str,
        weights: Sequence[float],
        ids: Iterable[int],
        cancelled: Callable[[], bool] | None = None,
    ) -> tuple[WordHit, ...]:
        """Return those of the sections ``ids`` that match an FTS5 expression, with their BM25."""
        # With the plus FTS5 is not asked for each id by itself, which took a hundred times as long.
        query = f"{_SCORED} and +words.rowid in {THESE}"
        with translated(self._path), self._db.stopping_when(cancelled):
            rows = self._db.sql.execute(query, (*weights, match, json.dumps(list(ids))))
            return tuple(map(WordHit._make, rows))

    def matching(
        self,
        match: str,
        most: int,
        cancelled: Callable[[], bool] | None = None,
        condition: Condition | None = None,
    ) -> frozenset[int]:
        """Return sections that match an FTS5 expression, at most so many of them."""
        only, values = only_those(condition, "words.rowid")
        query = f"select rowid from words where words match ?{only} limit ?"
        with translated(self._path), self._db.stopping_when(cancelled):
            rows = self._db.sql.execute(query, (match, *values, most))
            return frozenset(section for (section,) in rows)

    def last_section(self) -> int:
        """Return the greatest id of a section: about how many there are, without counting."""
        with translated(self._path):
            rows = self._db.sql.execute("select coalesce(max(id), 0) from section").fetchall()
            return cast("int", rows[0][0])

    def is_fulfilled(self, condition: Condition) -> bool:
        """Return whether any section fulfils ``condition``."""
        only, values = sql_of(condition)
        query = f"select 1 from section s where {only} limit 1"
        with translated(self._path):
            return bool(self._db.sql.execute(query, values).fetchall())

    def newest(self, condition: Condition, limit: int, per_note: int) -> list[ListedSection]:
        """Return sections that fulfil ``condition``: those of the newest notes, in their order."""
        only, values = sql_of(condition)
        query = _NEWEST.format(only)
        ahead = wall_clock_ahead()
        with translated(self._path):
            rows = self._db.sql.execute(query, (*values, ahead, limit, *values, per_note, limit))
            return [ListedSection(*map(int, map(str, row))) for row in rows]

    def named(self, name: str, limit: int, condition: Condition | None = None) -> tuple[int, ...]:
        """Return sections whose heading, or whose note's title, is ``name``, in any case."""
        only, values = only_those(condition, "found.id")
        query = f"""
            select id from (
                select id from section where heading = ? collate nocase
                union
                select s.id from note n join section s on s.note_id = n.id and s.ordinal = 0
                where n.title = ? collate nocase
            ) as found where true{only} limit ?"""
        with translated(self._path):
            rows = self._db.sql.execute(query, (name, name, *values, limit))
            return tuple(id_ for (id_,) in rows)

    def counts(self) -> Counts:
        """Count what is in the index."""
        read = "hash != x'' or problem = ''"  # else it is a file that is no note
        query = f"""select (select count(*) from note where {read}), (select count(*) from section),
            (select count(*) from passage), (select coalesce(sum(words), 0) from note),
            (select count(*) from embedding),
            {_WAITING} + ({_UNREAD}),
            (select coalesce(sum(size), 0) from note where {read})"""
        with translated(self._path):
            return Counts(*(int(str(n)) for n in self._db.sql.execute(query).fetchall()[0]))

    def unread(self) -> tuple[Unread, ...]:
        """Return the files that could not be read, or only with a remark."""
        query = (
            "select path, problem, hash != x'' and not outdated from note"
            " where problem != '' order by 1"
        )
        with translated(self._path):
            rows = self._db.sql.execute(query).fetchall()
        unread = (Unread(str(path), str(reason), bool(remark)) for path, reason, remark in rows)
        return (*unread, *self.skipped())

    def skipped(self) -> tuple[Unread, ...]:
        """Return the files that the last comparison found to be no notes at all."""
        rows = json.loads(self._meta("skipped") or "[]")
        return tuple(Unread(path, reason, bool(remark)) for path, reason, remark in rows)

    def last_scan(self) -> float:
        """Return when folder and index were last compared; 0 for never."""
        return float(self._meta("last_scan") or 0)

    def root(self) -> str:
        """Return which folder was compared last."""
        return self._meta("root")

    def read_as(self) -> str:
        """Return how notes were read, as ``Writer.read_as`` was told."""
        return self._meta("read_as")

    def watching(self) -> str:
        """Return how the process that indexes notices changes; empty when none said so."""
        return self._meta("watching")
