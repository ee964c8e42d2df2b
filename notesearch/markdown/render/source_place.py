"""Finds a piece of rendered text in its Markdown source, or in another rendering of the source."""

import re
from collections import Counter
from collections.abc import Iterable

from notesearch.notes import Span
from notesearch.results import SectionResult

_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"\]\([^()\n]*\)|\]: *\S+")
"""Addresses of links with a text, which the rendered text does not show."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_BETWEEN = r"\W{1,20}"
"""Text between two words in the source: spaces, a line end, or signs of Markdown."""
_MAX_WORDS = 12
_MAX_SENTENCE = 200
"""Words of a sentence that are looked for."""
_CONTEXT = 5
"""Words before and after a position in the shown text that are compared with the source."""
_SOURCE_CONTEXT = 9
"""Words before and after a position in the source, which may have addresses among them."""
_REACH = 160
"""Characters before and after a position in which the words around it are looked for."""
_MAX_POSITIONS = 400


def find_again(text: str, shown: str, span: Span) -> int | None:
    """Return the position in ``text`` of the words that ``shown`` has at ``span``; else None.

    Among several, choose the one with the most equal words around it, then the most similar
    relative position. If the words are not there, look for the first word only.
    """
    start, end = span
    wanted = _WORD.findall(shown[start:end])[:_MAX_WORDS]
    positions = _positions(text, wanted) or _positions(text, wanted[:1])
    share = start / max(1, len(shown))
    positions.sort(key=lambda position: abs(position / len(text) - share))
    before, after = _context(shown, start, _CONTEXT)

    def likeness(position: int) -> int:
        earlier, later = _context(text, position, _SOURCE_CONTEXT)
        return (before & earlier).total() + (after & later).total()

    return max(positions[:_MAX_POSITIONS], key=likeness, default=None)


def find_snippet(text: str, result: SectionResult) -> int | None:
    """Return the position in ``text`` of the first match of the snippet that ``text`` contains.

    If only meaning found the section, return the position of the snippet. None if neither is found.
    """
    snippet = result.snippet.text
    spans = [*result.snippet.marks, *([(0, len(snippet))] if result.by_meaning_alone else [])]
    positions = (find_again(text, snippet, span) for span in spans)
    return next((position for position in positions if position is not None), None)


def find_sentence(sentence: str, text: str) -> Span | None:
    """Return the span of ``sentence`` in ``text``, or None; spaces and punctuation may differ."""
    words = _WORD.findall(sentence)[:_MAX_SENTENCE]
    if not words:
        return None
    pattern = _BETWEEN.join(map(re.escape, words)) + r"[.!?…]?"
    match = re.search(pattern, text)
    return match.span() if match else None


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Return the line and the column of ``position`` in ``text``, both from 1."""
    lines = _LINE_END.split(text[:position])
    return len(lines), len(lines[-1]) + 1


def _positions(text: str, words: Iterable[str]) -> list[int]:
    """Return the positions in ``text`` at which ``words`` follow each other.

    If some are whole words, or outside the addresses of links, only those positions are returned.
    """
    pattern = _BETWEEN.join(map(re.escape, words))
    if not pattern:
        return []
    whole = [found.start() for found in re.finditer(rf"(?<!\w){pattern}(?!\w)", text)]
    found = whole or [found.start() for found in re.finditer(pattern, text)]
    hidden = [address.span() for address in _ADDRESS.finditer(text)] if len(found) > 1 else []
    shown = [at for at in found if not any(start <= at < end for start, end in hidden)]
    return shown or found


def _context(text: str, position: int, words: int) -> tuple[Counter[str], Counter[str]]:
    before = _WORD.findall(text[max(0, position - _REACH) : position])
    after = _WORD.findall(text[position : position + _REACH])
    return Counter(before[-words:]), Counter(after[:words])
