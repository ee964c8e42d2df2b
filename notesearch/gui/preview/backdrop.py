"""Paints quotes, callouts, bullets, and the boxes of code and keys, behind the preview's text.

Qt's rich text would paint boxes with square corners, and over the marks of the matches; its bullets
are large and touch the text.
"""

from dataclasses import dataclass
from itertools import takewhile

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPen,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextListFormat,
    QTextTable,
)

from notesearch.gui.preview.document import (
    block_top,
    blocks_from,
    code_tables,
    inline_boxes,
    quotes,
    right_edge,
    task_box,
    text_rectangles,
    tone_of,
)
from notesearch.gui.preview.layout import KEY_SPACING
from notesearch.gui.preview.preview_style import CALLOUT_ICON, TEXT_COLOURS, Inline, Tone
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import LIGHT, Theme, draw_box, px
from notesearch.markdown.render.qt_html import BREAK
from notesearch.notes import Span

_BAR_WIDTH = 3
_TINT = 0.08
_HIGHLIGHT = 0.25
_CORNER = 6
_CAPITALS = 0.62
"""Height of the capitals beside a callout's icon, as a fraction of the icon's side."""
_STROKE = 2.0
_BOX_PADDING, _KEY_PADDING = 1.5, 2.5
"""Pixels between letters and the edge of their box. A key has room for more after it."""
_BULLET = 0.3
"""The radius of a bullet, as a multiple of the height of the letter x."""
_NUMBERED = QTextFormat.Property.ListNumberSuffix.value
"""Only numbered lists have this property, because of the style sheet."""
_RULE = QTextFormat.Property.BlockTrailingHorizontalRulerWidth.value
_LOOKS = {
    Tone.NOTE: ("accent", "info"),
    Tone.TIP: ("ok", "bulb"),
    Tone.WARNING: ("warn", "warning"),
    Tone.DANGER: ("danger", "stop"),
    Tone.QUIET: ("text3", "note"),
    Tone.PLAIN: ("outline", ""),
}
"""The colour, by its name in the theme, and the icon of each kind of quote."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Where the first line of a paragraph and its letters are, in pixels of the document."""

    left: float
    right: float
    baseline: float
    x_height: float
    is_reversed: bool


class Backdrop:
    """Paints behind the text of one laid-out document. After a change, create a new object."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        self._document = document
        self._theme = theme
        self._code_tables = code_tables(document)
        self._quotes = quotes(document)

    def paint(self, painter: QPainter, first: QTextBlock, visible: Span) -> None:
        """Paint behind the text at the positions ``visible``; ``first`` is its first block."""
        self.paint_quotes(painter, visible)
        # In high contrast, an outline stands for the tint of code.
        has_tint = self._theme.code != self._theme.base
        painter.setPen(Qt.PenStyle.NoPen if has_tint else QColor(self._theme.outline))
        for table in self._code_tables:
            if table.firstPosition() > visible[1]:
                break
            if table.lastPosition() >= visible[0]:
                painter.setBrush(self._code_fill(table.parentFrame()))
                painter.drawRoundedRect(_padded_box(table), px(4), px(4))
        for block in takewhile(lambda block: block.position() < visible[1], blocks_from(first)):
            self._paint_marker(painter, block)
            for span, kind in inline_boxes(block):
                if span[1] > visible[0] and span[0] < visible[1]:
                    self._paint_inline_box(painter, span, kind)

    def paint_quotes(self, painter: QPainter, visible: Span) -> None:
        """Paint the boxes and bars of the quotes at the positions ``visible``."""
        for table, tone in self._quotes:
            if table.firstPosition() > visible[1]:
                break
            if table.lastPosition() >= visible[0]:
                self._paint_quote(painter, table, tone)

    def _paint_quote(self, painter: QPainter, table: QTextTable, tone: Tone) -> None:
        """Paint a bar at the start of a quote; for a callout, also a tinted box and its icon."""
        colour_name, icon = _LOOKS[tone]
        colour = QColor(getattr(self._theme, colour_name))
        tint = QColor(colour)
        tint.setAlphaF(_TINT)
        box = _quote_box(table)
        width = px(_BAR_WIDTH)
        # Of the two cells, the one at the start has the tone.
        starts_right = bool(Tone.of(table.cellAt(0, 1).format()))
        left = box.right() - width if starts_right else box.left()
        bar = QRectF(left, box.top(), width, box.height())
        if tone is Tone.PLAIN:
            painter.fillRect(bar, colour)
            return
        outline = QPainterPath()
        outline.addRoundedRect(box, px(_CORNER), px(_CORNER))
        painter.save()
        painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
        painter.fillRect(box, tint)
        painter.fillRect(bar, colour)
        painter.restore()
        title = table.cellAt(0, 0 if starts_right else 1).firstCursorPosition().block()
        if title.blockFormat().indent() and title.layout().lineCount():
            self._paint_icon(painter, title, icon, colour.name())

    def _paint_icon(self, painter: QPainter, title: QTextBlock, name: str, colour: str) -> None:
        side = px(CALLOUT_ICON)
        ratio = painter.deviceTransform().m11()  # on paper, much more than that of the device
        line = _first_line(title)
        indent = self._document.indentWidth()
        middle = line.baseline - side * _CAPITALS / 2
        left = line.right + indent - side if line.is_reversed else line.left - indent
        image = icons.pixmap(name, colour, side, ratio, _STROKE)
        painter.drawPixmap(QPointF(left, middle - side / 2), image)

    def _paint_marker(self, painter: QPainter, block: QTextBlock) -> None:
        """Paint the bullet or the number of the item of a list that begins with ``block``.

        It is level with the first text of the item, which may be in code or in a list inside.
        """
        items = QTextCursor(block).currentList()
        if items is None or not block.layout().lineCount():
            return
        first = next(filter(_is_shown, blocks_from(block)), block)
        is_bare = QTextCursor(first).currentList() != items
        own = _first_line(block)
        line = _first_line(first) if is_bare else own
        indent = self._document.indentWidth()
        edge = own.right if line.is_reversed else own.left
        if line.is_reversed and not own.is_reversed:
            edge -= indent * items.format().indent()
        if items.format().hasProperty(_NUMBERED):
            is_lettered = items.format().style() != QTextListFormat.Style.ListStyleUndefined
            decimal = f"{items.format().start() + items.itemNumber(block)}."
            number = items.itemText(block) if is_lettered else decimal
            has_own_size = is_bare or block.blockFormat().headingLevel()
            face = self._document.defaultFont() if has_own_size else block.charFormat().font()
            is_coloured = block.charFormat().hasProperty(QTextFormat.Property.ForegroundBrush)
            ink = block.charFormat().foreground().color() if is_coloured else self._theme.text
            painter.setPen(QColor(ink))
            self._paint_number(painter, number, face, line, edge)
        elif not task_box(block):
            x = edge + indent / 2 if line.is_reversed else edge - indent / 2
            self._paint_bullet(painter, QPointF(x, line.baseline - line.x_height / 2), line)

    def _paint_number(
        self, painter: QPainter, number: str, face: QFont, line: _Line, edge: float
    ) -> None:
        """Paint ``number``, as ``3.``, beside ``edge``, the x coordinate where the text starts."""
        text = f" .{number[:-1]}" if line.is_reversed else f"{number} "
        width = 0.0 if line.is_reversed else QFontMetricsF(face).horizontalAdvance(text)
        # Qt converts points by the resolution of the paper, but the document has the screen's.
        dots = QGuiApplication.primaryScreen().logicalDotsPerInchY()
        sized = QFont(face)
        sized.setPointSizeF(face.pointSizeF() * dots / painter.device().logicalDpiY())
        painter.setFont(sized)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # text is in visual order
        painter.drawText(QPointF(edge - width, line.baseline), text)

    def _paint_bullet(self, painter: QPainter, centre: QPointF, line: _Line) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.text2))
        radius = line.x_height * _BULLET
        painter.drawEllipse(centre, radius, radius)

    def paint_bar(self, painter: QPainter, span: Span, x: float) -> None:
        """Paint a vertical bar at ``x`` beside the text of ``span``, to point out the result."""
        last = self._document.findBlock(max(span[0], span[1] - 1))
        bottom = self._document.documentLayout().blockBoundingRect(last).bottom()
        top = block_top(self._document, span[0])
        bar = QRectF(x, top, px(_BAR_WIDTH), bottom - top)
        draw_box(painter, bar, 1, fill=QColor(self._theme.accent))

    def _code_fill(self, frame: QTextFrame | None) -> QColor:
        """Return the fill of code in ``frame``; it must stand out from a callout's tint."""
        while isinstance(frame, QTextTable) and not tone_of(frame):
            frame = frame.parentFrame()
        is_tinted = tone_of(frame) not in {None, Tone.PLAIN}
        return QColor(self._theme.base if is_tinted else self._theme.code)

    def _paint_inline_box(self, painter: QPainter, span: Span, kind: Inline) -> None:
        is_key = kind is Inline.KEY
        block = self._document.findBlock(span[0])
        fills = {
            Inline.CODE: self._code_fill(QTextCursor(block).currentFrame()),
            Inline.HIGHLIGHT: QColor(self._theme.warn_soft),
            Inline.KEY: QColor(self._theme.base),
        }
        fill = fills.get(kind) or _highlight_fill(kind)
        # Keys have an outline. In high contrast, it also stands for the tint of highlights.
        is_outlined = kind is not Inline.CODE and fill == QColor(self._theme.base)
        painter.setPen(QPen(QColor(self._theme.outline), 1) if is_outlined else Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        beside = _KEY_PADDING if is_key else _BOX_PADDING
        right = beside - KEY_SPACING if is_key else beside
        for rectangle in text_rectangles(self._document, span):
            painter.drawRoundedRect(rectangle.adjusted(-beside, -0.5, right, 0.5), px(3), px(3))


def _highlight_fill(kind: Inline) -> QColor:
    """Return the fill of a coloured highlight, from the light theme in every theme.

    A theme with high contrast has no hues of its own.
    """
    own = QColor(getattr(LIGHT, TEXT_COLOURS[kind.name.lower()]))
    return QColor.fromHslF(max(0.0, own.hslHueF()), own.hslSaturationF(), 0.5, _HIGHLIGHT)


def _padded_box(table: QTextTable) -> QRectF:
    """Return the rectangle of a table with one cell, including its padding, which Qt gets wrong."""
    layout = table.document().documentLayout()
    first, last = (
        layout.blockBoundingRect(cursor.block())
        for cursor in (table.firstCursorPosition(), table.lastCursorPosition())
    )
    padding = table.format().cellPadding()
    return first.united(last).adjusted(-padding, -padding, padding, padding)


def _quote_box(table: QTextTable) -> QRectF:
    """Return the rectangle of the cells of a quote.

    Qt's own rectangle of a table has margins, and Qt lays out the whole document to find it.
    """
    layout = table.document().documentLayout()
    box = QRectF()
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        padding = cell.format().toTableCellFormat()
        first, last = cell.firstCursorPosition().block(), cell.lastCursorPosition().block()
        area = layout.blockBoundingRect(first).united(layout.blockBoundingRect(last))
        line = _first_line(first)
        beside = first.blockFormat().indent() * table.document().indentWidth()
        area.setRight(line.right + beside * line.is_reversed)
        height = last.layout().lineAt(last.layout().lineCount() - 1).height()
        leading = max(0, last.blockFormat().lineHeight(height, 1) - height)
        box |= area.adjusted(
            -padding.leftPadding(),
            -padding.topPadding(),
            padding.rightPadding(),
            padding.bottomPadding() + leading,
        )
    box.setRight(min(box.right(), right_edge(table)))
    return box


def _is_shown(block: QTextBlock) -> bool:
    return bool(block.text().strip(BREAK)) or block.blockFormat().hasProperty(_RULE)


def _first_line(block: QTextBlock) -> _Line:
    origin = block.document().documentLayout().blockBoundingRect(block).topLeft()
    line = block.layout().lineAt(0)
    text = line.rect()
    letters = QFontMetricsF(block.charFormat().font())
    return _Line(
        left=origin.x() + text.left(),
        right=origin.x() + text.right(),
        baseline=origin.y() + line.y() + line.ascent(),
        x_height=letters.xHeight(),
        is_reversed=block.textDirection() == Qt.LayoutDirection.RightToLeft,
    )
