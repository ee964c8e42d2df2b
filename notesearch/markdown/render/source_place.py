"""Finds a piece of rendered text in its Markdown source, or in another rendering of it."""

import re
from collections import Counter
from collections.abc import Iterable

from notesearch.notes import Span
from notesearch.results import SectionResult

_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"\]\([^()\n]*\)|\bhttps?://\S+")
"""Addresses of links, which the rendered text does not show."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_BETWEEN = r"\W{1,20}"
"""Text between two words in the source: a line end, or the marks of a format."""
_MAX_WORDS = 12
_CONTEXT = 5
"""Words on each side that decide between several places with the same words."""
_SOURCE_CONTEXT = 9
"""Text between two words in the source, which can have addresses there."""
_REACH = 160
"""Characters on each side that hold them."""
_MAX_PLACES = 400


def find_again(text: str, shown: str, span: Span) -> int | None:
    """Return the span in ``text`` of the words at ``span`` in ``shown``; None if it lacks them.

    Among several places, the one with the most words of the same context is meant; among equal
    ones, the one that is about as far in its text.
    """
    start, end = span
    wanted = _WORD.findall(shown[start:end])[:_MAX_WORDS]
    places = _places(text, wanted) or _places(text, wanted[:1])
    share = start / max(1, len(shown))
    places.sort(key=lambda place: abs(place / len(text) - share))
    before, after = _context(shown, start, _CONTEXT)

    def likeness(place: int) -> int:
        earlier, later = _context(text, place, _SOURCE_CONTEXT)
        return (before & earlier).total() + (after & later).total()

    return max(places[:_MAX_PLACES], key=likeness, default=None)


def find_snippet(text: str, result: SectionResult) -> int | None:
    """Return where ``text`` has the first match of the snippet of ``result``.

    For a section found by meaning it is the start of the snippet. Returns None if only the
    headings match.
    """
    snippet = result.snippet
    if snippet.marks:
        return find_again(text, snippet.text, snippet.marks[0])
    return find_again(text, snippet.text, (0, len(snippet.text))) if result.related else None


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Return the line and the column of ``place`` in ``text``, both from 1."""
    lines = _LINE_END.split(text[:place])
    return len(lines), len(lines[-1]) + 1


def _places(text: str, words: Iterable[str]) -> list[int]:
    """Return where ``words`` follow each other in ``text``, as whole words if possible."""
    pattern = _BETWEEN.join(map(re.escape, words))
    if not pattern:
        return []
    whole = [found.start() for found in re.finditer(rf"(?<!\w){pattern}(?!\w)", text)]
    found = whole or [found.start() for found in re.finditer(pattern, text)]
    hidden = [address.span() for address in _ADDRESS.finditer(text)] if len(found) > 1 else []
    shown = [place for place in found if not any(start <= place < end for start, end in hidden)]
    return shown or found


def _context(text: str, place: int, words: int) -> tuple[Counter[str], Counter[str]]:
    """Return up to ``words`` words before ``place`` and as many after it."""
    before = _WORD.findall(text[max(0, place - _REACH) : place])
    after = _WORD.findall(text[place : place + _REACH])
    return Counter(before[-words:]), Counter(after[:words])
