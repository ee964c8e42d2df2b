"""Cuts what is too long for one answer into pages, each with the word that gives the next."""

import hashlib
from dataclasses import dataclass

from notesearch.errors import PageMissingError

PAGE_CHARACTERS = 24_000
"""About 6,000 tokens, well below what clients of language models take as one answer."""

_BREAKS = ("\n\n", "\n", ". ", " ")
_LATEST = 0.6
"""A page is at least so full where it ends at a break."""


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a text.

    Attributes:
        start: Its first character in the whole.
        text: The piece.
        line: In which line of the whole it begins, from 0.
        continuation: What asks for the next one; empty at the end.
    """

    start: int
    text: str
    line: int
    continuation: str


def page(text: str, continuation: str = "", room: int = PAGE_CHARACTERS) -> Page:
    """Return the page of ``text`` that ``continuation`` asks for; the first without one.

    Raises:
        PageMissingError: It is not of this text, which has changed since.
    """
    start = _start(text, continuation) if continuation else 0
    end = _end(text, start, room)
    following = f"{end}-{_digest(text)}" if end < len(text) else ""
    return Page(start, text[start:end], text.count("\n", 0, start), following)


def count_of(continuation: str) -> int:
    """Return how many entries of a list came before the page that ``continuation`` asks for.

    Raises:
        PageMissingError: It is none that was given.
    """
    if continuation.isascii() and continuation.isdigit() and len(continuation) < 10:
        return int(continuation)
    raise PageMissingError("continuation_unknown")


def _start(text: str, continuation: str) -> int:
    number, _, digest = continuation.partition("-")
    if number.isascii() and number.isdigit() and len(number) < 12 and digest == _digest(text):
        return min(int(number), len(text))
    raise PageMissingError("continuation_outdated")


def _end(text: str, start: int, room: int) -> int:
    """Return where a page ends: at a paragraph's end, else a line's, a sentence's, a word's."""
    end = start + room
    if end >= len(text):
        return len(text)
    for mark in _BREAKS:
        at = text.rfind(mark, start + int(_LATEST * room), end)
        if at >= 0:
            return at + len(mark)
    return end


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
