"""Computes the BM25 of FTS5 in Python, for expressions that take FTS5 too long.

For a prefix of one or two letters FTS5 collects all words that begin with it, and does so again to
count the sections, to find them, and to count those with each phrase. Here each section is read
once, with the number of times each phrase is in it; all the rest follows from that.

Sources: the formula in sqlite.org/fts5.html#the_bm25_function, after Robertson and Zaragoza, "The
Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

import math
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import mul
from struct import Struct
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import apsw

Row = tuple[int, bytes]
"""A section id, and what ``of_row`` returned for it."""

NAME = "places"
SCORE = "relevance"
SIZES = "sizes"

_K1, _B = 1.2, 0.75
"""The constants of FTS5, which cannot be changed there."""

_MOST = _K1 + 1.0

LEAST = 1e-6
"""The rarity of a phrase that more than half of the sections have."""

_SHORT_PREFIX = re.compile(r'"[^" ]{1,2}"\*')
_LETTERS = re.compile(r'(?<!\+ )"([0-9A-Za-z\u00c0-\u052f]{1,2})"\*')
"""Prefixes in Latin, Greek and Cyrillic. Two Chinese characters are a word, not a prefix."""

_ANY_OF_PHRASES = re.compile(r'\(?"[^"]*"\*?(?:(?: \+ | OR )"[^"]*"\*?)*\)?')
_ALTERNATIVES = re.compile(r'((?:\{[^}]*\} : )?)\(("[^"]*"\*?(?: OR "[^"]*"\*?)*)\)')
_PHRASE = re.compile(r'"(?:[^"]|"")*"\*?(?: \+ "(?:[^"]|"")*"\*?)*')
_WORD = re.compile(r'"([^"\W]+)"')


def phrases(match: str) -> list[str]:
    """Return the phrases of an FTS5 expression, in order."""
    return _PHRASE.findall(match)


def with_phrases(match: str, others: Mapping[str, str]) -> str:
    """Return ``match`` with each phrase replaced as ``others`` says."""
    return _PHRASE.sub(lambda found: others[found[0]], match)


def single_word(phrase: str) -> str:
    """Return the word in ``phrase`` if it is a single word without signs, else an empty string."""
    found = _WORD.fullmatch(phrase)
    return found[1] if found else ""


def is_costly(match: str) -> bool:
    """Return whether ``match`` is an alternative of phrases with a short prefix among them."""
    return has_short_prefix(match) and _ANY_OF_PHRASES.fullmatch(match) is not None


def has_short_prefix(match: str) -> bool:
    """Return whether ``match`` has a prefix of one or two letters."""
    return _SHORT_PREFIX.search(match) is not None


def letters_begun(match: str) -> list[str]:
    """Return the prefixes of one or two letters in ``match``."""
    return _LETTERS.findall(match)


def whole_words(match: str) -> str:
    """Return ``match``, an alternative of words, without its short prefixes.

    Empty if nothing is left, or if ``match`` is anything else.
    """
    found = _ALTERNATIVES.fullmatch(match)
    words = found[2].split(" OR ") if found else []
    kept = " OR ".join(word for word in words if not _LETTERS.fullmatch(word))
    return f"{found[1]}({kept})" if found and kept else ""


def of_row(api: "apsw.FTS5ExtensionApi", *_: object) -> bytes:
    """Return numbers about the current row of FTS5, as doubles in one blob.

    The number of rows, their average length, the length of this row, and the number of times that
    each phrase is in each of its columns. Lengths are in words.
    """
    found = array("d", (api.row_count, api.column_total_size() / api.row_count, api.column_size()))
    for phrase in range(api.phrase_count):
        found.extend(map(len, api.phrase_locations(phrase)))
    return found.tobytes()


def sizes(api: "apsw.FTS5ExtensionApi", *_: object) -> bytes:
    """Return the number of rows and their average length in words, as doubles in one blob."""
    return array("d", (api.row_count, api.column_total_size() / api.row_count)).tobytes()


def doubles(blob: bytes) -> Sequence[float]:
    """Return the numbers in a blob of one of these functions."""
    return array("d", blob)


def asked(average: float, weights: Sequence[float], words: Sequence[Sequence[float]]) -> bytes:
    """Return the argument of ``of_words``: doubles in one blob.

    Args:
        average: The average length of rows in words.
        weights: Of the columns.
        words: For each word, the rarities of the phrases that may stand for it.
    """
    lengths = [float(len(word)) for word in words]
    return array("d", (average, len(words), *lengths, *chain(*words), *weights)).tobytes()


_Asked = tuple[float, Sequence[float], Sequence[Sequence[tuple[int, float]]], Callable[..., bytes]]
"""The average length, the weights, the phrases of each word with their rarities, and a function
that packs the scores."""


@lru_cache(8)
def _asked(blob: bytes) -> _Asked:
    """Return the contents of ``asked``'s blob."""
    average, count, *rest = array("d", blob)
    words, at = [], int(count)
    for length in map(int, rest[: int(count)]):
        first = at - int(count)
        words.append(list(enumerate(rest[at : at + length], first)))
        at += length
    return average, rest[at:], words, Struct(f"{len(words)}d").pack


def of_words(api: "apsw.FTS5ExtensionApi", *blob: object) -> bytes:
    """Return the BM25 of the current row of FTS5 for each of some words, as doubles in one blob.

    The expression begins with the phrases of these words. ``blob`` is what ``asked`` returned.
    """
    average, weights, words, packed = _asked(cast("bytes", blob[0]))
    columns, offsets = api.phrase_columns, api.phrase_column_offsets
    least = _K1 * (1 - _B + _B * api.column_size() / average)
    found = []
    for word in words:
        score = 0.0
        for phrase, rare in word:
            if there := columns(phrase):
                often = 0.0
                for column in there:
                    often += weights[column] * len(offsets(phrase, column))
                score += rare * ((often * _MOST) / (often + least))
        found.append(score)
    return packed(*found)


def scores(found: Sequence[Row], weights: Sequence[float]) -> list[tuple[int, float]]:
    """Return the BM25 of sections, by section id.

    Args:
        found: All sections that have any of some phrases.
        weights: Of the columns.
    """
    rows = [array("d", blob) for _, blob in found]
    often = [_by_phrase(row, weights) for row in rows]
    holding = [sum(map(bool, counts)) for counts in zip(*often, strict=True)]
    rare = [rarity(rows[0][0], sections) for sections in holding]
    return [
        (section, _score(counts, row, rare))
        for (section, _), row, counts in zip(found, rows, often, strict=True)
    ]


def _by_phrase(row: "array[float]", weights: Sequence[float]) -> list[float]:
    """Return the number of times each phrase is in a section, weighted by column."""
    columns = len(weights)
    starts = range(3, len(row), columns)
    return [sum(map(mul, row[at : at + columns], weights)) for at in starts]


def rarity(sections: float, holding: int) -> float:
    """Return the inverse document frequency of a phrase that ``holding`` sections have."""
    return max(math.log((sections - holding + 0.5) / (holding + 0.5)), 0.0) or LEAST


def _score(often: Sequence[float], row: "array[float]", rarity: Sequence[float]) -> float:
    average, long = row[1:3]
    least = _K1 * (1 - _B + _B * long / average)
    score = 0.0
    for count, rare in zip(often, rarity, strict=True):
        score += rare * ((count * _MOST) / (count + least))
    return score
