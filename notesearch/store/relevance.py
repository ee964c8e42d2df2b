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
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import mul
from struct import Struct
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import apsw

Row = tuple[int, bytes]
"""A section, and what ``of_row`` returns of it."""

NAME = "places"
SCORE = "relevance"
SIZES = "sizes"

_K1, _B = 1.2, 0.75
"""FTS5's own, which cannot be chosen there."""

_MOST = _K1 + 1.0

LEAST = 1e-6
"""What a phrase tells that stands in more than half of the sections."""

_SHORT_PREFIX = re.compile(r'"[^" ]{1,2}"\*')
_LETTERS = re.compile(r'(?<!\+ )"([0-9A-Za-z\u00c0-\u052f]{1,2})"\*')
"""Latin, Greek, Cyrillic; two characters of Chinese are a word."""

_ANY_OF_PHRASES = re.compile(r'\(?"[^"]*"\*?(?:(?: \+ | OR )"[^"]*"\*?)*\)?')
_ALTERNATIVES = re.compile(r'((?:\{[^}]*\} : )?)\(("[^"]*"\*?(?: OR "[^"]*"\*?)*)\)')
_PHRASE = re.compile(r'"(?:[^"]|"")*"\*?(?: \+ "(?:[^"]|"")*"\*?)*')
_WORD = re.compile(r'"([^"\W]+)"')


def phrases(match: str) -> list[str]:
    """Return the phrases of ``match``, in its order."""
    return _PHRASE.findall(match)


def with_phrases(match: str, others: Mapping[str, str]) -> str:
    """Return ``match`` with ``others`` in place of its phrases."""
    return _PHRASE.sub(lambda found: others[found[0]], match)


def single_word(phrase: str) -> str:
    """Return what ``phrase`` quotes where that is a word without any signs, else nothing."""
    found = _WORD.fullmatch(phrase)
    return found[1] if found else ""


def is_costly(match: str) -> bool:
    """Return whether ``match`` asks for any of some phrases, one of them with a short prefix."""
    return has_short_prefix(match) and _ANY_OF_PHRASES.fullmatch(match) is not None


def has_short_prefix(match: str) -> bool:
    """Return whether ``match`` asks for all that begins with a letter or two."""
    return _SHORT_PREFIX.search(match) is not None


def letters_begun(match: str) -> list[str]:
    """Return the letters, one or two, with which all may begin that ``match`` asks for."""
    return _LETTERS.findall(match)


def whole_words(match: str) -> str:
    """Return ``match``, any of some words, without what begins with a letter or two.

    Empty where nothing is left, or where it asks for anything else.
    """
    found = _ALTERNATIVES.fullmatch(match)
    words = found[2].split(" OR ") if found else []
    kept = " OR ".join(word for word in words if not _LETTERS.fullmatch(word))
    return f"{found[1]}({kept})" if found and kept else ""


def of_row(api: "apsw.FTS5ExtensionApi", *_: object) -> bytes:
    """Return what is known of the row that FTS5 looks at, as doubles in one blob.

    How many sections there are, how long they are on average, how long this one is, and how often
    each phrase stands in each of its columns.
    """
    found = array("d", (api.row_count, api.column_total_size() / api.row_count, api.column_size()))
    for phrase in range(api.phrase_count):
        found.extend(map(len, api.phrase_locations(phrase)))
    return found.tobytes()


def sizes(api: "apsw.FTS5ExtensionApi", *_: object) -> bytes:
    """Return how many rows there are and how long they are on average, as ``of_words`` does."""
    return array("d", (api.row_count, api.column_total_size() / api.row_count)).tobytes()


def doubles(blob: bytes) -> Sequence[float]:
    """Return what a blob of these functions holds."""
    return array("d", blob)


def asked(average: float, weights: Sequence[float], words: Sequence[Sequence[float]]) -> bytes:
    """Return what ``of_words`` has to be told.

    Args:
        average: How long rows are.
        weights: Of the columns.
        words: Of each word, how rare the phrases are any of which stands for it.
    """
    lengths = [float(len(word)) for word in words]
    return array("d", (average, len(words), *lengths, *chain(*words), *weights)).tobytes()


_Asked = tuple[float, Sequence[float], Sequence[Sequence[tuple[int, float]]], Callable[..., bytes]]
"""The average length, the weights, each word as its phrases with their rarity, and how what they
score is packed."""


@lru_cache(8)
def _asked(blob: bytes) -> _Asked:
    """Return what ``of_words`` goes by."""
    average, count, *rest = array("d", blob)
    words, at = [], int(count)
    for length in map(int, rest[: int(count)]):
        first = at - int(count)
        words.append(list(enumerate(rest[at : at + length], first)))
        at += length
    return average, rest[at:], words, Struct(f"{len(words)}d").pack


def of_words(api: "apsw.FTS5ExtensionApi", *blob: object) -> bytes:
    """Return the BM25 of the row that FTS5 looks at by each of some words, as doubles in one blob.

    Their phrases are the first ones of what is looked for. ``blob`` is what ``asked`` returned.
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
    """Return the BM25 of ``found``, which are all sections that hold any of some phrases.

    Args:
        found: The sections.
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
    """Return how often each phrase stands in a section, by the weights of the columns."""
    columns = len(weights)
    starts = range(3, len(row), columns)
    return [sum(map(mul, row[at : at + columns], weights)) for at in starts]


def rarity(sections: float, holding: int) -> float:
    """Return the inverse document frequency of a phrase that so many sections hold."""
    return max(math.log((sections - holding + 0.5) / (holding + 0.5)), 0.0) or LEAST


def _score(often: Sequence[float], row: "array[float]", rarity: Sequence[float]) -> float:
    average, long = row[1:3]
    least = _K1 * (1 - _B + _B * long / average)
    score = 0.0
    for count, rare in zip(often, rarity, strict=True):
        score += rare * ((count * _MOST) / (count + least))
    return score
