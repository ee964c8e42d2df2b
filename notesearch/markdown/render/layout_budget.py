"""Limits the work of showing one section, including all notes embedded in it."""

from math import ceil, inf

MAX_COST = 13_000
"""Layout cost that the window may spend on a section, in tags; some tags count more than once."""
MAX_PICTURES = 200
_CHEAP_COUNTS = {"box": 160, "cell": 900, "heading": 800}
"""How many formulas shown as source, table cells and headings have the usual cost. More of them
are rare in real notes, slow to lay out, and so cost more."""
_EXPENSIVE_FACTOR = 5
_CELL_CHARACTERS = 24_000
"""Characters in table cells; Qt tries several column widths, so more of them cost extra."""
_LINE_CHARACTERS = 100
"""Characters; real lines are shorter, so the estimate of lines shown is never too low."""


class LayoutBudget:
    """The budget that a section and its embedded notes spend before they are rendered.

    Attributes:
        characters: Markdown characters that may still be read.
        cost: Layout cost that may still be spent.
        lines: Lines of text that may still be laid out.
        pictures: Pictures that may still be shown.
        tables: The number of tables around the next piece of HTML.
        whole: No text has been left out for lack of characters or lines.

    Args:
        characters: The initial ``characters``.
        lines: The initial ``lines``.
        start: The anchor from which to count lines; empty to count from the beginning.
    """

    def __init__(self, characters: int, lines: float = inf, start: str = "") -> None:
        self.characters = characters
        self.lines = lines
        self._start = start
        self._cheap_counts = dict(_CHEAP_COUNTS)
        self._cell_characters = _CELL_CHARACTERS
        self.cost = MAX_COST
        self.pictures = MAX_PICTURES
        self.tables = 0
        self.whole = True

    def take_text(self, text: str, most: int) -> str:
        """Return up to ``most`` characters of ``text``, fewer if the budget runs out."""
        shown = text[: min(most, max(0, self.characters))]
        self.whole = self.whole and len(shown) == min(most, len(text))
        self.characters -= len(shown)
        return shown

    def spend(self, cost: int) -> bool:
        """Spend ``cost``; return whether there was enough."""
        self.cost -= cost
        return self.cost >= 0

    def cost_of(self, kind: str, cost: int) -> int:
        """Count one element of ``kind``; return its cost, which rises once there are many."""
        self._cheap_counts[kind] -= 1
        return cost if self._cheap_counts[kind] >= 0 else _EXPENSIVE_FACTOR * cost

    def excess_cell_characters(self, characters: int) -> int:
        """Count characters in a table cell; return how many exceed the usual number."""
        self._cell_characters -= characters
        return max(0, min(characters, -self._cell_characters))

    def pass_anchor(self, anchor: str) -> None:
        """Start counting lines if ``anchor`` is the one to start from."""
        if anchor == self._start:
            self._start = ""

    def count_lines(self, characters: int, lines: int = 0) -> None:
        """Count running text by its characters, and lines that begin."""
        if not self._start:
            self.lines -= characters / _LINE_CHARACTERS + lines

    def code_lines(self, lines: int) -> int:
        """Return how many lines of a code block may be shown."""
        return lines if self._start or self.lines >= lines else max(0, ceil(self.lines)) + 1
