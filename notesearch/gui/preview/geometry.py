"""Finds where text is in the preview's document, in pixels, and keeps it in view."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, takewhile

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import (
    QFontMetricsF,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFragment,
    QTextLine,
)
from PySide6.QtWidgets import QScrollBar

from notesearch.gui.widgets.marked_line import extents
from notesearch.notes import Span

_BLOCK_ENDS = re.compile("[\u2029\ufdd0\ufdd1]")
"""The characters with which Qt separates paragraphs and table cells."""
_TALL_LINE = 1.2
_MAX_CELLS_BESIDE = 30
_UNKNOWN = -1
_MAX_LANDMARKS = 60
_OBJECT = "\ufffc"


def block_top(document: QTextDocument, position: int) -> float:
    """Return the y coordinate of the top of the paragraph that has the character ``position``."""
    return document.documentLayout().blockBoundingRect(document.findBlock(position)).top()


def blocks_from(block: QTextBlock) -> Iterator[QTextBlock]:
    """Yield ``block`` and the paragraphs after it."""
    while block.isValid():
        yield block
        block = block.next()


def fragments_of(block: QTextBlock) -> Iterator[QTextFragment]:
    """Yield the pieces of ``block`` that have one format each."""
    position = block.begin()
    while not position.atEnd():
        yield position.fragment()
        position += 1


def _first_block_below(document: QTextDocument, top: float) -> QTextBlock:
    """Return the first paragraph that ends below ``top``; Qt lays out none far below it."""

    def bottom(number: int) -> float:
        block = document.findBlockByNumber(number)
        return document.documentLayout().blockBoundingRect(block).bottom()

    low, high, last = 0, 0, document.blockCount() - 1
    while high < last and bottom(high) <= top:
        low, high = high + 1, min(last, 2 * high + 1)
    return document.findBlockByNumber(bisect_right(range(high), top, lo=low, key=bottom))


@dataclass(frozen=True, slots=True)
class InView:
    """The part of a document in view: its rectangle, its first paragraph, and the text's span."""

    area: QRectF
    first: QTextBlock
    span: Span


def in_view(document: QTextDocument, area: QRectF) -> InView:
    """Return what is in the rectangle ``area``; of a long paragraph, only its lines there.

    Qt's hit test would also find tables below the window, which Qt has not laid out yet.
    """
    layout = document.documentLayout()
    first = _first_block_below(document, area.top())
    for _ in range(_MAX_CELLS_BESIDE):  # the cells of a table row are side by side
        if first.previous().isValid() and QTextCursor(first).currentTable():
            first = first.previous()
    last = first
    while last.next().isValid() and layout.blockBoundingRect(last).top() <= area.bottom():
        last = last.next()
    start, end = _line_at(first, area.top()), _line_at(last, area.bottom())
    start_position = start.textStart() if start.isValid() else 0
    end_position = end.textStart() + end.textLength() if end.isValid() else 0
    span = first.position() + start_position, last.position() + max(end_position, 1)
    return InView(area=area, first=first, span=span)


def _line_at(block: QTextBlock, y: float) -> QTextLine:
    """Return the last line of ``block`` that begins above ``y``, else the first line."""
    top = block.document().documentLayout().blockBoundingRect(block).top()
    layout = block.layout()
    lines = range(layout.lineCount())
    below = bisect_right(lines, y - top, key=lambda number: layout.lineAt(number).y())
    return layout.lineAt(max(0, below - 1))


def line_top(document: QTextDocument, y: float) -> float:
    """Return the top of the line of text at ``y``; ``y`` itself between two paragraphs."""
    block = _first_block_below(document, y)
    top = document.documentLayout().blockBoundingRect(block).top()
    line = _line_at(block, y)
    return top + line.y() if top < y and line.isValid() else y


def text_rectangles(document: QTextDocument, span: Span) -> Iterator[QRectF]:
    """Yield rectangles around the letters of ``span``, one or more for each of its lines."""
    layout = document.documentLayout()
    blocks = blocks_from(document.findBlock(span[0]))
    for block in takewhile(lambda block: block.position() < span[1], blocks):
        origin = layout.blockBoundingRect(block).topLeft()
        start = max(0, span[0] - block.position())
        end = min(block.length() - 1, span[1] - block.position())
        yield from _line_rectangles(block, origin, start, end)


def _line_rectangles(block: QTextBlock, origin: QPointF, start: int, end: int) -> Iterator[QRectF]:
    layout = block.layout()
    first = layout.lineForTextPosition(start).lineNumber()
    for line in map(layout.lineAt, range(first, layout.lineCount())):
        if line.textStart() >= end:
            break
        line_end = line.textStart() + line.textLength()
        above, below = _letter_height(line, block, start)
        top = origin.y() + line.y() + line.ascent() - above
        for left, right in extents(line, max(start, line.textStart()), min(end, line_end)):
            yield QRectF(origin.x() + left, top, right - left, above + below)


def _letter_height(line: QTextLine, block: QTextBlock, start: int) -> tuple[float, float]:
    """Return how many pixels the letters of ``line`` reach above and below its baseline."""
    usual = QFontMetricsF(block.document().defaultFont())
    if line.height() < _TALL_LINE * usual.height():
        return line.ascent(), line.descent()
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + start + 1)
    metrics = QFontMetricsF(cursor.charFormat().font())
    return metrics.ascent(), metrics.descent()


class ScrollPosition:
    """Scrolls a document, and knows whether the user has scrolled it afterwards."""

    def __init__(self, bar: QScrollBar, document: QTextDocument) -> None:
        self._bar = bar
        self._document = document
        self._last_set = bar.value()

    @property
    def moved_by_user(self) -> bool:
        """Whether the user has scrolled; then the program should not scroll elsewhere."""
        return self._bar.value() != self._last_set

    def scroll_to(self, value: int) -> None:
        """Scroll to ``value``, in pixels; unless it is 0, this lays out the whole document."""
        if value:
            end = round(self._document.size().height()) - self._bar.pageStep()
            self._bar.setMaximum(max(self._bar.maximum(), end))
        self._bar.setValue(value)
        self._last_set = self._bar.value()

    @contextmanager
    def scrolling_after(self, *, keep: bool) -> Iterator[None]:
        """After the ``with`` block, which changes the document, scroll to the start.

        With ``keep``, scroll to the text that was shown before, instead.
        """
        value, moved = (self._bar.value(), self.moved_by_user) if keep else (0, False)
        known = _paragraphs(self._document, value) if value else []
        yield
        place = _place_of(self._document, known)
        self.scroll_to(value if place is None else place)
        if moved:
            self._last_set = _UNKNOWN


def _paragraphs(document: QTextDocument, top: int) -> list[tuple[str, int, float]]:
    """Return the first paragraphs below ``top``: text, number, and pixels from ``top``."""
    layout = document.documentLayout()
    start = _first_block_below(document, top)
    return [
        (block.text(), block.blockNumber(), layout.blockBoundingRect(block).top() - top)
        for block in islice(blocks_from(start), _MAX_LANDMARKS)
        if block.text() and _OBJECT not in block.text()
    ]


def _place_of(document: QTextDocument, known: list[tuple[str, int, float]]) -> int | None:
    """Return the scroll position at which a paragraph of ``known`` is where it was in the view.

    ``known`` is from ``_paragraphs``, before a change. The first paragraph whose text is still in
    the document counts; if several have this text, the one that has moved least. None without any.
    """
    # This is much faster than through the blocks.
    texts = _BLOCK_ENDS.split(document.toRawText()) if known else []
    for text, before, below in known:
        numbers = (number for number, other in enumerate(texts) if other == text)
        number = min(numbers, key=lambda number: abs(number - before), default=None)
        if number is not None:
            block = document.findBlockByNumber(number)
            return round(document.documentLayout().blockBoundingRect(block).top() - below)
    return None
