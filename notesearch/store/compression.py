"""Compresses the text of a section for its row, where that makes it smaller."""

import zlib
from collections.abc import Callable

from notesearch.errors import IndexDamagedError

_SHORTEST = 50
"""Characters. Compressing a shorter text saves less than it costs."""

_LEVEL = 5
"""Of zlib. Its usual level 6 takes longer and saves nothing on texts as short as a section."""

_RAW = -zlib.MAX_WBITS
"""No header and no checksum: six bytes that would be a percent of an average section."""

_PORTION = 1 << 17
"""Bytes that are compressed in about 6 ms."""


def compress(text: str, check: Callable[[], None] | None = None) -> str | bytes:
    """Return what a row stores for ``text``: the text itself, or bytes where those are shorter.

    ``check`` is called after each portion of a huge text, and may raise to stop.
    """
    if len(text) < _SHORTEST:
        return text
    utf8 = text.encode()
    compressor = zlib.compressobj(_LEVEL, wbits=_RAW)
    portions = []
    for start in range(0, len(utf8), _PORTION):
        if check:
            check()
        portions.append(compressor.compress(utf8[start : start + _PORTION]))
    compressed = b"".join((*portions, compressor.flush()))
    return compressed if len(compressed) < len(utf8) else text


def decompress(stored: str | bytes | None) -> str | None:
    """Return the text of a row; null stays null, as SQL functions have it.

    Raises:
        IndexDamagedError: ``stored`` is not what ``compress`` returns.
    """
    if not isinstance(stored, bytes):
        return stored
    try:
        return zlib.decompress(stored, wbits=_RAW).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise IndexDamagedError("index_text_damaged") from error
