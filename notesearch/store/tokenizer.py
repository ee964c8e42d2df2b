"""The FTS5 tokenizer: what counts as a word in the index, in queries and in highlights.

Text with spaces goes to SQLite's own ``unicode61`` after NFKC, so case, diacritics, width and
ligatures fold. Words are stemmed in the language of their note, otherwise as English. Scripts
without spaces are cut into overlapping pairs of characters, so that a phrase finds any run of two
or more. An emoji, an arrow or a mathematical sign is a word.

A word may have several forms. The index holds all of them at its position: the stem, the parts of
"useState", "email" for "e-mail". A query looks for any of its own forms: the word's stems in all
languages of the vault.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import cast

import apsw

from notesearch.store.compounds import further_forms, joined
from notesearch.store.index_terms import PORTION, IndexTerms, with_sign
from notesearch.store.stemming import COMPOUNDING, Stems, has_own_stems
from notesearch.store.word_spans import UNSPACED_RUN, SqliteTokenizer, Token, tokens

NAME = "notesearch"

AS_IT_STANDS = "="
"""Passed instead of a language: each string of the query is already a form of the index."""

_WORDS, _QUERIES = 1 << 15, 1024
"""Entries of caches. FTS5 asks for the words of a query again with each statement."""

Forms = tuple[int, int, tuple[str, ...]]
"""Start and end (bytes of UTF-8), and all forms of the word there."""

# Marks are part of a word, as Indic vowels are, except those that only change how a sign is drawn.
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
        folding = ["unicode61", "remove_diacritics", "2", *_CATEGORIES]
        accented = ["unicode61", "remove_diacritics", "0", *_CATEGORIES]
        stemmed = connection.fts5_tokenizer("porter", folding)
        unstemmed = connection.fts5_tokenizer(accented[0], accented[1:])
        self._english = _with_offsets(stemmed)
        self._folded = _with_offsets(connection.fts5_tokenizer(folding[0], folding[1:]))
        self._accented = _with_offsets(unstemmed)
        self._without_spans = {False: _without_offsets(stemmed), True: _without_offsets(unstemmed)}
        self._stems: dict[str, Stems] = {}
        self._index_terms: dict[str, IndexTerms] = {}
        self._languages: tuple[str, ...] = ()
        self.check: Callable[[], None] = carry_on
        self._forms_of_word = lru_cache(_WORDS)(self._word_in)
        self._forms_of_part = lru_cache(_WORDS)(self._part_in)
        self._query_forms = lru_cache(_QUERIES)(self._cut_query)
        self._query_terms = lru_cache(_QUERIES)(self._terms_of_query)

        def factory(
            _: apsw.Connection, __: list[str]
        ) -> Callable[[bytes, int, str | None], object]:
            return self._tokenize

        connection.register_fts5_tokenizer(NAME, factory)  # type: ignore[arg-type]

    def _tokenize(self, utf8: bytes, flags: int, locale: str | None) -> Iterable[object]:
        """Return the words of a text for FTS5, which calls this for notes and for queries.

        ``flags`` say which of both it is; ``locale`` is the language of the note, or
        ``AS_IT_STANDS``.
        """
        if flags & apsw.FTS5_TOKENIZE_DOCUMENT:
            terms = self._terms_in(locale or "")
            return (
                terms.in_text(utf8) if len(utf8) < PORTION else terms.in_huge_text(utf8, self.check)
            )
        if locale == AS_IT_STANDS:
            return [(0, len(utf8), utf8.decode("utf-8", "replace"))]
        return self._query_terms(utf8, bool(flags & apsw.FTS5_TOKENIZE_PREFIX))

    def _terms_of_query(self, utf8: bytes, begun: bool) -> tuple[object, ...]:
        return tuple((start, end, *forms) for start, end, forms in self._cut_query(utf8, begun))

    def tokens(self, utf8: bytes, *, begun: bool = False) -> list[Token]:
        """Return the words of ``utf8`` with English stems.

        ``begun`` leaves out stemming, for words that are still being typed: the stem of "dres"
        would be "dre".
        """
        return tokens(self._folded if begun else self._english, utf8)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the vault's notes that are not stemmed as English."""
        return self._languages

    @languages.setter
    def languages(self, spoken: tuple[str, ...]) -> None:
        self._languages = spoken
        self._query_forms.cache_clear()
        self._query_terms.cache_clear()

    def query_forms(self, utf8: bytes) -> Sequence[Forms]:
        """Return the words of a query, each with the forms that find it in the index."""
        return self._query_forms(utf8, False)

    def _cut_query(self, utf8: bytes, begun: bool) -> tuple[Forms, ...]:
        cut = self.tokens(utf8, begun=begun)
        forms: list[tuple[str, ...]] = [(token,) for _, _, token in cut]
        if not begun:
            forms = self._in_languages(self.languages, utf8, forms, unstemmed=True)
        words = [(start, end, form) for (start, end, _), form in zip(cut, forms, strict=True)]
        for number, _, signed in further_forms(utf8, cut):
            if signed:
                start, end, _ = cut[number]
                begin = start - signed.startswith(b".")
                words[number] = (begin, max(end, begin + len(signed)), (with_sign(signed),))
        return tuple(words)

    def forms(self, utf8: bytes, language: str | None = None) -> tuple[list[Forms], list[Forms]]:
        """Return the words of a note's text, each with all forms that the index may hold of it.

        Args:
            utf8: The text.
            language: The language of the note; None to allow for any language of the vault.

        Returns:
            The words in order; and the hyphenated words, joined up, each with its whole span.
        """
        languages = (
            self.languages if language is None else tuple(filter(None, [locale_of(language)]))
        )
        cut = tokens(self._english, utf8)
        forms: list[tuple[str, ...]] = [(token,) for _, _, token in cut]
        forms = self._in_languages(languages, utf8, forms, unstemmed=False)
        words = [(start, end, form) for (start, end, _), form in zip(cut, forms, strict=True)]
        for number, parts, signed in further_forms(utf8, cut):
            start, end, more = words[number]
            more += tuple(form for part in parts for form in self._forms_of_part(part, languages))
            words[number] = start, end, ((*more, with_sign(signed)) if signed else more)
        wholes = [
            (start, end, self._forms_of_part(whole, languages))
            for start, end, whole in joined(utf8, cut)
        ]
        return words, wholes

    def _in_languages(
        self,
        languages: tuple[str, ...],
        utf8: bytes,
        forms: list[tuple[str, ...]],
        *,
        unstemmed: bool,
    ) -> list[tuple[str, ...]]:
        """Return ``forms`` with the stems of the words in ``languages`` added.

        If cutting the text without stemming gives another number of words, ``forms`` are unchanged.

        Args:
            languages: The languages.
            utf8: The text.
            forms: The forms of each of its words so far.
            unstemmed: Add the unstemmed words, too.
        """
        if not languages:
            return forms
        words = [token for _, _, token in tokens(self._accented, utf8)]
        if len(words) != len(forms):
            return forms
        stems = (self._forms_of_word(word, languages) for word in words)
        extended = [(*known, *more) for known, more in zip(forms, stems, strict=True)]
        if unstemmed:
            folded = (token for _, _, token in tokens(self._folded, utf8))
            extended = [(*known, word) for known, word in zip(extended, folded, strict=True)]
        return [tuple(dict.fromkeys(known)) for known in extended]

    def _word_in(self, word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
        stems = (self._stems_of(language)[word] for language in languages)
        return tuple(dict.fromkeys(chain.from_iterable(stems)))

    def _part_in(self, part: bytes, languages: tuple[str, ...]) -> tuple[str, ...]:
        forms = (self._terms_in(language).forms_of_part(part) for language in ("", *languages))
        return tuple(dict.fromkeys(chain.from_iterable(forms)))

    def _stems_of(self, language: str) -> Stems:
        if language not in self._stems:
            self._stems[language] = Stems(language)
        return self._stems[language]

    def _terms_in(self, language: str) -> IndexTerms:
        """Return what cuts notes in ``language`` into terms; an empty language is English."""
        if language not in self._index_terms:
            with_spans = self._accented if language else self._english
            stems = self._stems_of(language) if language else None
            without_spans, compounds = self._without_spans[bool(language)], language in COMPOUNDING
            self._index_terms[language] = IndexTerms(
                with_spans, without_spans, stems, compounding=compounds
            )
        return self._index_terms[language]


def locale_of(language: str) -> str:
    """Return the FTS5 locale of notes in ``language``: empty where they are stemmed as English."""
    return language if has_own_stems(language) else ""


def is_single_unspaced(token: str) -> bool:
    """Return whether ``token`` is one character of a script that is indexed in pairs.

    The index holds it only as the beginning of pairs, so a query has to look for it as a prefix.
    """
    return len(token) == 1 and UNSPACED_RUN.fullmatch(token) is not None


def _with_offsets(tokenizer: apsw.FTS5Tokenizer) -> SqliteTokenizer:
    return cast("SqliteTokenizer", partial(tokenizer, flags=_AUX, locale=None))


def _without_offsets(tokenizer: apsw.FTS5Tokenizer) -> Callable[[bytes], list[str]]:
    tokenize = partial(
        tokenizer, flags=_AUX, locale=None, include_offsets=False, include_colocated=False
    )
    return cast("Callable[[bytes], list[str]]", tokenize)
