"""The words of a text as the index takes them: without their places."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from operator import add
from unicodedata import normalize

from notesearch.store.compounds import LONGEST, also, signed, versions
from notesearch.store.cutting import UNSPACED, Inner, tokens
from notesearch.store.folding import folded, is_as_it_stands, wide
from notesearch.store.stemming import Stems
from notesearch.store.symbols import SYMBOL, as_word

Indexed = str | tuple[str, ...]
"""A word, or all its forms, as FTS5 takes them."""

_RUNS = re.compile(f"([{UNSPACED}]+)")
_SYMBOLS = re.compile(f"({SYMBOL})")
_SEPARATED = bytes(
    ord(" ") if code < 0x80 and not chr(code).isalnum() and chr(code) != "-" else code
    for code in range(0x100)
)
_REMEMBERED = 100_000
_SHORT = 20
"""Characters between two runs without spaces, or symbols, that are remembered as a whole."""

PORTION = 1 << 17
"""Bytes of a huge text that are cut in one go."""

_END_OF_WORD = re.compile(rb"\s|\xe3\x80[\x80-\x82]")
_CHARACTER = re.compile(rb"[\x00-\x7f\xc0-\xff]")

BACKWARDS = "~"
"""Begins the form of a word spelt from its end, so that those with one ending stand together."""

_SHORTEST_COMPOUND = 7

_TITLE = 120
_TITLES = 500
"""So many texts of so many bytes are remembered: all sections of a note have one title."""

_APART = "."
"""Stands between a text and the further forms of its words: no phrase goes on from one to other."""


class IndexedWords:
    """Cuts notes of one language into words for the index."""

    def __init__(
        self,
        inner: Inner,
        names: Callable[[bytes], list[str]],
        stems: Stems | None,
        *,
        compounding: bool,
    ) -> None:
        """Cut with ``inner``, or ``names`` where places do not matter.

        Args:
            inner: Yields words with their English stems, or without where ``stems`` knows them.
            names: The same without places, for ASCII.
            stems: Of the language; None for English.
            compounding: It writes several words as one, and each is found by how it ends.
        """
        self._inner = inner
        self._names = names
        self._stems = None if stems is None else _Stemmed(stems)
        self._further = _Further(self._words, compounding=compounding)
        self._between: dict[str, Sequence[Indexed]] = {}
        self._of_short = lru_cache(_TITLES)(self._of)

    def of(self, utf8: bytes) -> Sequence[Indexed]:
        """Return the words of a text in order, then what else they are found by, each once.

        Code that says "defineProps" ten times is not ten times about props.
        """
        if len(utf8) > _TITLE:
            return self._of(utf8)
        return self._of_short(utf8) if utf8 else ()

    def _of(self, utf8: bytes) -> Sequence[Indexed]:
        self._forget()
        found = self._in_order(utf8)
        forms = self._forms(utf8)
        return [*found, _APART, (_APART, *forms)] if forms else found

    def of_many(self, utf8: bytes, check: Callable[[], None]) -> Iterator[Indexed]:
        """Yield the same of a huge text, and call ``check`` after each portion of it."""
        self._forget()
        forms: dict[str, None] = {}
        for portion in _portions(utf8):
            yield from self._in_order(portion)
            forms |= self._forms(portion)
            check()
        if forms:
            yield _APART
            yield (_APART, *forms)

    def _forms(self, utf8: bytes) -> dict[str, None]:
        further = filter(None, map(self._further.__getitem__, utf8.translate(_SEPARATED).split()))
        return dict.fromkeys(chain.from_iterable(further))

    def part(self, part: bytes) -> tuple[str, ...]:
        """Return the forms of a part of a word."""
        return _flat(self._words(part)[:1])

    def _forget(self) -> None:
        # Never in the midst of a text: it has to be taken from the index as it was put there.
        for known in (self._further, self._between):
            if len(known) > _REMEMBERED:
                known.clear()

    def _in_order(self, utf8: bytes) -> Sequence[Indexed]:
        """Return the words of a text; one with a sign, or a "v2.1", has another form too."""
        found: list[Indexed] = []
        at = 0
        forms = [(word, with_sign(word.group())) for word in signed(utf8)]
        forms += [(word, word.group()[1:].decode()) for word in versions(utf8)]
        for word, form in sorted(forms, key=lambda found: found[0].start()):
            found += self._words(utf8[at : word.start()])
            *before, last = self._words(word.group())
            found += (*before, (*_as_tuple(last), form))
            at = word.end()
        if not at:
            return self._words(utf8)
        found += self._words(utf8[at:])
        return found

    def _words(self, utf8: bytes) -> Sequence[Indexed]:
        if utf8.isascii():
            return self._spaced(utf8, as_it_stands=True)
        other = wide(utf8)
        if _RUNS.search(other):
            return self._runs(utf8.decode("utf-8", "replace"))
        if _SYMBOLS.search(other):
            return list(chain.from_iterable(self._symbols(utf8.decode("utf-8", "replace"))))
        return self._spaced(utf8, as_it_stands=is_as_it_stands(other))

    def _runs(self, text: str) -> Sequence[Indexed]:
        found: list[Indexed] = []
        known, runs = self._between, _RUNS.split(text)
        for between, run in zip_longest(runs[::2], runs[1::2]):
            words = known.get(between)
            if words is None:
                words = self._words(between.encode())
                if len(between) <= _SHORT:
                    known[between] = words
            found += words
            if run:
                found += _pairs(run)
        return found

    def _symbols(self, text: str) -> Iterator[Sequence[Indexed]]:
        for number, run in enumerate(_SYMBOLS.split(text)):
            yield (as_word(run),) if number % 2 else self._words(run.encode())

    def _spaced(self, utf8: bytes, *, as_it_stands: bool) -> Sequence[Indexed]:
        if as_it_stands:
            cut = self._names(utf8)
        else:
            cut = [token for _, _, token in tokens(self._inner, utf8)]
        if self._stems is None:
            return cut
        return list(map(self._stems.__getitem__, cut))


class _Stemmed(dict[str, Indexed]):
    """The stems of words as the index takes them."""

    def __init__(self, stems: Stems) -> None:
        super().__init__()
        self._stems = stems

    def __missing__(self, word: str) -> Indexed:
        if len(self) > _REMEMBERED:
            self.clear()
        forms = self._stems[word]
        self[word] = found = forms if len(forms) > 1 else forms[0]
        return found


class _Further(dict[bytes, tuple[str, ...]]):
    """What else a piece of text between spaces is found by."""

    def __init__(self, words: Callable[[bytes], Sequence[Indexed]], *, compounding: bool) -> None:
        """Cut what it is found by into ``words``."""
        super().__init__()
        self._words = words
        self._compounding = compounding

    def __missing__(self, piece: bytes) -> tuple[str, ...]:
        if len(piece) > LONGEST:
            return ()
        forms: tuple[str, ...] = ()
        if b"-" in piece or not (piece.islower() or piece.istitle() or piece.isupper()):
            found = also(piece)
            forms = _flat(self._words(b" ".join(found))) if found else ()
        if self._compounding:
            forms += tuple(
                f"{BACKWARDS}{form[::-1]}"
                for form in _flat(self._words(piece))
                if len(form) >= _SHORTEST_COMPOUND and form.isalpha()
            )
        self[piece] = forms
        return forms


def _portions(utf8: bytes) -> Iterator[bytes]:
    """Cut a huge text between words, where it has any."""
    start = 0
    while start < len(utf8):
        word = _END_OF_WORD.search(utf8, start + PORTION, start + 2 * PORTION)
        character = _CHARACTER.search(utf8, start + PORTION)
        end = word.end() if word else character.start() if character else len(utf8)
        yield utf8[start:end]
        start = end


def _flat(words: Iterable[Indexed]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(_as_tuple, words)))


def _as_tuple(word: Indexed) -> tuple[str, ...]:
    return (word,) if isinstance(word, str) else word


def with_sign(word: bytes) -> str:
    """Return the form of a word that is written with a sign."""
    return folded(word.decode("utf-8", "replace")).lower()


def _pairs(run: str) -> Sequence[Indexed]:
    """Return the overlapping pairs of ``run``.

    A query of one character finds it as the beginning of a pair; the last one has none, so it is
    held as another form of the last pair, which leaves the next word its neighbour.
    """
    characters = normalize("NFKC", run)
    if len(characters) == 1:
        return [characters]
    found: list[Indexed] = list(map(add, characters, characters[1:]))
    found[-1] = (characters[-2:], characters[-1])
    return found
