"""The text of a section as its row keeps it: packed wherever that makes it smaller."""

import zlib
from collections.abc import Callable

from notesearch.errors import IndexDamagedError

_WORTH_TRYING = 100
"""Characters from which on packing saves more than it costs."""

_RAW = -zlib.MAX_WBITS
"""Neither a header nor a sum: SQLite's pages have none either, and a text may be short."""

_PORTION = 1 << 17
"""Bytes that are packed in some 6 ms."""


def packed(text: str, check: Callable[[], None] | None = None) -> str | bytes:
    """Return what is stored for ``text``; ``check`` is called now and then while it is packed."""
    if len(text) < _WORTH_TRYING:
        return text
    utf8 = text.encode()
    press = zlib.compressobj(wbits=_RAW)
    portions = []
    for start in range(0, len(utf8), _PORTION):
        if check:
            check()
        portions.append(press.compress(utf8[start : start + _PORTION]))
    found = b"".join((*portions, press.flush()))
    return found if len(found) < len(utf8) else text


def unpacked(stored: str | bytes | None) -> str | None:
    """Return the text that ``stored`` stands for; as SQL's ``unpacked``, null stays null.

    Raises:
        IndexDamagedError: It stands for none.
    """
    if not isinstance(stored, bytes):
        return stored
    try:
        return zlib.decompress(stored, wbits=_RAW).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise IndexDamagedError(
            "The text in the index is damaged and is made again. Your notes are not affected."
        ) from error
