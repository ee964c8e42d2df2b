"""Writes a parsed note as rows: the note, its sections, their words, tags and passages."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, cast

from notesearch.notes import Feature, Note, Passage, Section
from notesearch.sentences import Sentence
from notesearch.store import word_list
from notesearch.store.conditions import calendar_seconds, folded, property_key
from notesearch.store.identities import numbered
from notesearch.store.link_addresses import normalized
from notesearch.store.note_states import FileState

if TYPE_CHECKING:
    import apsw


Row = Sequence["apsw.SQLiteValue"]
"""A row's id, if it has one, and its columns in the order in which they are written."""

_OF_NOTE = (
    "path", "place", "file", "title", "title_from_name", "aliases", "tags", "category",
    "properties", "language", "dated", "words", "size", "mtime_ns", "ctime_ns", "inode", "hash",
    "problem", "outdated",
)  # fmt: skip
_OF_SECTION = (
    "note_id", "ordinal", "heading", "path", "level", "line", "end_line", "features", "path_id",
)  # fmt: skip
_OF_PASSAGE = ("section_id", "idx", "start", "stop", "identity_id")
_AT = "where section_id = ? and idx = ?"

_SECTIONS = f"select id, {', '.join(_OF_SECTION)} from section where note_id = ?"
_PASSAGES = (
    f"select {', '.join(_OF_PASSAGE)} from section s cross join passage p"
    " on p.section_id = s.id where s.note_id = ?"
)


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
        query = f"select id, {', '.join(_OF_NOTE)} from note where path = ?"
        found = sql.execute(query, (path,)).fetchall()
        if not found:
            return cls()
        only = found[0][:1]
        sections = {cast("int", row[2]): row for row in sql.execute(_SECTIONS, only)}
        rows = sql.execute(_PASSAGES, only)
        passages = {(cast("int", row[0]), cast("int", row[1])): row for row in rows}
        word_list.delete(sql, cast("int", only[0]))
        for table in ("note_tag", "property"):
            sql.execute(f"delete from {table} where note_id = ?", only)
        for table in ("section_tag", "section_code", "link"):
            sql.executemany(
                f"delete from {table} where section_id = ?", [row[:1] for row in sections.values()]
            )
        return cls(found[0], sections, passages)

    @property
    def identities(self) -> set[int]:
        """The identities of its passages and heading paths."""
        found = {row[-1] for row in (*self.sections.values(), *self.passages.values())}
        return {cast("int", id_) for id_ in found if id_ is not None}

    def delete_rest(self, sql: "apsw.Connection") -> None:
        """Delete the rows that were not written again."""
        sql.executemany(f"delete from passage {_AT}", list(self.passages))
        those = [row[:1] for row in self.sections.values()]
        sql.executemany("delete from section where id = ?", those)


@cache
def _insert_into(table: str, columns: tuple[str, ...]) -> str:
    return f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"


def _put(
    sql: "apsw.Connection", table: str, columns: tuple[str, ...], values: Row, before: Row | None
) -> int:
    """Insert a row, or update the columns of the row ``before`` that differ; return its id."""
    if before is None:
        sql.execute(_insert_into(table, columns), values)
        return sql.last_insert_rowid()
    id_, *old = before
    changed = {
        f"{column} = ?": value
        for column, value, was in zip(columns, values, old, strict=True)
        if value != was
    }
    if changed:
        query = f"update {table} set {', '.join(changed)} where id = ?"
        sql.execute(query, (*changed.values(), id_))
    return cast("int", id_)


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
    values = (
        note.path, *folded_path(note.path), note.title, int(note.title_from_name),
        json.dumps(note.aliases), json.dumps(note.tags), note.category,
        json.dumps(dict(note.properties)), note.language, _seconds(note.dated), note.words,
        file.size, file.mtime_ns, file.ctime_ns, file.inode, digest, problem.to_json(), 0,
    )  # fmt: skip
    note_id = _put(sql, "note", _OF_NOTE, values, before)
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
    values = (
        note_id, section.ordinal, section.heading, _json(section.path),
        section.level, section.line, section.end_line, int(features), path_id,
    )  # fmt: skip
    section_id = _put(sql, "section", _OF_SECTION, values, before)
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


def _links(section_id: int, section: Section) -> Iterator[Row]:
    """Yield the rows of a section's links, except addresses that the text shows anyway."""
    for link in section.links:
        address, span = normalized(link.address), link.span or (None, None)
        shown = link.span and normalized(section.text[slice(*link.span)])
        if address and address != shown:
            yield section_id, address, *span


def put_body(sql: "apsw.Connection", section_id: int, body: str | bytes) -> None:
    """Write the text of a section, as ``compress`` returns it."""
    sql.execute(
        "insert into body (section_id, text) values (?, ?)"
        " on conflict (section_id) do update set text = excluded.text",
        (section_id, body),
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
        passages: Some of its passages.
        before: Rows of its former passages; those that are written again are taken out.
    """
    new, other, moved = [], [], []
    ids = numbered(sql, passages, of_paths=False)
    for passage, id_ in zip(passages, ids, strict=True):
        place = sections[passage.section], passage.index
        was = before.pop(place, None)
        if was is None:
            new.append((*place, *passage.span, id_))
        elif was[-1] != id_:
            other.append((*passage.span, id_, *place))
        elif was[2:4] != passage.span:
            moved.append((*passage.span, *place))
    sql.executemany(_insert_into("passage", _OF_PASSAGE), new)
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
