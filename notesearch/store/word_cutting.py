"""Cuts text into words, each with its place in the text.

Text with spaces goes to SQLite's own ``unicode61`` after NFKC, which folds case, width and
ligatures. Scripts without spaces are cut into overlapping pairs of characters, so that a phrase
finds any run of two or more. An emoji, an arrow, a mathematical sign or a currency is a word.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise

from notesearch.store.folding import (
    ACCENTS,
    folded,
    folded_in_place,
    has_accents,
    is_folded_in_place,
    is_unchanged,
    non_ascii,
)

Token = tuple[int, int, str]
"""Start and end of a word (bytes of UTF-8), and the word without its case, width and ligatures."""

SqliteTokenizer = Callable[[bytes], list[Token]]
"""A tokenizer of SQLite, which cuts text that has spaces."""

_SIGNS = (
    "\xa2\xa3\xa5\u20a0-\u20c0"  # currencies
    "\u2190-\u2307\u230c-\u2328\u232b-\u23ff"  # arrows, mathematics, technical
    "\u25a0-\u2767\u2794-\u27e5\u27f0-\u2982\u2999-\u29d7\u29dc-\u29fb\u29fe-\u2bff"
    "\U0001f000-\U0001f0ff\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
)
"""Symbols, for a character class. It lacks the lines and blocks that draw tables and trees, and
letters in circles."""

_ONE = f"(?:[{_SIGNS}]|[=<>]\u0338|[\U0001f1e6-\U0001f1ff]{{1,2}})"
_SKIN_TONES = "\U0001f3fb-\U0001f3ff"
_MODIFIERS = f"[\u0338\u20e3\ufe0e\ufe0f{_SKIN_TONES}\U000e0020-\U000e007f]*"

SYMBOL = f"{_ONE}{_MODIFIERS}(?:\u200d{_ONE}{_MODIFIERS})*"
"""Matches one drawn symbol, which may be several characters: a family, a flag, a dark thumb."""

_SYMBOL = re.compile(SYMBOL)
_STYLE = re.compile(f"[\ufe0e\ufe0f{_SKIN_TONES}]")

UNSPACED = (
    "\u0e00-\u0e4f\u0e5a-\u0ecf\u0eda-\u0eff"  # Thai, Lao; digits are as in other scripts
    "\u1000-\u103f\u104a-\u108f\u109a-\u109f\u1780-\u17df\u17ea-\u17ff"  # Myanmar, Khmer
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana, radicals
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # Han, half-width kana
    "\U00020000-\U0003ffff"
)
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_JOINS_PREVIOUS = re.compile("[\u1160-\u11ff\uff9e\uff9f]")  # Hangul vowels and ends, voicing

_LETTERLIKE = "™℠℃℉№\u3200-\u33ff"  # each a word of its own: "Kindle™" is still Kindle
_SEPARATORS = (
    "\\s\x00-/:-@\\[-`{-\x7f\u2010-\u2027\u2030-\u205e\u3001-\u3004\u3008-\u303f"
    "\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
# A word with at least one character beyond ASCII. The look-behind keeps the search from starting
# again at each character of a long ASCII word.
_NON_ASCII_WORD = re.compile(
    f"[{_LETTERLIKE}]|(?<![0-9A-Za-z])[0-9A-Za-z]*+[^\x00-\x7f{_SEPARATORS}{_LETTERLIKE}][^{_SEPARATORS}{_LETTERLIKE}]*"
)


def is_single_unspaced(token: str) -> bool:
    """Return whether ``token`` is one character of a script that is indexed in pairs."""
    return len(token) == 1 and UNSPACED_RUN.fullmatch(token) is not None


_SAME_CHARACTERS = {
    **{code: code - 0x60 for code in range(0x30A1, 0x30F7)},  # the hiragana of each katakana
    **str.maketrans("髙﨑邉濵", "高崎辺浜"),  # in Japanese names
}
"""Characters, of the same length in UTF-8, that people write for each other: りんご, リンゴ."""


def folded_run(run: str) -> str:
    """Return the characters of ``run``, in a script without spaces, as the index has them."""
    return unicodedata.normalize("NFKC", run).translate(_SAME_CHARACTERS)


def tokens(sqlite: SqliteTokenizer, utf8: bytes) -> list[Token]:
    """Return the tokens of ``utf8``, with byte offsets; ``sqlite`` cuts text that has spaces."""
    other = "" if utf8.isascii() else non_ascii(utf8)
    if not (UNSPACED_RUN.search(other) or _SYMBOL.search(other)) and is_unchanged(other):
        return sqlite(utf8)
    text = folded_in_place(utf8.decode("utf-8", "replace"))
    found: list[Token] = []
    at = 0
    base = 0
    for run in UNSPACED_RUN.finditer(text):
        base = _spaced(sqlite, text[at : run.start()], base, found)
        base = _spanned_pairs(run.group(), base, found)
        at = run.end()
    _spaced(sqlite, text[at:], base, found)
    return found


def _spaced(sqlite: SqliteTokenizer, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which starts at byte ``base``, to ``found``; return its end."""
    at = 0
    for symbol in _SYMBOL.finditer(text):
        start = _between_symbols(sqlite, text[at : symbol.start()], base, found)
        base = start + len(symbol.group().encode())
        found.append((start, base, as_word(symbol.group())))
        at = symbol.end()
    return _between_symbols(sqlite, text[at:], base, found)


def _between_symbols(sqlite: SqliteTokenizer, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which has no symbols, to ``found``; return its end."""
    if is_folded_in_place(text):
        return _as_it_is(sqlite, text, base, found)
    # Folding changes lengths. So each word it changes is folded alone; its tokens span the word.
    at = 0
    for word in _NON_ASCII_WORD.finditer(text):
        plain = folded(word.group())
        if plain == word.group():
            continue
        start = _as_it_is(sqlite, text[at : word.start()], base, found)
        base = start + len(word.group().encode())
        at = word.end()
        cut = tokens(sqlite, plain.encode("utf-8", "replace"))
        found += [(start, base, token) for _, _, token in cut]
    return _as_it_is(sqlite, text[at:], base, found)


def _as_it_is(sqlite: SqliteTokenizer, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which needs no folding, to ``found``; return the text's end."""
    if not text:
        return base
    utf8 = text.encode()
    tokens = sqlite(utf8)
    if has_accents(text):  # an accent without a letter is not a word
        tokens = [token for token in tokens if token[2].strip(ACCENTS)]
    found += [(base + start, base + end, token) for start, end, token in tokens] if base else tokens
    return base + len(utf8)


def _spanned_pairs(run: str, base: int, found: list[Token]) -> int:
    """Add the pairs of characters in ``run``, from byte ``base``, to ``found``; return its end."""
    characters = list(_folded_characters(run, base))
    end = characters[-1][1]
    if len(characters) == 1:
        found.append(characters[0])
        return end
    for (start, _, first), (_, stop, second) in pairwise(characters):
        found.append((start, stop, first + second))
    return end


def _folded_characters(run: str, base: int) -> Iterator[Token]:
    if unicodedata.is_normalized("NFKC", run):
        for character in run.translate(_SAME_CHARACTERS):
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
        for character in folded_run(run[at:end]):
            yield base, base + width, character
        base += width
        at = end


def _joins(character: str) -> bool:
    return bool(unicodedata.combining(character)) or bool(_JOINS_PREVIOUS.match(character))


def as_word(symbol: str) -> str:
    """Return ``symbol`` in the form of the index: without skin tone and drawing style."""
    return unicodedata.normalize("NFC", _STYLE.sub("", symbol))


def is_symbol(token: str) -> bool:
    """Return whether a word of the index is a symbol."""
    return _SYMBOL.match(token) is not None


def holds_word(text: str) -> bool:
    """Return whether ``text`` has a letter, a digit or a symbol."""
    return any(c.isalnum() for c in text) or _SYMBOL.search(text) is not None
