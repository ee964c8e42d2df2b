"""Takes the table of all word pieces out of a graph: of a model's file the rows in use are read."""

import mmap
import os
import weakref
from collections import defaultdict
from collections.abc import Iterator
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from notesearch.errors import ModelError

_PIECES = "input_ids"
_LARGE = 1 << 20
"""Bytes from which a table is worth it; what is smaller is read as a whole."""

# Numbers of fields, from ONNX' onnx.proto; the last three bits of a key tell how one is written.
_GRAPH = 7
_NODE, _INITIALIZER, _INPUT, _OUTPUT = 1, 5, 11, 12
_NODE_INPUT, _NODE_KIND, _NODE_ATTRIBUTE, _NODE_DOMAIN = 1, 4, 5, 7
_ATTRIBUTE_NUMBER = 3
_SIZES, _TYPE, _NAME, _CONTENT = 1, 2, 8, 9
_NUMBER, _PIECE = 0, 2
_SIZES_OF = {1: 8, 5: 4}
_TYPES = {1: "<f4", 2: "u1", 3: "i1", 10: "<f2"}


class Table:
    """Rows of which each is read once a text has its word piece; for any number of threads.

    Texts have some hundreds of the 30,000 or 250,000 pieces that a model knows, and what nobody
    has written to takes no memory.

    Attributes:
        name: Of the table in the graph.
        rows: For the graph to look into; of pieces that were not ``read`` they are zero.
    """

    def __init__(self, file: Path, name: str, rows: "NDArray[np.generic]", start: int) -> None:
        """Take the room for the rows, which begin at byte ``start`` of ``file``.

        Raises:
            OSError: It cannot be opened.
        """
        self.name = name
        self.rows = rows
        self._as_bytes = rows.view(np.uint8).reshape(len(rows), -1)
        self._start = start
        self._is_read = np.zeros(len(rows), np.bool_)
        # Kept open: another file may be put in its place.
        self._path, self._file = file, os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._file)

    def read(self, pieces: "NDArray[np.int64]") -> None:
        """Read the rows of ``pieces`` that were not read yet; those it does not have are left.

        Raises:
            ModelError: The file is not as it was.
        """
        pieces = pieces[pieces < len(self._is_read)]
        fresh = pieces[~self._is_read[pieces]]
        size = self._as_bytes.shape[1]
        for piece in fresh.tolist():
            row = os.pread(self._file, size, self._start + piece * size)
            if len(row) < size:
                raise ModelError("model_changed", file=str(self._path))
            self._as_bytes[piece] = np.frombuffer(row, np.uint8)
        self._is_read[fresh] = True


def tables(file: Path) -> tuple[Table, ...]:
    """Return the large tables of an ONNX file that it looks word pieces up in and nothing else.

    There are none where the file is damaged, or the system does not have what it takes (Windows).
    """
    if not hasattr(os, "pread"):
        return ()
    try:
        with file.open("rb") as opened:
            whole = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        with whole:
            found = list(_found(whole))
        return tuple(
            Table(file, name, _room(kind, shape), start) for name, kind, shape, start in found
        )
    except (OSError, ValueError, LookupError):
        return ()


def _room(kind: str, shape: list[int]) -> "NDArray[np.generic]":
    """Return zeros of which none is in memory; NumPy would ask for the system's largest pages."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    room = mmap.mmap(-1, prod(shape) * np.dtype(kind).itemsize, flags=flags)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        room.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(room, kind).reshape(shape)


def _found(whole: mmap.mmap) -> Iterator[tuple[str, str, list[int], int]]:
    """Yield name, type, shape and first byte of each table.

    Raises:
        ValueError: It is no graph.
    """
    graph = _Message(whole, *_Message(whole, 0, len(whole)).places[_GRAPH][0])
    large = [place for place in graph.places[_INITIALIZER] if place[1] - place[0] >= _LARGE]
    for stored in [_Message(whole, *place) for place in large]:
        name, shape = stored.text(_NAME), stored.numbers[_SIZES]
        kind = _TYPES.get(stored.numbers[_TYPE][0])
        # Whoever takes it says so in a field of this number, also deep inside a step.
        said = _said(_NODE_INPUT, name.encode())
        users = [
            (part, place)
            for part in (_NODE, _INPUT, _OUTPUT)
            for place in graph.places[part]
            if whole.find(said, *place) >= 0
        ]
        alone = all(
            part == _NODE and _looks_up(_Message(whole, *place), name) for part, place in users
        )
        if kind is None or not alone:
            continue
        for start, stop in stored.places[_CONTENT]:
            if users and stop - start == prod(shape) * np.dtype(kind).itemsize:
                yield name, kind, shape, start


def _said(number: int, text: bytes) -> bytes:
    """Return a field as it is written: the key, how long the text is, and that."""
    size, length = bytearray(), len(text)
    while length >= 0x80:
        size.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([number << 3 | _PIECE, *size, length]) + text


def _looks_up(node: "_Message", name: str) -> bool:
    """Return whether a step takes the rows of all pieces from a table, along its first axis."""
    attributes = [_Message(node.whole, *place) for place in node.places[_NODE_ATTRIBUTE]]
    is_first_axis = not any(any(attribute.numbers[_ATTRIBUTE_NUMBER]) for attribute in attributes)
    is_onnx = not any(node.texts(_NODE_DOMAIN))
    takes = node.text(_NODE_KIND), node.texts(_NODE_INPUT)
    return is_first_axis and is_onnx and takes == ("Gather", [name, _PIECES])


class _Message:
    """A message of Protocol Buffers: numbers, and places of all else, each by its field."""

    def __init__(self, whole: mmap.mmap, at: int, end: int) -> None:
        """Find the fields between two bytes.

        Raises:
            ValueError: There is no message.
        """
        self.whole = whole
        self.numbers: dict[int, list[int]] = defaultdict(list)
        self.places: dict[int, list[tuple[int, int]]] = defaultdict(list)
        while at < end:
            key, at = _number(whole, at)
            size = _SIZES_OF.get(key & 7)
            if key & 7 == _NUMBER:
                value, at = _number(whole, at)
                self.numbers[key >> 3].append(value)
                continue
            if key & 7 == _PIECE:
                size, at = _number(whole, at)
            if size is None or at + size > end:
                raise ValueError(key)
            self.places[key >> 3].append((at, at + size))
            at += size

    def texts(self, number: int) -> list[str]:
        """Return the texts of a field."""
        return [self.whole[start:stop].decode() for start, stop in self.places[number]]

    def text(self, number: int) -> str:
        """Return the text of a field; empty without."""
        return "".join(self.texts(number)[:1])


def _number(whole: mmap.mmap, at: int) -> tuple[int, int]:
    """Return the number at ``at``, seven bits in each byte, and where it ends."""
    value = shift = 0
    while True:
        byte = whole[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
