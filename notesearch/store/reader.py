"""Everything that is read from the index; one reader per thread."""

import contextlib
import json
from collections.abc import Iterator
from typing import cast

from notesearch.status import Unread
from notesearch.store.conditions import Condition, only_those, sql_of, wall_clock_ahead
from notesearch.store.db import translated
from notesearch.store.link_reader import LinkReader
from notesearch.store.rows import Counts, ListedSection

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


_WAITING = (
    "(select count(*) from passage where identity_id in (select id from pending where not of_path))"
)
"""How many passages wait for their vector; texts of heading paths wait with them."""

_OF_NEXT = """ + (select count(*) from next_passage where hash in
    (select hash from next_pending where not of_path)) + (select count(*) from passage where
    section_id in (select id from section where note_id not in (select note_id from next_note)))"""
"""How many wait of a model that is to take over, and about how many it will make of other notes."""


class Reader(LinkReader):
    """Reads rankings, rows, labels and vectors."""

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
        """Return sections whose heading, or whose note's title, is ``name``, in any case.

        Of more than ``limit`` those of the first notes by path.
        """
        only, values = only_those(condition, "found.id")
        query = f"""
            select id from (
                select id from section where heading = ? collate nocase
                union
                select s.id from note n join section s on s.note_id = n.id and s.ordinal = 0
                where n.title = ? collate nocase
            ) as found where true{only}
            order by (select path from note where id = (select note_id from section s
                where s.id = found.id)), id limit ?"""
        with translated(self._path):
            rows = self._db.sql.execute(query, (name, name, *values, limit))
            return tuple(id_ for (id_,) in rows)

    def counts(self) -> Counts:
        """Count what is in the index."""
        read = "hash != x'' or problem = ''"  # else it is a file that is no note
        # One transaction: what is of a model that is to take over goes once it has.
        with translated(self._path), self._db.sql:
            waiting = _WAITING + (_OF_NEXT if self.next_model() else "")
            query = f"""select (select count(*) from note where {read}),
                (select count(*) from section), (select count(*) from passage),
                (select coalesce(sum(words), 0) from note), (select count(*) from embedding),
                {waiting}, (select coalesce(sum(size), 0) from note where {read})"""
            rows = self._db.sql.execute(query).fetchall()
        return Counts(*(int(str(n)) for n in rows[0]))

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
