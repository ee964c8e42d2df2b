"""Everything that is read from the index; one reader per thread."""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, takewhile
from pathlib import Path
from typing import cast

from notesearch.notes import Feature
from notesearch.status import Unread
from notesearch.store.conditions import Condition, only_those, sql_of, wall_clock_ahead
from notesearch.store.db import Connection, translated
from notesearch.store.labels import LabelReader
from notesearch.store.rows import (
    Counts,
    ListedSection,
    NoteRow,
    PassageRow,
    SectionRow,
    WordHit,
)
from notesearch.store.vector_reader import THESE

_OUTLINE = (
    "select s.id, s.note_id, s.ordinal, s.heading, s.path, s.level, s.line, s.end_line, ''"
    " from section s"
)
_SECTION = _OUTLINE.replace("''", "unpacked(b.text)") + " join body b on b.section_id = s.id"
_NOTE = (
    "select id, path, title, aliases, tags, category, mtime_ns, words, properties, language"
    " from note"
)

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


_UNREAD = """select count(*) from passage where exists
    (select 1 from meta where key = 'next' and value != '') and section_id in
    (select id from section where note_id not in (select note_id from next_note))"""
"""About how many passages a model that is to take over will make of notes it has not read yet."""

_WAITING = """select count(*) from {0}passage where hash in
    (select hash from {0}pending where not of_path)"""
"""How many passages wait for their vector; texts of heading paths wait with them."""

_PATHS = 4096
"""Remembered: most searches meet the same headings again."""

_COUNTS = 512
_RANKINGS = 24
"""Remembered, of up to some two thousand sections each."""


class Reader(LabelReader):
    """Reads notes, sections and rankings."""

    def __init__(self, connection: Connection, path: Path) -> None:
        """Read the index at ``path`` over ``connection``."""
        super().__init__(connection, path)
        # While somebody types, the words before the last are asked for with every letter.
        self._counted = lru_cache(_COUNTS)(self._count)
        self._ranked = lru_cache(_RANKINGS)(self._score)

    def _forget(self) -> None:
        super()._forget()
        self._counted.cache_clear()
        self._ranked.cache_clear()

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
        only, values = only_those(condition, "words.rowid")
        rows = self._db.sql.execute(f"{_SCORED}{only} limit ?", (*weights, match, *values, most))
        return tuple(map(WordHit._make, rows))

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

    def sections(self, ids: Iterable[int], *, with_body: bool = True) -> dict[int, SectionRow]:
        """Return sections by id, with their text unless ``with_body`` is false."""
        query = f"{_SECTION if with_body else _OUTLINE} where s.id in {THESE}"
        with translated(self._path):
            rows = map(_section, self._db.sql.execute(query, (json.dumps(list(ids)),)))
            return {row.id: row for row in rows}

    def note_sections(self, path: str) -> tuple[SectionRow, ...]:
        """Return all sections of the note at ``path``, in order."""
        query = f"{_SECTION} join note n on n.id = s.note_id where n.path = ? order by s.ordinal"
        with translated(self._path):
            return tuple(_section(row) for row in self._db.sql.execute(query, (path,)))

    def note_ids(self, ids: Iterable[int]) -> dict[int, int]:
        """Return the note of each section, by id."""
        query = f"select id, note_id from section where id in {THESE}"
        with translated(self._path):
            rows = self._db.sql.execute(query, (json.dumps(list(ids)),))
            return dict(cast("Iterable[tuple[int, int]]", rows))

    def without_text(self, ids: Iterable[int]) -> frozenset[int]:
        """Return those of the sections that are no more than a heading."""
        query = f"select id from section where id in {THESE} and features & {Feature.TEXT:d} = 0"
        with translated(self._path):
            rows = self._db.sql.execute(query, (json.dumps(list(ids)),))
            return frozenset(section for (section,) in rows)

    def subheadings(self, section: SectionRow) -> tuple[str, ...]:
        """Return the headings that stand directly below that of ``section``."""
        if section.level == 0:
            return ()
        query = (
            "select heading, level from section where note_id = ? and ordinal > ? order by ordinal"
        )
        with translated(self._path):
            rows = self._db.sql.execute(query, (section.note_id, section.ordinal))
            after = [(str(heading), int(str(level))) for heading, level in rows]
        below = list(takewhile(lambda row: row[1] > section.level, after))
        # After a jump (H1, H3, H2) the H2 stands as directly below the H1 as the H3 does.
        highest = accumulate((level for _, level in below), min)
        return tuple(
            heading
            for (heading, level), least in zip(below, highest, strict=True)
            if level == least and heading
        )

    def notes(self, ids: Iterable[int]) -> dict[int, NoteRow]:
        """Return notes by id."""
        with translated(self._path):
            query = f"{_NOTE} where id in {THESE}"
            rows = map(_note, self._db.sql.execute(query, (json.dumps(list(ids)),)))
            return {row.id: row for row in rows}

    def note_names(self) -> tuple[tuple[str, str], ...]:
        """Return path and title of all notes."""
        with translated(self._path):
            rows = self._db.sql.execute("select path, title from note order by path")
            return tuple((path, title) for path, title in rows)

    def passages(self, section_id: int) -> tuple[PassageRow, ...]:
        """Return the passages of a section, in order."""
        query = "select id, section_id, idx, start, stop from passage where section_id = ?"
        with translated(self._path):
            rows = self._db.sql.execute(query + " order by idx", (section_id,))
            return tuple(
                PassageRow(id_, section, idx, (start, stop))
                for id_, section, idx, start, stop in rows
            )

    def counts(self) -> Counts:
        """Count what is in the index."""
        read = "hash != x'' or problem = ''"  # else it is a file that is no note
        query = f"""select (select count(*) from note where {read}), (select count(*) from section),
            (select count(*) from passage), (select coalesce(sum(words), 0) from note),
            (select count(*) from embedding),
            ({_WAITING.format("")}) + ({_WAITING.format("next_")}) + ({_UNREAD}),
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

    def watching(self) -> str:
        """Return how the process that indexes notices changes; empty when none said so."""
        return self._meta("watching")


_SectionValues = tuple[int, int, int, str, str, int, int, int, str]
_NoteValues = tuple[int, str, str, str, str, str, int, int, str, str]


def _section(row: Sequence[object]) -> SectionRow:
    found = cast("_SectionValues", row)
    return SectionRow(*found[:4], _listed(found[4]), *found[5:])


def _note(row: Sequence[object]) -> NoteRow:
    id_, path, title, aliases, tags, category, mtime_ns, words, properties, language = cast(
        "_NoteValues", row
    )
    return NoteRow(
        id_, path, title, _listed(aliases), _listed(tags), category, mtime_ns / 1e9, words,
        json.loads(properties) if properties != "{}" else {}, language,
    )  # fmt: skip


@lru_cache(_PATHS)
def _listed(written: str) -> tuple[str, ...]:
    return tuple(json.loads(written)) if written != "[]" else ()
