"""The text of a section as its row keeps it: packed wherever that makes it smaller.

A section alone is too short to tell a packer what is usual in it. So it is packed as if a few dozen
pieces of other notes stood before it, the dictionary: DEFLATE refers to those as to its own text
(RFC 1951; zlib's preset dictionary, RFC 1950, 2.2). That takes a fifth to a quarter off.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from notesearch.errors import IndexDamagedError

LONGEST = 1 << 15
"""Bytes of a dictionary: as far as DEFLATE looks back."""

_WORTH_TRYING = 50
"""Characters from which on packing saves more than it costs."""

_LEVEL, _MEMORY = 5, 5
"""Of zlib: what packs as well as its usual ones do for a section, in less time; of what it looks
texts up with, a copy is made for each."""

_RAW = -zlib.MAX_WBITS
"""Neither a header nor a sum: SQLite's pages have none either, and a text may be short."""

_PORTION = 1 << 17
"""Bytes that are packed in some 6 ms."""

DAMAGED = "The text in the index is damaged and is made again. Your notes are not affected."


@dataclass(frozen=True, slots=True)
class Dictionary:
    """What texts are packed after.

    Attributes:
        number: By which the texts tell it from others, 0 to 255; 0 is the empty one.
        content: Pieces of texts, in UTF-8; one may begin or end within a character.
    """

    number: int = 0
    content: bytes = b""


class Packer:
    """Packs texts after one dictionary; for one thread."""

    def __init__(self, dictionary: Dictionary) -> None:
        """Take the ``dictionary``, which whoever unpacks a text must have, too."""
        how = _LEVEL, zlib.DEFLATED, _RAW, _MEMORY, zlib.Z_DEFAULT_STRATEGY
        content = dictionary.content
        self._begun = zlib.compressobj(*how, content) if content else zlib.compressobj(*how)
        self._number = bytes((dictionary.number,))

    def packed(self, text: str, check: Callable[[], None] | None = None) -> str | bytes:
        """Return what is stored for ``text``; ``check`` is called now and then meanwhile."""
        if len(text) < _WORTH_TRYING:
            return text
        utf8 = text.encode()
        press = self._begun.copy()
        portions = [self._number]
        for start in range(0, len(utf8), _PORTION):
            if check:
                check()
            portions.append(press.compress(utf8[start : start + _PORTION]))
        found = b"".join((*portions, press.flush()))
        return found if len(found) < len(utf8) else text


class Unpacker:
    """Unpacks what any dictionary of an index was used for."""

    def __init__(self, content: Callable[[int], bytes]) -> None:
        """Ask for the ``content`` of a dictionary, by its number, when it is first needed."""
        self._content = cache(content)

    def unpacked(self, stored: str | bytes | None) -> str | None:
        """Return the text that ``stored`` stands for; as SQL's ``unpacked``, null stays null.

        Raises:
            IndexDamagedError: It stands for none.
        """
        if not isinstance(stored, bytes):
            return stored
        try:
            number, packed = stored[0], stored[1:]
            if not number:
                return zlib.decompress(packed, wbits=_RAW).decode()
            unpack = zlib.decompressobj(wbits=_RAW, zdict=self._content(number))
            text = unpack.decompress(packed).decode()
        except (zlib.error, LookupError, UnicodeDecodeError) as error:
            raise IndexDamagedError(DAMAGED) from error
        if not unpack.eof:
            raise IndexDamagedError(DAMAGED)
        return text
