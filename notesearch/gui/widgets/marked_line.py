"""Fits text and paths into a line; lays out and paints lines with highlighted spans."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TypeVar
from unicodedata import bidirectional

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from notesearch.gui.widgets.theme import draw_box
from notesearch.notes import Span

Part = TypeVar("Part")

ELLIPSIS = "…"
BEFORE_ELLIPSIS = " \t.,;:·–—-…"
"""Characters that would look odd before an ellipsis."""
SHORTEST_START = 8
"""The fewest characters by which a reader recognizes a heading."""

_SPACE = re.compile(r"\s+")
_MOST_PARTS = 40
"""Maximum number of parts of a path that are shown if not all fit; no line has room for more."""
_LONGEST_WORD = 24
_FIRST_WITHOUT_SPACES = "\u0e00"
"""The first Thai character. From here on, many scripts write no spaces between words."""
_FROM_RIGHT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Characters of right-to-left scripts."""


_OFTEN_ONE_WEIGHT = re.compile("[\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""Letters of Chinese, Japanese and Korean."""


def strong_weight(text: str) -> QFont.Weight:
    """Return the font weight of emphasized ``text``: semibold; bold for Chinese and the like.

    Chinese, Japanese and Korean fonts often have one weight. Qt can make it bold, not semibold.
    """
    return QFont.Weight.Bold if _OFTEN_ONE_WEIGHT.search(text) else QFont.Weight.DemiBold


def fitted(text: str, metrics: QFontMetrics, room: int) -> str:
    """Return ``text`` if it fits into ``room`` pixels, else its first words and an ellipsis."""
    if metrics.horizontalAdvance(text) <= room:
        return text
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
    for end in [space.start() for space in _SPACE.finditer(text, 0, len(cut) + 1)][::-1]:
        words = f"{text[:end]}{ELLIPSIS}"
        if end and metrics.horizontalAdvance(words) <= room:
            return words
    return cut


def shortenings(count: int) -> Iterator[tuple[int, ...]]:
    """Yield shorter and shorter choices of the ``count`` parts of a path, as indexes to show.

    The first choice has all parts. Parts in the middle are left out first; the last part stays.
    """
    yield tuple(range(count))
    for kept_from in range(max(2, count - _MOST_PARTS), count):
        yield (0, *range(kept_from, count))
    if count > 1:
        yield (count - 1,)


def with_gaps(parts: Sequence[Part], kept: Sequence[int], gap: Part) -> list[Part]:
    """Return the ``parts`` with the indexes ``kept``, and ``gap`` wherever parts are left out."""
    shown = list[Part]()
    following = 0
    for index in kept:
        if index != following:
            shown.append(gap)
        shown.append(parts[index])
        following = index + 1
    return shown


@dataclass(frozen=True, slots=True)
class Run:
    """A span of a line that has one colour and weight."""

    span: Span
    colour: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line to paint: the colours and weights of its text in order, and the highlighted spans."""

    text: str
    runs: tuple[Run, ...]
    marks: tuple[Span, ...] = ()


def clip(spans: Sequence[Span], start: int, end: int, offset: int = 0) -> tuple[Span, ...]:
    """Return the parts of ``spans`` between ``start`` and ``end``, shifted by ``offset``."""
    inside = ((max(a, start), min(b, end)) for a, b in spans)
    return tuple((a + offset, b + offset) for a, b in inside if a < b)


def cut(line: Line, length: int) -> Line:
    """Return the whole words in the first ``length`` characters of ``line`` and an ellipsis.

    A word is cut if it is very long, or if its script writes no spaces between words. The ellipsis
    is not highlighted.
    """
    text = line.text[:length]
    if _is_inside_word(line.text, length):
        space = text.rfind(" ")
        text = text[:space] if space >= max(1, length - _LONGEST_WORD) else text
    text = text.rstrip(BEFORE_ELLIPSIS) or text.rstrip()
    runs = [
        Run((run.span[0], min(run.span[1], len(text))), run.colour, run.strong)
        for run in line.runs
        if run.span[0] < len(text)
    ]
    if runs:
        last = runs[-1]
        runs[-1] = Run((last.span[0], len(text) + 1), last.colour, last.strong)
    return Line(text + ELLIPSIS, tuple(runs), clip(line.marks, 0, len(text)))


def split(line: Line, base: QFont, width: float) -> tuple[Line, Line]:
    """Return the words of ``line`` that fit into ``width`` pixels, and the rest.

    The rest keeps the direction of the whole: else “…” at its end could stand at the wrong side.
    """
    layout = QTextLayout(line.text, base)
    weight = strong_weight(line.text)
    places = utf16_places(line.text)
    layout.setFormats([_range(places, span, "", weight) for span in line.marks])
    for wrap in (QTextOption.WrapMode.WordWrap, QTextOption.WrapMode.WrapAnywhere):
        layout.setTextOption(_option(wrap))
        layout.beginLayout()
        text_line = layout.createLine()
        text_line.setLineWidth(width)
        layout.endLayout()
        if text_line.naturalTextWidth() > width / 3:  # else a long word would leave it nearly empty
            break
    length = bisect_right(utf16_places(line.text), text_line.textLength()) - 1
    mark = _direction_mark(line.text)
    after = line.text[length:].strip()
    lead = mark if after and _direction_mark(after) != mark else ""
    return _part(line, 0, length), _part(line, length, len(line.text), lead)


def _option(wrap: QTextOption.WrapMode) -> QTextOption:
    option = QTextOption()
    option.setWrapMode(wrap)
    return option


def _part(line: Line, start: int, end: int, lead: str = "") -> Line:
    """Return ``lead`` and the part of ``line`` from ``start`` to ``end``, without outer spaces."""
    text = line.text[start:end]
    start += len(text) - len(text.lstrip())
    end = start + len(text.strip())
    offset = len(lead) - start
    spans = ((run, clip([run.span], start, end, offset)) for run in line.runs)
    runs = tuple(Run(inside[0], run.colour, run.strong) for run, inside in spans if inside)
    return Line(lead + line.text[start:end], runs, clip(line.marks, start, end, offset))


def _direction_mark(text: str) -> str:
    """Return the direction mark for ``text``; its first letter decides the direction."""
    kinds = (kind for kind in map(bidirectional, text) if kind in {"L", "R", "AL"})
    rightward = next(kinds, "L") == "L"
    return "\N{LEFT-TO-RIGHT MARK}" if rightward else "\N{RIGHT-TO-LEFT MARK}"


def _is_inside_word(text: str, position: int) -> bool:
    sides = text[max(0, position - 1) : position + 1]
    return len(sides) == 2 and sides.isalnum() and max(sides) < _FIRST_WITHOUT_SPACES


class LaidOutLine:
    """A ``Line`` laid out in the font ``base``, and elided to ``width`` pixels.

    Attributes:
        width, height: The size of the text in pixels.
        marked: The left and right edges of the marks in pixels. A mark in text of mixed direction
            has several pairs.
    """

    def __init__(
        self, line: Line, base: QFont, mark_colour: str, mark_text: str, width: float
    ) -> None:
        self._mark = QColor(mark_colour)
        self._mark_text = mark_text
        self._font = QFont(base)
        if base.weight() >= QFont.Weight.DemiBold:
            self._font.setWeight(strong_weight(line.text))
        places = utf16_places(line.text)
        layout, text_line = self._lay_out(line, width)
        self.width = text_line.naturalTextWidth()
        if self.width > width or text_line.textLength() < places[-1]:
            line = cut(line, self._fitting(places, text_line, width))
            layout, text_line = self._lay_out(line)
            self.width = text_line.naturalTextWidth()
            places = utf16_places(line.text)
        self._layout = layout
        self._pen = QColor(line.runs[0].colour if line.runs else mark_text)
        self.height = text_line.height()
        self.marked: list[tuple[float, float]] = []
        for start, end in line.marks:
            self.marked += extents(text_line, places[start], places[end])

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        """Paint the marks and the text; the upper left corner of the line is at ``x``, ``y``."""
        for left, right in self.marked:
            box = QRectF(x + left - 0.5, y - 0.5, right - left + 1, self.height + 1)
            draw_box(painter, box, self.height * 3 / 16, fill=self._mark)
        painter.setPen(self._pen)
        self._layout.draw(painter, QPointF(x, y))

    def _lay_out(self, line: Line, width: float = 1e6) -> tuple[QTextLayout, QTextLine]:
        layout = QTextLayout(line.text, self._font)
        layout.setTextOption(_option(QTextOption.WrapMode.WrapAnywhere))
        layout.setCacheEnabled(True)
        if formats := self._formats(line):
            layout.setFormats(formats)
        layout.beginLayout()
        text_line = layout.createLine()
        text_line.setLineWidth(width)
        layout.endLayout()
        if _FROM_RIGHT.search(line.text):  # Qt aligns it to the right: move it back
            text_line.setPosition(QPointF(-text_line.naturalTextRect().left(), 0))
        return layout, text_line

    def _formats(self, line: Line) -> list[QTextLayout.FormatRange]:
        """Return the formats of the marks, and of the runs that differ from the default."""
        places = utf16_places(line.text)
        runs = line.runs
        if runs and runs[0].strong <= (self._font.weight() >= QFont.Weight.DemiBold):
            runs = runs[1:]
        weight = strong_weight(line.text)
        ranges = [
            _range(places, run.span, run.colour, weight if run.strong else None) for run in runs
        ]
        return ranges + [_range(places, span, self._mark_text, weight) for span in line.marks]

    def _fitting(self, places: Sequence[int], text_line: QTextLine, width: float) -> int:
        room = max(0.0, width - QFontMetricsF(self._font).horizontalAdvance(ELLIPSIS))
        text_line.setLineWidth(room)
        if text_line.naturalTextWidth() > room:  # Qt always keeps one character
            return 0
        return bisect_right(places, text_line.textLength()) - 1


def utf16_places(text: str) -> Sequence[int]:
    """Return for each character, and for the end, its position in UTF-16 units, as Qt counts."""
    if text.isascii() or max(text) <= "\uffff":
        return range(len(text) + 1)
    return list(accumulate((1 + (character > "\uffff") for character in text), initial=0))


def _range(
    places: Sequence[int], span: Span, colour: str, weight: QFont.Weight | None
) -> QTextLayout.FormatRange:
    format_range = QTextLayout.FormatRange()
    format_range.start = places[span[0]]
    format_range.length = places[span[1]] - places[span[0]]
    format_range.format = _format(colour, weight)
    return format_range


@lru_cache(maxsize=64)
def _format(colour: str, weight: QFont.Weight | None) -> QTextCharFormat:
    text_format = QTextCharFormat()
    text_format.setForeground(QBrush(QColor(colour)))
    if weight is not None:
        text_format.setFontWeight(weight)
    return text_format


_BESIDE = 0.5
"""Pieces of text that are closer than this, in pixels, count as one."""


def extents(line: QTextLine, start: int, end: int) -> Iterator[tuple[float, float]]:
    """Yield the left and right edges of the letters from ``start`` to ``end``, from left to right.

    Text of one direction is one piece; text of mixed direction may be several. Cursor positions do
    not help: where the direction changes there are two, and Qt reports only one of them.
    """
    runs = list(line.glyphRuns(start, end - start))
    boxes = sorted((run.boundingRect().left(), run.boundingRect().right()) for run in runs)
    gap = _BESIDE if len({run.isRightToLeft() for run in runs}) > 1 else float("inf")
    while boxes:
        left, right = boxes.pop(0)
        while boxes and boxes[0][0] - right <= gap:
            right = max(right, boxes.pop(0)[1])
        yield left, right
