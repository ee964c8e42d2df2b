"""Limits for one note: how much of its structure is read, and when to check for cancellation.

Only notes made by programs or meant to do harm reach a limit. The list of unread notes names the
limit. Such a note can be searched after at most 20 s, and reading it takes at most 300 MB. ``make
attack`` measures both.
"""

import re
from collections.abc import Callable, Iterator

from notesearch.notes import Span

CHARACTERS = 8_000_000
"""Characters of a note that are read as Markdown; as many after them are read as plain text."""

LINES = 250_000
BLOCKS = 150_000
"""Block tokens of a note; beyond them, its text is one paragraph.

A paragraph, list item or table cell has two or more tokens; a definition of a link counts as three.
"""

CELLS = 1_000
"""Cells of a table row. A line with more cells is not part of a table."""

SECTIONS = 5_000
"""Sections of a note. The last one holds all text after it."""

MARKS = 20_000
"""Links, tags and code languages in all sections of a note together."""

NAMES = 1_000
"""Different tags of a note. Its aliases, and the tags of the whole note, have the same bound."""

PASSAGES = 1_500
"""Passages of a note that are embedded: about 225,000 words."""

Check = Callable[[], None]
"""A function to call now and then during long work; it raises an error to cancel the work."""

PORTION = 1 << 17
"""Characters that take about a tenth of a second to process."""

_BLANK = re.compile(r"\s")


def never_cancel() -> None:
    """Do nothing, so that the work continues; the default ``Check``."""


def portions(text: str) -> Iterator[Span]:
    """Yield consecutive spans that cover ``text``, of half a ``PORTION`` to two of them.

    A span ends at the end of a paragraph, or after a space, if possible. A short text is one span.
    """
    start = 0
    while len(text) - start > PORTION:
        paragraph = text.rfind("\n\n", start + PORTION // 2, start + PORTION)
        blank = _BLANK.search(text, start + PORTION, start + 2 * PORTION)
        end = paragraph + 2 if paragraph >= 0 else blank.end() if blank else start + PORTION
        yield start, end
        start = end
    if start < len(text) or not text:
        yield start, len(text)
