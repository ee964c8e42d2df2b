"""Writes a parsed note as rows: the note, its sections, their words, tags and passages."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, cast

from notesearch.notes import Feature, Note, Passage, Section, SourceMap
from notesearch.sentences import Sentence
from notesearch.store import word_list
from notesearch.store.conditions import calendar_seconds, folded, property_key
from notesearch.store.link_addresses import normalized
from notesearch.store.rows import FileState
from notesearch.store.vectors import numbered

if TYPE_CHECKING:
    import apsw


Row = Mapping[str, "apsw.SQLiteValue"]
"""The columns of a row, by name."""

_PASSAGES = (
    "select p.* from section s cross join passage p on p.section_id = s.id where s.note_id = ?"
)
_AT = "where section_id = ? and idx = ?"


@dataclass(frozen=True, slots=True)
class Before:
    """The rows that a note had before; a row that is written again is taken out.

    Updating only the changed columns of a row touches a third fewer pages than deleting it and
    inserting another.

    Attributes:
        note: Row of the note; None if it is new.
        sections: Rows of its sections, by ordinal.
        passages: Rows of its passages, by section id and number.
    """

    note: Row | None = None
    sections: dict[int, Row] = field(default_factory=dict)
    passages: dict[tuple[int, int], Row] = field(default_factory=dict)

    @classmethod
    def of(cls, sql: "apsw.Connection", path: str) -> "Before":
        """Read the rows of the note at ``path``, and delete its words, labels and links."""
        note = next(iter(_rows(sql, "select * from note where path = ?", path)), None)
        if note is None:
            return cls()
        id_ = cast("int", note["id"])
        sections = _rows(sql, "select * from section where note_id = ?", id_)
        passages = _rows(sql, _PASSAGES, id_)
        word_list.delete(sql, id_)
        for table in ("note_tag", "property"):
            sql.execute(f"delete from {table} where note_id = ?", (id_,))
        for table in ("section_tag", "section_code", "link"):
            sql.executemany(
                f"delete from {table} where section_id = ?", [(row["id"],) for row in sections]
            )
        return cls(
            note,
            {cast("int", row["ordinal"]): row for row in sections},
            {cast("tuple[int, int]", (row["section_id"], row["idx"])): row for row in passages},
        )

    @property
    def identities(self) -> set[int]:
        """The identities of its passages and heading paths."""
        found = {row["path_id"] for row in self.sections.values()}
        found |= {row["identity_id"] for row in self.passages.values()}
        return {cast("int", id_) for id_ in found if id_ is not None}

    def delete_rest(self, sql: "apsw.Connection") -> None:
        """Delete the rows that were not written again."""
        sql.executemany(f"delete from passage {_AT}", list(self.passages))
        rest = [(row["id"],) for row in self.sections.values()]
        sql.executemany("delete from section where id = ?", rest)


def _rows(sql: "apsw.Connection", query: str, *values: int | str) -> list[Row]:
    cursor = sql.execute(query, values)
    return [
        dict(zip((name for name, *_ in cursor.description), row, strict=True)) for row in cursor
    ]


@cache
def _insert_into(table: str, columns: tuple[str, ...]) -> str:
    return f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"


def _put(sql: "apsw.Connection", table: str, row: Row, before: Row | None) -> int:
    """Insert a row, or update the columns of the row ``before`` that differ; return its id."""
    if before is None:
        sql.execute(_insert_into(table, tuple(row)), tuple(row.values()))
        return sql.last_insert_rowid()
    changed = {f"{name} = ?": value for name, value in row.items() if value != before[name]}
    if changed:
        query = f"update {table} set {', '.join(changed)} where id = ?"
        sql.execute(query, (*changed.values(), before["id"]))
    return cast("int", before["id"])


def folded_path(path: str) -> tuple[str, str]:
    """Return ``path`` and the file's name, folded as filters compare them."""
    place = folded(f"/{path}")
    return place, place.rpartition("/")[2]


def put_note(
    sql: "apsw.Connection",
    note: Note,
    file: FileState,
    digest: bytes,
    problem: Sentence,
    before: Row | None = None,
) -> int:
    """Write the row of a note, its tags and properties; return its id."""
    place, name = folded_path(note.path)
    row: Row = {
        "path": note.path,
        "place": place,
        "file": name,
        "title": note.title,
        "title_from_name": int(note.title_from_name),
        "aliases": json.dumps(note.aliases),
        "tags": json.dumps(note.tags),
        "category": note.category,
        "properties": json.dumps(dict(note.properties)),
        "language": note.language,
        "dated": _seconds(note.dated),
        "words": note.words,
        **file._asdict(),
        "hash": digest,
        "problem": problem.to_json(),
        "outdated": 0,
    }
    note_id = _put(sql, "note", row, before)
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
    sql: "apsw.Connection",
    note_id: int,
    note: Note,
    section: Section,
    path_id: int | None,
    before: Row | None = None,
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
    section_id = _put(sql, "section", row, before)
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
        "insert into body (section_id, text, source) values (?, ?, ?) on conflict (section_id)"
        " do update set text = excluded.text, source = excluded.source",
        (section_id, body, json.dumps([source.lines, source.whole], separators=(",", ":"))),
    )


def put_passages(
    sql: "apsw.Connection",
    sections: Sequence[int],
    passages: Sequence[Passage],
    before: dict[tuple[int, int], Row],
) -> None:
    """Write passages of a note.

    Args:
        sql: The writer's connection.
        sections: Ids of the note's sections, by ordinal.
        passages: Its passages.
        before: Rows of its former passages; those that are written again are taken out.
    """
    new, other, moved = [], [], []
    ids = numbered(sql, passages, of_paths=False)
    for passage, id_ in zip(passages, ids, strict=True):
        place = sections[passage.section], passage.index
        was = before.pop(place, None)
        if was is None:
            new.append((*place, *passage.span, id_))
        elif was["identity_id"] != id_:
            other.append((*passage.span, id_, *place))
        elif (was["start"], was["stop"]) != passage.span:
            moved.append((*passage.span, *place))
    sql.executemany("insert into passage values (?, ?, ?, ?, ?)", new)
    sql.executemany(f"update passage set start = ?, stop = ?, identity_id = ? {_AT}", other)
    sql.executemany(f"update passage set start = ?, stop = ? {_AT}", moved)


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else calendar_seconds(moment)


def _put_tags(sql: "apsw.Connection", owner: str, id_: int, tags: Sequence[str]) -> None:
    if tags:
        sql.executemany(
            f"insert or ignore into {owner}_tag (tag, {owner}_id) values (?, ?)",
            [(folded(tag), id_) for tag in tags],
        )
