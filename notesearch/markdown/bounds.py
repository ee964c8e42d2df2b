"""Limits for one note: how much is read and how much is rendered, and when to check for cancelling.

Only notes made by programs or meant to do harm reach a limit. The list of unread notes names the
limit. Such a note can be searched after at most 20 s, and reading it takes at most 300 MB. ``make
attack`` measures both.
"""

import re
from collections.abc import Callable, Iterator

from notesearch.notes import Span

CHARACTERS = 8_000_000
"""Characters of a note that are read as Markdown; the same number after them is plain text."""

LINES = 250_000
BLOCKS = 150_000
"""Maximum number of block tokens of a note; the text after them is one paragraph.

A paragraph, list item or table cell has two or more tokens; a definition of a link counts as three.
"""

CELLS = 1_000
"""Cells of a table row. A line with more cells is not part of a table."""

NESTING_LIMIT = 100
"""Blocks inside each other. A deeper block is text."""

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
    """Yield consecutive spans that cover ``text``, each half a ``PORTION`` to two ``PORTION`` long.

    A span ends at the end of a paragraph, or after a space, if possible. A short text is one span.
    """
    start = 0
    while len(text) - start > PORTION:
        end = _end_of_portion(text, start)
        yield start, end
        start = end
    if start < len(text) or not text:
        yield start, len(text)


def _end_of_portion(text: str, start: int) -> int:
    paragraph = text.rfind("\n\n", start + PORTION // 2, start + PORTION)
    if paragraph >= 0:
        return paragraph + 2
    blank = _BLANK.search(text, start + PORTION, start + 2 * PORTION)
    return blank.end() if blank else start + PORTION


MAX_COST = 13_000
"""Cost of laying out a section. A usual element costs 2, slow ones such as tables more."""
MAX_PICTURES = 200
_USUAL_CELLS = 900
"""Table cells of the usual cost. Each further one costs more: Qt lays out many of them slowly."""


class LayoutBudget:
    """How much of a section and its embedded notes may still be shown: Qt lays out HTML slowly.

    Attributes:
        characters: Markdown characters that may still be read; negative if some were left out.
        cost: Layout cost that may still be spent.
        pictures: Pictures that may still be shown.
        cells: Table cells that may still be shown at their usual cost.
        tables: The number of tables around the next piece of HTML.
    """

    def __init__(self, characters: int) -> None:
        self.characters = characters
        self.cost = MAX_COST
        self.pictures = MAX_PICTURES
        self.cells = _USUAL_CELLS
        self.tables = 0

    def take_text(self, text: str, most: int) -> str:
        """Return up to ``most`` characters of ``text``, fewer if the budget runs out."""
        text = text[:most]
        left = max(0, self.characters)
        self.characters -= len(text)
        return text[:left]

    def spend(self, cost: int) -> bool:
        """Subtract ``cost`` from the budget; return whether the budget was enough."""
        self.cost -= cost
        return self.cost >= 0
