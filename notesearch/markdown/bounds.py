"""Bounds of the work on one note: how much structure it may have, and when to look for a stop.

Text beyond a bound is still found by its words.

No note that somebody wrote comes near a bound. A note that reaches one, made by a program or to do
harm, is found by words after 20 s at most, costs at most 300 MB, and is listed with the bound.
``make attack`` measures that.
"""

import re
from collections.abc import Callable, Iterator

from notesearch.notes import Span

CHARACTERS = 8_000_000
"""Characters of a note that are read as Markdown. As many again are read as plain text."""

LINES = 250_000
"""Lines of a note that are read as Markdown: three times as many as the Bible has."""

BLOCKS = 150_000
"""Beginnings and ends of paragraphs, list items, cells and the like, and definitions of links."""

CELLS = 1_000
"""Cells of a table row. A line with more is not part of a table."""

SECTIONS = 5_000
"""Sections of a note: a heading for each day of thirteen years."""

MARKS = 20_000
"""Links, tags and code languages in all sections of a note together."""

NAMES = 1_000
"""Different tags of a note, and aliases."""

PASSAGES = 1_500
"""Passages of a note that are embedded: about 225,000 words. Meanwhile other notes are indexed."""

Check = Callable[[], None]
"""Called now and then during long work; raises to cancel it."""

PORTION = 1 << 17
"""Characters that take about a tenth of a second to process."""

_BLANK = re.compile(r"\s")


def never_cancel() -> None:
    """Let the work continue; the default ``Check``."""


def portions(text: str, size: int = PORTION) -> Iterator[Span]:
    """Yield consecutive spans of roughly ``size`` characters that together cover ``text``.

    Cuts fall at a paragraph end or after a blank where possible. A short text is one portion.
    """
    start = 0
    while len(text) - start > size:
        paragraph = text.rfind("\n\n", start + size // 2, start + size)
        blank = _BLANK.search(text, start + size, start + 2 * size)
        end = paragraph + 2 if paragraph >= 0 else blank.end() if blank else start + size
        yield start, end
        start = end
    if start < len(text) or not text:
        yield start, len(text)
