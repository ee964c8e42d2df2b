"""Cuts text into words as the index does, and knows the words of the index: its vocabulary."""

import fnmatch
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import TypeVar, cast

from notesearch.notes import Span
from notesearch.store import full_text_index
from notesearch.store.conditions import quoted
from notesearch.store.db import IndexState
from notesearch.store.folding import folded_name
from notesearch.store.stemming import COMPOUNDING, has_own_stems
from notesearch.store.tokenizer import BACKWARDS
from notesearch.store.word_cutting import UNSPACED_RUN

_Value = TypeVar("_Value")

_Words = tuple[tuple[Span, str], ...]
_Forms = tuple[tuple[Span, tuple[str, ...]], ...]

_CACHED = 2048
_SECTIONS = "select count(*) from section"
_OUTGROWN = 50
"""The vocabulary is read again when one section in 50 was added or deleted."""

_LARGE = 10_000
"""In a word index of more pages, reading the words of one letter takes 0.1 s or more."""

_SHORTEST_PART = 4
_COMPOUNDS = 12
_FEW = 10
"""Words in more sections than this are frequent: compounds that end with them are not found."""

_LAST = "\U0010ffff"
_SEPARATOR: tuple[Span, tuple[str, ...]] = ((0, 0), ())
_OCCURRENCES = 8
_READ = 4000
"""Only this many characters of a section are searched for the spelling of a word."""

_BEGUN = r"(?<![^\W\d_])(?:{}|[^\W\d_\x00-\x7f])[^\W\d_]*"
"""Matches a word that begins with a given letter, or with one that may be the same with an accent.
"""
_STEMS = 200
"""A word with wildcards may have many stems. Only sections with one of this many stems, the most
frequent ones, are read."""

_SECTIONS_READ = 1000
"""At most this many sections are searched for words that match wildcards."""

_MATCHING = 40
"""A word with wildcards stands for at most this many words."""

_BETWEEN = 4
"""Maximum number of characters that an asterisk stands for in a script without spaces."""

_SHORTEST = 3
_LONGEST = 40

Read = Callable[[str], Iterable[tuple[str, int]]]
"""Returns the words of the index that begin with a text, each with its number of sections."""


class Vocabulary:
    """The words of the index, folded and stemmed. It reads all words with one first letter at once.

    ``sections`` has the number of sections with each word that was read; ``is_large`` says whether
    reading the words of a letter may take up to half a second.
    """

    def __init__(self, read: Read, *, is_large: bool = False) -> None:
        """Read words with ``read``; ``is_large`` says that this takes long."""
        self._read = read
        self.is_large = is_large
        self._by_letter: dict[str, Mapping[int, list[str]]] = {}
        self.sections: dict[str, int] = {}

    def near(self, letters: str, lengths: range) -> list[str]:
        """Return the words of these ``lengths`` that begin with one of ``letters``."""
        by_length = [self._of(letter) for letter in dict.fromkeys(letters)]
        found = (words.get(length, ()) for words in by_length for length in lengths)
        return list(chain.from_iterable(found))

    def count(self, word: str) -> int:
        """Return the number of sections with ``word``."""
        self._of(word[0])
        return self.sections.get(word, 0)

    def existing(self, words: Iterable[str]) -> list[str]:
        """Return those of ``words`` that are in the index; only these words are looked up."""
        found = []
        for word in filter(_is_known, words):
            if word[0] not in self._by_letter and word not in self.sections:
                self.sections |= {term: n for term, n in self._read(word) if term == word}
            if word in self.sections:
                found.append(word)
        return found

    def _of(self, letter: str) -> Mapping[int, list[str]]:
        if letter not in self._by_letter:
            by_length: dict[int, list[str]] = defaultdict(list)
            for term, sections in self._read(letter):
                if _is_known(term):
                    by_length[len(term)].append(term)
                    self.sections[term] = sections
            self._by_letter[letter] = by_length
        return self._by_letter[letter]


class Lexicon:
    """The part of the reader that cuts text into words and knows which words the index has.

    Attributes:
        compounds: Returns stems of words that end in a stem; none if that itself is frequent.
    """

    def __init__(self, state: IndexState) -> None:
        self._state = state
        self._vocabulary: Vocabulary | None = None
        self._vocabulary_version = -1
        self._sections = 0
        self._cached_matching = state.cached(self._find_matching, _CACHED)
        self.compounds = state.cached(self._find_compounds, _CACHED)
        self._cached_spellings = state.cached(self._find_spellings, _CACHED)
        state.when_changed(self._choose_languages)

    def _choose_languages(self) -> None:
        spoken = tuple(filter(has_own_stems, self._state.languages()))
        if spoken != self._state.tokenizer.languages:
            self._state.tokenizer.languages = spoken

    def tokens(self, text: str, *, begun: bool = False) -> _Words:
        """Return the tokens of ``text``, each with its span.

        With ``begun``, the last word may be unfinished, so no token is stemmed.
        """
        utf8 = text.encode("utf-8", "replace")
        return tuple(_by_characters(utf8, self._state.tokenizer.tokens(utf8, begun=begun)))

    def forms(self, text: str, language: str | None = None) -> _Forms:
        """Return the span (in characters) and all forms of each word of a note's ``text``.

        At the end, after an entry without forms, follow the words with hyphens and the numbers such
        as 1,000, each joined into one word. ``language`` is the language of the note; None means
        all languages in the vault.
        """
        self._state.refresh()
        utf8 = text.encode("utf-8", "replace")
        words, wholes = self._state.tokenizer.forms(utf8, language)
        spans = _by_characters(utf8, words)
        return (*spans, _SEPARATOR, *_by_characters(utf8, wholes)) if wholes else tuple(spans)

    def query_forms(self, text: str) -> _Forms:
        """Return the span (in characters) of each word of a query, and the forms that find it."""
        self._state.refresh()
        utf8 = text.encode("utf-8", "replace")
        return tuple(_by_characters(utf8, self._state.tokenizer.query_forms(utf8)))

    def _find_compounds(self, stem: str) -> tuple[str, ...]:
        if len(stem) < _SHORTEST_PART or COMPOUNDING.isdisjoint(self._state.languages()):
            return ()
        begun = f"{BACKWARDS}{stem[::-1]}"
        query = (
            "select term from vocabulary where term > ?1 and term < ?1 || ?2 and ?4 >= (select"
            " count(*) from (select distinct doc from occurrence where term = ?3 limit ?4 + 1))"
            " order by doc desc limit ?5"
        )
        with self._state.reading():
            values = (begun, _LAST, stem, _FEW, _COMPOUNDS)
            rows = cast("Iterable[tuple[str]]", self._state.sql.execute(query, values))
            return tuple(term[: len(BACKWARDS) - 1 : -1] for (term,) in rows)

    def languages(self) -> Mapping[str, int]:
        """Return the number of notes in each language."""
        return self._state.languages()

    def vocabulary(self) -> Vocabulary:
        """Return the vocabulary of the index; after small changes it may be the earlier one."""
        version = self._state.version()
        if self._vocabulary is None or version != self._vocabulary_version:
            with self._state.reading():
                sections = cast("int", self._state.sql.execute(_SECTIONS).get)
                is_outgrown = abs(sections - self._sections) * _OUTGROWN >= self._sections
                if self._vocabulary is None or is_outgrown:
                    pages = full_text_index.pages_of(self._state.sql, "")
                    reversed_words = full_text_index.pages_of(self._state.sql, BACKWARDS)
                    is_large = pages - reversed_words > _LARGE
                    self._vocabulary = Vocabulary(self._beginning_with, is_large=is_large)
                    self._sections = sections
            self._vocabulary_version = version
        return self._vocabulary

    def _beginning_with(self, letters: str) -> list[tuple[str, int]]:
        query = "select term, doc from vocabulary where term >= ? and term < ?"
        end = letters[:-1] + chr(ord(letters[-1]) + 1)
        return cast("list[tuple[str, int]]", self._state.rows(query, letters, end))

    def matching(self, wanted: str) -> tuple[str, ...]:
        """Return the words that ``wanted`` matches: "woman" and "women" for "wom*n".

        An asterisk stands for any letters, a question mark for one. The words are in lower case,
        the most frequent first.
        """
        return self._cached_matching(unicodedata.normalize("NFC", wanted).lower())

    def _find_matching(self, wanted: str) -> tuple[str, ...]:
        if UNSPACED_RUN.match(wanted):
            return tuple(self._matching_runs(wanted)[:_MATCHING])
        # "stra?e" means "straße" as it is written, and "b?r" the word "bär" without its accent.
        folded = folded_name(wanted)
        is_written = re.compile(fnmatch.translate(wanted)).match
        is_folded = re.compile(fnmatch.translate(folded)).match
        stems = self._stems_like(folded)
        found = [stem for stem in stems if is_folded(stem)]
        if len(found) < _MATCHING:
            begun = re.compile(_BEGUN.format(re.escape(folded[0])))
            written = self._written(begun, self._sections_with(folded, stems))
            found += [word for word in written if is_written(word) or is_folded(folded_name(word))]
        return tuple(dict.fromkeys(found))[:_MATCHING]

    def _stems_like(self, folded: str) -> list[str]:
        """Return the stems of words that ``folded``, a text with wildcards, may match.

        A stem may lack some of a word's last letters, or end with another letter. It may have two
        letters for one that is folded, such as "ß". Stems that ``folded`` matches come first.
        """
        matches = re.compile(fnmatch.translate(folded)).match
        beginning = re.split("[*?]", folded)[0]
        longest = _LONGEST if "*" in folded else len(folded) + folded.count("?")
        # A stem has at least three letters, of which the last may differ.
        sections = dict(self._beginning_with(beginning[: _SHORTEST - 1]))
        stems = [
            stem
            for stem in filter(_is_known, sections)
            if len(stem) <= longest
            and (stem.startswith(beginning) or beginning.startswith(stem[:-1]))
        ]
        return sorted(stems, key=lambda stem: (not matches(stem), -sections[stem], stem))

    def _sections_with(self, folded: str, stems: Sequence[str]) -> set[int]:
        """Return the ids of sections, some for each of the first ``_STEMS`` of ``stems``."""
        query = "select distinct doc from occurrence where term = ? limit ?"
        terms = list(stems[:_STEMS])
        if "?" not in folded:
            terms.append(folded.replace("*", ""))  # may have two letters: no stem is so short
        of_each = max(_SECTIONS_READ // len(terms), 1) if terms else 0
        found: set[int] = set()
        with self._state.reading():
            for term in terms:
                rows = cast("Iterable[tuple[int]]", self._state.sql.execute(query, (term, of_each)))
                found.update(section for (section,) in rows)
        return found

    def _matching_runs(self, wanted: str) -> list[str]:
        """Return the texts, without spaces in their script, that ``wanted`` matches.

        For "图*馆", "图书馆" is one.
        """
        query = "select rowid from words where words match ? limit ?"
        first, *others = re.split(r"\*+", wanted.replace("?", "."))
        # The groups are atomic: many asterisks would try all ways to place them otherwise.
        pattern = first + "".join(f"(?>.{{0,{_BETWEEN}}}?{other})" for other in others)
        begins = " AND ".join(quoted(run, prefix=True) for run in UNSPACED_RUN.findall(wanted))
        rows = cast("list[tuple[int]]", self._state.rows(query, begins, _SECTIONS_READ))
        return self._written(re.compile(pattern), {section for (section,) in rows})

    def _written(self, pattern: re.Pattern[str], sections: Collection[int]) -> list[str]:
        """Return the texts in ``sections`` that match ``pattern``, in lower case.

        Texts that occur in the most sections come first.
        """
        counts: Counter[str] = Counter()
        with self._state.reading():
            texts = full_text_index.texts_of(self._state.sql, sections)
        for columns in texts.values():
            self._state.stop_if_cancelled()
            text = unicodedata.normalize("NFC", "\n".join(columns)).lower()
            counts.update(set(pattern.findall(text)))
        return sorted(counts, key=lambda word: (-counts[word], word))

    def spellings(self, term: str, language: str = "") -> tuple[str, ...]:
        """Return words with the stem ``term``, in lower case, in notes of ``language``."""
        return self._cached_spellings(term, language)

    def _find_spellings(self, term: str, language: str) -> tuple[str, ...]:
        query = (
            "select doc, col, offset from occurrence where term = ?1 and (?2 = '' or doc in"
            " (select s.id from section s join note n on n.id = s.note_id"
            f" where n.language in ('', ?2))) limit {_OCCURRENCES}"
        )
        with self._state.reading():
            rows = self._state.sql.execute(query, (term, language)).fetchall()
            occurrences = cast("list[tuple[int, str, int]]", rows)
            texts = full_text_index.texts_of(self._state.sql, {doc for doc, _, _ in occurrences})
        spelt: dict[str, None] = {}
        for doc, column, number in occurrences:
            if doc not in texts:
                continue
            text = texts[doc][full_text_index.COLUMNS.index(column)][:_READ]
            words = self.tokens(text, begun=True)
            word = text[slice(*words[number][0])].lower() if number < len(words) else ""
            if any(term in forms for _, forms in self.query_forms(word)):
                spelt[word] = None
        return tuple(spelt)


_BEGINS_CHARACTER = bytes(byte & 0xC0 != 0x80 for byte in range(256))
"""1 for each byte that begins a character in UTF-8."""


def _by_characters(
    utf8: bytes, found: Iterable[tuple[int, int, _Value]]
) -> list[tuple[Span, _Value]]:
    if utf8.isascii():
        return [((start, end), value) for start, end, value in found]
    indexes = (0, *accumulate(utf8.translate(_BEGINS_CHARACTER)))
    return [((indexes[start], indexes[end]), value) for start, end, value in found]


def _is_known(term: str) -> bool:
    return _SHORTEST <= len(term) <= _LONGEST and term.isalpha()
