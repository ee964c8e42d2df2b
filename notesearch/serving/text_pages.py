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

_CONTINUATION = re.compile(
    r"(?<![\w-])(?P<start>[0-9]{1,11})-(?P<source>[0-9a-f]{12})-(?P<content>[0-9a-f]{12})(?![\w-])"
)
_BREAKS = ("\n\n", "\n", ". ", " ")
_HEADING = re.compile(r"#{1,6}[ \t]")
_LEAST_FULL = 0.6


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of a text. It begins at the line ``line`` of the whole text, counted from 0."""

    text: str
    line: int
    continuation: str


def text_page(
    source: str, text: str, continuation: str = "", size: int = PAGE_CHARACTERS
) -> TextPage:
    """Return the page of ``text`` that ``continuation`` asks for, or the first one if it is empty.

    ``source`` names the note, or the part of it, that is ``text``. Raises as ``page_start``.
    """
    start = min(page_start(source, text, continuation), len(text))
    end = _end(text, start, size)
    following = continuation_at(end, source, text) if end < len(text) else ""
    return TextPage(text[start:end], text.count("\n", 0, start), following)


def continuation_at(start: int, source: str, content: str) -> str:
    """Return the continuation that asks for the page from the character ``start`` of ``content``.

    It holds hashes of ``source``, which names the content, and of the content itself.
    """
    return f"{start}-{_digest(source)}-{_digest(content)}"


def page_start(source: str, content: str, continuation: str) -> int:
    """Return the index in ``content`` of the page that ``continuation`` asks for, 0 if empty.

    Raises:
        PageMissingError: ``continuation`` is malformed, of another source, or outdated.
    """
    if not continuation:
        return 0
    match = _CONTINUATION.search(continuation)  # clients copy “continuation=”, too
    if not match:
        raise PageMissingError("continuation_unknown")
    if match["content"] != _digest(content):
        if match["source"] == _digest(source):
            raise PageMissingError("continuation_outdated")
        raise PageMissingError("continuation_elsewhere")
    return int(match["start"])


def _end(text: str, start: int, size: int) -> int:
    """Return the index at which a page ends: after a paragraph, else a line, sentence or word.

    A heading goes to the next page, with its text.
    """
    end = start + size
    least = start + int(_LEAST_FULL * size)
    if end >= len(text):
        return len(text)
    for mark in _BREAKS:
        at = text.rfind(mark, least, end)
        if at >= 0:
            end = at + len(mark)
            break
    page = text[start:end].rstrip()
    before = end
    last_line = page.rfind("\n") + 1
    while _HEADING.match(page, last_line):
        before = start + last_line
        if before <= least:
            return end
        page = page[:last_line].rstrip()
        last_line = page.rfind("\n") + 1
    return before


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
