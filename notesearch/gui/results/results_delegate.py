"""Paints the rows of the result list: note headers, sections, "more" rows and the cap."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import date

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from notesearch.gui import wording
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_rows import (
    CapRow,
    CaptionRow,
    HeaderRow,
    MoreRow,
    ResultRow,
    Row,
)
from notesearch.gui.results.row_metrics import RowMetrics
from notesearch.gui.results.row_text import breadcrumb_line, snippet_line
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.marked_line import LaidOutLine, Line, LineCache, Run
from notesearch.gui.widgets.theme import Theme
from notesearch.results import Marked, SectionResult

Index = QModelIndex | QPersistentModelIndex

_DIMMED_OPACITY = 0.6
_NO_LIMIT = 1e6


@dataclass(frozen=True, slots=True)
class Canvas:
    """Where the rows of a list are painted.

    Attributes:
        left, width: Of all rows.
        text_width: From the left edge of rows to the right edge of their text.
        mirrored: Whether the layout is right to left.
        selected: Number of the selected row.
        has_focus: Whether the list has the keyboard.
        hovered: Number of the row under the mouse.
    """

    painter: QPainter
    left: int
    width: int
    text_width: int
    mirrored: bool
    selected: int
    has_focus: bool
    hovered: int

    def x(self, left: float, width: float) -> float:
        """Return the left edge of something that is at ``left`` in a left-to-right layout."""
        if not self.mirrored:
            return left
        return 2 * self.left + self.width - left - width

    def write(self, line: LaidOutLine, left: float, top: float) -> None:
        """Paint ``line`` so that it begins at ``left``."""
        line.paint(self.painter, round(self.x(left, line.width)), top)


class ResultsDelegate(QStyledItemDelegate):
    """Paints each kind of row of a ``ResultsModel`` in the colours of a theme."""

    def __init__(self, model: ResultsModel, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._lines = LineCache()
        self._dimmed = False
        self._digits: Mapping[int, int] = {}
        self._sizes = dict[int, QSize]()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self._metrics = RowMetrics.measure(flat=self._model.is_flat, compact=theme.compact)
        self._lines.clear()

    def set_dimmed(self, dimmed: bool) -> None:
        """Paint the rows pale, because they answer an older query."""
        self._dimmed = dimmed

    def set_digits(self, digits: Mapping[int, int]) -> None:
        """Paint digits on rows, by their numbers."""
        self._digits = digits

    @property
    def row_height(self) -> int:
        """The height of a usual section."""
        metrics = self._metrics
        return metrics.section if self._theme.snippets else metrics.section_without_snippet

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row; the view decides its width."""
        height = self.height(self._model.rows[index.row()])
        size = self._sizes.get(height)
        if size is None:
            size = self._sizes[height] = QSize(0, height)
        return size

    def height(self, row: Row) -> int:
        """Return the height of ``row``."""
        hides_snippet = isinstance(row, ResultRow) and not self._theme.snippets
        return self.row_height if hides_snippet else self._metrics.height(row)

    def canvas(
        self,
        painter: QPainter,
        view: QWidget,
        first: QRect,
        *,
        selected: int,
        has_focus: bool,
        hovered: int,
    ) -> Canvas:
        """Return a canvas for the rows of ``view``; ``first`` is the rectangle of one of them."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._dimmed:
            painter.setOpacity(_DIMMED_OPACITY)
        text_width = view.width() - self._metrics.right - first.left()
        mirrored = view.isRightToLeft()
        return Canvas(
            painter,
            first.left(),
            first.width(),
            text_width,
            mirrored,
            selected,
            has_focus,
            hovered,
        )

    def paint_row(self, canvas: Canvas, row: Row, number: int, top: int) -> None:
        """Paint one row at ``top``."""
        match row:
            case HeaderRow():
                self._paint_header(canvas, row, top)
            case CaptionRow(text):
                self._paint_caption(canvas, text, top)
            case ResultRow():
                self._paint_ground(canvas, row, number, top)
                self._paint_result(canvas, row, top)
                if number in self._digits:
                    self._paint_digit(canvas, str(self._digits[number]), top + self.height(row))
            case MoreRow(hidden=hidden):
                self._paint_ground(canvas, row, number, top)
                self._paint_single_line(canvas, wording.more_text(hidden), self._theme.link, top)
            case CapRow(shown):
                self._paint_single_line(canvas, wording.cap_text(shown), self._theme.text3, top)

    def _paint_ground(self, canvas: Canvas, row: Row, number: int, top: int) -> None:
        """Paint the selection, or the row under the mouse."""
        is_selected = number == canvas.selected
        if not is_selected and number != canvas.hovered:
            return
        painter, theme, metrics = canvas.painter, self._theme, self._metrics
        left = canvas.left + metrics.ground_left
        width = canvas.text_width - metrics.ground_left + metrics.overhang
        box = QRectF(canvas.x(left, width), top + 1, width, self.height(row) - 2)
        radius = metrics.radius
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft if is_selected else theme.hover))
        painter.drawRoundedRect(box, radius, radius)
        if not is_selected:
            return
        width = metrics.bar
        bar = QRectF(canvas.x(left, width), box.top() + radius, width, box.height() - 2 * radius)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(bar, width / 2, width / 2)
        if canvas.has_focus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawRoundedRect(box.adjusted(1, 0, -1, 0), radius, radius)

    def _paint_header(self, canvas: Canvas, row: HeaderRow, top: int) -> None:
        metrics, theme, note = self._metrics, self._theme, row.note
        left, right = canvas.left + metrics.header_left, canvas.left + canvas.text_width
        top += metrics.height(row) - metrics.below_header - metrics.line_height
        when = self._date(note.modified)
        available = right - left - when.width - metrics.date_gap
        title = self._text(note.title, theme.text, metrics.strong, available, strong=True)
        canvas.write(title, left, top)
        canvas.write(when, right - when.width, top + metrics.meta_drop)
        available -= title.width + metrics.gap
        folder = wording.folder_text(note.path)
        if folder and available >= metrics.min_folder:
            quiet = self._text(folder, theme.text3, metrics.meta, available)
            canvas.write(quiet, left + title.width + metrics.gap, top + metrics.meta_drop)

    def _paint_caption(self, canvas: Canvas, text: str, top: int) -> None:
        metrics = self._metrics
        available = canvas.text_width - metrics.header_left
        line = self._text(text, self._theme.text, metrics.strong, available, strong=True)
        top += metrics.first_header - metrics.below_header - metrics.line_height
        canvas.write(line, canvas.left + metrics.header_left, top)

    def _paint_result(self, canvas: Canvas, row: ResultRow, top: int) -> None:
        metrics, result = self._metrics, row.result
        left, top = canvas.left + metrics.text_left, top + metrics.padding
        full_width: float = canvas.text_width - metrics.text_left
        available = full_width
        if result.related and self._theme.related_tag:
            available -= self._paint_related(canvas, top) + metrics.gap
        lines = [(self._breadcrumb(row.breadcrumb, available), top)]
        if result.snippet.text and self._theme.snippets:
            second = top + metrics.line_height + metrics.line_gap
            lines.append((self._snippet(result, full_width), second))
        for line, y in lines:
            canvas.write(line, left, y)
            if row.missing:
                _strike_out(canvas, line, left, y, self._theme.text2)

    def _paint_related(self, canvas: Canvas, top: int) -> float:
        """Paint the pill of a section found by meaning alone; return its width."""
        metrics, theme, painter = self._metrics, self._theme, canvas.painter
        words = self._text(translate("window", "Related"), theme.text2, metrics.meta, _NO_LIMIT)
        icon, height = metrics.pill_icon, round(words.height) + metrics.small_gap
        words_left = metrics.pill_left + icon + metrics.small_gap
        width = round(words_left + words.width + metrics.pill_right)
        left = round(canvas.x(canvas.left + canvas.text_width - width, width))
        top += (metrics.line_height - height) // 2
        box = QRectF(left, top, width, height)
        painter.setPen(QPen(QColor(theme.outline), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        ratio = painter.device().devicePixelRatioF()
        sparkle = icons.pixmap("sparkle", theme.text2, icon, ratio)
        middle = top + (height - 1) // 2
        painter.drawPixmap(left + metrics.pill_left, middle - icon // 2 + 1, sparkle)
        words.paint(painter, left + words_left, top + metrics.small_gap / 2)
        return width

    def _paint_digit(self, canvas: Canvas, digit: str, bottom: int) -> None:
        """Paint the digit that opens the row, as a key over the end of its last line."""
        metrics, theme, painter = self._metrics, self._theme, canvas.painter
        words = self._text(digit, theme.text, metrics.strong, _NO_LIMIT, strong=True)
        size = round(words.height) + metrics.small_gap
        right, bottom = canvas.left + canvas.text_width, bottom - metrics.digit_bottom
        box = QRectF(canvas.x(right - size, size), bottom - size, size, size)
        painter.setPen(QPen(QColor(theme.border_strong), 1))
        painter.setBrush(QColor(theme.raised))
        radius = metrics.small_gap
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        left = box.left() + (size - words.width) / 2
        words.paint(painter, round(left), round(box.top()) + metrics.small_gap // 2)

    def _paint_single_line(self, canvas: Canvas, text: str, colour: str, top: int) -> None:
        metrics = self._metrics
        available = canvas.text_width - metrics.text_left
        line = self._text(text, colour, metrics.more, available)
        canvas.write(line, canvas.left + metrics.text_left, top + metrics.single_line_top)

    def _breadcrumb(self, breadcrumb: tuple[Marked, ...], width: float) -> LaidOutLine:
        key = ("breadcrumb", breadcrumb, round(width))
        cached = self._lines.get(key)
        if cached is not None:
            return cached

        measured: dict[Line, LaidOutLine] = {}

        def measure(line: Line) -> float:
            measured[line] = self._lay_out(line, self._metrics.row, _NO_LIMIT)
            return measured[line].width

        line = breadcrumb_line(breadcrumb, self._theme, width, measure)
        laid_out = measured.get(line)
        if laid_out is None or laid_out.width > width:
            laid_out = self._lay_out(line, self._metrics.row, width)
        return self._lines.keep(key, laid_out)

    def _snippet(self, result: SectionResult, width: float) -> LaidOutLine:
        key = ("snippet", result.snippet, round(width))
        cached = self._lines.get(key)
        if cached is not None:
            return cached
        line = snippet_line(result.snippet, self._theme)
        return self._lines.keep(key, self._lay_out(line, self._metrics.snippet, width))

    def _date(self, modified: float) -> LaidOutLine:
        key = ("date", modified, date.today())
        cached = self._lines.get(key)
        if cached is not None:
            return cached
        text = wording.modified_text(modified)
        line = self._text(text, self._theme.text3, self._metrics.meta, _NO_LIMIT)
        return self._lines.keep(key, line)

    def _text(
        self, text: str, colour: str, base: QFont, width: float, *, strong: bool = False
    ) -> LaidOutLine:
        key: Hashable = (text, colour, base, round(width))
        cached = self._lines.get(key)
        if cached is not None:
            return cached
        line = Line(text, (Run((0, len(text)), colour, strong),))
        return self._lines.keep(key, self._lay_out(line, base, width))

    def _lay_out(self, line: Line, base: QFont, width: float) -> LaidOutLine:
        return LaidOutLine(line, base, self._theme.mark, self._theme.mark_text, width)


def _strike_out(canvas: Canvas, line: LaidOutLine, left: float, top: float, colour: str) -> None:
    start = round(canvas.x(left, line.width))
    box = QRectF(start, top + line.height * 0.55, line.width, max(1.0, line.height / 16))
    canvas.painter.fillRect(box, QColor(colour))
