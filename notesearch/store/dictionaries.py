"""The dictionaries that texts of an index are packed after: rows of a table, made now and then.

They are pieces of notes, and stay when those are deleted: each text that was packed after one
needs it.
"""

import zlib
from typing import TYPE_CHECKING, cast

from notesearch.store.bodies import LONGEST, Dictionary

if TYPE_CHECKING:
    import apsw

_SHARE = 24
"""Bytes of notes for each byte of a dictionary: it takes room itself."""

_SMALLEST = 1 << 11

_MORE = 4
"""Times as much as was read when the last one was made is worth another."""

_MOST = 255


def newest(sql: "apsw.Connection") -> Dictionary:
    """Return the dictionary that texts are packed after now; before the first the empty one."""
    query = "select id, content from dictionary order by id desc limit 1"
    for number, packed in sql.execute(query):
        return Dictionary(cast("int", number), zlib.decompress(cast("bytes", packed)))
    return Dictionary()


def content(sql: "apsw.Connection", number: int) -> bytes:
    """Return the content of a dictionary.

    Raises:
        LookupError: There is none of that number.
        zlib.error: It is damaged.
    """
    for (packed,) in sql.execute("select content from dictionary where id = ?", (number,)):
        return zlib.decompress(cast("bytes", packed))
    raise LookupError(number)


def wanted(sql: "apsw.Connection", to_read: int) -> int:
    """Return how many bytes a new one should have where so many of notes are read; mostly 0."""
    rows = sql.execute("select count(*), coalesce(max(made_of), 0) from dictionary").fetchall()
    count, made_of = cast("tuple[int, int]", rows[0])
    size = min(to_read // _SHARE, LONGEST)
    return size if size >= _SMALLEST and to_read >= _MORE * made_of and count < _MOST else 0


def put(sql: "apsw.Connection", content: bytes, made_of: int) -> None:
    """Have texts packed after ``content`` from now on."""
    query = "insert into dictionary (content, made_of) values (?, ?)"
    sql.execute(query, (zlib.compress(content, 9), made_of))
