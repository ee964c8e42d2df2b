"""Finds the words of a query in texts, for highlights.

Cutting long texts into words takes time, so only the pieces that may match are cut. An English word
begins as its stem does, so a piece without the first letters of any stem cannot match. The same
holds for many other languages. Texts in the remaining ones, and texts with many letters that may
stand for an ASCII letter, are cut as a whole.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from notesearch.notes import Span
from notesearch.search.patterns import Pattern, Spots, Word, beginnings, find
from notesearch.store.reader import Reader
from notesearch.store.stemming import BEGINNING_ALIKE, has_own_stems
from notesearch.store.tokenizer import is_single_unspaced, numbers_as_words

_SHORTEST = 2
_HYPHEN = "-"
"""Left out when a piece is compared: "e-mail" holds the letters of "email", too."""

_SEPARATING = "\u00a0«·»–—‘’“”„•…"
_OTHER = re.compile(f"[^\\x00-\\x7f{_SEPARATING}]")
"""Characters beyond ASCII that may be letters; the others separate words."""

_OTHER_SCRIPTS = "α-ωА-Яа-яא-תء-غف-يअ-हぁ-ゖァ-ヺ一-鿿가-힣"
_LIKE_ASCII = re.compile(f"[^\\x00-\\x7f{_SEPARATING}{_OTHER_SCRIPTS}]")
"""Characters beyond ASCII that match an ASCII letter, as "é" and "ｅ" match "e"."""

_LETTERS_FOR_ONE = 40
"""A text with at least this many characters for each letter beyond ASCII is cut in pieces."""

_UMLAUTS = "aou"
"""Letters that may stand for ä, ö, ü. Many write "ae", "oe", "ue": "foehn" for "föhn"."""

_LONG_NUMBER = re.compile(r"\d\d")
"""Two digits: a text may have such a number in groups, as in "1,250"."""

_IN_A_WORD = re.compile("[0-9A-Za-z]")


class MatchFinder:
    """Finds the patterns of one query in many texts, and caches what repeats."""

    def __init__(self, patterns: Sequence[Pattern], reader: Reader) -> None:
        self.patterns = patterns
        self._reader = reader
        every = _beginnings(patterns)
        self._other = _LIKE_ASCII if all(map(_is_ascii, patterns)) else _OTHER
        self._beginnings = tuple(letters for letters in every if not _is_letter(letters))
        self._german = tuple(chain.from_iterable(map(_with_e, self._beginnings)))
        letters = "".join(filter(_is_letter, every))
        self._starts = re.compile(f"(?<![0-9a-z])[{letters}]") if letters else None
        self._can_narrow = bool(every)
        self._has_number = any(_LONG_NUMBER.search(pattern.term.text) for pattern in patterns)
        self._alone = all(len(pattern.tokens) == 1 for pattern in patterns)
        self._cached: dict[str, dict[str, tuple[Spots, Spots]]] = {}

    def find(self, text: str, language: str | None = None) -> Spots:
        """Return the spans of ``text`` that match, in order, each with the index of its pattern.

        ``language`` is that of the note; None if unknown.
        """
        if self._can_narrow and language is not None and _holds_beginnings(language):
            lower = text.lower()
            others = [] if text.isascii() else [hit.start() for hit in self._other.finditer(text)]
            if len(lower) == len(text) and len(others) * _LETTERS_FOR_ONE <= len(text):
                lower = lower.replace("\n", " ").replace("\t", " ")
                starts = self._german if language == "de" else self._beginnings
                more = [hit.start() for hit in self._starts.finditer(lower)] if self._starts else []
                pieces = _pieces(lower, starts, others + more)
                if self._has_number:
                    numbers = {(start, end) for start, end, _ in numbers_as_words(text)}
                    pieces = sorted(numbers.union(pieces))
                stemmed_in = language if has_own_stems(language) else ""
                return self._find_in_pieces(text, pieces, stemmed_in) if pieces else []
        return find(self.patterns, self._reader.lexicon.forms(text, language), text)

    def _find_in_pieces(self, text: str, pieces: list[Span], language: str) -> Spots:
        cached = self._cached.setdefault(language, {})
        spots: Spots = []
        partial: Spots = []
        for start, end in pieces if self._alone else _runs(text, pieces):
            run = text[start:end]
            if run not in cached:
                cached[run] = self._in(self._reader.lexicon.forms(run, language), run)
            whole, parts = cached[run]
            spots += [((a + start, b + start), number) for (a, b), number in whole]
            partial += [((a + start, b + start), number) for (a, b), number in parts]
        if partial:
            whole_terms = {number for _, number in spots}
            spots += [spot for spot in partial if spot[1] not in whole_terms]
        return sorted(spots)

    def _in(self, words: Sequence[Word], text: str) -> tuple[Spots, Spots]:
        """Return the spots in the ``words`` of ``text``: of whole terms, and of parts of terms."""
        whole: Spots = []
        parts: Spots = []
        for number, pattern in enumerate(self.patterns):
            spans = pattern.punctuation.extend(pattern.find(words), text)
            whole += [(span, number) for span in spans]
            parts += [(span, number) for span in pattern.find_parts(words)]
        return whole, parts


def _is_letter(beginning: str) -> bool:
    """Return whether ``beginning`` is one ASCII letter, which matches only the start of a word."""
    return len(beginning) == 1 and beginning.isascii() and beginning.isalpha()


def _pieces(lower: str, beginnings: Sequence[str], others: Sequence[int]) -> list[Span]:
    """Return those pieces between spaces of the text ``lower`` that may match, in order.

    Each has one of ``beginnings``, perhaps with hyphens inside, or one of the positions ``others``.
    """
    pieces: set[Span] = set()
    find, rfind, length = lower.find, lower.rfind, len(lower)
    for beginning in beginnings:
        at = find(beginning)
        while at >= 0:
            end = find(" ", at)
            if end < 0:
                end = length
            pieces.add((rfind(" ", 0, at) + 1, end))
            at = find(beginning, end)
    at = find(_HYPHEN)
    while at >= 0:
        end = find(" ", at)
        if end < 0:
            end = length
        start = rfind(" ", 0, at) + 1
        if end - start > _SHORTEST:
            joined = lower[start:end].replace(_HYPHEN, "")
            for beginning in beginnings:
                if beginning in joined:
                    pieces.add((start, end))
                    break
        at = find(_HYPHEN, end)
    for at in others:
        end = find(" ", at)
        pieces.add((rfind(" ", 0, at) + 1, end if end >= 0 else length))
    return sorted(pieces)


def _runs(text: str, pieces: Sequence[Span]) -> Iterator[Span]:
    """Yield ``pieces``, joined where no other word is between them."""
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


def _forms(pattern: Pattern) -> set[str]:
    """Return all forms of all words of ``pattern``."""
    forms = {*chain.from_iterable(pattern.forms), *pattern.other_tokens, *pattern.content_tokens}
    return forms | {*pattern.joined_tokens, *filter(None, (pattern.beginning,))}


def _is_ascii(pattern: Pattern) -> bool:
    return all(map(str.isascii, _forms(pattern)))


def _beginnings(patterns: Sequence[Pattern]) -> tuple[str, ...]:
    """Return texts; each matching English word contains one. Empty if any word may match."""
    texts: set[str] = set()
    for pattern in patterns:
        forms = _forms(pattern)
        if any(map(is_single_unspaced, pattern.tokens)):
            return ()
        texts.update(chain.from_iterable(map(beginnings, filter(str.isascii, forms))))
    if any(len(beginning) < _SHORTEST and not _is_letter(beginning) for beginning in texts):
        return ()
    if any(_is_letter(pattern.beginning) for pattern in patterns):
        return ()
    return tuple(texts) if patterns else ()


def _holds_beginnings(language: str) -> bool:
    return not has_own_stems(language) or language in BEGINNING_ALIKE


def _with_e(beginning: str) -> Iterator[str]:
    """Yield ``beginning``, and the same with an umlaut written as two letters."""
    yield beginning
    for at, letter in enumerate(beginning[:-1], 1):
        if letter in _UMLAUTS:
            yield f"{beginning[:at]}e{beginning[at:]}"
