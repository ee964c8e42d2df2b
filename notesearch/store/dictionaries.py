"""The dictionaries that texts of an index are packed after: rows of a table, made now and then.

They are pieces of notes, and stay when those are deleted: each text that was packed after one
needs it.
"""

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from notesearch.errors import IndexDamagedError
from notesearch.store.bodies import DAMAGED, LONGEST, Dictionary, Packer

if TYPE_CHECKING:
    import apsw

    from notesearch.store.db import Connection

_SHARE = 24
"""Bytes of notes for each byte of a dictionary: it takes room itself."""

_SMALLEST = 1 << 11

FEWEST = _SHARE * _SMALLEST
"""Bytes of notes that are worth one."""

_MORE = 4
"""Times as many notes as the last one was made for are worth another."""

_HIGHEST = 255
"""A text has one byte for the number. Each is for four times as many notes: there are never ten."""


class Dictionaries:
    """Those of one index, as its writer makes and uses them."""

    def __init__(self, connection: "Connection") -> None:
        """Read and write them over ``connection``."""
        self._db = connection
        self._packer: Packer | None = None

    def newest(self) -> Dictionary:
        """Return the one that texts are packed after now; before the first the empty one.

        Raises:
            IndexDamagedError: It cannot be read.
        """
        query = "select id, content from dictionary order by id desc limit 1"
        for number, packed in self._db.sql.execute(query):
            return _read(cast("int", number), packed)
        return Dictionary()

    def packer(self) -> Packer:
        """Return what packs after the newest one; raises as ``newest`` does."""
        if self._packer is None:
            self._packer = Packer(self.newest())
        return self._packer

    def size_of_next(self, notes: int) -> int:
        """Return how long another one should be for notes of so many bytes in all; mostly 0."""
        query = "select coalesce(max(made_of), 0) from dictionary"
        made_of = cast("int", self._db.sql.execute(query).fetchall()[0][0])
        size = min(notes // _SHARE, LONGEST)
        return size if notes >= max(FEWEST, _MORE * made_of) else 0

    def put(self, content: bytes, notes: int) -> None:
        """Pack texts after ``content`` from now on; made for notes of so many bytes in all.

        Raises:
            RuntimeError: Within a transaction: what is packed after it must not outlive it.
        """
        if self._db.sql.in_transaction:
            raise RuntimeError("A dictionary has a transaction of its own.")
        query = "insert into dictionary (content, made_of) values (?, ?)"
        with self._db.transaction() as sql:
            sql.execute(query, (zlib.compress(content, 9), notes))
        self._packer = None

    def bytes_of_notes(self) -> int:
        """Return how long the files of all notes in the index are together."""
        query = "select coalesce(sum(size), 0) from note"
        return cast("int", self._db.sql.execute(query).fetchall()[0][0])

    def texts(self, most: int) -> Iterator[str]:
        """Yield the texts of up to ``most`` sections, from all over the index.

        Raises:
            IndexDamagedError: One cannot be read.
        """
        sql = self._db.sql
        last = sql.execute("select coalesce(max(section_id), 0) from body").fetchall()[0][0]
        query = "select unpacked(text) from body where section_id >= ? order by section_id limit 1"
        for number in range(0, cast("int", last), max(1, cast("int", last) // most)):
            yield from (cast("str", text) for (text,) in sql.execute(query, (number,)).fetchall())


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
