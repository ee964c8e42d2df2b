"""The FTS5 tokenizer: what counts as a word, for indexing, for queries and for highlights.

Latin and other spaced scripts go to SQLite's own ``unicode61`` after NFKC, so case, diacritics,
width and ligatures fold; words are stemmed as those of the note's language are, else as English
ones. Scripts written without spaces are cut into overlapping pairs of characters, so that any run
of two or more can be found as a phrase. An emoji, an arrow, a sign of mathematics is a word.

A word may have more than one form. The index holds all of them at its place: the stem, the parts
of "useState", "email" for "e-mail". A query asks for any of its own: the word's stems in all the
languages of the vault.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import cast

import apsw

from notesearch.store.compounds import joined, spots
from notesearch.store.cutting import UNSPACED_RUN, Inner, Token, tokens
from notesearch.store.indexed import PORTION, IndexedWords, with_sign
from notesearch.store.stemming import COMPOUNDING, Stems, has_own_stems

NAME = "notesearch"

AS_IT_STANDS = "="
"""In place of a language: each string of a query is a form that the index may hold."""

_REMEMBERED = 1 << 15
"""Words whose stems are kept."""

_QUERIES = 1024

Forms = tuple[int, int, tuple[str, ...]]
"""Start and end (bytes of UTF-8), and all forms of the word there."""

# Marks are part of a word: Indic vowels are. Those that only change how a sign is drawn are not.
_PLAIN = (
    "categories", "L* N* Co Mn Mc", "separators",
    "".join(map(chr, (*range(0x300, 0x370), *range(0x20D0, 0x20F1), *range(0xFE00, 0xFE10)))),
)  # fmt: skip
_AUX = apsw.FTS5_TOKENIZE_AUX


def carry_on() -> None:
    """Let what is under way go on."""


class Tokenizer:
    """Cuts text into words for one connection.

    Attributes:
        check: Called now and then while a huge text is cut; what it raises ends that.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        """Make the tokenizer known to ``connection``."""
        folding = ["unicode61", "remove_diacritics", "2", *_PLAIN]
        accented = ["unicode61", "remove_diacritics", "0", *_PLAIN]
        stemmed = connection.fts5_tokenizer("porter", folding)
        unstemmed = connection.fts5_tokenizer(accented[0], accented[1:])
        self._english = _placed(stemmed)
        self._begun = _placed(connection.fts5_tokenizer(folding[0], folding[1:]))
        self._accented = _placed(unstemmed)
        self._names = {False: _unplaced(stemmed), True: _unplaced(unstemmed)}
        self._stems: dict[str, Stems] = {}
        self._indexed: dict[str, IndexedWords] = {}
        self._languages: tuple[str, ...] = ()
        self.check: Callable[[], None] = carry_on
        # Texts repeat their words, and a vault may hold many languages.
        self._forms_of_word = lru_cache(_REMEMBERED)(self._word_in)
        self._forms_of_part = lru_cache(_REMEMBERED)(self._part_in)
        # FTS5 asks for the words of a query with each statement.
        self._asked = lru_cache(_QUERIES)(self._cut_query)
        self._looked_for = lru_cache(_QUERIES)(self._words_of_query)

        def factory(
            _: apsw.Connection, __: list[str]
        ) -> Callable[[bytes, int, str | None], object]:
            return self._for_full_text_search

        connection.register_fts5_tokenizer(NAME, factory)  # type: ignore[arg-type]

    def _for_full_text_search(
        self, utf8: bytes, flags: int, locale: str | None
    ) -> Iterable[object]:
        if flags & apsw.FTS5_TOKENIZE_DOCUMENT:
            words = self._words_in(locale or "")
            return words.of(utf8) if len(utf8) < PORTION else words.of_many(utf8, self.check)
        if locale == AS_IT_STANDS:
            return [(0, len(utf8), utf8.decode("utf-8", "replace"))]
        return self._looked_for(utf8, bool(flags & apsw.FTS5_TOKENIZE_PREFIX))

    def _words_of_query(self, utf8: bytes, begun: bool) -> tuple[object, ...]:
        return tuple((start, end, *forms) for start, end, forms in self._cut_query(utf8, begun))

    def tokens(self, utf8: bytes, *, begun: bool = False) -> list[Token]:
        """Return the words of ``utf8``, each as an English one.

        With ``begun`` those of words that are still being typed: the beginning of a word has no
        stem, that of "dres" would be "dre".
        """
        return tokens(self._begun if begun else self._english, utf8)

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of the vault's notes that have stems of their own."""
        return self._languages

    @languages.setter
    def languages(self, spoken: tuple[str, ...]) -> None:
        self._languages = spoken
        self._asked.cache_clear()
        self._looked_for.cache_clear()

    def asked(self, utf8: bytes) -> Sequence[Forms]:
        """Return the words of a query, each in the forms any of which may stand in the index."""
        return self._asked(utf8, False)

    def _cut_query(self, utf8: bytes, begun: bool) -> tuple[Forms, ...]:
        found = self.tokens(utf8, begun=begun)
        forms: list[tuple[str, ...]] = [(token,) for _, _, token in found]
        if not begun:
            forms = self._in_languages(self.languages, utf8, forms, plain=True)
        asked = [(start, end, form) for (start, end, _), form in zip(found, forms, strict=True)]
        for number, _, signed in spots(utf8, found):
            if signed:
                start, end, _ = found[number]
                begin = start - signed.startswith(b".")
                asked[number] = (begin, max(end, begin + len(signed)), (with_sign(signed),))
        return tuple(asked)

    def forms(self, utf8: bytes, language: str | None = None) -> tuple[list[Forms], list[Forms]]:
        """Return the words of a text, each in all forms that the index may hold of it.

        Args:
            utf8: The text.
            language: Of the note it stands in; any of the vault's when it is not known.

        Returns:
            The words in order; and those that hyphened ones join up to, over all of them.
        """
        languages = (
            self.languages if language is None else tuple(filter(None, [locale_of(language)]))
        )
        found = tokens(self._english, utf8)
        forms: list[tuple[str, ...]] = [(token,) for _, _, token in found]
        forms = self._in_languages(languages, utf8, forms, plain=False)
        words = [(start, end, form) for (start, end, _), form in zip(found, forms, strict=True)]
        for number, parts, signed in spots(utf8, found):
            start, end, more = words[number]
            more += tuple(form for part in parts for form in self._forms_of_part(part, languages))
            words[number] = start, end, ((*more, with_sign(signed)) if signed else more)
        wholes = [
            (start, end, self._forms_of_part(whole, languages))
            for start, end, whole in joined(utf8, found)
        ]
        return words, wholes

    def _in_languages(
        self, languages: tuple[str, ...], utf8: bytes, forms: list[tuple[str, ...]], *, plain: bool
    ) -> list[tuple[str, ...]]:
        """Add to the forms of words the stems that they have in ``languages``."""
        if not languages:
            return forms
        words = [token for _, _, token in tokens(self._accented, utf8)]
        if len(words) != len(forms):
            return forms
        unstemmed = [t for _, _, t in tokens(self._begun, utf8)] if plain else words
        return [
            tuple(dict.fromkeys(
                (*known, *self._forms_of_word(word, languages), *((bare,) if plain else ())),
            ))
            for known, word, bare in zip(forms, words, unstemmed, strict=True)
        ]  # fmt: skip

    def _word_in(self, word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
        stems = (self._stems_of(language)[word] for language in languages)
        return tuple(dict.fromkeys(chain.from_iterable(stems)))

    def _part_in(self, part: bytes, languages: tuple[str, ...]) -> tuple[str, ...]:
        forms = (self._words_in(language).part(part) for language in ("", *languages))
        return tuple(dict.fromkeys(chain.from_iterable(forms)))

    def _stems_of(self, language: str) -> Stems:
        if language not in self._stems:
            self._stems[language] = Stems(language)
        return self._stems[language]

    def _words_in(self, language: str) -> IndexedWords:
        """Return the words of notes in ``language``; empty: as English ones."""
        if language not in self._indexed:
            inner = self._accented if language else self._english
            stems = self._stems_of(language) if language else None
            self._indexed[language] = IndexedWords(
                inner, self._names[bool(language)], stems, compounding=language in COMPOUNDING
            )
        return self._indexed[language]


def locale_of(language: str) -> str:
    """Return what the words of a note in ``language`` are indexed with; empty: as English."""
    return language if has_own_stems(language) else ""


def is_single_unspaced(token: str) -> bool:
    """Return whether ``token`` is one character of a script that is indexed in pairs.

    The index holds it as the beginning of pairs, so it has to be looked for as a prefix.
    """
    return len(token) == 1 and UNSPACED_RUN.fullmatch(token) is not None


def _placed(inner: apsw.FTS5Tokenizer) -> Inner:
    # With offsets it yields three-tuples only.
    return cast("Inner", partial(inner, flags=_AUX, locale=None))


def _unplaced(inner: apsw.FTS5Tokenizer) -> Callable[[bytes], list[str]]:
    names = partial(inner, flags=_AUX, locale=None, include_offsets=False, include_colocated=False)
    return cast("Callable[[bytes], list[str]]", names)
