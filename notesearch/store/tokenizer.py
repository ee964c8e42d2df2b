"""The FTS5 tokenizer: what counts as a word, for indexing, for queries and for highlights.

Latin and other spaced scripts go to SQLite's own ``porter unicode61`` after NFKC, so case,
diacritics, width and ligatures fold and English is stemmed. Scripts written without spaces are
cut into overlapping pairs of characters, so that any run of two or more can be found as a phrase.
"""

import re
import unicodedata
from collections.abc import Callable
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
_WIDE_WORD = re.compile(r"[!-~]*[^\x00-\x7f]\S*")

_Inner = Callable[[bytes, int, str | None], list[Token]]


def register(connection: apsw.Connection) -> Callable[[bytes, int], list[Token]]:
    """Make the tokenizer known to ``connection`` and return it for direct use."""
    porter = connection.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    inner = cast("_Inner", porter)  # with offsets it yields three-tuples only

    def factory(_: apsw.Connection, __: list[str]) -> Callable[[bytes, int, str | None], object]:
        return lambda utf8, flags, _locale: _tokens(inner, utf8, flags)

    connection.register_fts5_tokenizer(NAME, factory)  # type: ignore[arg-type]
    return lambda utf8, flags: _tokens(inner, utf8, flags)


def is_single_unspaced(word: str) -> bool:
    """Return whether ``word`` is one character that indexed pairs can only hold as a prefix."""
    return len(word) == 1 and _UNSPACED_RUN.fullmatch(word) is not None


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
    if unicodedata.is_normalized("NFKC", text):
        return _as_it_stands(inner, text, flags, base, found)
    # Folding changes lengths: each word it changes is folded alone, and its tokens cover it whole.
    at = 0
    for word in _WIDE_WORD.finditer(text):
        folded = unicodedata.normalize("NFKC", word.group())
        if folded == word.group():
            continue
        start = _as_it_stands(inner, text[at : word.start()], flags, base, found)
        base = start + len(word.group().encode())
        at = word.end()
        found += [(start, base, token) for _, _, token in _tokens(inner, folded.encode(), flags)]
    return _as_it_stands(inner, text[at:], flags, base, found)


def _as_it_stands(inner: _Inner, text: str, flags: int, base: int, found: list[Token]) -> int:
    utf8 = text.encode()
    tokens = inner(utf8, flags, None)
    found += [(base + start, base + end, token) for start, end, token in tokens] if base else tokens
    return base + len(utf8)


def _pairs(run: str, flags: int, base: int, found: list[Token]) -> int:
    """Add the overlapping pairs of ``run``, which starts at byte ``base``; return its end."""
    folded = unicodedata.normalize("NFKC", run)
    if len(folded) != len(run):
        end = base + len(run.encode())
        inside: list[Token] = []
        _pairs(folded, flags, 0, inside)
        found += [(base, end, token) for _, _, token in inside]
        return end
    widths = [len(char.encode()) for char in run]
    for i in range(len(run) - 1):
        found.append((base, base + widths[i] + widths[i + 1], folded[i : i + 2]))
        base += widths[i]
    # The last character stands alone too, so that a query of one character finds it by prefix.
    if len(run) == 1 or not flags & apsw.FTS5_TOKENIZE_QUERY:
        found.append((base, base + widths[-1], folded[-1]))
    return base + widths[-1]
