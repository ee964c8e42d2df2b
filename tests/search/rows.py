"""Rows of the ranking table: a query, and the sections that it finds in order."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A query to the notes of the table.

    A section is named ``path#heading``. ``path`` alone means the best section of that note.

    Attributes:
        query: The query.
        order: Sections in the order of the results: the first is at the very top, each of the
            others somewhere below the one before.
        absent: Sections that are not among the results.
        below: Sections that are below the first, or absent.
        modes: The modes in which this must hold.
        mending: Why it does not hold yet; the test then expects a failure.
        mending_in: The modes in which it does not hold yet.
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
    """Notes and queries about one topic; all topics are in one vault."""

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
    """Return filler text."""
    return " ".join(_SENTENCES[i % len(_SENTENCES)] for i in range(sentences))
