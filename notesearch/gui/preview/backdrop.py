"""Paints callouts and the boxes of code, keys and highlights behind the preview's text.

Qt's rich text would paint them with square corners, and over the marks of the matches. Selected
bullets are painted over the text.
"""

from itertools import takewhile

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QTextBlock,
    QTextDocument,
    QTextFormat,
    QTextListFormat,
    QTextTable,
)

from notesearch.gui.preview.document import KEY_SPACING, callouts, code_tables, inline_boxes
from notesearch.gui.preview.geometry import block_top, blocks_from, text_rectangles
from notesearch.gui.preview.preview_style import CALLOUT_ICON, Inline, Tone
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Theme, px
from notesearch.notes import Span

_BAR_WIDTH = 3
_TINT = 0.08
_CORNER = 6
_CAPITALS = 0.62
"""Height of the capitals beside a callout's icon, as a fraction of the icon's side."""
_STROKE = 2.0
_ICONS = {
    Tone.NOTE: "info",
    Tone.TIP: "bulb",
    Tone.WARNING: "warning",
    Tone.DANGER: "stop",
    Tone.QUIET: "note",
}


class Backdrop:
    """Paints behind the text of one laid-out document. After a change, create a new object."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        self._document = document
        self._theme = theme
        self._code_tables = code_tables(document)
        self._callouts = callouts(document)

    def paint(self, painter: QPainter, first: QTextBlock, visible: Span) -> None:
        """Paint behind the text at the positions ``visible``; ``first`` is its first block."""
        for table, tone in self._callouts:
            if table.firstPosition() > visible[1]:
                break
            if table.lastPosition() >= visible[0]:
                self._paint_callout(painter, table, tone)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.code))
        for table in self._code_tables:
            if table.firstPosition() > visible[1]:
                break
            if table.lastPosition() >= visible[0]:
                painter.drawRoundedRect(_padded_box(table), px(4), px(4))
        for block in takewhile(lambda block: block.position() < visible[1], blocks_from(first)):
            for span, kind in inline_boxes(block):
                if span[1] > visible[0] and span[0] < visible[1]:
                    self._paint_inline_box(painter, span, kind)

    def _paint_callout(self, painter: QPainter, table: QTextTable, tone: Tone) -> None:
        """Paint a tinted box with a bar at its start, and an icon before the title."""
        colour = QColor(_tone_colour(tone, self._theme))
        tint = QColor(colour)
        tint.setAlphaF(_TINT)
        box, width = _frame_box(table), px(_BAR_WIDTH)
        starts_right = bool(Tone.of(table.cellAt(0, 1).format()))
        bar = QRectF(box.right() - width if starts_right else box.left(), box.top(), width, 0)
        bar.setBottom(box.bottom())
        outline = QPainterPath()
        outline.addRoundedRect(box, px(_CORNER), px(_CORNER))
        painter.save()
        painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
        painter.fillRect(box, tint)
        painter.fillRect(bar, colour)
        painter.restore()
        title = table.cellAt(0, 0 if starts_right else 1).firstCursorPosition().block()
        if title.blockFormat().textIndent() > 0:
            self._paint_icon(painter, title, _ICONS[tone], colour.name())

    def _paint_icon(self, painter: QPainter, title: QTextBlock, name: str, colour: str) -> None:
        side = px(CALLOUT_ICON)
        line, ratio = title.layout().lineAt(0), painter.device().devicePixelRatioF()
        if not line.isValid():
            return
        origin = self._document.documentLayout().blockBoundingRect(title)
        middle = origin.top() + line.y() + line.ascent() - side * _CAPITALS / 2
        is_reversed = title.textDirection() == Qt.LayoutDirection.RightToLeft
        indent = title.blockFormat().textIndent()
        left = origin.right() + indent - side if is_reversed else origin.left()
        image = icons.pixmap(name, colour, side, ratio, _STROKE)
        painter.drawPixmap(QPointF(left, middle - side / 2), image)

    def paint_bar(self, painter: QPainter, span: Span, x: float) -> None:
        """Paint a vertical bar at ``x`` beside the text of ``span``, to point out the result."""
        last = self._document.findBlock(max(span[0], span[1] - 1))
        bottom = self._document.documentLayout().blockBoundingRect(last).bottom()
        top = block_top(self._document, span[0])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accent))
        painter.drawRoundedRect(QRectF(x, top, px(_BAR_WIDTH), bottom - top), 1, 1)

    def _paint_inline_box(self, painter: QPainter, span: Span, kind: Inline) -> None:
        is_key = kind is Inline.KEY
        painter.setPen(QPen(QColor(self._theme.outline), 1) if is_key else Qt.PenStyle.NoPen)
        fill = self._theme.warn_soft if kind is Inline.HIGHLIGHT else self._theme.code
        painter.setBrush(QColor(self._theme.base if is_key else fill))
        right = 2.5 - KEY_SPACING * is_key
        for rectangle in text_rectangles(self._document, span):
            painter.drawRoundedRect(rectangle.adjusted(-2.5, -0.5, right, 0.5), px(3), px(3))


def _padded_box(table: QTextTable) -> QRectF:
    """Return the rectangle of a table with one cell, including its padding, which Qt gets wrong."""
    layout = table.document().documentLayout()
    first, last = (
        layout.blockBoundingRect(cursor.block())
        for cursor in (table.firstCursorPosition(), table.lastCursorPosition())
    )
    padding = table.format().cellPadding()
    return first.united(last).adjusted(-padding, -padding, padding, padding)


def _frame_box(table: QTextTable) -> QRectF:
    """Return the rectangle of a table without its margins.

    Qt's own rectangle has both margins below the table, and is moved by the first cell's padding.
    """
    table_format, first = table.format(), table.cellAt(0, 0).format().toTableCellFormat()
    frame = table.document().documentLayout().frameBoundingRect(table)
    frame.translate(-first.leftPadding(), -first.topPadding())
    return frame.adjusted(0, 0, 0, -table_format.topMargin() - table_format.bottomMargin())


def _tone_colour(tone: Tone, theme: Theme) -> str:
    colours = {
        Tone.NOTE: theme.accent,
        Tone.TIP: theme.ok,
        Tone.WARNING: theme.warn,
        Tone.DANGER: theme.danger,
        Tone.QUIET: theme.text3,
    }
    return colours[tone]


_BULLETS = {
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
}


def paint_selected_bullets(
    painter: QPainter, theme: Theme, document: QTextDocument, selected: Span
) -> None:
    """Paint the bullets in a selection in its colours, because Qt hides all but their corners.

    The positions are those of Qt's ``QTextDocumentLayout``, which paints all other bullets.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    for block in blocks_from(document.findBlock(selected[0])):
        if block.position() >= selected[1]:
            break
        items = block.textList()
        if items is None or block.position() < selected[0]:
            continue
        own = block.blockFormat().property(QTextFormat.Property.ListStyle)  # a task has none
        style = items.format().style() if own is None else QTextListFormat.Style(own)
        if style not in _BULLETS or not block.layout().lineCount():
            continue
        origin = document.documentLayout().blockBoundingRect(block).topLeft()
        text = block.layout().lineAt(0).naturalTextRect().translated(origin)
        metrics = QFontMetricsF(block.charFormat().font())
        gap, side = metrics.horizontalAdvance(" "), metrics.lineSpacing() / 3
        is_mirrored = block.textDirection() == Qt.LayoutDirection.RightToLeft
        left = text.right() + gap if is_mirrored else text.left() - gap - side
        bullet = QRectF(left, text.top() + (metrics.height() - side) / 2, side, side)
        around = QRectF(min(left - 2, text.right()), text.top(), gap + side + 2, text.height())
        painter.fillRect(around, QColor(theme.accent))
        painter.setBrush(QColor(theme.accent_text))
        if style == QTextListFormat.Style.ListSquare:
            painter.drawRect(bullet)
        else:
            painter.drawEllipse(bullet)
