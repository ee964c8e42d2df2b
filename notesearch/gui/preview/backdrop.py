"""What stands behind the preview's text: boxes behind code, keys, highlights, the bar beside it.

Qt's rich text would paint square corners, and over the marks of the matches.
"""

from collections.abc import Iterator
from itertools import groupby, takewhile
from operator import itemgetter

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock, QTextDocument

from notesearch.gui.preview.document import KEY_ROOM, code_tables
from notesearch.gui.preview.geometry import block_top, blocks, box_of, text_rectangles
from notesearch.gui.preview.style import Inline
from notesearch.gui.widgets.theme import Theme, px
from notesearch.notes import Span

_BAR = 3


class Backdrop:
    """Paints behind the text of one document; make a new one when the document changes.

    Args:
        document: Its text.
        theme: The colours.
        has_boxes: There may be code, keys or highlights within its lines.
    """

    def __init__(self, document: QTextDocument, theme: Theme, *, has_boxes: bool = False) -> None:
        self._document = document
        self._theme = theme
        self._code = code_tables(document)
        self._has_boxes = has_boxes
        self._boxes: dict[int, list[tuple[Span, Inline]]] = {}

    def paint(self, painter: QPainter, first: QTextBlock, seen: Span) -> None:
        """Paint what is seen: the text between two positions, from ``first`` on."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.code))
        for table in self._code:
            if table.firstPosition() > seen[1]:
                break
            if table.lastPosition() >= seen[0]:
                painter.drawRoundedRect(box_of(table), px(4), px(4))
        if not self._has_boxes:
            return
        for block in takewhile(lambda block: block.position() < seen[1], blocks(first)):
            for span, kind in self._inline_boxes(block):
                if span[1] > seen[0] and span[0] < seen[1]:
                    self._paint_inline(painter, span, kind)

    def paint_bar(self, painter: QPainter, span: Span, x: float) -> None:
        """Paint the bar at ``x`` beside the text between two positions."""
        last = self._document.findBlock(max(span[0], span[1] - 1))
        bottom = self._document.documentLayout().blockBoundingRect(last).bottom()
        top = block_top(self._document, span[0])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accent))
        painter.drawRoundedRect(QRectF(x, top, px(_BAR), bottom - top), 1, 1)

    def _inline_boxes(self, block: QTextBlock) -> list[tuple[Span, Inline]]:
        """Return the runs of code, keys and highlights in ``block``; to find them takes long."""
        number = block.blockNumber()
        if number not in self._boxes:
            self._boxes[number] = list(_inline_boxes(block))
        return self._boxes[number]

    def _paint_inline(self, painter: QPainter, span: Span, kind: Inline) -> None:
        is_key = kind is Inline.KEY
        painter.setPen(QPen(QColor(self._theme.outline), 1) if is_key else Qt.PenStyle.NoPen)
        fill = self._theme.warn_soft if kind is Inline.HIGHLIGHT else self._theme.code
        painter.setBrush(QColor(self._theme.base if is_key else fill))
        right = 2.5 - KEY_ROOM * is_key
        for rectangle in text_rectangles(self._document, span):
            painter.drawRoundedRect(rectangle.adjusted(-2.5, -0.5, right, 0.5), px(3), px(3))


def _inline_boxes(block: QTextBlock) -> Iterator[tuple[Span, Inline]]:
    """Yield those runs; a key's last letter is another piece than the others: it stands wider."""
    begun = block.position()
    pieces = [(run.start, run.length, Inline.of(run.format)) for run in block.textFormats()]
    for kind, run in groupby(pieces, key=itemgetter(2)):
        if kind:
            (start, length, _), *others = run
            yield (begun + start, begun + start + length + sum(o[1] for o in others)), kind
