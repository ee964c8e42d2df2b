"""The FTS5 tokenizer: turns texts and queries into the words that the index stores and finds.

``word_cutting`` cuts a text into words, and adds further forms, such as "use" and "state" for
"useState". ``stemming`` stems each word in the language of its note, or as English.

The index stores all forms at the position of the word. A query looks for any of its own forms: the
word's stems in all languages of the vault.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, zip_longest
from operator import add
from typing import cast

import apsw

from notesearch.function_words import FUNCTION_WORDS
from notesearch.store.folding import non_ascii
from notesearch.store.stemming import (
    COMPOUNDING,
    ENGLISH,
    Term,
    has_own_stems,
    simplified,
    stemmer,
    unmarked,
    without_accents,
)
from notesearch.store.word_cutting import (
    LONGEST_WORD,
    UNSPACED,
    UNSPACED_RUN,
    VERSION,
    SqliteTokenizer,
    Token,
    folded_run,
    further_forms,
    joined,
    numbers_as_words,
    parts_and_joined,
    signed_words,
    tokens,
    with_plain_hyphens,
    with_sign,
)

_RUNS = re.compile(f"([{UNSPACED}]+)")
_SEPARATED = bytes(
    ord(" ") if code < 0x80 and not chr(code).isalnum() and chr(code) != "-" else code
    for code in range(0x100)
)
_CACHED = 100_000
_DIFFERENT = 300_000
"""Maximum number of different words of one section: nearly twice those of a large dictionary."""

PORTION = 1 << 17
"""A huge text is cut into words in portions of this many bytes."""

_END_OF_WORD = re.compile(rb"\s|\xe3\x80[\x80-\x82]")
_CHARACTER = re.compile(rb"[\x00-\x7f\xc0-\xff]")

BACKWARDS = "~"
"""Begins a reversed word: so words with the same ending stand together in the vocabulary."""

_SHORTEST_COMPOUND = 7

_SEPARATOR = "."
"""Stands between a text and the further forms of its words, so that no phrase spans both."""

NAME = "notesearch"

_WORDS = 1 << 15
"""Words whose forms are cached, for the highlights of the next search."""

_QUERIES = 1024
"""Queries whose words are cached: FTS5 asks for them again with each statement."""

Forms = tuple[int, int, tuple[str, ...]]
"""Start and end (bytes of UTF-8), and all forms of the word there."""

# Combining marks, such as Indic vowels, are part of a word. Accents are not. Neither are marks that
# only change how a character is drawn.
_CATEGORIES = (
    "categories",
    "L* N* Co Mn Mc",
    "separators",
    "".join(map(chr, (*range(0x300, 0x370), *range(0x20D0, 0x20F1), *range(0xFE00, 0xFE10)))),
)
_AUX = apsw.FTS5_TOKENIZE_AUX


def carry_on() -> None:
    """Do nothing: the ``check`` of work that is never stopped."""


class Tokenizer:
    """Cuts text into words for one connection.

    Attributes:
        check: Called from time to time while a huge text is cut; it may raise to stop.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        """Register the tokenizer with ``connection``."""
        options = ["remove_diacritics", "0", *_CATEGORIES]
        sqlite = connection.fts5_tokenizer("unicode61", options)
        self._sqlite = cast("SqliteTokenizer", partial(sqlite, flags=_AUX, locale=None))
        self._terms_in = cache(partial(IndexTerms, self._sqlite))
        self._languages: tuple[str, ...] = (ENGLISH,)
        self.check: Callable[[], None] = carry_on
        self._forms_of_word = lru_cache(_WORDS)(self._word_in)
        self._forms_of_part = lru_cache(_WORDS)(self._part_in)
        self._query_forms = lru_cache(_QUERIES)(self._cut_query)

        def factory(
            _: apsw.Connection, __: list[str]
        ) -> Callable[[bytes, int, str | None], object]:
            return self._tokenize

        connection.register_fts5_tokenizer(NAME, factory)  # type: ignore[arg-type]

    def _tokenize(self, utf8: bytes, flags: int, locale: str | None) -> Iterable[object]:
        """Return the words of a text for FTS5, which calls this for notes and for queries."""
        if not utf8:
            return ()
        if flags & apsw.FTS5_TOKENIZE_DOCUMENT:
            terms = self._terms_in(locale or ENGLISH)
            return (
                terms.in_text(utf8) if len(utf8) < PORTION else terms.in_huge_text(utf8, self.check)
            )
        words = self._query_forms(utf8, bool(flags & apsw.FTS5_TOKENIZE_PREFIX))
        return [(start, end, *forms) for start, end, forms in words]

    def tokens(self, utf8: bytes, *, begun: bool = False) -> list[Token]:
        """Return the words of ``utf8`` with English stems, or without any if it is ``begun``."""
        cut = tokens(self._sqlite, utf8)
        if begun:
            return [(start, end, without_accents(word)) for start, end, word in cut]
        stem = self._terms_in(ENGLISH).stem
        return [(start, end, _as_tuple(stem(word))[0]) for start, end, word in cut]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the vault's notes that are not stemmed as English."""
        return self._languages[1:]

    @languages.setter
    def languages(self, spoken: tuple[str, ...]) -> None:
        self._languages = (ENGLISH, *spoken)
        self._query_forms.cache_clear()

    def query_forms(self, utf8: bytes) -> Sequence[Forms]:
        """Return the words of a query, each with the forms that find it in the index."""
        return self._query_forms(utf8, False)

    def _cut_query(self, utf8: bytes, begun: bool) -> tuple[Forms, ...]:
        cut = tokens(self._sqlite, utf8)
        words = [(start, end, self._typed_forms(word, begun)) for start, end, word in cut]
        for number, _, word in further_forms(utf8, cut):
            if word:
                start, end, _ = cut[number]
                # The token lacks the signs: the point of ".NET", the "++" of "c++".
                begin = start - word.startswith(b".")
                words[number] = (begin, max(end, begin + len(word)), (with_sign(word),))
        return tuple(words)

    def forms(self, utf8: bytes, language: str | None = None) -> tuple[list[Forms], list[Forms]]:
        """Return the words of a note's text, and its hyphenated words joined into one.

        Each word comes with its span in ``utf8`` and all forms that the index may store.
        ``language`` is the language of the note, whose words may be English, too; without one, all
        languages of the vault are allowed for.
        """
        languages = self._languages
        if language:
            languages = tuple(dict.fromkeys((ENGLISH, locale_of(language))))
        cut = tokens(self._sqlite, utf8)
        words = [(start, end, self._forms_of_word(word, languages)) for start, end, word in cut]
        for number, parts, word in further_forms(utf8, cut):
            start, end, more = words[number]
            more += tuple(form for part in parts for form in self._forms_of_part(part, languages))
            if word:
                more += (with_sign(word),)
            words[number] = (start, end, more)
        wholes = [
            (start, end, self._forms_of_part(whole, languages))
            for start, end, whole in joined(utf8, cut)
        ]
        return words, wholes

    def _typed_forms(self, word: str, begun: bool) -> tuple[str, ...]:
        """Return the forms that find a typed word, or one that is ``begun``, in the index."""
        plain = without_accents(word)
        forms = [] if begun else list(self._forms_of_word(word, self._languages))
        if begun or self.languages:
            forms.append(plain)
        if begun:
            forms += (simplified(plain, language) for language in self._languages)
        return tuple(dict.fromkeys(forms))

    def _word_in(self, word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
        stems: list[str] = []
        like_function_words: set[str] = set()
        for language in languages:
            own = _flat([self._terms_in(language).stem(word)])
            marked = {unmarked(stem) for stem in own if stem != unmarked(stem)}
            stems += own
            like_function_words |= marked.difference(own)
        if word in FUNCTION_WORDS["en"]:  # "once" is no Swedish "onkel", but has its stem
            return tuple(dict.fromkeys(stems))
        # A Spanish "pared" is no "para" (for), even if it might be a word of another language.
        kept = (stem for stem in stems if stem == word or stem not in like_function_words)
        return tuple(dict.fromkeys(kept))

    def _part_in(self, part: bytes, languages: tuple[str, ...]) -> tuple[str, ...]:
        forms = (self._terms_in(language).forms_of_part(part) for language in languages)
        return tuple(dict.fromkeys(chain.from_iterable(forms)))


def locale_of(language: str) -> str:
    """Return the FTS5 locale of notes in ``language``, by which they are stemmed.

    It may be several languages with a "+" between them.
    """
    own = (name if has_own_stems(name) else ENGLISH for name in language.split("+"))
    return "+".join(dict.fromkeys(own))


class IndexTerms:
    """Cuts notes of one locale (``locale_of``) into terms for the index."""

    def __init__(self, sqlite: SqliteTokenizer, locale: str) -> None:
        """Cut with ``sqlite``; words get the stems of each language in ``locale``."""
        self._sqlite = sqlite
        self._languages = locale.split("+")
        stems = [stemmer(language) for language in self._languages]
        self.stem = stems[0] if len(stems) == 1 else lru_cache(_CACHED)(partial(_in_all, stems))
        self._is_compounding = not COMPOUNDING.isdisjoint(self._languages)
        self._further = lru_cache(_CACHED)(self._further_forms)

    def in_text(self, utf8: bytes) -> Sequence[Term]:
        """Return all words of a text in order, then their further forms, each once."""
        words = self._in_order(utf8)
        forms = self._forms(utf8)
        return [*words, _SEPARATOR, (_SEPARATOR, *forms)] if forms else words

    def in_huge_text(self, utf8: bytes, check: Callable[[], None]) -> Iterator[Term]:
        """Yield the terms of a huge text, and call ``check`` after each portion.

        FTS5 keeps all of a row in memory. So only the first ``_DIFFERENT`` different words are
        kept.
        """
        seen: set[Term] = set()
        forms: dict[str, None] = {}
        for portion in _portions(utf8):
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
        self._further.cache_clear()  # hardly any of its words come again

    def _forms(self, utf8: bytes) -> dict[str, None]:
        pieces = with_plain_hyphens(utf8).translate(_SEPARATED).split()
        short = (piece for piece in pieces if len(piece) <= LONGEST_WORD)
        forms = dict.fromkeys(chain.from_iterable(map(self._further, short)))
        for _, _, digits in numbers_as_words(utf8.decode("utf-8", "replace")):
            forms[digits] = None
        return forms

    def forms_of_part(self, part: bytes) -> tuple[str, ...]:
        """Return the forms of a part of a word, such as "State" in "useState"."""
        return _flat(self._words(part)[:1])

    def _further_forms(self, piece: bytes) -> tuple[str, ...]:
        """Return the forms, besides its words, by which a text without spaces is found."""
        forms: tuple[str, ...] = ()
        if b"-" in piece or not (piece.islower() or piece.istitle() or piece.isupper()):
            parts = parts_and_joined(piece)
            forms = _flat(self._words(b" ".join(parts))) if parts else ()
        if self._is_compounding:
            forms += tuple(
                f"{BACKWARDS}{form[::-1]}"
                for form in _flat(self._words(piece))
                if len(form) >= _SHORTEST_COMPOUND and form.isalpha()
            )
        return forms

    def _in_order(self, utf8: bytes) -> Sequence[Term]:
        terms: list[Term] = []
        at = 0
        forms = [(word, with_sign(word.group())) for word in signed_words(utf8)]
        forms += [(word, word.group()[1:].decode()) for word in VERSION.finditer(utf8)]
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
        if not utf8.isascii() and UNSPACED_RUN.search(non_ascii(utf8)):
            return self._with_unspaced(utf8.decode("utf-8", "replace"))
        return [self.stem(word) for _, _, word in tokens(self._sqlite, utf8)]

    def _with_unspaced(self, text: str) -> Sequence[Term]:
        """Return the words of a text, and the pairs of characters of its runs without spaces.

        This is twice as fast as ``tokens``.
        """
        terms: list[Term] = []
        runs = _RUNS.split(text)
        for between, run in zip_longest(runs[::2], runs[1::2]):
            terms += self._words(between.encode())
            if run:
                characters = folded_run(run)
                for language in self._languages:
                    characters = simplified(characters, language)
                terms += _pairs(characters)
        return terms


def _portions(utf8: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(utf8):
        word = _END_OF_WORD.search(utf8, start + PORTION, start + 2 * PORTION)
        character = _CHARACTER.search(utf8, start + PORTION)
        end = word.end() if word else character.start() if character else len(utf8)
        yield utf8[start:end]
        start = end


def _in_all(stems: Sequence[Callable[[str], Term]], word: str) -> Term:
    """Return what each of ``stems`` makes of ``word``."""
    return tuple(dict.fromkeys(_flat(stem(word) for stem in stems)))


def _flat(words: Iterable[Term]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(_as_tuple, words)))


def _as_tuple(word: Term) -> tuple[str, ...]:
    return (word,) if isinstance(word, str) else word


def _pairs(characters: str) -> Sequence[Term]:
    """Return the overlapping pairs of ``characters``; the last pair also has the last character.

    A query of one character finds a pair that begins with it. If the last character were a term of
    its own, it would shift the positions of later words.
    """
    if len(characters) == 1:
        return [characters]
    pairs: list[Term] = list(map(add, characters, characters[1:]))
    pairs[-1] = (characters[-2:], characters[-1])
    return pairs
