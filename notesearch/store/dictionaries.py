"""The dictionaries that texts of an index are packed after: rows of a table, made now and then.

They are pieces of notes, and stay when those are deleted: each text that was packed after one
needs it.
"""

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from notesearch.errors import IndexDamagedError
from notesearch.store.bodies import DAMAGED, LONGEST, Dictionary

if TYPE_CHECKING:
    import apsw

_SHARE = 24
"""Bytes of notes for each byte of a dictionary: it takes room itself."""

_SMALLEST = 1 << 11

FEWEST = _SHARE * _SMALLEST
"""Bytes of notes that are worth one."""

_MORE = 4
"""Times as many notes as the last one was made for are worth another."""

_HIGHEST = 255
"""A text has one byte for the number. Each is for four times as many notes: there are never ten."""


def newest(sql: "apsw.Connection") -> Dictionary:
    """Return the dictionary that texts are packed after now; before the first the empty one.

    Raises:
        IndexDamagedError: It cannot be read.
    """
    query = "select id, content from dictionary order by id desc limit 1"
    for number, packed in sql.execute(query):
        return _read(cast("int", number), packed)
    return Dictionary()


def content(sql: "apsw.Connection", number: int) -> bytes:
    """Return the content of a dictionary.

    Raises:
        IndexDamagedError: There is none of that number, or it cannot be read.
    """
    for (packed,) in sql.execute("select content from dictionary where id = ?", (number,)):
        return _read(number, packed).content
    raise IndexDamagedError(DAMAGED)


def _read(number: int, packed: object) -> Dictionary:
    if not (isinstance(packed, bytes) and 0 < number <= _HIGHEST):
        raise IndexDamagedError(DAMAGED)
    try:
        return Dictionary(number, zlib.decompress(packed))
    except zlib.error as error:
        raise IndexDamagedError(DAMAGED) from error


def size_of_next(sql: "apsw.Connection", notes: int) -> int:
    """Return how long another one should be for notes of so many bytes in all; mostly 0."""
    rows = sql.execute("select coalesce(max(made_of), 0) from dictionary").fetchall()
    size = min(notes // _SHARE, LONGEST)
    return size if notes >= max(FEWEST, _MORE * cast("int", rows[0][0])) else 0


def put(sql: "apsw.Connection", content: bytes, made_of: int) -> None:
    """Have texts packed after ``content`` from now on."""
    query = "insert into dictionary (content, made_of) values (?, ?)"
    sql.execute(query, (zlib.compress(content, 9), made_of))


def bytes_of_notes(sql: "apsw.Connection") -> int:
    """Return how long the files of all notes in the index are together."""
    return cast("int", sql.execute("select coalesce(sum(size), 0) from note").fetchall()[0][0])


def texts(sql: "apsw.Connection", most: int) -> Iterator[str]:
    """Yield the texts of up to ``most`` sections, from all over the index.

    Raises:
        IndexDamagedError: One cannot be read.
    """
    last = cast("int", sql.execute("select coalesce(max(id), 0) from section").fetchall()[0][0])
    query = "select unpacked(text) from body where section_id >= ? order by section_id limit 1"
    for number in range(0, last, max(1, last // most)):
        yield from (cast("str", text) for (text,) in sql.execute(query, (number,)).fetchall())
