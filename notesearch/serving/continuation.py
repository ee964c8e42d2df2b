"""Cuts long answers into pages; each page has a continuation, with which to ask for the next."""

import hashlib
import re
from dataclasses import dataclass

from notesearch.errors import PageMissingError

PAGE_CHARACTERS = 24_000
"""About 6,000 tokens, well below what clients of language models accept as one answer."""

_HEADING = re.compile(r"(?:\A|(?<=\n))#{1,6} [^\n]*\s*\Z")
"""A heading, or several, at the end of a page."""

_BREAKS = ("\n\n", "\n", ". ", " ")
_LEAST_FULL = 0.6
"""The least share of a page that is full before a break may end it."""


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of a text.

    Attributes:
        start: Index of its first character in the whole text.
        text: The page.
        line: Index of its first line in the whole text, from 0.
        continuation: Asks for the next page; empty on the last one.
    """

    start: int
    text: str
    line: int
    continuation: str


def text_page(text: str, continuation: str = "", size: int = PAGE_CHARACTERS) -> TextPage:
    """Return the page of ``text`` after ``continuation``; without one, the first page.

    Raises:
        PageMissingError: No such continuation was given, or the text has changed since.
    """
    start = _start(text, continuation) if continuation else 0
    end = _end(text, start, size)
    following = f"{end}-{_digest(text)}" if end < len(text) else ""
    return TextPage(start, text[start:end], text.count("\n", 0, start), following)


def list_position(continuation: str) -> int:
    """Return the index in a list at which the page after ``continuation`` begins.

    Raises:
        PageMissingError: No such continuation was given.
    """
    if continuation.isascii() and continuation.isdigit() and len(continuation) < 10:
        return int(continuation)
    raise PageMissingError("continuation_unknown")


def _start(text: str, continuation: str) -> int:
    number, _, digest = continuation.partition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 12 and len(digest) == 12):
        raise PageMissingError("continuation_unknown")
    if digest != _digest(text):
        raise PageMissingError("continuation_outdated")
    return min(int(number), len(text))


def _end(text: str, start: int, size: int) -> int:
    """Return where a page ends: after a paragraph, else a line, a sentence, or a word.

    Headings at its end begin the next page.
    """
    end = start + size
    if end >= len(text):
        return len(text)
    for mark in _BREAKS:
        at = text.rfind(mark, start + int(_LEAST_FULL * size), end)
        if at >= 0:
            end = at + len(mark)
            break
    while heading := _HEADING.search(text, start + 1, end):
        end = heading.start()
    return end


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
