"""Finds what a misspelt word was meant to be, among the words of the index."""

import math
from collections.abc import Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from notesearch.store.vocabulary import Vocabulary

_SHORTEST = 4
_TWO_SLIPS_FROM = 8
_LOOKED_AT = 12

_SWAPPED = 0.6
"""What two letters in the wrong order cost, beside 1 for any other slip."""

_NEXT_KEY = 0.7
_DOUBLED = 0.6
_FIRST_LETTER = 0.6
"""What it costs more when the slip is in the first letter: people know how a word begins."""

_OFTEN = 0.12
"""What being in ten times as many sections is worth."""

_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_PLACES = {
    key: (row, column + row * 0.5)
    for row, keys in enumerate(_KEYS)
    for column, key in enumerate(keys)
}


def slips_in(word: str) -> int:
    """Return how many slips a word may have and still be recognised; 0: it is left alone."""
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return 2 if len(word) >= _TWO_SLIPS_FROM else 1


def near(stem: str, slips: int, vocabulary: Vocabulary) -> Sequence[str]:
    """Return the stems of the index that are most like ``stem``, best first."""
    choices = list(vocabulary.near(stem, slips))
    found = process.extract(
        stem, choices, scorer=OSA.distance, score_cutoff=slips, limit=8 * _LOOKED_AT
    )
    terms = dict.fromkeys(term for term, _, _ in found if term != stem)
    return sorted(terms, key=lambda term: cost(stem, term, vocabulary.sections[term]))[:_LOOKED_AT]


def cost(typed: str, meant: str, sections: int) -> float:
    """Return how little ``meant``, which stands in so many sections, is like what was typed."""
    slips = _slips(typed, meant)
    slips += _FIRST_LETTER * (typed[0] != meant[0])
    return slips - _OFTEN * math.log10(max(1, sections))


def _slips(typed: str, meant: str) -> float:
    """Weigh the one place where two words differ, or count where they differ in several."""
    distance = OSA.distance(typed, meant)
    if distance != 1:
        return float(distance)
    start = next((i for i, (a, b) in enumerate(zip(typed, meant, strict=False)) if a != b), None)
    if start is None:
        start = min(len(typed), len(meant))
    if len(typed) == len(meant):
        if typed[start : start + 2] == meant[start : start + 2][::-1]:
            return _SWAPPED
        return _NEXT_KEY if _are_next(typed[start], meant[start]) else 1.0
    longer = max(typed, meant, key=len)
    return _DOUBLED if start and longer[start] == longer[start - 1] else 1.0


def _are_next(one: str, other: str) -> bool:
    if one not in _PLACES or other not in _PLACES:
        return False
    (row, column), (other_row, other_column) = _PLACES[one], _PLACES[other]
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1
