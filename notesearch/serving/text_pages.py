"""Pages of long answers. Each page but the last has a continuation, which asks for the next page.

A continuation consists of the start of the next page, a digest of the source (the note and the part
that was read), and a digest of the whole content: ``24000-1f0c22a9d1b3-77aa01fe90c4``.
"""

import hashlib
import re
from dataclasses import dataclass

from notesearch.errors import PageMissingError

PAGE_CHARACTERS = 24_000
"""About 6,000 tokens, well below what clients of language models accept as one answer."""

_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t].*)?")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*")
_CONTINUATION = re.compile(
    r"(?P<start>[0-9]{1,11})-(?P<source>[0-9a-f]{12})-(?P<content>[0-9a-f]{12})"
)
_BREAKS = ("\n\n", "\n", ". ", " ")
_LEAST_FULL = 0.6
"""A page ends at a break only if the break is after this share of its size."""


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of a text.

    Attributes:
        text: The text of the page.
        line: The line at which the page begins in the whole text, from 0.
        continuation: The token that asks for the next page; empty on the last page.
    """

    text: str
    line: int
    continuation: str


def text_page(
    source: str, text: str, continuation: str = "", size: int = PAGE_CHARACTERS
) -> TextPage:
    """Return the page of ``text`` that ``continuation`` asks for, or the first page.

    Args:
        source: A name for the note, or the part of it, that ``text`` contains.
        text: The whole text.
        continuation: The continuation of the previous page; empty for the first page.
        size: How many characters a page may have.

    Raises:
        PageMissingError: The continuation is malformed or that of another source, or the text has
            changed since.
    """
    start = min(page_start(source, text, continuation), len(text))
    end = _end(text, start, size)
    following = continuation_at(end, source, text) if end < len(text) else ""
    return TextPage(text[start:end], text.count("\n", 0, start), following)


def continuation_at(start: int, source: str, content: str) -> str:
    """Return the continuation for the page at index ``start`` in the ``content`` of ``source``."""
    return f"{start}-{_digest(source)}-{_digest(content)}"


def page_start(source: str, content: str, continuation: str) -> int:
    """Return the index in ``content`` of the page that ``continuation`` asks for.

    Returns 0 if ``continuation`` is empty.

    Raises:
        PageMissingError: The continuation is malformed or that of another source, or ``content``
            has changed since.
    """
    if not continuation:
        return 0
    match = _CONTINUATION.fullmatch(continuation.strip())
    if not match:
        raise PageMissingError("continuation_unknown")
    if match["content"] != _digest(content):
        if match["source"] == _digest(source):
            raise PageMissingError("continuation_outdated")
        raise PageMissingError("continuation_elsewhere")
    return int(match["start"])


def _end(text: str, start: int, size: int) -> int:
    """Return the index at which a page ends: after a paragraph, else a line, sentence or word.

    The page does not end with headings, unless it is full of them: they begin the next page.
    """
    end = start + size
    if end >= len(text):
        return len(text)
    for mark in _BREAKS:
        at = text.rfind(mark, start + int(_LEAST_FULL * size), end)
        if at >= 0:
            end = at + len(mark)
            break
    before = _before_headings(text, start, end)
    return before if before > start else end


def _before_headings(text: str, start: int, end: int) -> int:
    """Return the index before the headings at the end of a page; ``end`` if there are none."""
    found = at = end
    while at > start:
        begin = text.rfind("\n", 0, at - 1) + 1
        line = text[begin:at].rstrip("\n")
        above = text.rfind("\n", 0, max(begin - 1, 0)) + 1
        if _HEADING.fullmatch(line):
            found = at = begin
        elif _UNDERLINE.fullmatch(line) and text[above:begin].strip():
            found = at = above
        elif line.strip():
            break
        else:
            at = begin
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
