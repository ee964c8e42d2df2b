"""Paints the rows of the result list: note headers, sections with marks, "more" and the cap."""

from collections.abc import Hashable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from notesearch.gui import icons, wording
from notesearch.gui.marked_line import LaidOutLine, Line, LineCache, Run
from notesearch.gui.results_model import ItemRole
from notesearch.gui.results_rows import CapRow, HeaderRow, MoreRow, Row, SectionRow
from notesearch.gui.row_text import breadcrumb_line, snippet_line
from notesearch.gui.theme import Role, Theme, font, px
from notesearch.notes import SectionResult

Index = QModelIndex | QPersistentModelIndex

_DIMMED = 0.6


@dataclass(frozen=True, slots=True)
class _Metrics:
    """Fonts and distances of the rows, for the font the application has now."""

    row: QFont
    strong: QFont
    snippet: QFont
    more: QFont
    meta: QFont
    row_height: int
    line_height: int
    snippet_height: int
    pad: int
    gap: int

    @classmethod
    def measure(cls) -> "_Metrics":
        row, strong, snippet = font(Role.ROW), font(Role.ROW_STRONG), font(Role.SNIPPET)
        line_height = max(QFontMetrics(row).height(), QFontMetrics(strong).height())
        snippet_height = QFontMetrics(snippet).height()
        pad, gap = px(7), px(3)
        height = pad + line_height + gap + snippet_height + pad
        return cls(
            row=row,
            strong=strong,
            snippet=snippet,
            more=font(Role.MORE),
            meta=font(Role.META),
            row_height=height,
            line_height=line_height,
            snippet_height=snippet_height,
            pad=pad,
            gap=gap,
        )


class ResultsDelegate(QStyledItemDelegate):
    """Paints each kind of row from ``ItemRole.ROW`` with the tokens of a theme."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._metrics = _Metrics.measure()
        self._lines = LineCache()
        self._dimmed = False

    def set_theme(self, theme: Theme) -> None:
        """Paint with other colours and, when the application's font changed, other sizes."""
        self._theme = theme
        self._metrics = _Metrics.measure()
        self._lines.clear()

    def set_dimmed(self, dimmed: bool) -> None:
        """Paint the rows pale: they answer an older query."""
        self._dimmed = dimmed

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of the row's kind; the width is the view's."""
        metrics = self._metrics
        match index.data(ItemRole.ROW):
            case HeaderRow(first=first):
                height = metrics.line_height + px(13 if first else 20)
            case SectionRow(result):
                height = metrics.row_height
                if not result.snippet.text:
                    height -= metrics.gap + metrics.snippet_height
            case _:
                height = metrics.snippet_height + px(10)
        return QSize(0, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._dimmed:
            painter.setOpacity(_DIMMED)
        row: Row = index.data(ItemRole.ROW)
        match row:
            case HeaderRow():
                self._paint_header(painter, option, row)
            case SectionRow(result):
                self._paint_ground(painter, option)
                self._paint_section(painter, option, result)
            case MoreRow(hidden=hidden):
                self._paint_ground(painter, option)
                text = wording.more_text(hidden)
                self._paint_note_line(painter, option, text, self._theme.link)
            case CapRow(shown):
                text = wording.cap_text(shown)
                self._paint_note_line(painter, option, text, self._theme.text3)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if not selected and not hovered:
            return
        theme = self._theme
        box = QRectF(option.rect).adjusted(px(8), 1, 0, -1)
        box.setRight(_right(option) + px(7))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft if selected else theme.hover))
        painter.drawRoundedRect(box, px(6), px(6))
        if not selected:
            return
        bar = QRectF(box.left(), box.top() + px(6), px(3), box.height() - 2 * px(6))
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(bar, px(3) / 2, px(3) / 2)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawRoundedRect(box.adjusted(1, 0, -1, 0), px(6), px(6))

    def _paint_header(
        self, painter: QPainter, option: QStyleOptionViewItem, row: HeaderRow
    ) -> None:
        metrics, theme, note = self._metrics, self._theme, row.note
        left, right = option.rect.left() + px(18), _right(option)
        top = option.rect.bottom() + 1 - px(6) - metrics.line_height
        date = self._text(wording.modified_text(note.modified), theme.text3, metrics.meta, 1e6)
        room = right - left - date.width - px(12)
        title = self._text(note.title, theme.text, metrics.strong, room, strong=True)
        title.paint(painter, left, top)
        self._paint_beside(painter, date, right - date.width, top)
        room -= title.width + px(8)
        folder = wording.folder_text(note.path)
        if folder and room >= px(24):
            quiet = self._text(folder, theme.text3, metrics.meta, room)
            self._paint_beside(painter, quiet, left + title.width + px(8), top)

    def _paint_beside(self, painter: QPainter, small: LaidOutLine, x: float, top: float) -> None:
        """Paint small text on the baseline of a row line that starts at ``top``."""
        ascent = QFontMetrics(self._metrics.strong).ascent()
        small.paint(painter, x, top + ascent - QFontMetrics(self._metrics.meta).ascent())

    def _paint_section(
        self, painter: QPainter, option: QStyleOptionViewItem, result: SectionResult
    ) -> None:
        metrics = self._metrics
        left, right = option.rect.left() + px(28), _right(option)
        top = option.rect.top() + metrics.pad
        room: float = right - left
        if result.related:
            room -= self._paint_related(painter, right, top) + px(8)
        self._breadcrumb(result, room).paint(painter, left, top)
        top += metrics.line_height + metrics.gap
        self._snippet(result, right - left).paint(painter, left, top)

    def _paint_related(self, painter: QPainter, right: int, top: int) -> float:
        """Paint the pill of a section found by meaning only; return its width."""
        metrics, theme = self._metrics, self._theme
        words = self._text("Related", theme.text2, metrics.meta, 1e6)
        size, height = px(9), round(words.height) + px(4)
        width = round(px(7) + size + px(4) + words.width + px(6))
        box = QRect(right - width, top + (metrics.line_height - height) // 2, width, height)
        painter.setPen(QPen(QColor(theme.outline), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        ratio = painter.device().devicePixelRatioF()
        glyph = icons.pixmap("sparkle", theme.text2, size, ratio)
        painter.drawPixmap(box.left() + px(7), box.center().y() - size // 2 + 1, glyph)
        words.paint(painter, box.left() + px(7) + size + px(4), box.top() + px(2))
        return width

    def _paint_note_line(
        self, painter: QPainter, option: QStyleOptionViewItem, text: str, colour: str
    ) -> None:
        left = option.rect.left() + px(28)
        line = self._text(text, colour, self._metrics.more, _right(option) - left)
        line.paint(painter, left, option.rect.top() + px(5))

    def _breadcrumb(self, result: SectionResult, room: float) -> LaidOutLine:
        key = ("breadcrumb", result.breadcrumb, round(room))
        kept = self._lines.get(key)
        if kept is not None:
            return kept

        def measure(line: Line) -> float:
            return self._lay_out(line, self._metrics.row, 1e6).width

        line = breadcrumb_line(result.breadcrumb, self._theme, room, measure)
        return self._lines.keep(key, self._lay_out(line, self._metrics.row, room))

    def _snippet(self, result: SectionResult, room: float) -> LaidOutLine:
        key = ("snippet", result.snippet, round(room))
        kept = self._lines.get(key)
        if kept is not None:
            return kept
        line = snippet_line(result.snippet, self._theme)
        return self._lines.keep(key, self._lay_out(line, self._metrics.snippet, room))

    def _text(
        self, text: str, colour: str, base: QFont, room: float, *, strong: bool = False
    ) -> LaidOutLine:
        key: Hashable = (text, colour, base.key(), round(room))
        kept = self._lines.get(key)
        if kept is not None:
            return kept
        line = Line(text, (Run((0, len(text)), colour, strong),))
        return self._lines.keep(key, self._lay_out(line, base, room))

    def _lay_out(self, line: Line, base: QFont, room: float) -> LaidOutLine:
        return LaidOutLine(line, base, self._theme.mark, self._theme.mark_text, room)


def _right(option: QStyleOptionViewItem) -> int:
    """Return where the text of rows ends: the same place with and without a scroll bar."""
    return option.widget.width() - px(25)
