"""Paints behind the text: matches, the tint of the nearest sentence, quotes, callouts, bullets.

Also paints the boxes of code, keys and highlights.

Qt's rich text would paint boxes with square corners, and over the marks of the matches; its bullets
are large and touch the text.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFrame,
    QTextListFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextEdit

from notesearch.gui.preview.document import (
    KEY_SPACING,
    code_tables,
    inline_boxes,
    quotes,
    right_edge,
    task_box,
    tone_of,
)
from notesearch.gui.preview.document_images import draw_placeholder
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
_BULLET = 0.3
"""The radius of a bullet, as a multiple of the height of the letter x."""
_ICONS = {
    Tone.NOTE: "info",
    Tone.TIP: "bulb",
    Tone.WARNING: "warning",
    Tone.DANGER: "stop",
    Tone.QUIET: "note",
}


class _Line(NamedTuple):
    """The first line of a paragraph, in pixels of the document; where its letters are."""

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
        painter.setPen(Qt.PenStyle.NoPen)
        for table in self._code_tables:
            if table.firstPosition() > visible[1]:
                break
            if table.lastPosition() >= visible[0]:
                painter.setBrush(self._code_fill(table.parentFrame()))
                painter.drawRoundedRect(_padded_box(table), px(4), px(4))
        for block in takewhile(lambda block: block.position() < visible[1], blocks_from(first)):
            self._paint_bullet(painter, block)
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
        colour = QColor(_tone_colour(tone, self._theme))
        tint = QColor(colour)
        tint.setAlphaF(_TINT)
        box, width = _frame_box(table), px(_BAR_WIDTH)
        starts_right = bool(Tone.of(table.cellAt(0, 1).format()))
        bar = QRectF(box.right() - width if starts_right else box.left(), box.top(), width, 0)
        bar.setBottom(box.bottom())
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
            self._paint_icon(painter, title, _ICONS[tone], colour.name())

    def _paint_icon(self, painter: QPainter, title: QTextBlock, name: str, colour: str) -> None:
        side, ratio = px(CALLOUT_ICON), painter.device().devicePixelRatioF()
        line, indent = _first_line(title), self._document.indentWidth()
        middle = line.baseline - side * _CAPITALS / 2
        left = line.right + indent - side if line.is_reversed else line.left - indent
        image = icons.pixmap(name, colour, side, ratio, _STROKE)
        painter.drawPixmap(QPointF(left, middle - side / 2), image)

    def _paint_bullet(self, painter: QPainter, block: QTextBlock) -> None:
        """Paint a bullet before ``block`` if it begins an item of a list that is not numbered."""
        items = QTextCursor(block).currentList()
        if items is None or items.format().style() != QTextListFormat.Style.ListStyleUndefined:
            return
        if task_box(block) or not block.layout().lineCount():
            return
        line, indent = _first_line(block), self._document.indentWidth()
        x = line.right + indent / 2 if line.is_reversed else line.left - indent / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.text2))
        radius = line.x_height * _BULLET
        painter.drawEllipse(QPointF(x, line.baseline - line.x_height / 2), radius, radius)

    def paint_bar(self, painter: QPainter, span: Span, x: float) -> None:
        """Paint a vertical bar at ``x`` beside the text of ``span``, to point out the result."""
        last = self._document.findBlock(max(span[0], span[1] - 1))
        bottom = self._document.documentLayout().blockBoundingRect(last).bottom()
        top = block_top(self._document, span[0])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accent))
        painter.drawRoundedRect(QRectF(x, top, px(_BAR_WIDTH), bottom - top), 1, 1)

    def paint_tint(self, painter: QPainter, span: Span) -> None:
        """Tint ``span``: the block to which a link leads, or the sentence nearest to the query."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accent_soft))
        for rectangle in text_rectangles(self._document, span):
            painter.drawRoundedRect(rectangle.adjusted(-2, -1.5, 2, 1.5), px(3), px(3))

    def paint_selected_boxes(self, painter: QPainter, selected: Span) -> None:
        """Paint the boxes of the tasks in a selection in its colours; Qt makes them invisible."""
        paper, ink = self._theme.accent, self._theme.accent_text
        reversed_theme = replace(
            self._theme, accent=ink, accent_text=paper, border_strong=ink, text2=ink
        )
        blocks = blocks_from(self._document.findBlock(selected[0]))
        for block in takewhile(lambda block: block.position() < selected[1], blocks):
            box = task_box(block)
            if not box or block.position() < selected[0] or not block.layout().lineCount():
                continue
            ratio = painter.device().devicePixelRatioF()
            image = draw_placeholder(box.removeprefix("ui:"), reversed_theme, ratio)
            size, line = image.deviceIndependentSize(), _first_line(block)
            left = line.right - size.width() if line.is_reversed else line.left
            area = QRectF(QPointF(round(left), round(line.baseline - size.height())), size)
            painter.fillRect(area, QColor(paper))
            painter.drawImage(area.topLeft(), image)

    def _code_fill(self, frame: QTextFrame) -> QColor:
        """Return the fill of code in ``frame``; it must stand out from a callout's tint."""
        is_tinted = tone_of(frame) not in {None, Tone.PLAIN}
        return QColor(self._theme.base if is_tinted else self._theme.code)

    def _paint_inline_box(self, painter: QPainter, span: Span, kind: Inline) -> None:
        is_key = kind is Inline.KEY
        painter.setPen(QPen(QColor(self._theme.outline), 1) if is_key else Qt.PenStyle.NoPen)
        block = self._document.findBlock(span[0])
        fills = {
            Inline.CODE: self._code_fill(QTextCursor(block).currentFrame()),
            Inline.HIGHLIGHT: QColor(self._theme.warn_soft),
            Inline.KEY: QColor(self._theme.base),
        }
        painter.setBrush(fills[kind])
        right = 2.5 - KEY_SPACING if is_key else 2.5
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

    Qt's own rectangle has all margins to the right of the table and below it, and is moved by the
    first cell's padding.
    """
    table_format, first = table.format(), table.cellAt(0, 0).format().toTableCellFormat()
    frame = table.document().documentLayout().frameBoundingRect(table)
    frame.translate(-first.leftPadding(), -first.topPadding())
    frame.adjust(0, 0, 0, -table_format.topMargin() - table_format.bottomMargin())
    right = frame.right() - table_format.leftMargin() - table_format.rightMargin()
    frame.setRight(min(right, right_edge(table)))
    return frame


def _tone_colour(tone: Tone, theme: Theme) -> str:
    colours = {
        Tone.NOTE: theme.accent,
        Tone.TIP: theme.ok,
        Tone.WARNING: theme.warn,
        Tone.DANGER: theme.danger,
        Tone.QUIET: theme.text3,
        Tone.PLAIN: theme.outline,
    }
    return colours[tone]


def _first_line(block: QTextBlock) -> _Line:
    origin = block.document().documentLayout().blockBoundingRect(block).topLeft()
    line = block.layout().lineAt(0)
    text, letters = line.naturalTextRect(), QFontMetricsF(block.charFormat().font())
    return _Line(
        origin.x() + text.left(),
        origin.x() + text.right(),
        origin.y() + line.y() + line.ascent(),
        letters.xHeight(),
        block.textDirection() == Qt.LayoutDirection.RightToLeft,
    )


MAX_MARKS = 2000
"""Maximum number of matches in one text that are marked."""
MAX_PAINTED = 200
"""Maximum number of marks in view that are painted."""
_MAX_COLOURED = 100
"""Maximum marks in view that get a text colour. Qt draws a line again for each of them."""


@dataclass(frozen=True, slots=True)
class MarkColours:
    """Background and text colour of the marks, and those of the current mark."""

    mark: str
    text: str
    current: str
    current_text: str

    @classmethod
    def of_query(cls, theme: Theme) -> "MarkColours":
        """Return the colours for matches of the query."""
        current = theme.mark_current, theme.mark_current_text
        return cls(theme.mark, theme.mark_text, *current)

    @classmethod
    def of_found(cls, theme: Theme) -> "MarkColours":
        """Return the colours for matches of the words in the find bar."""
        return cls(theme.accent_soft, theme.text, theme.accent, theme.accent_text)


class MatchMarks:
    """The matches in one document, one of which is the current one.

    ``spans`` are sorted and do not overlap. The current match has the index ``current`` if that is
    valid; else it is the first one after the position ``start``.

    Attributes:
        is_chosen: Whether the user has chosen the current match by going to it.
    """

    def __init__(
        self,
        document: QTextDocument,
        spans: Sequence[Span] = (),
        start: int = 0,
        current: int | None = None,
    ) -> None:
        self._document = document
        self.spans = list(spans[:MAX_MARKS])
        self._ends = [end for _, end in self.spans]
        self._coloured = range(0)
        first = bisect_right(self._ends, start)
        self.current = first % len(self.spans) if self.spans else -1
        self.is_chosen = current is not None and 0 <= current < len(self.spans)
        if current is not None and self.is_chosen:
            self.current = current

    @property
    def span(self) -> Span | None:
        """The current match; None without matches."""
        return self.spans[self.current] if self.spans else None

    def step(self, by: int) -> None:
        """Make the next (1) or previous (-1) match the current one; wrap around at the ends."""
        if self.spans:
            self.current = (self.current + by) % len(self.spans)
            self.is_chosen = True

    def reset_colours(self) -> None:
        """Forget which marks have text colours, so that they are chosen again."""
        self._coloured = range(0)

    def update_colours(self, visible: Span) -> bool:
        """Choose marks in and near the view for a text colour; return whether that is a change."""
        in_view = self._in_view(visible, _MAX_COLOURED)
        if not in_view or (in_view[0] in self._coloured and in_view[-1] in self._coloured):
            return False
        spare = (_MAX_COLOURED - len(in_view)) // 2
        around = slice(max(0, in_view.start - spare), in_view.stop + spare)
        self._coloured = range(len(self.spans))[around]
        return True

    def selections(self, colours: MarkColours) -> list[QTextEdit.ExtraSelection]:
        """Return the text colours of the marks that ``update_colours`` chose."""
        return [self._selection(self.spans[n], colours, n == self.current) for n in self._coloured]

    def paint(self, painter: QPainter, colours: MarkColours, visible: Span) -> None:
        """Paint the backgrounds of the marks in the span ``visible``, in document coordinates."""
        painter.setPen(Qt.PenStyle.NoPen)
        radius = px(3)
        for index in self._in_view(visible, MAX_PAINTED):
            painter.setBrush(QColor(colours.current if index == self.current else colours.mark))
            for rectangle in text_rectangles(self._document, self.spans[index]):
                painter.drawRoundedRect(rectangle.adjusted(-1.5, 0, 1.5, 0), radius, radius)

    def _in_view(self, visible: Span, limit: int) -> range:
        """Return the indexes of the marks in view, at most ``limit`` of them."""
        start = bisect_right(self._ends, visible[0])
        stop = bisect_left(self.spans, visible[1], lo=start, key=lambda span: span[0])
        if start <= self.current < stop:
            start = max(start, self.current - limit // 2)
        return range(start, min(stop, start + limit))

    def _selection(
        self, span: Span, colours: MarkColours, is_current: bool
    ) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self._document)
        cursor.setPosition(span[0])
        cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        colour = colours.current_text if is_current else colours.text
        selection.format.setForeground(QColor(colour))
        return selection
