"""Where text is in the preview's document: in pixels from the document's upper left corner."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import (
    QFontMetricsF,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFragment,
    QTextLine,
)

from notesearch.gui.widgets.marked_line import extents
from notesearch.notes import Span

_BLOCK_ENDS = re.compile("[\u2029\ufdd0\ufdd1]")
"""The characters with which Qt separates paragraphs and table cells."""
_TALL_LINE = 1.2
_MAX_CELLS_BESIDE = 30


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


def paragraph_texts(document: QTextDocument) -> list[str]:
    """Return the text of each paragraph in order, much faster than through the blocks."""
    return _BLOCK_ENDS.split(document.toRawText())


def first_block_below(document: QTextDocument, top: float) -> QTextBlock:
    """Return the first paragraph that ends below ``top``; Qt lays out none far below it."""

    def bottom(number: int) -> float:
        block = document.findBlockByNumber(number)
        return document.documentLayout().blockBoundingRect(block).bottom()

    low, high, last = 0, 0, document.blockCount() - 1
    while high < last and bottom(high) <= top:
        low, high = high + 1, min(last, 2 * high + 1)
    return document.findBlockByNumber(bisect_right(range(high), top, lo=low, key=bottom))


class InView(NamedTuple):
    """The part of a document in view: its rectangle, its first paragraph, and the text's span."""

    area: QRectF
    first: QTextBlock
    span: Span


def in_view(document: QTextDocument, area: QRectF) -> InView:
    """Return what is in the rectangle ``area``; of a long paragraph, only its lines there.

    Qt's hit test also finds tables below the window, which Qt has not laid out yet.
    """
    layout = document.documentLayout()
    first = first_block_below(document, area.top())
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
    return InView(area, first, span)


def _line_at(block: QTextBlock, y: float) -> QTextLine:
    """Return the last line of ``block`` that begins above ``y``, else the first line."""
    top = block.document().documentLayout().blockBoundingRect(block).top()
    layout = block.layout()
    lines = range(layout.lineCount())
    below = bisect_right(lines, y - top, key=lambda number: layout.lineAt(number).y())
    return layout.lineAt(max(0, below - 1))


def line_top(document: QTextDocument, y: float) -> float:
    """Return the top of the line of text at ``y``; ``y`` itself between two paragraphs."""
    block = first_block_below(document, y)
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
