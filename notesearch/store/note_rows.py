"""A parsed note as rows of the index: the note, its sections, their words, tags and passages."""

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from notesearch.notes import Feature, Note, Passage, Section
from notesearch.store import word_list
from notesearch.store.bodies import packed
from notesearch.store.conditions import calendar_seconds, folded, property_key
from notesearch.store.rows import FileState
from notesearch.store.vectors import identity_key

if TYPE_CHECKING:
    import apsw


@cache
def _insert_into(table: str, columns: tuple[str, ...]) -> str:
    return f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"


def folded_path(path: str) -> tuple[str, str]:
    """Return ``path``, and the file's name alone, as filters compare them."""
    place = folded(f"/{path}")
    return place, place.rpartition("/")[2]


def put_note(
    sql: "apsw.Connection", note: Note, file: FileState, digest: bytes, problem: str
) -> int:
    """Insert the row of a note and its tags; return its id."""
    place, file_name = folded_path(note.path)
    values = {
        "path": note.path,
        "place": place,
        "file": file_name,
        "title": note.title,
        "title_from_name": int(note.title_from_name),
        "aliases": json.dumps(note.aliases),
        "tags": json.dumps(note.tags),
        "category": note.category,
        "properties": json.dumps(dict(note.properties)),
        "language": note.language,
        "dated": _seconds(note.dated),
        "words": note.words,
        "size": file.size,
        "mtime_ns": file.mtime_ns,
        "ctime_ns": file.ctime_ns,
        "inode": file.inode,
        "hash": digest,
        "problem": problem,
    }
    sql.execute(_insert_into("note", tuple(values)), tuple(values.values()))
    note_id = sql.last_insert_rowid()
    _put_tags(sql, "note", note_id, note.common_tags)
    sql.executemany(
        "insert into property (key, text, number, day, note_id) values (?, ?, ?, ?, ?)",
        [
            (
                property_key(value.key),
                folded(value.text),
                value.number,
                _seconds(value.day),
                note_id,
            )
            for value in note.values
        ],
    )
    return note_id


def put_section(
    sql: "apsw.Connection", note_id: int, note: Note, section: Section, path_hash: bytes | None
) -> int:
    """Insert the rows of one section; return its id."""
    features = section.features | (Feature.TEXT if section.text else Feature.NONE)
    sql.execute(
        "insert into section"
        " (note_id, ordinal, heading, path, level, line, end_line, features, path_hash)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            note_id, section.ordinal, section.heading,
            json.dumps(section.path, ensure_ascii=False),
            section.level, section.line, section.end_line, int(features), path_hash,
        ),
    )  # fmt: skip
    section_id = sql.last_insert_rowid()
    sql.execute(
        "insert into body (section_id, text) values (?, ?)", (section_id, packed(section.text))
    )
    word_list.put(sql, section_id, note.language, word_list.texts(note, section))
    _put_tags(sql, "section", section_id, section.tags)
    if section.code:
        sql.executemany(
            "insert or ignore into section_code (language, section_id) values (?, ?)",
            [(language, section_id) for language in section.code],
        )
    return section_id


def put_passage(sql: "apsw.Connection", section_id: int, passage: Passage) -> None:
    """Insert a passage, and have it embedded where that was not done before."""
    key = identity_key(passage.identity)
    sql.execute(
        "insert into passage (section_id, idx, start, stop, hash) values (?, ?, ?, ?, ?)",
        (section_id, passage.index, *passage.span, key),
    )
    sql.execute(
        "insert into pending (hash, text, of_path) select ?, ?, 0"
        " where not exists (select 1 from embedding where hash = ?)"
        " on conflict (hash) do nothing",
        (key, passage.text, key),
    )


def put_heading_path(sql: "apsw.Connection", key: bytes, text: str) -> None:
    """Have the heading path ``key`` embedded where that was not done before."""
    sql.execute(
        "insert into pending (hash, text, of_path) select ?, ?, 1"
        " where not exists (select 1 from heading_path where hash = ?)"
        " on conflict (hash) do nothing",
        (key, text, key),
    )


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else calendar_seconds(moment)


def _put_tags(sql: "apsw.Connection", owner: str, id_: int, tags: Sequence[str]) -> None:
    if tags:
        sql.executemany(
            f"insert or ignore into {owner}_tag (tag, {owner}_id) values (?, ?)",
            [(folded(tag), id_) for tag in tags],
        )
