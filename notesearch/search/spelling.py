"""Finds what a misspelt word was meant to be, among the words of the index."""

import math
import string
from collections.abc import Collection, Iterator, Mapping

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


def _are_next(one: str, other: str) -> bool:
    if one not in _PLACES or other not in _PLACES:
        return False
    (row, column), (other_row, other_column) = _PLACES[one], _PLACES[other]
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1


_KEYS_NEXT_TO = {
    key: "".join(other for other in _PLACES if other != key and _are_next(key, other))
    for key in _PLACES
}

_LETTERS = string.ascii_lowercase

_SHORTEST_STEM = 4
_ENDINGS = (
    "er", "ers", "or", "ors", "ant", "ent", "ance", "ence", "able", "ible", "al", "ic", "ate",
    "ive", "ize", "ment", "ness", "ous", "ion", "ism", "ist", "ing", "ed", "ly", "ity", "s", "e",
)  # fmt: skip
"""What the English stemmer cuts off, after a stem that is long enough."""


def slips_in(word: str) -> int:
    """Return how many slips a word may have and still be recognised; 0: it is left alone."""
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return 2 if len(word) >= _TWO_SLIPS_FROM else 1


def near(word: str, stem: str, slips: int, vocabulary: Vocabulary) -> Mapping[str, int]:
    """Return stems of the index that ``word`` may be meant to have, best first.

    They begin with its first or second letter or, where no such word is like it, with one whose
    key is next to the first; of a large vocabulary such a slip is then the only one.

    Returns:
        The stems, and in how many sections each stands.
    """
    guesses = _stems(word, stem, slips)
    found = _found(guesses, stem, word[:2], vocabulary)
    if not found:
        next_to = _KEYS_NEXT_TO.get(word[0], "")
        if slips_in(stem) == 1 or vocabulary.is_large:
            others = vocabulary.standing(begun_otherwise(stem, next_to))
            found = {term: cost(stem, term, vocabulary.sections[term]) for term in others}
        else:
            found = _found({stem: slips_in(stem)}, stem, next_to, vocabulary)
    best = sorted(found, key=found.__getitem__)[:_LOOKED_AT]
    return {term: vocabulary.sections[term] for term in best}


def _found(
    guesses: Mapping[str, int], stem: str, letters: str, vocabulary: Vocabulary
) -> dict[str, float]:
    """Return words that begin with one of ``letters``, and how little each is like a guess."""
    most = max(guesses.values(), default=0)
    found: dict[str, float] = {}
    for guess, left in guesses.items():
        choices = vocabulary.near(letters, range(len(guess) - left, len(guess) + left + 1))
        for term in alike(guess, choices, left, 8 * _LOOKED_AT):
            price = cost(guess, term, vocabulary.sections[term]) + most - left
            if term != stem:
                found[term] = min(price, found.get(term, price))
    return found


def begun_otherwise(stem: str, letters: str) -> Iterator[str]:
    """Yield all that begins with one of ``letters`` and is one slip from ``stem``, which does not.

    The slip is at the beginning, so that the rest is known: no words need to be compared.
    """
    first, rest = stem[0], stem[1:]
    for letter in letters.replace(first, ""):
        if rest[0] == letter:
            yield rest
            yield rest[0] + first + rest[1:]
        yield letter + rest
        yield letter + stem


def _stems(word: str, stem: str, slips: int) -> dict[str, int]:
    """Return what the stem may be that was meant, each with how many slips may be left in it.

    A slip in the middle can keep an ending from being cut off: "kingfsher" is its own stem.
    """
    found = {stem: slips, word: slips}
    for ending in _ENDINGS:
        if word.endswith(ending):
            found.setdefault(word[: -len(ending)], slips)
        if word.endswith(ending + ending[-1]):
            found.setdefault(word[: -len(ending) - 1], slips - 1)
    allowed = {guess: min(left, slips_in(guess)) for guess, left in found.items()}
    return {guess: left for guess, left in allowed.items() if len(guess) >= _SHORTEST_STEM}


def one_slip_from(word: str) -> Iterator[str]:
    """Yield what ``word`` may have been before one slip, words or not.

    The first letter stays: people know how a word begins.
    """
    for at in range(1, len(word) + 1):
        before, letter, after = word[:at], word[at : at + 1], word[at + 1 :]
        if letter:
            yield before + after
        if after:
            yield before + after[0] + letter + after[1:]
        for other in _LETTERS:
            yield before + other + letter + after
            if letter and other != letter:
                yield before + other + after


def slips_between(one: str, other: str) -> int:
    """Return how many letters are added, left out, exchanged or in the wrong order."""
    from rapidfuzz.distance import OSA  # most searches have no word to look for

    return OSA.distance(one, other)


def alike(word: str, others: Collection[str], slips: int, limit: int) -> list[str]:
    """Return those of ``others`` that are at most so many slips from ``word``, nearest first.

    A slip is one of Damerau's (1964): a letter too many, too few, another, or two swapped.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    near = process.extract(word, others, scorer=OSA.distance, score_cutoff=slips, limit=limit)
    return [one for one, _, _ in near]


def cost(typed: str, meant: str, sections: int) -> float:
    """Return how little ``meant``, which stands in so many sections, is like what was typed.

    About in slips; less than none where it is much the same and stands in very many.
    """
    slips = _slips(typed, meant)
    slips += _FIRST_LETTER * (typed[0] != meant[0])
    return slips - _OFTEN * math.log10(max(1, sections))


def _slips(typed: str, meant: str) -> float:
    """Weigh the one place where two words differ, or count where they differ in several."""
    distance = slips_between(typed, meant)
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
