"""Writes a parsed note as rows: the note, its sections, their words, tags and passages."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, cast

from notesearch.notes import Feature, Note, Passage, Section, SourceMap
from notesearch.sentences import Sentence
from notesearch.store import word_list
from notesearch.store.conditions import calendar_seconds, property_key
from notesearch.store.folding import folded_name
from notesearch.store.link_addresses import normalized
from notesearch.store.rows import FileState
from notesearch.store.vectors import numbered

if TYPE_CHECKING:
    import apsw


_NOTE = "select id from note where path = ?"
_SECTIONS = "select count(*) from section where note_id = ?"
_IDENTITIES = (
    "select identity_id from section s cross join passage p on p.section_id = s.id"
    " where s.note_id = ?1 union all"
    " select path_id from section where note_id = ?1 and path_id is not null"
)

Row = Mapping[str, "apsw.SQLiteValue"]
"""The columns of a row, by name."""


@dataclass(frozen=True, slots=True)
class Removed:
    """The note that was at a path.

    Attributes:
        id: Its number; None if there was none.
        sections: The number of its sections.
        identities: Those of its passages and heading paths.
    """

    id: int | None = None
    sections: int = 0
    identities: frozenset[int] = frozenset()


def delete_note(sql: "apsw.Connection", path: str) -> Removed:
    """Delete the note at ``path``, and all that belongs to it but its vectors."""
    found = cast("list[tuple[int]]", sql.execute(_NOTE, (path,)).fetchall())
    if not found:
        return Removed()
    ((id_,),) = found
    ((sections,),) = cast("list[tuple[int]]", sql.execute(_SECTIONS, (id_,)).fetchall())
    identities = cast("list[tuple[int]]", sql.execute(_IDENTITIES, (id_,)).fetchall())
    word_list.delete(sql, id_)
    sql.execute("delete from note where id = ?", (id_,))
    return Removed(id_, sections, frozenset(number for (number,) in identities))


@cache
def _insert_into(table: str, columns: tuple[str, ...]) -> str:
    return f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"


def _insert(sql: "apsw.Connection", table: str, row: Row) -> int:
    """Insert a row; return its id."""
    sql.execute(_insert_into(table, tuple(row)), tuple(row.values()))
    return sql.last_insert_rowid()


def folded_path(path: str) -> tuple[str, str]:
    """Return ``path`` and the file's name, folded as filters compare them."""
    place = folded_name(f"/{path}")
    return place, place.rpartition("/")[2]


def put_note(
    sql: "apsw.Connection",
    note: Note,
    file: FileState,
    digest: bytes,
    problem: Sentence,
    id_: int | None = None,
) -> int:
    """Write the row of a note, its tags and properties; return its id, which may be given."""
    place, name = folded_path(note.path)
    row: Row = {
        "id": id_,
        "path": note.path,
        "place": place,
        "file": name,
        "title": note.title,
        "title_from_name": int(note.title_from_name),
        "aliases": json.dumps(note.aliases),
        "tags": json.dumps(note.tags),
        "category": note.category,
        "properties": json.dumps(dict(note.properties)),
        "inline_properties": json.dumps(note.inline_properties),
        "language": note.language,
        "dated": _seconds(note.dated),
        "words": note.words,
        **file._asdict(),
        "hash": digest,
        "problem": problem.to_json(),
        "outdated": 0,
    }
    note_id = _insert(sql, "note", row)
    _put_tags(sql, "note", note_id, note.common_tags)
    sql.executemany(
        "insert into property (key, text, number, day, inline, note_id) values (?, ?, ?, ?, ?, ?)",
        [
            (
                property_key(value.key),
                folded_name(value.text),
                value.number,
                _seconds(value.day),
                int(value.inline),
                note_id,
            )
            for value in note.values
        ],
    )
    sql.executemany(
        "insert into note_link (note_id, idx, line, target, relative) values (?, ?, ?, ?, ?)",
        ((note_id, index, *target) for index, target in enumerate(note.targets)),
    )
    return note_id


def put_section(
    sql: "apsw.Connection",
    note_id: int,
    note: Note,
    section: Section,
    path_id: int | None,
) -> int:
    """Write the rows of a section except its text; return its id."""
    features = section.features | (Feature.TEXT if section.text else Feature.NONE)
    row: Row = {
        "note_id": note_id,
        "ordinal": section.ordinal,
        "heading": section.heading,
        "path": _json(section.path),
        "level": section.level,
        "line": section.line,
        "end_line": section.end_line,
        "features": int(features),
        "path_id": path_id,
    }
    section_id = _insert(sql, "section", row)
    word_list.put(sql, section_id, note.language, word_list.texts(note, section))
    _put_tags(sql, "section", section_id, section.tags)
    if section.code:
        sql.executemany(
            "insert or ignore into section_code (language, section_id) values (?, ?)",
            [(language, section_id) for language in section.code],
        )
    sql.executemany(
        "insert or ignore into link (section_id, address, start, stop) values (?, ?, ?, ?)",
        _links(section_id, section),
    )
    return section_id


_json = json.JSONEncoder(ensure_ascii=False).encode
"""Like ``json.dumps``, which would make an encoder each time."""


def _links(section_id: int, section: Section) -> Iterator[tuple[int, str, int | None, int | None]]:
    """Yield the rows of a section's links, except addresses that the text shows anyway."""
    for link in section.links:
        address = normalized(link.address)
        start, stop = link.span or (None, None)
        shown = link.span and normalized(section.text[start:stop])
        if address and address != shown:
            yield section_id, address, start, stop


def put_body(sql: "apsw.Connection", section_id: int, body: str | bytes, source: SourceMap) -> None:
    """Write the text of a section, as ``compress`` returns it, and where it comes from."""
    sql.execute(
        "insert into body (section_id, text, source) values (?, ?, ?)",
        (section_id, body, json.dumps([source.lines, source.whole], separators=(",", ":"))),
    )


def put_passages(
    sql: "apsw.Connection", sections: Sequence[int], passages: Sequence[Passage]
) -> None:
    """Write the passages of a note; ``sections`` are the ids of its sections, by ordinal."""
    ids = numbered(sql, passages, of_paths=False)
    rows = [
        (sections[passage.section], passage.index, *passage.span, id_)
        for passage, id_ in zip(passages, ids, strict=True)
    ]
    sql.executemany("insert into passage values (?, ?, ?, ?, ?)", rows)


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else calendar_seconds(moment)


def _put_tags(sql: "apsw.Connection", owner: str, id_: int, tags: Sequence[str]) -> None:
    if tags:
        sql.executemany(
            f"insert or ignore into {owner}_tag (tag, {owner}_id) values (?, ?)",
            [(folded_name(tag), id_) for tag in tags],
        )
