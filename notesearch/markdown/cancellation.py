"""Cancelling work on a huge text: a check that raises, and portions to call it between."""

import re
from collections.abc import Callable, Iterator

from notesearch.notes import Span

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
