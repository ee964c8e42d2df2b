"""The FTS5 tokenizer: what counts as a word, for indexing, for queries and for highlights.

Latin and other spaced scripts go to SQLite's own ``porter unicode61`` after NFKC, so case,
diacritics, width and ligatures fold and English is stemmed. Scripts written without spaces are
cut into overlapping pairs of characters, so that any run of two or more can be found as a phrase.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
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
_WORD = re.compile(r"\S+")

_Inner = Callable[..., Iterable[Token]]


def register(connection: apsw.Connection) -> Callable[[bytes, int], list[Token]]:
    """Make the tokenizer known to ``connection`` and return it for direct use."""
    porter = connection.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    inner = cast("_Inner", porter)  # with offsets it yields three-tuples only

    def tokenize(utf8: bytes, flags: int) -> list[Token]:
        return list(_tokens(inner, bytes(utf8), flags))

    def factory(_: apsw.Connection, __: list[str]) -> Callable[[bytes, int, str | None], object]:
        def run(utf8: bytes, flags: int, _locale: str | None) -> object:
            return inner(utf8, flags, None) if utf8.isascii() else tokenize(utf8, flags)

        return run

    connection.register_fts5_tokenizer(NAME, factory)  # type: ignore[arg-type]
    return tokenize


def is_single_unspaced(word: str) -> bool:
    """Return whether ``word`` is one character that indexed pairs can only hold as a prefix."""
    return len(word) == 1 and _UNSPACED_RUN.fullmatch(word) is not None


def _tokens(inner: _Inner, utf8: bytes, flags: int) -> Iterator[Token]:
    if utf8.isascii():
        yield from inner(utf8, flags, None)
        return
    text = utf8.decode("utf-8", "replace")
    at = base = 0
    for run in _UNSPACED_RUN.finditer(text):
        spaced = text[at : run.start()]
        yield from _spaced(inner, spaced, flags, base)
        base += len(spaced.encode())
        yield from _pairs(run.group(), flags, base)
        base += len(run.group().encode())
        at = run.end()
    yield from _spaced(inner, text[at:], flags, base)


def _spaced(inner: _Inner, text: str, flags: int, base: int) -> Iterator[Token]:
    if unicodedata.is_normalized("NFKC", text):
        for start, end, token in inner(text.encode(), flags, None):
            yield base + start, base + end, token
        return
    # Folding changes lengths: each word is folded alone and its tokens cover the whole word.
    for word in _WORD.finditer(text):
        start = base + len(text[: word.start()].encode())
        end = start + len(word.group().encode())
        folded = unicodedata.normalize("NFKC", word.group()).encode()
        for _, _, token in _tokens(inner, folded, flags):
            yield start, end, token


def _pairs(run: str, flags: int, base: int) -> Iterator[Token]:
    folded = unicodedata.normalize("NFKC", run)
    if len(folded) != len(run):
        end = base + len(run.encode())
        for _, _, token in _pairs(folded, flags, 0):
            yield base, end, token
        return
    widths = [len(char.encode()) for char in run]
    for i in range(len(run) - 1):
        yield base, base + widths[i] + widths[i + 1], folded[i : i + 2]
        base += widths[i]
    # The last character stands alone too, so that a query of one character finds it by prefix.
    if len(run) == 1 or not flags & apsw.FTS5_TOKENIZE_QUERY:
        yield base, base + widths[-1], folded[-1]
