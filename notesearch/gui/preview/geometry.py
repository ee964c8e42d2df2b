"""Where text stands in the preview's document, in document coordinates."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import (
    QFontMetricsF,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLine,
    QTextTable,
)

from notesearch.gui.widgets.marked_line import extents
from notesearch.notes import Span

_ENDS = re.compile("[\u2029\ufdd0\ufdd1]")
"""What Qt keeps between paragraphs, and around cells of tables."""
_TALL = 1.2
_BESIDE = 30


def block_top(document: QTextDocument, position: int) -> float:
    """Return where the paragraph at ``position`` begins."""
    return document.documentLayout().blockBoundingRect(document.findBlock(position)).top()


def blocks(block: QTextBlock) -> Iterator[QTextBlock]:
    """Yield the paragraphs from ``block`` on."""
    while block.isValid():
        yield block
        block = block.next()


def texts(document: QTextDocument) -> list[str]:
    """Return the text of each paragraph: far sooner than one by one."""
    return _ENDS.split(document.toRawText())


def first_below(document: QTextDocument, top: float) -> QTextBlock:
    """Return the first paragraph that does not end above ``top``.

    Paragraphs far below are not asked for: they would have to be laid out first.
    """
    layout = document.documentLayout()
    low, high, last = 0, 0, document.blockCount() - 1
    while high < last and (
        layout.blockBoundingRect(document.findBlockByNumber(high)).bottom() <= top
    ):
        low, high = high + 1, min(last, 2 * high + 1)
    while low < high:
        middle = (low + high) // 2
        if layout.blockBoundingRect(document.findBlockByNumber(middle)).bottom() <= top:
            low = middle + 1
        else:
            high = middle
    return document.findBlockByNumber(low)


def visible_blocks(
    document: QTextDocument, area: QRectF, near: QTextBlock
) -> tuple[QTextBlock, QTextBlock]:
    """Return the first and the last block that ``area`` shows, looked for from ``near`` if given.

    What lies below is laid out later: to ask what stands at a point would find a table that has
    no place yet.
    """
    layout = document.documentLayout()
    first = near if near.isValid() else first_below(document, area.top())
    while first.previous().isValid() and layout.blockBoundingRect(first).bottom() > area.top():
        first = first.previous()
    while first.next().isValid() and layout.blockBoundingRect(first).bottom() < area.top():
        first = first.next()
    for _ in range(_BESIDE):  # cells of one row stand beside each other
        if first.previous().isValid() and QTextCursor(first).currentTable():
            first = first.previous()
    last = first
    while last.next().isValid() and layout.blockBoundingRect(last).top() <= area.bottom():
        last = last.next()
    return first, last


def visible_text(area: QRectF, first: QTextBlock, last: QTextBlock) -> Span:
    """Return the positions of the text that ``area`` shows of the blocks from first to last.

    A block may have hundreds of lines.
    """
    start = _line_at(first, area.top())
    end = _line_at(last, area.bottom())
    after = end.textStart() + end.textLength() if end.isValid() else 0
    from_start = start.textStart() if start.isValid() else 0
    return first.position() + from_start, last.position() + max(after, 1)


def _line_at(block: QTextBlock, y: float) -> QTextLine:
    """Return the line of ``block`` that is nearest to ``y``."""
    top = block.document().documentLayout().blockBoundingRect(block).top()
    layout = block.layout()
    lines = range(layout.lineCount())
    below = bisect_right(lines, y - top, key=lambda at: layout.lineAt(at).y())
    return layout.lineAt(max(0, below - 1))


def box_of(table: QTextTable) -> QRectF:
    """Return where a table of one cell stands, with its padding.

    Qt's own rectangle of the frame is off by that padding.
    """
    layout = table.document().documentLayout()
    first, last = (
        layout.blockBoundingRect(at.block())
        for at in (table.firstCursorPosition(), table.lastCursorPosition())
    )
    padding = table.format().cellPadding()
    return first.united(last).adjusted(-padding, -padding, padding, padding)


def text_rectangles(document: QTextDocument, span: Span) -> Iterator[QRectF]:
    """Yield the rectangle of each line's part of ``span``, as tall as its letters."""
    layout = document.documentLayout()
    block = document.findBlock(span[0])
    while block.isValid() and block.position() < span[1]:
        origin = layout.blockBoundingRect(block).topLeft()
        start = max(0, span[0] - block.position())
        end = min(block.length() - 1, span[1] - block.position())
        yield from _line_rectangles(block, origin, start, end)
        block = block.next()


def _line_rectangles(block: QTextBlock, origin: QPointF, start: int, end: int) -> Iterator[QRectF]:
    layout = block.layout()
    first = layout.lineForTextPosition(start).lineNumber()
    for line in map(layout.lineAt, range(first, layout.lineCount())):
        if line.textStart() >= end:
            break
        after = line.textStart() + line.textLength()
        above, below = _extent(line, block, start)
        top = origin.y() + line.y() + line.ascent() - above
        for left, right in extents(line, max(start, line.textStart()), min(end, after)):
            yield QRectF(origin.x() + left, top, right - left, above + below)


def _extent(line: QTextLine, block: QTextBlock, start: int) -> tuple[float, float]:
    """Return how far letters reach above and below the base line: a picture may be far taller."""
    usual = QFontMetricsF(block.document().defaultFont())
    if line.height() < _TALL * usual.height():
        return line.ascent(), line.descent()
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + start + 1)
    metrics = QFontMetricsF(cursor.charFormat().font())
    return metrics.ascent(), metrics.descent()
