"""Replaces the vectors of one model with the vectors of the next.

Searches use the current model's vectors until the next model has made all its vectors. The tables
``next_*`` collect these, which then replace the current ones in one transaction. Vectors of earlier
models are kept, so that a return to one of them is quick.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from notesearch.notes import HeadingPath, Note, Passage, Section
from notesearch.store import vectors
from notesearch.store.rows import source_map
from notesearch.store.vectors import NEXT

if TYPE_CHECKING:
    import apsw

_TABLES = ("note", "passage", "path", "embedding", "heading_path", "pending")

_KEEP = """insert or replace into earlier_vector (fingerprint, of_path, hash, vector)
    select ?1, 0, hash, vector from identity join {0}embedding using (id)
    union all select ?1, 1, hash, signs from identity join {0}heading_path using (id)"""


@dataclass(frozen=True, slots=True)
class CutNote:
    """A note with its passages and heading paths, cut for the next model."""

    note_id: int
    passages: Sequence[Passage]
    paths: Sequence[HeadingPath]


def begin(sql: "apsw.Connection", fingerprint: str) -> None:
    """Fill the tables of the next model with vectors that it made earlier.

    The current model embeds nothing more, so notes that lack some of its vectors lose their
    passages.
    """
    restore(sql, fingerprint, NEXT)
    sql.execute(
        "delete from passage where section_id in (select id from section where note_id in"
        " (select s.note_id from section s join passage p on p.section_id = s.id"
        "  join pending w on w.id = p.identity_id))"
    )
    sql.execute("update section set path_id = null where path_id in (select id from pending)")
    sql.execute("delete from pending")


def clear(sql: "apsw.Connection") -> None:
    """Empty the tables of the next model."""
    for table in _TABLES:
        sql.execute(f"delete from {NEXT}{table}")


def keep(sql: "apsw.Connection", fingerprint: str, name: str, prefix: str = "") -> None:
    """Keep the vectors of the model that searches use now; with ``NEXT``, of the next model."""
    sql.execute(_KEEP.format(prefix), (fingerprint,))
    if sql.changes():
        sql.execute("insert or replace into earlier_model values (?, ?)", (fingerprint, name))


def restore(sql: "apsw.Connection", fingerprint: str, prefix: str = "") -> None:
    """Copy the kept vectors of an earlier model to tables that have no vectors."""
    for table, column, of_path in (("embedding", "vector", 0), ("heading_path", "signs", 1)):
        kept = "from earlier_vector where fingerprint = ? and of_path = ?"
        values = (fingerprint, of_path)
        sql.execute(f"insert or ignore into identity (hash) select hash {kept}", values)
        sql.execute(
            f"insert into {prefix}{table} (id, {column}) select i.id, k.vector"
            f" from (select hash, vector {kept}) k join identity i using (hash) order by i.id",
            values,
        )


def forget(sql: "apsw.Connection", fingerprint: str) -> None:
    """Delete the kept vectors of an earlier model."""
    for table in ("earlier_vector", "earlier_model"):
        sql.execute(f"delete from {table} where fingerprint = ?", (fingerprint,))


def uncut_notes(sql: "apsw.Connection", limit: int) -> list[tuple[int, Note]]:
    """Return id and note of up to ``limit`` notes that are not yet cut for the next model."""
    missing = "select id from note where id not in (select note_id from next_note) limit ?"
    rows = cast("list[tuple[int]]", sql.execute(missing, (limit,)).fetchall())
    return [(id_, stored_note(sql, id_)) for (id_,) in rows]


def stored_note(sql: "apsw.Connection", note_id: int) -> Note:
    """Return a note from the index with everything that decides how it is embedded."""
    query = "select path, title, title_from_name, language from note where id = ?"
    ((path, title, from_name, language),) = sql.execute(query, (note_id,)).fetchall()
    return Note(
        str(path),
        str(title),
        _sections(sql, note_id),
        title_from_name=bool(from_name),
        language=str(language),
    )


def _sections(sql: "apsw.Connection", note_id: int) -> tuple[Section, ...]:
    query = (
        "select s.ordinal, s.heading, s.path, s.level, s.line, s.end_line,"
        " decompressed(b.text), b.source from section s join body b on b.section_id = s.id"
        " where s.note_id = ? order by s.ordinal"
    )
    rows = sql.execute(query, (note_id,)).fetchall()
    return tuple(
        Section(
            ordinal=ordinal,
            heading=heading,
            path=tuple(json.loads(path)),
            level=level,
            line=line,
            end_line=end_line,
            text=body,
            source=source_map(source),
        )
        for ordinal, heading, path, level, line, end_line, body, source in cast(
            "list[tuple[int, str, str, int, int, int, str, str]]", rows
        )
    )


def put_cut_notes(sql: "apsw.Connection", notes: Iterable[CutNote]) -> None:
    """Store the passages and heading paths of ``notes``; those without a vector wait for one."""
    for note in notes:
        rows = sql.execute("select ordinal, id from section where note_id = ?", (note.note_id,))
        ids = cast("dict[int, int]", dict(rows))
        sql.execute("insert into next_note values (?)", (note.note_id,))
        vectors.put_passages(sql, ids, note.passages, NEXT)
        path_ids = vectors.identities(sql, note.paths, NEXT)
        of_sections = (ids[path.section] for path in note.paths)
        query = "insert into next_path (section_id, path_id) values (?, ?)"
        sql.executemany(query, zip(of_sections, path_ids, strict=True))


def is_complete(sql: "apsw.Connection") -> bool:
    """Return whether the next model has all its vectors."""
    missing = (
        "select exists (select 1 from next_pending) or exists"
        " (select 1 from note where id not in (select note_id from next_note))"
    )
    return not sql.execute(missing).fetchall()[0][0]


def take_over(sql: "apsw.Connection", dimensions: int) -> None:
    """Replace the searched vectors with the next model's, and empty its tables."""
    for table in ("passage", "embedding", "heading_path", "pending"):
        sql.execute(f"delete from {table}")
        sql.execute(f"insert into {table} select * from {NEXT}{table}")
    sql.execute(
        "update section set path_id = (select path_id from next_path where section_id = section.id)"
    )
    clear(sql)
    vectors.delete_unused(sql, None, searched=False)
    vectors.rebuild(sql, dimensions)
