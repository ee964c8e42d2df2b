"""BM25 as FTS5 reckons it, for what is so costly to look for that it is read only once.

FTS5 gathers all that begins with a letter or two anew whenever it is asked for it: to count the
sections, to find them, and for each phrase to tell in how many of them it stands. Here sections are
read with how often each phrase stands in them; where these are all, the rest follows.

Sources: the formula of sqlite.org/fts5.html#the_bm25_function, after Robertson and Zaragoza, "The
Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

import math
import re
from array import array
from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

Row = tuple[int, bytes]
"""A section, and what ``of_row`` returns of it."""

NAME = "places"

_K1, _B = 1.2, 0.75
"""FTS5's own, which cannot be chosen there."""

_LEAST = 1e-6
"""What a phrase tells that stands in more than half of the sections."""

_SHORT_PREFIX = re.compile(r'"[^" ]{1,2}"\*')
_ANY_OF_PHRASES = re.compile(r'\(?"[^"]*"\*?(?:(?: \+ | OR )"[^"]*"\*?)*\)?')


def is_costly(match: str) -> bool:
    """Return whether ``match`` asks for any of some phrases, one of them with a short prefix."""
    return bool(_SHORT_PREFIX.search(match) and _ANY_OF_PHRASES.fullmatch(match))


def of_row(api: "apsw.FTS5ExtensionApi", *_: object) -> bytes:
    """Return what is known of the row that FTS5 looks at, as doubles in one blob.

    How many sections there are, how long they are on average, how long this one is, and how often
    each phrase stands in each of its columns.
    """
    found = array("d", (api.row_count, api.column_total_size() / api.row_count, api.column_size()))
    for phrase in range(api.phrase_count):
        found.extend(map(len, api.phrase_locations(phrase)))
    return found.tobytes()


def scores(found: Sequence[Row], weights: Sequence[float]) -> list[tuple[int, float]]:
    """Return the BM25 of ``found``, which are all sections that hold any of some phrases.

    Args:
        found: The sections.
        weights: Of the columns.
    """
    rows = [array("d", blob) for _, blob in found]
    often = [_by_phrase(row, weights) for row in rows]
    holding = [sum(map(bool, counts)) for counts in zip(*often, strict=True)]
    rarity = [_rarity(rows[0][0], sections) for sections in holding]
    return [
        (section, _score(counts, row, rarity))
        for (section, _), row, counts in zip(found, rows, often, strict=True)
    ]


def _by_phrase(row: "array[float]", weights: Sequence[float]) -> list[float]:
    """Return how often each phrase stands in a section, by the weights of the columns."""
    columns = len(weights)
    starts = range(3, len(row), columns)
    return [sum(map(mul, row[at : at + columns], weights)) for at in starts]


def _rarity(sections: float, holding: int) -> float:
    """Return the inverse document frequency of a phrase that so many sections hold."""
    return max(math.log((sections - holding + 0.5) / (holding + 0.5)), 0.0) or _LEAST


def _score(often: Sequence[float], row: "array[float]", rarity: Sequence[float]) -> float:
    average, long = row[1:3]
    least = _K1 * (1 - _B + _B * long / average)
    score = 0.0
    for count, rare in zip(often, rarity, strict=True):
        score += rare * ((count * (_K1 + 1.0)) / (count + least))
    return score
