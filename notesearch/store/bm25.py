"""SQL functions that compute the BM25 of a section for each word of a query by itself.

FTS5's own ``bm25`` returns only one score for all words together. Each score here equals that of
``bm25`` for the word alone. FTS5 calls these functions for each row that it finds.

Sources: the formula in sqlite.org/fts5.html#the_bm25_function, after Robertson and Zaragoza, "The
Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

import math
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from struct import Struct
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import apsw

BY_WORD = "bm25_by_word"
SIZES = "sizes"
"""The names under which SQL calls ``by_word`` and ``sizes``."""

_K1, _B = 1.2, 0.75
"""The constants k1 and b of BM25 as FTS5 has them; they cannot be changed there."""

_MOST = _K1 + 1.0

LEAST = 1e-6
"""The rarity of a phrase in more than half of the sections: BM25's formula gives less than 0."""


def sizes(api: "apsw.FTS5ExtensionApi", *_: object) -> bytes:
    """Return the number of rows and their average length in words, as doubles in one blob."""
    return array("d", (api.row_count, api.column_total_size() / api.row_count)).tobytes()


def doubles(blob: bytes) -> Sequence[float]:
    """Return the numbers in ``blob``, which a function of this module returned."""
    return array("d", blob)


def most(sections: float, holding: float) -> float:
    """Return a bound that the BM25 of a phrase in ``holding`` of all ``sections`` never reaches."""
    return _MOST * rarity(sections, holding)


def rarity(sections: float, holding: float) -> float:
    """Return the inverse document frequency of a phrase in ``holding`` of all ``sections``."""
    return max(math.log((sections - holding + 0.5) / (holding + 0.5)), 0.0) or LEAST


def parameters(average: float, weights: Sequence[float], words: Sequence[Sequence[float]]) -> bytes:
    """Return the argument of ``by_word``: doubles in one blob.

    Args:
        average: The average length of rows in words.
        weights: The weight of each column.
        words: For each word, the rarities of the phrases that may stand for it.
    """
    lengths = [float(len(word)) for word in words]
    return array("d", (average, len(words), *lengths, *chain(*words), *weights)).tobytes()


_Parameters = tuple[
    float, Sequence[float], Sequence[Sequence[tuple[int, float]]], Callable[..., bytes]
]
"""The average length of rows, the weights of the columns, number and rarity of each phrase of
each word, and a function that packs the scores."""


@lru_cache(8)
def _unpacked(blob: bytes) -> _Parameters:
    """Return the values that ``parameters`` put into the blob."""
    average, count, *rest = array("d", blob)
    words, at = [], int(count)
    for length in map(int, rest[: int(count)]):
        first = at - int(count)
        words.append(list(enumerate(rest[at : at + length], first)))
        at += length
    return average, rest[at:], words, Struct(f"{len(words)}d").pack


def by_word(api: "apsw.FTS5ExtensionApi", *blob: object) -> bytes:
    """Return the BM25 of FTS5's current row for each of several words, as doubles in one blob.

    Args:
        api: Gives access to the row.
        blob: What ``parameters`` returned for the words. Their phrases must begin the query.
    """
    average, weights, words, packed = _unpacked(cast("bytes", blob[0]))
    columns, offsets = api.phrase_columns, api.phrase_column_offsets
    least = _K1 * (1 - _B + _B * api.column_size() / average)
    scores = []
    for word in words:
        score = 0.0
        for phrase, rare in word:
            if phrase_columns := columns(phrase):
                often = 0.0
                for column in phrase_columns:
                    often += weights[column] * len(offsets(phrase, column))
                score += rare * ((often * _MOST) / (often + least))
        scores.append(score)
    return packed(*scores)
