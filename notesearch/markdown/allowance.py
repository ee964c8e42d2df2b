"""What showing one section may still cost, with all that is embedded in it."""

MAX_COST = 12_000
"""What the window may spend on laying a section out, in tags; some take longer than others."""


class Allowance:
    """Spent by the section and by its embeds alike, before they are rendered.

    Attributes:
        characters: Of Markdown that may still be read.
        cost: Of HTML that may still be laid out.
        tables: In how many tables the next piece stands.
        whole: Nothing was left out for want of characters.
    """

    def __init__(self, characters: int) -> None:
        self.characters = characters
        self.cost = MAX_COST
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
