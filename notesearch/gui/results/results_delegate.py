"""Paints the rows of the result list: note headers, sections with marks, "more" and the cap."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import date

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from notesearch.gui import wording
from notesearch.gui.results.flat_model import FlatModel
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_rows import (
    CapRow,
    CaptionRow,
    HeaderRow,
    MoreRow,
    Row,
    SectionRow,
)
from notesearch.gui.results.row_metrics import RowMetrics
from notesearch.gui.results.row_text import breadcrumb_line, snippet_line
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.marked_line import LaidOutLine, Line, LineCache, Run
from notesearch.gui.widgets.theme import Theme
from notesearch.results import Marked, SectionResult

Index = QModelIndex | QPersistentModelIndex

_DIMMED = 0.6


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the rows of a list are painted on.

    Attributes:
        left, width: Of all rows.
        room: From where rows begin to where their text ends, scroll bar or not.
        mirrored: One reads from right to left.
        marked: The row that is selected, and whether it has the keyboard.
        hovered: The row under the mouse.
    """

    painter: QPainter
    left: int
    width: int
    room: int
    mirrored: bool
    marked: tuple[int, bool]
    hovered: int

    def seen(self, left: float, width: float) -> float:
        """Return where something begins that is at ``left`` where one reads from left to right."""
        if not self.mirrored:
            return left
        return 2 * self.left + self.width - left - width

    def write(self, line: LaidOutLine, left: float, top: float) -> None:
        """Paint ``line`` so that it begins at ``left``."""
        line.paint(self.painter, round(self.seen(left, line.width)), top)


class ResultsDelegate(QStyledItemDelegate):
    """Paints each kind of row of a ``ResultsModel`` with the tokens of a theme."""

    def __init__(self, model: ResultsModel, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._results = model
        self._theme = theme
        self._flat = isinstance(model, FlatModel)
        self._metrics = RowMetrics.measure(flat=self._flat, compact=theme.compact)
        self._lines = LineCache()
        self._dimmed = False
        self._digits: Mapping[int, int] = {}
        self._sizes = dict[int, QSize]()

    def set_theme(self, theme: Theme) -> None:
        """Paint with other colours and, when the application's font changed, other sizes."""
        self._theme = theme
        self._metrics = RowMetrics.measure(flat=self._flat, compact=theme.compact)
        self._lines.clear()

    def set_dimmed(self, dimmed: bool) -> None:
        """Paint the rows pale: they answer an older query."""
        self._dimmed = dimmed

    def set_digits(self, digits: Mapping[int, int]) -> None:
        """Paint a digit on each of these rows."""
        self._digits = digits

    @property
    def row_height(self) -> int:
        """The height of a section."""
        return self._metrics.section if self._theme.snippets else self._metrics.hollow

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of the row's kind; the width is the view's."""
        height = self.height(self._results.rows[index.row()])
        size = self._sizes.get(height)
        if size is None:
            size = self._sizes[height] = QSize(0, height)
        return size

    def height(self, row: Row) -> int:
        """Return how high ``row`` is."""
        bare = isinstance(row, SectionRow) and not self._theme.snippets
        return self.row_height if bare else self._metrics.height(row)

    def sheet(
        self, painter: QPainter, view: QWidget, box: QRect, marked: tuple[int, bool], hovered: int
    ) -> Sheet:
        """Return what the rows of ``view`` are painted on, each as wide as ``box``."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._dimmed:
            painter.setOpacity(_DIMMED)
        room = view.width() - self._metrics.end - box.left()
        mirrored = view.isRightToLeft()
        return Sheet(painter, box.left(), box.width(), room, mirrored, marked, hovered)

    def paint_row(self, sheet: Sheet, row: Row, number: int, top: int) -> None:
        """Paint one row at ``top``."""
        match row:
            case HeaderRow():
                self._paint_header(sheet, row, top)
            case CaptionRow(text):
                self._paint_caption(sheet, text, top)
            case SectionRow():
                self._paint_ground(sheet, row, number, top)
                self._paint_section(sheet, row, top)
                if number in self._digits:
                    self._paint_digit(sheet, str(self._digits[number]), top + self.height(row))
            case MoreRow(hidden=hidden):
                self._paint_ground(sheet, row, number, top)
                self._paint_note_line(sheet, wording.more_text(hidden), self._theme.link, top)
            case CapRow(shown):
                self._paint_note_line(sheet, wording.cap_text(shown), self._theme.text3, top)

    def _paint_ground(self, sheet: Sheet, row: Row, number: int, top: int) -> None:
        selected = number == sheet.marked[0]
        if not selected and number != sheet.hovered:
            return
        painter, theme, metrics = sheet.painter, self._theme, self._metrics
        left, width = sheet.left + metrics.ground, sheet.room - metrics.ground + metrics.px7
        box = QRectF(sheet.seen(left, width), top + 1, width, self.height(row) - 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft if selected else theme.hover))
        painter.drawRoundedRect(box, metrics.px6, metrics.px6)
        if not selected:
            return
        inset, width = metrics.px6, metrics.px3
        bar = QRectF(sheet.seen(left, width), box.top() + inset, width, box.height() - 2 * inset)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(bar, width / 2, width / 2)
        if sheet.marked[1]:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawRoundedRect(box.adjusted(1, 0, -1, 0), inset, inset)

    def _paint_header(self, sheet: Sheet, row: HeaderRow, top: int) -> None:
        metrics, theme, note = self._metrics, self._theme, row.note
        left, right = sheet.left + metrics.inset, sheet.left + sheet.room
        top += metrics.height(row) - metrics.under - metrics.line
        when = self._date(note.modified)
        room = right - left - when.width - metrics.px12
        title = self._text(note.title, theme.text, metrics.strong, room, strong=True)
        sheet.write(title, left, top)
        sheet.write(when, right - when.width, top + metrics.raised)
        room -= title.width + metrics.px8
        folder = wording.folder_text(note.path)
        if folder and room >= metrics.px24:
            quiet = self._text(folder, theme.text3, metrics.meta, room)
            at = left + title.width + metrics.px8
            sheet.write(quiet, at, top + metrics.raised)

    def _paint_caption(self, sheet: Sheet, text: str, top: int) -> None:
        metrics = self._metrics
        room = sheet.room - metrics.inset
        line = self._text(text, self._theme.text, metrics.strong, room, strong=True)
        below = metrics.under + metrics.line
        sheet.write(line, sheet.left + metrics.inset, top + metrics.first_header - below)

    def _paint_section(self, sheet: Sheet, row: SectionRow, top: int) -> None:
        metrics, result = self._metrics, row.result
        left, top = sheet.left + metrics.text, top + metrics.pad
        whole: float = sheet.room - metrics.text
        room = whole
        if result.related and self._theme.related_tag:
            room -= self._paint_related(sheet, top) + metrics.px8
        lines = [(self._breadcrumb(row.breadcrumb, room), top)]
        if result.snippet.text and self._theme.snippets:
            lines.append((self._snippet(result, whole), top + metrics.line + metrics.gap))
        for line, at in lines:
            sheet.write(line, left, at)
            if row.gone:
                _strike(sheet, line, left, at, self._theme.text2)

    def _paint_related(self, sheet: Sheet, top: int) -> float:
        """Paint the pill of a section found by meaning only; return its width."""
        metrics, theme, painter = self._metrics, self._theme, sheet.painter
        words = self._text(translate("window", "Related"), theme.text2, metrics.meta, 1e6)
        size, height = metrics.px9, round(words.height) + metrics.px4
        left_of_words = metrics.px7 + size + metrics.px4
        width = round(left_of_words + words.width + metrics.px6)
        left = round(sheet.seen(sheet.left + sheet.room - width, width))
        top += (metrics.line - height) // 2
        box = QRectF(left, top, width, height)
        painter.setPen(QPen(QColor(theme.outline), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        ratio = painter.device().devicePixelRatioF()
        glyph = icons.pixmap("sparkle", theme.text2, size, ratio)
        middle = top + (height - 1) // 2
        painter.drawPixmap(left + metrics.px7, middle - size // 2 + 1, glyph)
        words.paint(painter, left + left_of_words, top + metrics.px4 / 2)
        return width

    def _paint_digit(self, sheet: Sheet, digit: str, bottom: int) -> None:
        """Paint the key that opens the row as a cap over the end of its last line."""
        metrics, theme, painter = self._metrics, self._theme, sheet.painter
        words = self._text(digit, theme.text, metrics.strong, 1e6, strong=True)
        size = round(words.height) + metrics.px4
        right, bottom = sheet.left + sheet.room, bottom - metrics.px5
        box = QRectF(sheet.seen(right - size, size), bottom - size, size, size)
        painter.setPen(QPen(QColor(theme.border_strong), 1))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), metrics.px4, metrics.px4)
        left = box.left() + (size - words.width) / 2
        words.paint(painter, round(left), round(box.top()) + metrics.px4 // 2)

    def _paint_note_line(self, sheet: Sheet, text: str, colour: str, top: int) -> None:
        metrics = self._metrics
        line = self._text(text, colour, metrics.more, sheet.room - metrics.text)
        sheet.write(line, sheet.left + metrics.text, top + metrics.px5)

    def _breadcrumb(self, breadcrumb: tuple[Marked, ...], room: float) -> LaidOutLine:
        key = ("breadcrumb", breadcrumb, round(room))
        kept = self._lines.get(key)
        if kept is not None:
            return kept

        tried: dict[Line, LaidOutLine] = {}

        def measure(line: Line) -> float:
            tried[line] = self._lay_out(line, self._metrics.row, 1e6)
            return tried[line].width

        line = breadcrumb_line(breadcrumb, self._theme, room, measure)
        laid = tried.get(line)
        if laid is None or laid.width > room:
            laid = self._lay_out(line, self._metrics.row, room)
        return self._lines.keep(key, laid)

    def _snippet(self, result: SectionResult, room: float) -> LaidOutLine:
        key = ("snippet", result.snippet, round(room))
        kept = self._lines.get(key)
        if kept is not None:
            return kept
        line = snippet_line(result.snippet, self._theme)
        return self._lines.keep(key, self._lay_out(line, self._metrics.snippet, room))

    def _date(self, modified: float) -> LaidOutLine:
        key = ("date", modified, date.today())
        kept = self._lines.get(key)
        if kept is not None:
            return kept
        text = wording.modified_text(modified)
        return self._lines.keep(key, self._text(text, self._theme.text3, self._metrics.meta, 1e6))

    def _text(
        self, text: str, colour: str, base: QFont, room: float, *, strong: bool = False
    ) -> LaidOutLine:
        key: Hashable = (text, colour, base, round(room))
        kept = self._lines.get(key)
        if kept is not None:
            return kept
        line = Line(text, (Run((0, len(text)), colour, strong),))
        return self._lines.keep(key, self._lay_out(line, base, room))

    def _lay_out(self, line: Line, base: QFont, room: float) -> LaidOutLine:
        return LaidOutLine(line, base, self._theme.mark, self._theme.mark_text, room)


def _strike(sheet: Sheet, line: LaidOutLine, left: float, top: float, colour: str) -> None:
    start = round(sheet.seen(left, line.width))
    box = QRectF(start, top + line.height * 0.55, line.width, max(1.0, line.height / 16))
    sheet.painter.fillRect(box, QColor(colour))
