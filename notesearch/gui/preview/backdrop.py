"""Paints behind the preview's text: boxes of code, keys and highlights, and the bar beside it.

Qt's rich text would paint square corners, and over the marks of the matches.
"""

from collections.abc import Iterator
from itertools import groupby, takewhile
from operator import itemgetter

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock, QTextDocument, QTextTable

from notesearch.gui.preview.document import KEY_SPACING, code_tables
from notesearch.gui.preview.geometry import block_top, blocks_from, text_rectangles
from notesearch.gui.preview.preview_style import Inline
from notesearch.gui.widgets.theme import Theme, px
from notesearch.notes import Span

_BAR_WIDTH = 3


class Backdrop:
    """Paints behind the text of one document; make a new one after the document changed.

    Args:
        document: The document, laid out.
        theme: The colours.
        has_inline_boxes: Whether lines can contain code, keys or highlights.
    """

    def __init__(
        self, document: QTextDocument, theme: Theme, *, has_inline_boxes: bool = False
    ) -> None:
        self._document = document
        self._theme = theme
        self._code_tables = code_tables(document)
        self._has_inline_boxes = has_inline_boxes
        self._inline_boxes: dict[int, list[tuple[Span, Inline]]] = {}

    def paint(self, painter: QPainter, first: QTextBlock, visible: Span) -> None:
        """Paint behind the ``visible`` positions, which begin in the block ``first``."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.code))
        for table in self._code_tables:
            if table.firstPosition() > visible[1]:
                break
            if table.lastPosition() >= visible[0]:
                painter.drawRoundedRect(_padded_box(table), px(4), px(4))
        if not self._has_inline_boxes:
            return
        for block in takewhile(lambda block: block.position() < visible[1], blocks_from(first)):
            for span, kind in self._boxes_in(block):
                if span[1] > visible[0] and span[0] < visible[1]:
                    self._paint_inline_box(painter, span, kind)

    def paint_bar(self, painter: QPainter, span: Span, x: float) -> None:
        """Paint the bar at ``x`` beside the text of ``span``."""
        last = self._document.findBlock(max(span[0], span[1] - 1))
        bottom = self._document.documentLayout().blockBoundingRect(last).bottom()
        top = block_top(self._document, span[0])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accent))
        painter.drawRoundedRect(QRectF(x, top, px(_BAR_WIDTH), bottom - top), 1, 1)

    def _boxes_in(self, block: QTextBlock) -> list[tuple[Span, Inline]]:
        """Return the code, keys and highlights in ``block``; finding them is slow."""
        number = block.blockNumber()
        if number not in self._inline_boxes:
            self._inline_boxes[number] = list(_find_boxes(block))
        return self._inline_boxes[number]

    def _paint_inline_box(self, painter: QPainter, span: Span, kind: Inline) -> None:
        is_key = kind is Inline.KEY
        painter.setPen(QPen(QColor(self._theme.outline), 1) if is_key else Qt.PenStyle.NoPen)
        fill = self._theme.warn_soft if kind is Inline.HIGHLIGHT else self._theme.code
        painter.setBrush(QColor(self._theme.base if is_key else fill))
        right = 2.5 - KEY_SPACING * is_key
        for rectangle in text_rectangles(self._document, span):
            painter.drawRoundedRect(rectangle.adjusted(-2.5, -0.5, right, 0.5), px(3), px(3))


def _find_boxes(block: QTextBlock) -> Iterator[tuple[Span, Inline]]:
    """Yield code, keys and highlights; the last letter of a key has a format of its own."""
    start = block.position()
    formats = [(run.start, run.length, Inline.of(run.format)) for run in block.textFormats()]
    for kind, run in groupby(formats, key=itemgetter(2)):
        if kind:
            (first, length, _), *others = run
            end = first + length + sum(other[1] for other in others)
            yield (start + first, start + end), kind


def _padded_box(table: QTextTable) -> QRectF:
    """Return the rectangle of a table with one cell, including its padding.

    Qt's own rectangle of the frame is off by that padding.
    """
    layout = table.document().documentLayout()
    first, last = (
        layout.blockBoundingRect(cursor.block())
        for cursor in (table.firstCursorPosition(), table.lastCursorPosition())
    )
    padding = table.format().cellPadding()
    return first.united(last).adjusted(-padding, -padding, padding, padding)
