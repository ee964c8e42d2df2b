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
from notesearch.store.identities import identity_key
from notesearch.store.rows import source_map

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

_TABLES = (
    "next_note",
    "next_passage",
    "next_path",
    "next_embedding",
    "next_heading_path",
    "next_pending",
)

_WAITS = """insert into next_pending (hash, text, of_path) select ?1, ?2, {0}
    where not exists (select 1 from {1} where hash = ?1) on conflict (hash) do nothing"""
_PASSAGE_WAITS = _WAITS.format(0, "next_embedding")
_PATH_WAITS = _WAITS.format(1, "next_heading_path")

_STORE_EARLIER = "insert or replace into earlier_vector (fingerprint, of_path, hash, vector) "
_STORE_SEARCHED = f"""{_STORE_EARLIER}
    select ?1, 0, hash, vector from identity join embedding using (id)
    union all select ?1, 1, hash, signs from identity join heading_path using (id)"""
_STORE_NEXT = f"""{_STORE_EARLIER}
    select ?1, 0, hash, vector from next_embedding
    union all select ?1, 1, hash, signs from next_heading_path"""


@dataclass(frozen=True, slots=True)
class CutNote:
    """A note with its passages and heading paths, cut for the next model."""

    note_id: int
    passages: Sequence[Passage]
    paths: Sequence[HeadingPath]


def begin(sql: "apsw.Connection", fingerprint: str) -> None:
    """Create the tables of the next model, and fill them with vectors that it made earlier.

    The current model embeds nothing more, so notes that lack some of its vectors lose their
    passages.
    """
    from importlib import resources as package_files

    clear(sql)
    folder = package_files.files("notesearch.store")
    sql.execute(folder.joinpath("next_model.sql").read_text("utf-8"))
    kept = "select hash, vector from earlier_vector where fingerprint = ? and of_path = ?"
    sql.execute(f"insert into next_embedding {kept}", (fingerprint, 0))
    sql.execute(f"insert into next_heading_path {kept}", (fingerprint, 1))
    sql.execute(
        "delete from passage where section_id in (select id from section where note_id in"
        " (select s.note_id from section s join passage p on p.section_id = s.id"
        "  join pending w on w.id = p.identity_id))"
    )
    sql.execute("update section set path_id = null where path_id in (select id from pending)")
    sql.execute("delete from pending")


def clear(sql: "apsw.Connection") -> None:
    """Drop the tables of the next model."""
    for table in _TABLES:
        sql.execute(f"drop table if exists {table}")


def keep(sql: "apsw.Connection", fingerprint: str, name: str, *, searched: bool) -> None:
    """Keep the vectors of one model for later.

    If ``searched``, that is the model that searches use now; else the next model.
    """
    sql.execute(_STORE_SEARCHED if searched else _STORE_NEXT, (fingerprint,))
    if sql.changes():
        sql.execute("insert or replace into earlier_model values (?, ?)", (fingerprint, name))


def restore(sql: "apsw.Connection", fingerprint: str) -> None:
    """Make searches use the kept vectors of an earlier model, while no other vectors are in use."""
    for table, column, of_path in (("embedding", "vector", 0), ("heading_path", "signs", 1)):
        kept = "from earlier_vector where fingerprint = ? and of_path = ?"
        values = (fingerprint, of_path)
        sql.execute(f"insert or ignore into identity (hash) select hash {kept}", values)
        sql.execute(
            f"insert into {table} (id, {column}) select i.id, k.vector"
            f" from (select hash, vector {kept}) k join identity i using (hash) order by i.id",
            values,
        )
    forget(sql, fingerprint)


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
        for table in ("next_passage", "next_path"):
            of_note = [(id_,) for id_ in ids.values()]
            sql.executemany(f"delete from {table} where section_id = ?", of_note)
        sql.execute("insert or ignore into next_note values (?)", (note.note_id,))
        for passage in note.passages:
            key = identity_key(passage)
            sql.execute(
                "insert into next_passage (section_id, idx, start, stop, hash)"
                " values (?, ?, ?, ?, ?)",
                (ids[passage.section], passage.index, *passage.span, key),
            )
            sql.execute(_PASSAGE_WAITS, (key, passage.text))
        for path in note.paths:
            key = identity_key(path)
            sql.execute("insert into next_path values (?, ?)", (ids[path.section], key))
            sql.execute(_PATH_WAITS, (key, path.text))


def put_vectors(
    sql: "apsw.Connection", ids: Sequence[int], rows: "NDArray[np.float32]", *, of_path: bool
) -> None:
    """Store usable vectors ``rows``, shape (n, dimensions), for the waiting texts ``ids``."""
    table = "next_heading_path" if of_path else "next_embedding"
    if of_path:
        signs = vectors.sign_bits(rows, vectors.center_of(sql, "next"))
        packed = [row.tobytes() for row in signs]
    else:
        packed = vectors.to_int8(rows)
    sql.executemany(
        f"insert or replace into {table} select hash, ? from next_pending where id = ?",
        zip(packed, ids, strict=True),
    )


def sweep(sql: "apsw.Connection") -> None:
    """Delete waiting texts to which nothing refers any more."""
    sql.execute(
        "delete from next_pending where not exists"
        " (select 1 from next_passage p where p.hash = next_pending.hash) and not exists"
        " (select 1 from next_path p where p.hash = next_pending.hash)"
    )


def is_complete(sql: "apsw.Connection") -> bool:
    """Return whether the next model has all its vectors."""
    missing = (
        "select exists (select 1 from next_pending) or exists"
        " (select 1 from note where id not in (select note_id from next_note))"
    )
    return not sql.execute(missing).fetchall()[0][0]


def take_over(sql: "apsw.Connection", dimensions: int) -> None:
    """Replace the searched vectors with the next model's, and drop its tables."""
    for table in ("passage", "embedding", "heading_path", "pending", "identity"):
        sql.execute(f"delete from {table}")
    for table, order in (("next_passage", "min(idx)"), ("next_path", "1")):
        query = f"select hash from {table} group by hash order by min(section_id), {order}"
        sql.execute(f"insert or ignore into identity (hash) {query}")
    sql.execute(
        "insert into passage (section_id, idx, start, stop, identity_id)"
        " select section_id, idx, start, stop, i.id from next_passage join identity i using (hash)"
        " order by section_id, idx"
    )
    for table, column in (("embedding", "vector"), ("heading_path", "signs")):
        sql.execute(
            f"insert into {table} (id, {column}) select i.id, {column}"
            f" from identity i join next_{table} using (hash) order by i.id"
        )
    sql.execute(
        "update section set path_id ="
        " (select i.id from next_path join identity i using (hash) where section_id = section.id)"
    )
    vectors.rebuild(sql, dimensions)
    clear(sql)
