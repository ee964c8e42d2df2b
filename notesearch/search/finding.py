"""Where the words of a query stand in the texts it found: only what may be one is cut into words.

A search cuts some ten long texts for a few words each. An English word holds the first letters of
its stem, so that where those are not, nothing is to be found; so do words of many other languages.
Notes in the rest of them, and texts with many letters beyond ASCII, are cut whole.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from notesearch.notes import Span
from notesearch.search import matching
from notesearch.search.matching import Index, Pattern
from notesearch.search.signs import NO_SIGNS
from notesearch.store.stemming import BEGINNING_ALIKE, has_own_stems
from notesearch.store.tokenizer import is_single_unspaced

Spots = list[tuple[Span, int]]
"""Spans that match, each with the number of its pattern."""

_BEGINNING = 3
_SHORTEST = 2
_HYPHEN = "-"
"""In "e-mail" the letters of "email" do not stand together."""

_OTHER = re.compile("[^\\x00-\\x7f\u00a0«·»–—‘’“”„•…]")
"""What may be a letter beyond ASCII; the rest of the signs stand between words."""

_LETTERS_FOR_ONE = 40
"""Of ASCII, for one beyond, in a text that is not cut whole."""

_UMLAUTS = "aou"
"""May stand for ä, ö, ü, which many write "ae", "oe", "ue": "foehn" has the stem of "föhn"."""

_IN_A_WORD = re.compile("[0-9A-Za-z]")


class Finder:
    """Finds the words of one query in many texts, which repeat what they say."""

    def __init__(self, wanted: Sequence[Pattern], index: Index) -> None:
        self.wanted = wanted
        self._index = index
        self._beginnings = _beginnings(wanted)
        self._german = tuple(chain.from_iterable(map(_with_e, self._beginnings)))
        self._alone = all(len(pattern.tokens) == 1 for pattern in wanted)
        self._known: dict[tuple[str, str], tuple[Spots, Spots]] = {}
        single = [(n, p) for n, p in enumerate(wanted) if _is_single(p)]
        self._others = [(n, p) for n, p in enumerate(wanted) if not _is_single(p)]
        self._numbers: dict[str, set[int]] = {}
        for number, pattern in single:
            for form in pattern.stems | pattern.forms[0]:
                self._numbers.setdefault(form, set()).add(number)
        self._nowhere = frozenset(self._numbers).isdisjoint

    def find(self, text: str, language: str | None = None) -> Spots:
        """Return the spans of ``text`` that match as ``matching.find`` does, in order."""
        if self._beginnings and language is not None and _holds_beginnings(language):
            lower = text.lower()
            others = list(_OTHER.finditer(text)) if not text.isascii() else []
            if len(lower) == len(text) and len(others) * _LETTERS_FOR_ONE <= len(text):
                lower = lower.replace("\n", " ").replace("\t", " ")
                found_by = language if has_own_stems(language) else ""
                return self._narrowed(text, lower, [other.start() for other in others], found_by)
        return matching.find(self.wanted, self._index.forms(text, language), text)

    def _narrowed(self, text: str, lower: str, others: Sequence[int], language: str) -> Spots:
        pieces = {_piece(lower, at) for at in others}
        beginnings = self._german if language == "de" else self._beginnings
        for beginning in beginnings:
            at = lower.find(beginning)
            while at >= 0:
                piece = _piece(lower, at)
                pieces.add(piece)
                at = lower.find(beginning, piece[1])
        pieces.update(_hyphened(lower, beginnings))
        found: Spots = []
        loose: Spots = []
        for start, end in sorted(pieces) if self._alone else _runs(text, sorted(pieces)):
            run = text[start:end]
            whole, parts = self._known.get((run, language)) or self._in_run(run, language)
            if whole:
                found += [((a + start, b + start), number) for (a, b), number in whole]
            if parts:
                loose += [((a + start, b + start), number) for (a, b), number in parts]
        if loose:
            together = {number for _, number in found}
            found += [spot for spot in loose if spot[1] not in together]
        return sorted(found)

    def _in_run(self, run: str, language: str) -> tuple[Spots, Spots]:
        """Return where whole terms stand in words between spaces, and where parts of them do."""
        words = self._index.forms(run, language)
        whole: Spots = []
        parts: Spots = []
        for span, forms in words:
            if not self._nowhere(forms):
                found = (self._numbers.get(form, ()) for form in forms)
                whole += [(span, number) for number in set(chain.from_iterable(found))]
        for number, pattern in self._others:
            spans = pattern.signs.with_them(pattern.find(words), run)
            whole += [(span, number) for span in spans]
            parts += [(span, number) for span in pattern.find_pieces(words)]
        self._known[run, language] = whole, parts
        return whole, parts


def _is_single(pattern: Pattern) -> bool:
    """Return whether ``pattern`` is nothing but one of some words."""
    token, *more = pattern.tokens
    plain = pattern.signs == NO_SIGNS and not pattern.begun
    return plain and not more and not is_single_unspaced(token)


def _hyphened(lower: str, beginnings: Sequence[str]) -> Iterator[Span]:
    """Yield pieces that may hold a word once their hyphens are left out."""
    at = lower.find(_HYPHEN)
    while at >= 0:
        start, end = _piece(lower, at)
        joined = lower[start:end].replace(_HYPHEN, "")
        if any(beginning in joined for beginning in beginnings):
            yield start, end
        at = lower.find(_HYPHEN, end)


def _piece(lower: str, at: int) -> Span:
    """Return what stands around ``at`` between two spaces."""
    end = lower.find(" ", at)
    return lower.rfind(" ", 0, at) + 1, end if end >= 0 else len(lower)


def _runs(text: str, pieces: Sequence[Span]) -> Iterator[Span]:
    """Yield ``pieces``, those joined that have no other word between them."""
    start = end = -1
    for piece in pieces:
        if start >= 0 and not _IN_A_WORD.search(text, end, piece[0]):
            end = piece[1]
            continue
        if start >= 0:
            yield start, end
        start, end = piece
    if start >= 0:
        yield start, end


def _beginnings(wanted: Sequence[Pattern]) -> tuple[str, ...]:
    """Return letters of which any English word that matches holds some; none where that is all."""
    found: set[str] = set()
    for pattern in wanted:
        forms = {*chain.from_iterable(pattern.forms), *pattern.stems, *pattern.loose}
        forms |= {*pattern.joined_forms, *filter(None, (pattern.begun,))}
        if any(map(is_single_unspaced, pattern.tokens)):
            return ()
        found.update(chain.from_iterable(map(beginnings, filter(str.isascii, forms))))
    if any(len(beginning) < _SHORTEST for beginning in found):
        return ()
    return tuple(found) if wanted else ()


def _holds_beginnings(language: str) -> bool:
    return not has_own_stems(language) or language in BEGINNING_ALIKE


def beginnings(stem: str) -> tuple[str, ...]:
    """Return letters of which any word with this ``stem`` holds some.

    The stemmer changes no more than the end of what it leaves: "happy" is "happi", "hoping" "hope".
    """
    first = stem[:_BEGINNING]
    return (first, f"{first[:-1]}y") if first.endswith("i") else (first,)


def _with_e(beginning: str) -> Iterator[str]:
    """Yield ``beginning``, and what an umlaut in it may be written as."""
    yield beginning
    for at, letter in enumerate(beginning[:-1], 1):
        if letter in _UMLAUTS:
            yield f"{beginning[:at]}e{beginning[at:]}"
