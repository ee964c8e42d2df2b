"""The FTS5 tokenizer: what counts as a word, for indexing, for queries and for highlights.

Latin and other spaced scripts go to SQLite's own ``unicode61`` after NFKC, so case, diacritics,
width and ligatures fold; words are stemmed as those of the note's language are, else as English
ones. Scripts written without spaces are cut into overlapping pairs of characters, so that any run
of two or more can be found as a phrase.

A word may have more than one form. The index holds all of them at its place: the stem, the parts
of "useState", "email" for "e-mail". A query asks for any of its own: the word's stems in all the
languages of the vault.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import cast

import apsw

from notesearch.store.compounds import spots
from notesearch.store.folding import ACCENTS, evened, folded, has_accents, is_plain
from notesearch.store.stemming import Stems, has_own_stems

NAME = "notesearch"

Token = tuple[int, int, str]
"""Start and end (bytes of UTF-8), and the folded and stemmed form."""

Forms = tuple[int, int, tuple[str, ...]]
"""Start and end (bytes of UTF-8), and all forms of the word there."""

_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Myanmar, Khmer
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana, radicals
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # Han, half-width kana
    "\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_JOINS_THE_LAST = re.compile("[\u1160-\u11ff\uff9e\uff9f]")  # Hangul vowels and ends, voicing

_SIGN = "™℠℃℉№\u3200-\u33ff"  # each a word of its own: "Kindle™" is still Kindle
_BETWEEN = (
    "\\s\x00-/:-@\\[-`{-\x7f\u2010-\u2027\u2030-\u205e\u3001-\u3004\u3008-\u303f"
    "\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
# A word with at least one character that is not ASCII. The look-behind keeps a long ASCII word
# from being tried again at each of its characters.
_WIDE_WORD = re.compile(
    f"[{_SIGN}]|(?<![0-9A-Za-z])[0-9A-Za-z]*+[^\x00-\x7f{_BETWEEN}{_SIGN}][^{_BETWEEN}{_SIGN}]*"
)

_Inner = Callable[[bytes, int, str | None], list[Token]]
_Indexed = tuple[int, int, *tuple[str, ...]]
"""A word with all its forms, as FTS5 takes it."""

# Marks are part of a word: Indic vowels are. Those that only change how a sign is drawn are not.
_PLAIN = (
    "categories", "L* N* Co Mn Mc", "separators",
    "".join(map(chr, (*range(0x300, 0x370), *range(0x20D0, 0x20F1), *range(0xFE00, 0xFE10)))),
)  # fmt: skip
_REMEMBERED = 50_000
_AUX = apsw.FTS5_TOKENIZE_AUX


class Tokenizer:
    """Cuts text into words for one connection.

    Attributes:
        languages: Those of the vault's notes that have stems of their own.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        """Make the tokenizer known to ``connection``."""
        folding = ["unicode61", "remove_diacritics", "2", *_PLAIN]
        # With offsets these yield three-tuples only.
        self._english = cast("_Inner", connection.fts5_tokenizer("porter", folding))
        self._begun = cast("_Inner", connection.fts5_tokenizer(folding[0], folding[1:]))
        accented = ["remove_diacritics", "0", *_PLAIN]
        self._accented = cast("_Inner", connection.fts5_tokenizer("unicode61", accented))
        self._stems: dict[str, Stems] = {}
        self._of_parts: dict[tuple[bytes, str], tuple[str, ...]] = {}
        self.languages: tuple[str, ...] = ()

        def factory(
            _: apsw.Connection, __: list[str]
        ) -> Callable[[bytes, int, str | None], object]:
            return self._for_full_text_search

        connection.register_fts5_tokenizer(NAME, factory)  # type: ignore[arg-type]

    def _for_full_text_search(
        self, utf8: bytes, flags: int, locale: str | None
    ) -> Sequence[_Indexed]:
        if flags & apsw.FTS5_TOKENIZE_DOCUMENT:
            return self._document(utf8, locale or "")
        begun = bool(flags & apsw.FTS5_TOKENIZE_PREFIX)
        return [(start, end, *forms) for start, end, forms in self.asked(utf8, begun=begun)]

    def tokens(self, utf8: bytes, *, begun: bool = False) -> list[Token]:
        """Return the words of ``utf8``, each as an English one.

        With ``begun`` those of words that are still being typed: the beginning of a word has no
        stem, that of "dres" would be "dre".
        """
        return _tokens(self._begun if begun else self._english, utf8, whole=False)

    def asked(self, utf8: bytes, *, begun: bool = False) -> list[Forms]:
        """Return the words of a query, each in the forms any of which may stand in the index."""
        found = self.tokens(utf8, begun=begun)
        forms: list[tuple[str, ...]] = [(token,) for _, _, token in found]
        if not begun:
            forms = self._in_all_languages(utf8, forms, plain=True)
        asked = [(start, end, form) for (start, end, _), form in zip(found, forms, strict=True)]
        for number, _, signed in spots(utf8, found):
            if signed:
                start, end, _ = found[number]
                begin = start - signed.startswith(b".")
                asked[number] = (begin, max(end, begin + len(signed)), (_signed(signed),))
        return asked

    def forms(self, utf8: bytes) -> list[Forms]:
        """Return the words of a text, each in all forms that the index may hold of it."""
        found = _tokens(self._english, utf8, whole=False)
        if self.languages:
            stems = self._in_all_languages(utf8, [(token,) for _, _, token in found], plain=False)
            forms = [(start, end, all_) for (start, end, _), all_ in zip(found, stems, strict=True)]
        else:
            forms = [(start, end, (token,)) for start, end, token in found]
        for number, parts, signed in spots(utf8, found):
            start, end, more = forms[number]
            for language in ("", *self.languages):
                more += tuple(form for part in parts for form in self._of(part, language))
            forms[number] = start, end, ((*more, _signed(signed)) if signed else more)
        return forms

    def _document(self, utf8: bytes, language: str) -> list[_Indexed]:
        if language:
            stems = self._stems_of(language)
            cut = _tokens(self._accented, utf8, whole=True)
            found = cast("list[_Indexed]", [(w[0], w[1], *stems[w[2]], *w[3:]) for w in cut])
        else:
            found = cast("list[_Indexed]", _tokens(self._english, utf8, whole=True))
        said: set[bytes] = set()
        for number, parts, signed in spots(utf8, found):
            # Once for a text: code that says "defineProps" ten times is not ten times about props.
            new = [part for part in parts if part not in said]
            said.update(new)
            of_parts = [form for part in new for form in self._of(part, language)]
            found[number] = (*found[number], *of_parts, *((_signed(signed),) if signed else ()))
        return found

    def _in_all_languages(
        self, utf8: bytes, forms: list[tuple[str, ...]], *, plain: bool
    ) -> list[tuple[str, ...]]:
        """Add to the forms of words the stems that they have in the languages of the vault."""
        if not self.languages:
            return forms
        words = [token for _, _, token in _tokens(self._accented, utf8, whole=False)]
        if len(words) != len(forms):
            return forms
        all_stems = [self._stems_of(language) for language in self.languages]
        unstemmed = [t for _, _, t in _tokens(self._begun, utf8, whole=False)] if plain else words
        return [
            tuple(dict.fromkeys(
                (*known, *(form for stems in all_stems for form in stems[word]),
                 *((bare,) if plain else ())),
            ))
            for known, word, bare in zip(forms, words, unstemmed, strict=True)
        ]  # fmt: skip

    def _stems_of(self, language: str) -> Stems:
        if language not in self._stems:
            self._stems[language] = Stems(language)
        return self._stems[language]

    def _of(self, part: bytes, language: str) -> tuple[str, ...]:
        """Return the forms of a part of a word in a note of ``language``."""
        key = (part, language)
        if key not in self._of_parts:
            if len(self._of_parts) >= _REMEMBERED:
                self._of_parts.clear()
            inner = self._accented if language else self._english
            found = _tokens(inner, part, whole=False)[:1]
            stems = [self._stems_of(language)[t] if language else (t,) for _, _, t in found]
            self._of_parts[key] = stems[0] if stems else ()
        return self._of_parts[key]


def locale_of(language: str) -> str:
    """Return what the words of a note in ``language`` are indexed with; empty: as English."""
    return language if has_own_stems(language) else ""


def _signed(word: bytes) -> str:
    return folded(word.decode("utf-8", "replace")).lower()


def is_single_unspaced(token: str) -> bool:
    """Return whether ``token`` is one character of a script that is indexed in pairs.

    The index holds it as the beginning of pairs, so it has to be looked for as a prefix.
    """
    return len(token) == 1 and _UNSPACED_RUN.fullmatch(token) is not None


def _tokens(inner: _Inner, utf8: bytes, *, whole: bool) -> list[Token]:
    """Cut ``utf8`` into words; ``whole``: it is a text of the index, not a part of one."""
    if utf8.isascii():
        return inner(utf8, _AUX, None)
    text = evened(utf8.decode("utf-8", "replace"))
    found: list[Token] = []
    at = base = 0
    for run in _UNSPACED_RUN.finditer(text):
        base = _spaced(inner, text[at : run.start()], base, found)
        base = _pairs(run.group(), base, found, whole=whole)
        at = run.end()
    _spaced(inner, text[at:], base, found)
    return found


def _spaced(inner: _Inner, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which starts at byte ``base``; return the byte it ends at."""
    if is_plain(text):
        return _as_it_stands(inner, text, base, found)
    # Folding changes lengths: each word it changes is folded alone, and its tokens cover it whole.
    at = 0
    for word in _WIDE_WORD.finditer(text):
        plain = folded(word.group())
        if plain == word.group():
            continue
        start = _as_it_stands(inner, text[at : word.start()], base, found)
        base = start + len(word.group().encode())
        at = word.end()
        cut = _tokens(inner, plain.encode("utf-8", "replace"), whole=False)
        found += [(start, base, token) for _, _, token in cut]
    return _as_it_stands(inner, text[at:], base, found)


def _as_it_stands(inner: _Inner, text: str, base: int, found: list[Token]) -> int:
    if not text:
        return base
    utf8 = text.encode()
    tokens = inner(utf8, _AUX, None)
    if has_accents(text):  # one that stands on no letter is no word
        tokens = [token for token in tokens if token[2].strip(ACCENTS)]
    found += [(base + start, base + end, token) for start, end, token in tokens] if base else tokens
    return base + len(utf8)


def _pairs(run: str, base: int, found: list[Token], *, whole: bool) -> int:
    """Add the overlapping pairs of ``run``, which starts at byte ``base``; return its end."""
    places = list(_folded_characters(run, base))
    end = places[-1][1]
    if len(places) == 1:
        found.append(places[0])
        return end
    for (start, _, first), (_, stop, second) in pairwise(places):
        found.append((start, stop, first + second))
    if whole:
        # A query of one character finds it as the beginning of a pair; the last one has none, so
        # it is held as another form of the last pair, which leaves the next word its neighbour.
        found[-1] = (*found[-1], places[-1][2])  # type: ignore[assignment]
    return end


def _folded_characters(run: str, base: int) -> Iterator[Token]:
    """Yield the characters of ``run`` after NFKC, each with the bytes it comes from."""
    if unicodedata.is_normalized("NFKC", run):
        for character in run:
            width = len(character.encode())
            yield base, base + width, character
            base += width
        return
    at = 0
    while at < len(run):
        end = at + 1
        while end < len(run) and _joins(run[end]):
            end += 1
        width = len(run[at:end].encode())
        for character in unicodedata.normalize("NFKC", run[at:end]):
            yield base, base + width, character
        base += width
        at = end


def _joins(character: str) -> bool:
    return bool(unicodedata.combining(character)) or bool(_JOINS_THE_LAST.match(character))
