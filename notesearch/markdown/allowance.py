"""What showing one section may still cost, with all that is embedded in it."""

from math import ceil, inf

MAX_COST = 13_000
"""What the window may spend on laying a section out, in tags; some take longer than others."""
MAX_PICTURES = 200
_FEW = {"box": 160, "cell": 900, "heading": 800}
"""Formulas that could not be drawn, cells of tables, headings: a note with more of them is there to
hold the window, and each of those is dear."""
_DEAR = 5
_CELL_LETTERS = 24_000
"""Letters in cells; where there are more, each is dear: columns are tried in several widths."""
_LINE = 100
"""Letters; a real line holds fewer, so that more is laid out than the window shows."""


class Allowance:
    """Spent by the section and by its embeds alike, before they are rendered.

    Attributes:
        characters: Of Markdown that may still be read.
        cost: Of HTML that may still be laid out.
        lines: Of text, as high as letters, that are still looked at.
        pictures: That may still be shown as such.
        tables: In how many tables the next piece stands.
        whole: Nothing was left out for want of characters or lines.

    Args:
        lines: Counted from the anchor ``start`` on; from the beginning where there is none.
    """

    def __init__(self, characters: int, lines: float = inf, start: str = "") -> None:
        self.characters = characters
        self.lines = lines
        self._start = start
        self._few = dict(_FEW)
        self._cell_letters = _CELL_LETTERS
        self.cost = MAX_COST
        self.pictures = MAX_PICTURES
        self.tables = 0
        self.whole = True

    def read(self, text: str, most: int) -> str:
        """Return of ``text`` what may be read: ``most`` characters, or fewer."""
        shown = text[: min(most, max(0, self.characters))]
        self.whole = self.whole and len(shown) == min(most, len(text))
        self.characters -= len(shown)
        return shown

    def spend(self, cost: int) -> bool:
        """Take ``cost``; return whether there was enough."""
        self.cost -= cost
        return self.cost >= 0

    def one(self, kind: str, cost: int) -> int:
        """Take one of a kind; return its cost, which is ``cost`` while there are few."""
        self._few[kind] -= 1
        return cost if self._few[kind] >= 0 else _DEAR * cost

    def beyond_cells(self, letters: int) -> int:
        """Take letters that stand in cells; return how many are more than tables usually have."""
        self._cell_letters -= letters
        return max(0, min(letters, -self._cell_letters))

    def pass_by(self, anchor: str) -> None:
        """Count lines from here on if ``anchor`` is where they begin."""
        if anchor == self._start:
            self._start = ""

    def look(self, letters: int, lines: int = 0) -> None:
        """Take so many letters, and lines that begin."""
        if not self._start:
            self.lines -= letters / _LINE + lines

    def looked_at(self, lines: int) -> int:
        """Return how many of so many lines of code are looked at."""
        return lines if self._start or self.lines >= lines else max(0, ceil(self.lines)) + 1
