"""Cuts notes into the terms that FTS5 stores: all forms that find a word, without offsets."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from operator import add
from unicodedata import normalize

from notesearch.store.compounds import (
    LONGEST,
    numbers_as_words,
    parts_and_joined,
    signed,
    versions,
    with_plain_hyphens,
)
from notesearch.store.folding import folded, is_unchanged, non_ascii
from notesearch.store.stemming import Stems
from notesearch.store.word_spans import SYMBOL, UNSPACED, SqliteTokenizer, as_word, tokens

Term = str | tuple[str, ...]
"""A word, or all forms of a word at one position."""

_RUNS = re.compile(f"([{UNSPACED}]+)")
_SYMBOLS = re.compile(f"({SYMBOL})")
_SEPARATED = bytes(
    ord(" ") if code < 0x80 and not chr(code).isalnum() and chr(code) != "-" else code
    for code in range(0x100)
)
_CACHED = 100_000
"""Entries of a cache."""

_DIFFERENT = 300_000
"""Different words of one section at most: nearly twice as many as in a large dictionary."""

_SHORT = 20
"""Texts of fewer characters between runs of an unspaced script such as Chinese are cached."""

PORTION = 1 << 17
"""A huge text is cut into words in portions of this many bytes."""

_END_OF_WORD = re.compile(rb"\s|\xe3\x80[\x80-\x82]")
_CHARACTER = re.compile(rb"[\x00-\x7f\xc0-\xff]")

BACKWARDS = "~"
"""Begins a reversed word: so words with the same ending stand together in the vocabulary."""

_SHORTEST_COMPOUND = 7

_TITLE_BYTES, _TITLES = 120, 500
"""Bytes of the longest text that is cached, and how many texts are: sections share a title."""

_SEPARATOR = "."
"""Stands between a text and the further forms of its words, so that no phrase spans both."""


class IndexTerms:
    """Cuts notes of one language into terms for the index."""

    def __init__(
        self,
        with_spans: SqliteTokenizer,
        without_spans: Callable[[bytes], list[str]],
        stems: Stems | None,
        *,
        compounding: bool,
    ) -> None:
        """Cut with two tokenizers of SQLite.

        Args:
            with_spans: Returns words with offsets; with English stems unless ``stems`` are given.
            without_spans: Returns the same words without offsets, which is faster; for text that
                needs no folding.
            stems: The stems of the language; None for English.
            compounding: The language joins words into one, so words are also found by their ending.
        """
        self._with_spans = with_spans
        self._without_spans = without_spans
        self._stems = stems
        self._further = _FurtherForms(self._words, compounding=compounding)
        self._between: dict[str, Sequence[Term]] = {}
        self._of_short = lru_cache(_TITLES)(self._of)

    def in_text(self, utf8: bytes) -> Sequence[Term]:
        """Return all words of a text in order, then their further forms.

        Each further form comes once, however often its word occurs: code that contains
        "defineProps" ten times is not ten times as much about props.
        """
        if len(utf8) > _TITLE_BYTES:
            return self._of(utf8)
        return self._of_short(utf8) if utf8 else ()

    def _of(self, utf8: bytes) -> Sequence[Term]:
        self._trim_caches()
        words = self._in_order(utf8)
        forms = self._forms(utf8)
        return [*words, _SEPARATOR, (_SEPARATOR, *forms)] if forms else words

    def in_huge_text(self, utf8: bytes, check: Callable[[], None]) -> Iterator[Term]:
        """Yield the terms of a huge text, and call ``check`` after each portion.

        FTS5 keeps all of a row in memory. So only the first ``_DIFFERENT`` different words are
        kept, and the first ``_CACHED`` further forms.
        """
        seen: set[Term] = set()
        forms: dict[str, None] = {}
        for portion in _portions(utf8):
            self._trim_caches()
            for term in self._in_order(portion):
                if len(seen) < _DIFFERENT:
                    seen.add(term)
                elif term not in seen:
                    continue
                yield term
            if len(forms) < _CACHED:
                forms |= self._forms(portion)
            check()
        if forms:
            yield _SEPARATOR
            yield (_SEPARATOR, *forms)
        self._further.clear()  # hardly any of its words come again
        self._between.clear()

    def _forms(self, utf8: bytes) -> dict[str, None]:
        pieces = with_plain_hyphens(utf8).translate(_SEPARATED).split()
        further = filter(None, map(self._further.__getitem__, pieces))
        forms = dict.fromkeys(chain.from_iterable(further))
        for _, _, digits in numbers_as_words(utf8.decode("utf-8", "replace")):
            forms[digits] = None
        return forms

    def forms_of_part(self, part: bytes) -> tuple[str, ...]:
        """Return the forms of a part of a word, such as "State" in "useState"."""
        return _flat(self._words(part)[:1])

    def _trim_caches(self) -> None:
        for cache in (self._further, self._between):
            if len(cache) > _CACHED:
                cache.clear()

    def _in_order(self, utf8: bytes) -> Sequence[Term]:
        """Return the words of a text in order; "c++" and "v2.1" also get their further form."""
        terms: list[Term] = []
        at = 0
        forms = [(word, with_sign(word.group())) for word in signed(utf8)]
        forms += [(word, word.group()[1:].decode()) for word in versions(utf8)]
        for word, form in sorted(forms, key=lambda pair: pair[0].start()):
            terms += self._words(utf8[at : word.start()])
            *before, last = self._words(word.group())
            terms += (*before, (*_as_tuple(last), form))
            at = word.end()
        if not at:
            return self._words(utf8)
        terms += self._words(utf8[at:])
        return terms

    def _words(self, utf8: bytes) -> Sequence[Term]:
        if utf8.isascii():
            return self._spaced(utf8, unchanged=True)
        other = non_ascii(utf8)
        if _RUNS.search(other):
            return self._runs(utf8.decode("utf-8", "replace"))
        if _SYMBOLS.search(other):
            return list(chain.from_iterable(self._symbols(utf8.decode("utf-8", "replace"))))
        return self._spaced(utf8, unchanged=is_unchanged(other))

    def _runs(self, text: str) -> Sequence[Term]:
        """Return the words of a text that has runs of an unspaced script, such as Chinese."""
        terms: list[Term] = []
        cache, runs = self._between, _RUNS.split(text)
        for between, run in zip_longest(runs[::2], runs[1::2]):
            words = cache.get(between)
            if words is None:
                words = self._words(between.encode())
                if len(between) <= _SHORT:
                    cache[between] = words
            terms += words
            if run:
                terms += _pairs(run)
        return terms

    def _symbols(self, text: str) -> Iterator[Sequence[Term]]:
        for number, run in enumerate(_SYMBOLS.split(text)):
            yield (as_word(run),) if number % 2 else self._words(run.encode())

    def _spaced(self, utf8: bytes, *, unchanged: bool) -> Sequence[Term]:
        """Return the words of a text with spaces; ``unchanged``: folding does not change it."""
        if unchanged:
            words = self._without_spans(utf8)
        else:
            words = [token for _, _, token in tokens(self._with_spans, utf8)]
        if self._stems is None:
            return words
        forms = map(self._stems.__getitem__, words)
        return [form if len(form) > 1 else form[0] for form in forms]


class _FurtherForms(dict[bytes, tuple[str, ...]]):
    """The further forms of a piece of text between spaces, made when they are first looked up."""

    def __init__(self, words: Callable[[bytes], Sequence[Term]], *, compounding: bool) -> None:
        """Cut the forms with ``words``; ``compounding`` adds words in reverse."""
        super().__init__()
        self._words = words
        self._compounding = compounding

    def __missing__(self, piece: bytes) -> tuple[str, ...]:
        if len(piece) > LONGEST:
            return ()
        forms: tuple[str, ...] = ()
        if b"-" in piece or not (piece.islower() or piece.istitle() or piece.isupper()):
            parts = parts_and_joined(piece)
            forms = _flat(self._words(b" ".join(parts))) if parts else ()
        if self._compounding:
            forms += tuple(
                f"{BACKWARDS}{form[::-1]}"
                for form in _flat(self._words(piece))
                if len(form) >= _SHORTEST_COMPOUND and form.isalpha()
            )
        self[piece] = forms
        return forms


def _portions(utf8: bytes) -> Iterator[bytes]:
    """Yield portions of a huge text, cut between words, or inside a very long word."""
    start = 0
    while start < len(utf8):
        word = _END_OF_WORD.search(utf8, start + PORTION, start + 2 * PORTION)
        character = _CHARACTER.search(utf8, start + PORTION)
        end = word.end() if word else character.start() if character else len(utf8)
        yield utf8[start:end]
        start = end


def _flat(words: Iterable[Term]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(_as_tuple, words)))


def _as_tuple(word: Term) -> tuple[str, ...]:
    return (word,) if isinstance(word, str) else word


def with_sign(word: bytes) -> str:
    """Return the form in the index of a word that is written with punctuation, such as "c++"."""
    return folded(word.decode("utf-8", "replace")).lower()


def _pairs(run: str) -> Sequence[Term]:
    """Return the overlapping pairs of characters of ``run``.

    A query of one character finds a pair that begins with it. No pair begins with the last
    character, so that character is a second form of the last pair. As one more term it would move
    the words after it.
    """
    characters = normalize("NFKC", run)
    if len(characters) == 1:
        return [characters]
    pairs: list[Term] = list(map(add, characters, characters[1:]))
    pairs[-1] = (characters[-2:], characters[-1])
    return pairs
