"""Cuts a text into words, each with its place: for queries, for marks, for what is typed.

What is written with spaces goes to SQLite's own tokenizer, folded first where that moves letters;
scripts written without are cut into overlapping pairs of characters; a symbol is a word.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise

from notesearch.store.folding import (
    ACCENTS,
    evened,
    folded,
    has_accents,
    is_as_it_stands,
    is_plain,
    wide,
)
from notesearch.store.symbols import SYMBOL, as_word

Token = tuple[int, int, str]
"""Start and end (bytes of UTF-8), and the folded and stemmed form."""

Inner = Callable[[bytes], list[Token]]
"""A tokenizer of SQLite."""

UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Myanmar, Khmer
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana, radicals
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # Han, half-width kana
    "\U00020000-\U0003ffff"
)
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_SYMBOLS = re.compile(SYMBOL)
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


def tokens(inner: Inner, utf8: bytes) -> list[Token]:
    """Cut ``utf8`` into words."""
    if utf8.isascii() or _is_plain_throughout(wide(utf8)):
        return inner(utf8)
    text = evened(utf8.decode("utf-8", "replace"))
    found: list[Token] = []
    at = base = 0
    for run in UNSPACED_RUN.finditer(text):
        base = _spaced(inner, text[at : run.start()], base, found)
        base = _pairs(run.group(), base, found)
        at = run.end()
    _spaced(inner, text[at:], base, found)
    return found


def _is_plain_throughout(other: str) -> bool:
    """Return whether a text whose other characters than ASCII are these is cut as it stands."""
    special = UNSPACED_RUN.search(other) or _SYMBOLS.search(other)
    return not special and is_as_it_stands(other)


def _spaced(inner: Inner, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which starts at byte ``base``; return the byte it ends at."""
    at = 0
    for symbol in _SYMBOLS.finditer(text):
        start = _between(inner, text[at : symbol.start()], base, found)
        base = start + len(symbol.group().encode())
        found.append((start, base, as_word(symbol.group())))
        at = symbol.end()
    return _between(inner, text[at:], base, found)


def _between(inner: Inner, text: str, base: int, found: list[Token]) -> int:
    """Do so with text that has no symbols."""
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
        cut = tokens(inner, plain.encode("utf-8", "replace"))
        found += [(start, base, token) for _, _, token in cut]
    return _as_it_stands(inner, text[at:], base, found)


def _as_it_stands(inner: Inner, text: str, base: int, found: list[Token]) -> int:
    if not text:
        return base
    utf8 = text.encode()
    tokens = inner(utf8)
    if has_accents(text):  # one that stands on no letter is no word
        tokens = [token for token in tokens if token[2].strip(ACCENTS)]
    found += [(base + start, base + end, token) for start, end, token in tokens] if base else tokens
    return base + len(utf8)


def _pairs(run: str, base: int, found: list[Token]) -> int:
    """Add the overlapping pairs of ``run``, which starts at byte ``base``; return its end."""
    places = list(_folded_characters(run, base))
    end = places[-1][1]
    if len(places) == 1:
        found.append(places[0])
        return end
    for (start, _, first), (_, stop, second) in pairwise(places):
        found.append((start, stop, first + second))
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
