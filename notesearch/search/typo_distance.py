"""Finds the words of the index that a misspelt word may stand for.

A slip is a typing error: a letter added, missing or wrong, or two neighbouring letters swapped.
"""

import math
import string
from collections.abc import Collection, Iterator, Mapping

from notesearch.store.lexicon import Vocabulary

_SHORTEST = 4
_TWO_SLIPS_FROM = 8
_MOST_CANDIDATES = 12

_OFTEN = 0.12
"""Discount for a word in ten times as many sections."""

_KEY_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_PLACES = {
    key: (row, column + row * 0.5)
    for row, keys in enumerate(_KEY_ROWS)
    for column, key in enumerate(keys)
}


def _are_neighbours(first: str, other: str) -> bool:
    if first not in _PLACES or other not in _PLACES:
        return False
    (row, column), (other_row, other_column) = _PLACES[first], _PLACES[other]
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1


_NEIGHBOURING_KEYS = {
    key: "".join(other for other in _PLACES if other != key and _are_neighbours(key, other))
    for key in _PLACES
}


def allowed_slips(word: str) -> int:
    """Return how many typing errors may be corrected in ``word``; 0 for none."""
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return 2 if len(word) >= _TWO_SLIPS_FROM else 1


def nearest_stems(word: str, stem: str, slips: int, vocabulary: Vocabulary) -> Mapping[str, int]:
    """Return stems that ``word`` may be a misspelling of, nearest first, with their frequency.

    The frequency is the number of sections with that stem. ``stem`` is the stem of ``word``. The
    returned stems differ from it by 1 to ``slips`` typing errors, and begin with the first or the
    second letter of ``word``. If there are none, the first letter may be mistyped: they then begin
    with a letter whose key is next to the first key of ``word``. In a large vocabulary, or if
    ``stem`` is short, this is then the only error. At last, only the first letter is missing.
    """
    costs = _candidates(stem, slips, word[:2], vocabulary)
    if not costs:
        neighbours = _NEIGHBOURING_KEYS.get(word[0], "")
        if allowed_slips(stem) == 1 or vocabulary.is_large:
            others = vocabulary.existing(with_other_start(stem, neighbours))
            costs = {term: cost(stem, term, vocabulary.sections[term]) for term in others}
        else:
            costs = _candidates(stem, allowed_slips(stem), neighbours, vocabulary)
    if not costs and len(word) > _SHORTEST:
        whole = vocabulary.existing(letter + stem for letter in string.ascii_lowercase)
        costs = {term: cost(stem, term, vocabulary.sections[term]) for term in whole}
    best = sorted(costs, key=costs.__getitem__)[:_MOST_CANDIDATES]
    return {term: vocabulary.sections[term] for term in best}


def _candidates(stem: str, slips: int, letters: str, vocabulary: Vocabulary) -> dict[str, float]:
    """Return the ``cost`` of other stems near ``stem`` that begin with one of ``letters``."""
    choices = vocabulary.near(letters, range(len(stem) - slips, len(stem) + slips + 1))
    near = closest(stem, choices, slips, 8 * _MOST_CANDIDATES)
    return {term: cost(stem, term, vocabulary.sections[term]) for term in near if term != stem}


def with_other_start(stem: str, letters: str) -> Iterator[str]:
    """Yield every string one error away from ``stem`` that begins with one of ``letters``.

    ``stem`` begins with another letter, so the error is at its start and the rest is known.
    """
    first, rest = stem[0], stem[1:]
    for letter in letters.replace(first, ""):
        if rest[0] == letter:
            yield rest
            yield rest[0] + first + rest[1:]
        yield letter + rest
        yield letter + stem


def one_slip_from(word: str) -> Iterator[str]:
    """Yield every string one typing error away from ``word`` that has the same first letter."""
    for at in range(1, len(word) + 1):
        before, letter, after = word[:at], word[at : at + 1], word[at + 1 :]
        if letter:
            yield before + after
        if after:
            yield before + after[0] + letter + after[1:]
        for other in string.ascii_lowercase:
            yield before + other + letter + after
            if letter and other != letter:
                yield before + other + after


def is_mistyped(typed: str, intended: str) -> bool:
    """Return whether ``typed``, a word that no note has, is a likely misspelling of ``intended``.

    In a word of four letters, only a missing letter or two swapped letters are likely errors;
    otherwise it is usually a different word. An extra first letter is likely only if its key is
    beside the key of the next letter: "wget" is not "get".
    """
    if slips_between(typed, intended) > allowed_slips(typed):
        return False
    if len(typed) == _SHORTEST:
        return len(intended) > _SHORTEST or sorted(typed) == sorted(intended)
    if typed[1:] == intended:
        return typed[0] == typed[1] or _are_neighbours(typed[0], typed[1])
    return True


def is_doubled(typed: str, intended: str) -> bool:
    """Return whether ``typed`` has two equal letters where ``intended`` has one, or the reverse."""
    shorter, longer = sorted((typed, intended), key=len)
    return len(longer) == len(shorter) + 1 and any(
        longer[at] == longer[at - 1] and longer[:at] + longer[at + 1 :] == shorter
        for at in range(1, len(longer))
    )


def slips_between(one: str, other: str) -> int:
    """Return how many letters are added, missing, wrong or swapped between the two words."""
    from rapidfuzz import distance  # most searches do not need it

    return distance.OSA.distance(one, other)


def closest(word: str, others: Collection[str], slips: int, limit: int) -> list[str]:
    """Return the ``others`` that differ from ``word`` by at most ``slips`` errors, nearest first.

    Damerau (1964) names the errors: a letter added, missing or wrong, or two swapped.
    """
    from rapidfuzz import distance, process

    scorer = distance.OSA.distance
    near = process.extract(word, others, scorer=scorer, score_cutoff=slips, limit=limit)
    return [name for name, _, _ in near]


def cost(typed: str, intended: str, sections: int) -> float:
    """Return the cost of taking ``typed`` for ``intended``, a word in ``sections`` sections.

    It is the number of typing errors, less for a frequent word. If the error is a doubled letter,
    or a letter that should be doubled, the word counts as if a hundred times as many sections had
    it. The word with the least cost is the likeliest.
    """
    likely = math.log10(max(1, sections)) + 2 * is_doubled(typed, intended)
    return slips_between(typed, intended) - _OFTEN * likely
