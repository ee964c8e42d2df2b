"""How much structure one note may have; words find what is over a bound all the same.

No note that somebody wrote comes near a bound. A note that reaches one, made by a program or to do
harm, costs at most 300 MB and 20 s, and is listed with the bound. ``make attack`` measures that.
"""

CHARACTERS = 8_000_000
"""Of a note that are read as Markdown; as many again count as text, and the rest is not read."""

LINES = 250_000
"""Of a note that are read as Markdown: three times those of the Bible."""

BLOCKS = 200_000
"""Beginnings and ends of paragraphs, list items, cells and the like, and definitions of links."""

CELLS = 1_000
"""Of a row; a line with more is no table."""

SECTIONS = 5_000
"""Of a note: a heading for each day of thirteen years."""

MARKS = 20_000
"""Links, tags and languages of code in all sections of a note."""

NAMES = 1_000
"""Different tags of a note, and aliases."""

PASSAGES = 5_000
"""Of a note that are embedded: some 750,000 words."""
