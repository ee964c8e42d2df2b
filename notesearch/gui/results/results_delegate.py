"""Paints the rows of the result list: note headers, sections, "more" rows and the cap."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Self

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
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
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.marked_line import ELLIPSIS, LaidOutLine, Line, LineCache, Run, clip
from notesearch.gui.widgets.theme import Role, Theme, font, px
from notesearch.notes import Span
from notesearch.results import Marked, SectionResult

Index = QModelIndex | QPersistentModelIndex

_DIMMED_OPACITY = 0.6
_NO_LIMIT = 1e6

SEPARATOR = " › "
_MIN_PARENTS = 4
"""With fewer characters left, the parent headings are dropped."""

Measure = Callable[[Line], float]


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """Measured once for each font, because rows are painted often. Lengths are in pixels.

    Attributes:
        row, strong, snippet, more, meta: The fonts.
        line_height, snippet_height: Heights of the first and the second line of a row.
        padding, line_gap: Space above and below the lines of a row, and between them.
        first_header, header, section, section_without_snippet, single_line: Heights of rows.
        ground_left, header_left, text_left: Left edges of the selection, of headers and of rows.
        right: Space at the right of all text, with or without a scroll bar.
        below_header: Space below the text of a header.
        meta_drop: Offset that puts small text on the baseline of the first line.
        radius: Corners of the selection.
        overhang: How far the selection reaches beyond the text.
        bar: Width of the bar at the left of the selected row.
        gap: Space between parts of a line.
        date_gap: Space before the date of a header.
        min_folder: A folder name with less space is left out.
        single_line_top: Space above the text of a "more" row.
        pill_left, pill_right, pill_icon: Padding and icon of the "Related" pill.
        small_gap: Padding of the pill and of the digits.
        digit_bottom: Space below a digit.
    """

    row: QFont
    strong: QFont
    snippet: QFont
    more: QFont
    meta: QFont
    line_height: int
    snippet_height: int
    padding: int
    line_gap: int
    first_header: int
    header: int
    section: int
    section_without_snippet: int
    single_line: int
    ground_left: int
    header_left: int
    text_left: int
    right: int
    below_header: int
    meta_drop: int
    radius: int
    overhang: int
    bar: int
    gap: int
    date_gap: int
    min_folder: int
    single_line_top: int
    pill_left: int
    pill_right: int
    pill_icon: int
    small_gap: int
    digit_bottom: int

    @classmethod
    def measure(cls, *, flat: bool = False, compact: bool = False) -> Self:
        """Measure the current font.

        Args:
            flat: There are no headers, so that rows are not indented.
            compact: Rows have less space.
        """
        row, strong, snippet = font(Role.ROW), font(Role.ROW_STRONG), font(Role.SNIPPET)
        meta, strong_metrics = font(Role.META), QFontMetrics(strong)
        line_height = max(QFontMetrics(row).height(), strong_metrics.height())
        snippet_height = QFontMetrics(snippet).height()
        padding, line_gap = (px(4), px(1)) if compact else (px(7), px(3))
        return cls(
            row=row,
            strong=strong,
            snippet=snippet,
            more=font(Role.MORE),
            meta=meta,
            line_height=line_height,
            snippet_height=snippet_height,
            padding=padding,
            line_gap=line_gap,
            first_header=line_height + px(11 if compact else 13),
            header=line_height + px(14 if compact else 20),
            section=padding + line_height + line_gap + snippet_height + padding,
            section_without_snippet=padding + line_height + padding,
            single_line=snippet_height + px(10),
            ground_left=px(10 if flat else 8),
            header_left=px(20 if flat else 18),
            text_left=px(20 if flat else 28),
            right=px(25),
            below_header=px(6),
            meta_drop=strong_metrics.ascent() - QFontMetrics(meta).ascent(),
            radius=px(6),
            overhang=px(7),
            bar=px(3),
            gap=px(8),
            date_gap=px(12),
            min_folder=px(24),
            single_line_top=px(5),
            pill_left=px(7),
            pill_right=px(6),
            pill_icon=px(9),
            small_gap=px(4),
            digit_bottom=px(5),
        )

    def height(self, row: Row) -> int:
        """Return the height of ``row``."""
        match row:
            case ResultRow(result):
                has_snippet = result.snippet.text or not result.cut
                return self.section if has_snippet else self.section_without_snippet
            case HeaderRow(first=first):
                return self.first_header if first else self.header
            case CaptionRow():
                return self.first_header
            case _:
                return self.single_line


@dataclass(frozen=True, slots=True)
class BreadcrumbText:
    """A breadcrumb as one text; ``own`` is where the section's own heading starts."""

    text: str
    own: int
    marks: tuple[Span, ...]

    @classmethod
    def join(cls, breadcrumb: tuple[Marked, ...]) -> "BreadcrumbText":
        """Join the headings of ``breadcrumb`` and their marks."""
        text, own = "", 0
        marks: list[Span] = []
        for heading in breadcrumb:
            if text:
                text += SEPARATOR
            own = len(text)
            marks += clip(heading.marks, 0, len(heading.text), offset=own)
            text += heading.text
        return cls(text, own, tuple(marks))

    def line(self, theme: Theme) -> Line:
        """Return a line with quiet parent headings and a strong own heading."""
        parents = (Run((0, self.own), theme.text2),) if self.own else ()
        own = Run((self.own, len(self.text)), theme.text, strong=True)
        return Line(self.text, (*parents, own), self.marks)

    def elide(self, length: int) -> "BreadcrumbText":
        """Cut the middle of the parent headings, so that ``length`` of their characters stay."""
        end = self.own - len(SEPARATOR)
        left, right = (length + 1) // 2, end - length // 2
        head = self.text[:left].rstrip() + ELLIPSIS
        marks = clip(self.marks, 0, min(left, len(head) - 1))
        marks += clip(self.marks, right, len(self.text), offset=len(head) - right)
        return BreadcrumbText(head + self.text[right:], self.own - right + len(head), marks)

    def without_parents(self) -> "BreadcrumbText":
        """Return only the own heading."""
        marks = clip(self.marks, self.own, len(self.text), offset=-self.own)
        return BreadcrumbText(self.text[self.own :], 0, marks)


def breadcrumb_line(
    breadcrumb: tuple[Marked, ...], theme: Theme, width: float, measure: Measure
) -> Line:
    """Return a breadcrumb that fits into ``width`` if its parent headings can be shortened enough.

    The own heading stays whole.
    """
    full = BreadcrumbText.join(breadcrumb)
    line = full.line(theme)
    if not full.own or measure(line) <= width:
        return line
    low, high = 0, full.own - len(SEPARATOR) - 1
    while low < high:
        length = (low + high + 1) // 2
        fits = measure(full.elide(length).line(theme)) <= width
        low, high = (length, high) if fits else (low, length - 1)
    shortened = full.elide(low) if low >= _MIN_PARENTS else full.without_parents()
    return shortened.line(theme)


def snippet_line(snippet: Marked, theme: Theme) -> Line:
    """Return the snippet as one quiet line with its marks."""
    marks = clip(snippet.marks, 0, len(snippet.text))
    return Line(snippet.text, (Run((0, len(snippet.text)), theme.text2),), marks)


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
