"""The marks of the preview: where the query's words stand in its document, and their painting."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextCursor, QTextDocument, QTextLine
from PySide6.QtWidgets import QTextEdit

from notesearch.gui.theme import Theme, px
from notesearch.notes import Span

MAX_MARKS = 5000
_LAST_OF_BMP = "\uffff"


def utf16_spans(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return ``spans`` of code points as spans of UTF-16 units, in which Qt counts."""
    if not text or max(text) <= _LAST_OF_BMP:
        return list(spans)
    astral = [at for at, character in enumerate(text) if character > _LAST_OF_BMP]
    return [
        (start + bisect_left(astral, start), end + bisect_left(astral, end)) for start, end in spans
    ]


class Marks:
    """The matches in one document, one of them the current one.

    Spans are positions in the document, in order and apart from each other.
    """

    def __init__(self, document: QTextDocument, spans: Sequence[Span] = ()) -> None:
        self._document = document
        self.spans = list(spans[:MAX_MARKS])
        self._ends = [end for _, end in self.spans]
        self.current = 0 if self.spans else -1

    @property
    def span(self) -> Span | None:
        """The current match."""
        return self.spans[self.current] if self.spans else None

    def step(self, by: int) -> None:
        """Make the next (1) or previous (-1) match the current one, round and round."""
        if self.spans:
            self.current = (self.current + by) % len(self.spans)

    def selections(self, theme: Theme) -> list[QTextEdit.ExtraSelection]:
        """Return the text colours; Qt would paint a background square and over the whole line."""
        return [
            self._selection(span, theme, at == self.current) for at, span in enumerate(self.spans)
        ]

    def paint(self, painter: QPainter, theme: Theme, first: int, last: int) -> None:
        """Paint the marks between two positions, in document coordinates, before the text."""
        radius = px(3)
        for at in range(bisect_right(self._ends, first), len(self.spans)):
            if self.spans[at][0] > last:
                break
            colour = theme.mark_current if at == self.current else theme.mark
            painter.setBrush(QColor(colour))
            for rectangle in text_rectangles(self._document, self.spans[at]):
                painter.drawRoundedRect(rectangle.adjusted(-1.5, 0, 1.5, 0), radius, radius)

    def _selection(self, span: Span, theme: Theme, current: bool) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self._document)
        cursor.setPosition(span[0])
        cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        colour = theme.mark_current_text if current else theme.mark_text
        selection.format.setForeground(QColor(colour))
        return selection


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
    for number in range(layout.lineForTextPosition(start).lineNumber(), layout.lineCount()):
        line = layout.lineAt(number)
        first, after = line.textStart(), line.textStart() + line.textLength()
        if first >= end:
            break
        left, right = (_x(line, at) for at in (max(start, first), min(end, after)))
        top = origin.y() + line.y()
        yield QRectF(origin.x() + min(left, right), top, abs(right - left), line.height())


def _x(line: QTextLine, at: int) -> float:
    # PySide's stubs call it an object; it is the pair of the C++ result and its position.
    x: float = line.cursorToX(at)[0]  # type: ignore[index]
    return x
