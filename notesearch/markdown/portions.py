"""A huge text in portions: between two of them the work on it may be given up."""

import re
from collections.abc import Callable, Iterator

from notesearch.notes import Span

Check = Callable[[], None]
"""Raises what ends the work where it is not wanted any more."""

PORTION = 1 << 17
"""Characters that are worked on in a tenth of a second or so."""

_BLANK = re.compile(r"\s")


def carry_on() -> None:
    """Let the work go on."""


def portions(text: str, size: int = PORTION) -> Iterator[Span]:
    """Yield the spans of ``text``, each of some ``size`` characters.

    They are cut behind a blank where there is one. Together they are the whole text; a short one is
    one portion.
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
