"""What a row of the ranking table is: a query, and which sections it brings in which order."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A query to the notes of the table.

    A section is named ``path#heading``; ``path`` alone is the best section of that note.

    Attributes:
        query: As typed.
        order: The first stands at the very top, each of the others somewhere below the one before.
        absent: What is not among the results.
        below: What stands below the first, or is not there at all.
        modes: Ways to search in which it must be so.
        mending: Why it is not so yet; the test then expects it to fail.
        mending_in: The modes in which it is not so yet.
    """

    query: str
    order: tuple[str, ...]
    absent: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    modes: tuple[str, ...] = ("words", "hybrid")
    mending: str = ""
    mending_in: tuple[str, ...] = ("words", "hybrid")


@dataclass(frozen=True, slots=True)
class Theme:
    """Notes and what is asked about them; all themes lie in one vault."""

    name: str
    notes: Mapping[str, str]
    rows: tuple[Row, ...]


MEANING = ("hybrid",)
"""Modes of a row that words alone cannot answer."""

_SENTENCES = (
    "The afternoon was quiet and little was decided.",
    "We sat by the window and talked about the neighbours.",
    "Somebody had left a light on in the hall.",
    "It rained a little, then it stopped.",
    "There was a letter from the council about the pavement.",
    "In the end everybody went home early.",
)


def rambling(sentences: int) -> str:
    """Return text that says nothing in particular."""
    return " ".join(_SENTENCES[i % len(_SENTENCES)] for i in range(sentences))
