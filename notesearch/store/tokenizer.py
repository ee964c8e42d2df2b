"""The FTS5 tokenizer: what counts as a word, for indexing, for queries and for highlights.

Latin and other spaced scripts go to SQLite's own ``porter unicode61`` after NFKC, so case,
diacritics, width and ligatures fold and English is stemmed. Scripts written without spaces are
cut into overlapping pairs of characters, so that any run of two or more can be found as a phrase.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import cast

import apsw

NAME = "notesearch"

Token = tuple[int, int, str]
"""Start and end (bytes of UTF-8), and the folded and stemmed form."""

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

_SOFT_HYPHEN = "\u00ad"
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


def register(connection: apsw.Connection) -> Callable[[bytes, int], list[Token]]:
    """Make the tokenizer known to ``connection`` and return it for direct use."""
    plain = ["unicode61", "remove_diacritics", "2"]
    # With offsets these yield three-tuples only.
    stemmed = cast("_Inner", connection.fts5_tokenizer("porter", plain))
    begun = cast("_Inner", connection.fts5_tokenizer(plain[0], plain[1:]))

    def tokens(utf8: bytes, flags: int) -> list[Token]:
        # The beginning of a word has no stem: that of "dres" would be "dre".
        return _tokens(begun if flags & apsw.FTS5_TOKENIZE_PREFIX else stemmed, utf8, flags)

    def factory(_: apsw.Connection, __: list[str]) -> Callable[[bytes, int, str | None], object]:
        return lambda utf8, flags, _locale: tokens(utf8, flags)

    connection.register_fts5_tokenizer(NAME, factory)  # type: ignore[arg-type]
    return tokens


def is_single_unspaced(token: str) -> bool:
    """Return whether ``token`` is one character of a script that is indexed in pairs.

    The index holds it as the beginning of pairs, so it has to be looked for as a prefix.
    """
    return len(token) == 1 and _UNSPACED_RUN.fullmatch(token) is not None


def _tokens(inner: _Inner, utf8: bytes, flags: int) -> list[Token]:
    if utf8.isascii():
        return inner(utf8, flags, None)
    text = utf8.decode("utf-8", "replace")
    found: list[Token] = []
    at = base = 0
    for run in _UNSPACED_RUN.finditer(text):
        base = _spaced(inner, text[at : run.start()], flags, base, found)
        base = _pairs(run.group(), flags, base, found)
        at = run.end()
    _spaced(inner, text[at:], flags, base, found)
    return found


def _spaced(inner: _Inner, text: str, flags: int, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which starts at byte ``base``; return the byte it ends at."""
    if unicodedata.is_normalized("NFKC", text) and _SOFT_HYPHEN not in text:
        return _as_it_stands(inner, text, flags, base, found)
    # Folding changes lengths: each word it changes is folded alone, and its tokens cover it whole.
    at = 0
    for word in _WIDE_WORD.finditer(text):
        folded = unicodedata.normalize("NFKC", word.group()).replace(_SOFT_HYPHEN, "")
        if folded == word.group():
            continue
        start = _as_it_stands(inner, text[at : word.start()], flags, base, found)
        base = start + len(word.group().encode())
        at = word.end()
        found += [(start, base, token) for _, _, token in _tokens(inner, folded.encode(), flags)]
    return _as_it_stands(inner, text[at:], flags, base, found)


def _as_it_stands(inner: _Inner, text: str, flags: int, base: int, found: list[Token]) -> int:
    if not text:
        return base
    utf8 = text.encode()
    tokens = inner(utf8, flags, None)
    found += [(base + start, base + end, token) for start, end, token in tokens] if base else tokens
    return base + len(utf8)


def _pairs(run: str, flags: int, base: int, found: list[Token]) -> int:
    """Add the overlapping pairs of ``run``, which starts at byte ``base``; return its end."""
    places = list(_folded_characters(run, base))
    end = places[-1][1]
    if len(places) == 1:
        found.append(places[0])
        return end
    for (start, _, first), (_, stop, second) in pairwise(places):
        found.append((start, stop, first + second))
    if flags & apsw.FTS5_TOKENIZE_DOCUMENT:
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
