"""Cuts long answers into pages; each page has a continuation, with which to ask for the next.

A continuation holds the start of the next page, a digest of the place that was read (the note and
its part), and a digest of the whole text: ``24000-1f0c22a9d1b3-77aa01fe90c4``.
"""

import hashlib
import re
from dataclasses import dataclass

from notesearch.errors import PageMissingError

PAGE_CHARACTERS = 24_000
"""About 6,000 tokens, well below what clients of language models accept as one answer."""

_HEADING = re.compile(
    r"(?:\A|(?<=\n))(?: {0,3}#{1,6}(?:[ \t][^\n]*)?|(?=[^\n]*\S)[^\n]+\n(?:=+|-+)[ \t]*)\s*\Z"
)
"""A heading, or several, at the end of a page."""

_CONTINUATION = re.compile(
    r"(?P<start>[0-9]{1,11})-(?P<place>[0-9a-f]{12})-(?P<content>[0-9a-f]{12})"
)
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


def text_page(
    place: str, text: str, continuation: str = "", size: int = PAGE_CHARACTERS
) -> TextPage:
    """Return the page of ``text`` after ``continuation``; without one, the first page.

    Args:
        place: The note, and the part of it, that the text is.
        text: The whole text.
        continuation: That of the page before.
        size: Characters of a page, at most.

    Raises:
        PageMissingError: No such continuation was given, or only for another place, or the text has
            changed since.
    """
    start = min(page_start(place, text, continuation), len(text))
    end = _end(text, start, size)
    following = continuation_at(end, place, text) if end < len(text) else ""
    return TextPage(start, text[start:end], text.count("\n", 0, start), following)


def continuation_at(start: int, place: str, content: str) -> str:
    """Return the continuation for the page at ``start`` in the ``content`` of ``place``."""
    return f"{start}-{_digest(place)}-{_digest(content)}"


def page_start(place: str, content: str, continuation: str) -> int:
    """Return the start of the page that ``continuation`` asks for; 0 without one.

    Raises:
        PageMissingError: No such continuation was given, or only for another place, or the content
            has changed since.
    """
    if not continuation:
        return 0
    found = _CONTINUATION.fullmatch(continuation.strip())
    if not found:
        raise PageMissingError("continuation_unknown")
    if found["content"] != _digest(content):
        if found["place"] == _digest(place):
            raise PageMissingError("continuation_outdated")
        raise PageMissingError("continuation_elsewhere")
    return int(found["start"])


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
