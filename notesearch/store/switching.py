"""One model takes over from another: its vectors are made beside those that are searched.

Until it has all of them the former model answers. What stands in its tables is never compared with
vectors of another model; the tables are exchanged in one transaction.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from notesearch.notes import HeadingPath, Note, Passage, Section
from notesearch.store import vectors
from notesearch.store.identities import identity_key

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

_NEXT = (
    "next_note", "next_passage", "next_path", "next_embedding", "next_heading_path", "next_pending",
)  # fmt: skip

_WAITING = """insert into next_pending (hash, text, of_path) select ?1, ?2, {0}
    where not exists (select 1 from {1} where hash = ?1) on conflict (hash) do nothing"""
_PASSAGE_WAITS = _WAITING.format(0, "next_embedding")
_PATH_WAITS = _WAITING.format(1, "next_heading_path")

_KEEP = "insert or replace into kept_vector (fingerprint, of_path, hash, vector) "
_KEEP_SEARCHED = f"""{_KEEP}
    select ?1, 0, hash, vector from identity join embedding using (id)
    union all select ?1, 1, hash, signs from identity join heading_path using (id)"""
_KEEP_NEXT = f"""{_KEEP}
    select ?1, 0, hash, vector from next_embedding
    union all select ?1, 1, hash, signs from next_heading_path"""


@dataclass(frozen=True, slots=True)
class Chunked:
    """A note as the next model reads it."""

    note_id: int
    passages: Sequence[Passage]
    paths: Sequence[HeadingPath]


def begin(sql: "apsw.Connection", fingerprint: str) -> None:
    """Start to make vectors of the model ``fingerprint``, beginning with those kept of it.

    A note whose vectors are not all made yet loses its passages: its former model makes no more.
    """
    from importlib import resources as package_files

    clear(sql)
    folder = package_files.files("notesearch.store")
    sql.execute(folder.joinpath("next_schema.sql").read_text("utf-8"))
    sql.execute(
        "insert into next_embedding select hash, vector from kept_vector"
        " where fingerprint = ? and not of_path", (fingerprint,),
    )  # fmt: skip
    sql.execute(
        "insert into next_heading_path select hash, vector from kept_vector"
        " where fingerprint = ? and of_path", (fingerprint,),
    )  # fmt: skip
    sql.execute(
        "delete from passage where section_id in (select id from section where note_id in"
        " (select s.note_id from section s join passage p on p.section_id = s.id"
        "  join pending w on w.id = p.identity_id))"
    )
    sql.execute("update section set path_id = null where path_id in (select id from pending)")
    sql.execute("delete from pending")


def clear(sql: "apsw.Connection") -> None:
    """Forget what the next model has so far."""
    for table in _NEXT:
        sql.execute(f"drop table if exists {table}")


def keep(sql: "apsw.Connection", fingerprint: str, name: str, *, of_next: bool = False) -> None:
    """Keep the vectors that are searched now, or those of the next model, for another time."""
    sql.execute(_KEEP_NEXT if of_next else _KEEP_SEARCHED, (fingerprint,))
    if sql.changes():
        sql.execute("insert or replace into kept_model values (?, ?)", (fingerprint, name))


def take_again(sql: "apsw.Connection", fingerprint: str) -> None:
    """Put the vectors kept of a model among those that are searched, which are none so far."""
    for table, column, of_path in (("embedding", "vector", 0), ("heading_path", "signs", 1)):
        kept = "from kept_vector where fingerprint = ? and of_path = ?"
        values = (fingerprint, of_path)
        sql.execute(f"insert or ignore into identity (hash) select hash {kept}", values)
        sql.execute(
            f"insert into {table} (id, {column}) select i.id, k.vector"
            f" from (select hash, vector {kept}) k join identity i using (hash) order by i.id",
            values,
        )
    forget(sql, fingerprint)


def forget(sql: "apsw.Connection", fingerprint: str) -> None:
    """Delete the vectors kept of a model."""
    for table in ("kept_vector", "kept_model"):
        sql.execute(f"delete from {table} where fingerprint = ?", (fingerprint,))


def unchunked(sql: "apsw.Connection", limit: int) -> list[tuple[int, Note]]:
    """Return notes that the next model has not read yet, by id; their text is in the index."""
    rows = sql.execute(
        "select id, path, title, title_from_name from note"
        " where id not in (select note_id from next_note) limit ?", (limit,),
    ).fetchall()  # fmt: skip
    return [
        (id_, Note(path, title, _sections(sql, id_), title_from_name=bool(from_name)))
        for id_, path, title, from_name in cast("list[tuple[int, str, str, int]]", rows)
    ]


def _sections(sql: "apsw.Connection", note_id: int) -> tuple[Section, ...]:
    rows = sql.execute(
        "select s.ordinal, s.heading, s.path, s.level, s.line, s.end_line, unpacked(b.text)"
        " from section s join body b on b.section_id = s.id where s.note_id = ? order by s.ordinal",
        (note_id,),
    ).fetchall()
    return tuple(
        Section(ordinal, heading, tuple(json.loads(path)), level, line, end_line, body)
        for ordinal, heading, path, level, line, end_line, body in cast(
            "list[tuple[int, str, str, int, int, int, str]]", rows
        )
    )


def put_chunked(sql: "apsw.Connection", notes: Iterable[Chunked]) -> None:
    """Store how the next model reads notes, and have embedded what was not before."""
    for note in notes:
        rows = sql.execute("select ordinal, id from section where note_id = ?", (note.note_id,))
        ids = cast("dict[int, int]", dict(rows))
        for table in ("next_passage", "next_path"):  # of what the note was before
            of_sections = [(id_,) for id_ in ids.values()]
            sql.executemany(f"delete from {table} where section_id = ?", of_sections)
        sql.execute("insert or ignore into next_note values (?)", (note.note_id,))
        for passage in note.passages:
            key = identity_key(passage.identity)
            sql.execute(
                "insert into next_passage (section_id, idx, start, stop, hash)"
                " values (?, ?, ?, ?, ?)",
                (ids[passage.section], passage.index, *passage.span, key),
            )
            sql.execute(_PASSAGE_WAITS, (key, passage.text))
        for path in note.paths:
            key = identity_key(path.identity)
            sql.execute("insert into next_path values (?, ?)", (ids[path.section], key))
            sql.execute(_PATH_WAITS, (key, path.text))


def put_vectors(
    sql: "apsw.Connection", ids: Sequence[int], rows: "NDArray[np.float32]", *, of_path: bool
) -> None:
    """Store usable vectors, shape (n, dimensions), of the next model for what waits as ``ids``."""
    table = "next_heading_path" if of_path else "next_embedding"
    packed = [row.tobytes() for row in vectors.sign_bits(rows)] if of_path else vectors.pack(rows)
    sql.executemany(
        f"insert or replace into {table} select hash, ? from next_pending where id = ?",
        zip(packed, ids, strict=True),
    )


def sweep(sql: "apsw.Connection") -> None:
    """Delete waiting texts of the next model that nothing needs any more."""
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


def exchange(sql: "apsw.Connection", dimensions: int) -> None:
    """Put what the next model has in the place of what is searched."""
    for table in ("passage", "embedding", "heading_path", "pending", "identity"):
        sql.execute(f"delete from {table}")
    for table, place in (("next_passage", "min(idx)"), ("next_path", "1")):
        query = f"select hash from {table} group by hash order by min(section_id), {place}"
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
    vectors.create(sql, dimensions)
    vectors.rebuild(sql, dimensions)
    clear(sql)
