"""Paints the rows of the result list: note headers, sections, "more" rows and the last row."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from notesearch.gui.results.results_model import (
    CapRow,
    CaptionRow,
    HeaderRow,
    MoreRow,
    ResultRow,
    ResultsModel,
    Row,
)
from notesearch.gui.translation import folder_text, modified_text, translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.marked_line import (
    BEFORE_ELLIPSIS,
    ELLIPSIS,
    SHORTEST_START,
    LaidOutLine,
    Line,
    Run,
    clip,
    shortenings,
    split,
    with_gaps,
)
from notesearch.gui.widgets.theme import Role, Theme, draw_box, focus_ring, font, px
from notesearch.notes import Span
from notesearch.results import Marked, SectionResult

Index = QModelIndex | QPersistentModelIndex

_DIMMED_OPACITY = 0.6
_RIGHT = 25
"""Space at the right of all text, in pixels before scaling; a scroll bar has room in it."""
_NO_LIMIT = 1e6
_LONGEST_SNIPPET = 160
"""About how many characters the longest snippet has."""
_SAMPLE = "etaoin shrdlu"
"""The most frequent letters of English. The font's own average width counts rare ones, too."""
_NARROWEST = 0.7
"""The least average width of a snippet's characters, as a fraction of that in ``_SAMPLE``."""
_FILLED = 0.9
"""The part of a line that text fills on average before it wraps."""

_KEPT_TOGETHER = re.compile("(?<=[☐◧☑☒]) | (?=· )")
"""A space at which a snippet is not split."""

SEPARATOR = " › "
_GAP = Marked(ELLIPSIS)
_CACHED = 600
"""How many lines stay laid out, so that painting a row again is fast."""

Measure = Callable[[Line], float]
"""Returns the width of a line in pixels."""


class RowMetrics:
    """Fonts and lengths (in pixels) of the rows, measured once, because rows are painted often.

    Rows are not indented if there are no headers (``flat``). ``width`` is the width of the view.
    """

    def __init__(self, *, flat: bool, compact: bool, width: int) -> None:
        self.row = font(Role.ROW)
        self.strong = font(Role.ROW_STRONG)
        self.meta = font(Role.META)
        self.header = font(Role.NOTE)
        self.snippet = font(Role.SNIPPET)
        self.more = font(Role.MORE)
        self._unit = px(100) / 100
        self._compact = compact
        self.flat = flat
        self.line_height = max(QFontMetrics(f).height() for f in (self.row, self.strong))
        self.header_height = QFontMetrics(self.header).height()
        self._plain_snippet = QFontMetrics(self.snippet)
        self.snippet_height = self._plain_snippet.height()
        self.padding = px(4 if compact else 7)
        self.line_gap = px(1 if compact else 3)
        self.text_left = self.px(20 if flat else 28)
        self.header_left = self.px(20 if flat else 18)
        self.first_header = self.header_height + self.px(11 if compact else 13)
        self.height_without_snippet = self.padding + self.line_height + self.padding
        bold = QFont(self.snippet)
        bold.setBold(True)  # as marks are, at most
        self._bold_snippet = QFontMetrics(bold)
        self._room = width - self.px(_RIGHT) - self.text_left
        letter = letter_width(_SAMPLE, self.snippet)
        self._most_short = self._room / letter / _NARROWEST
        is_wide = self._room >= _LONGEST_SNIPPET * letter
        self.snippet_lines = 1 if flat or compact or is_wide else 2

    def px(self, length: float) -> int:
        """Convert a length of the design to pixels."""
        return max(1, round(length * self._unit))

    def height_of(self, lines: int) -> int:
        """Return the height of a section whose snippet has ``lines`` lines."""
        return self.height_without_snippet + self.line_gap + lines * self.snippet_height

    def lines(self, row: ResultRow) -> int:
        """Return how many lines of a snippet have room in ``row``."""
        if row.titled or self.snippet_lines == 1 or self.is_short(row.reserved or row.result):
            return 1
        return self.snippet_lines

    def is_short(self, result: SectionResult) -> bool:
        """Return whether the snippet is known, and surely fits into one line."""
        text = result.snippet.text
        if not result.complete or len(text) > self._most_short:  # to measure long texts takes time
            return False
        metrics = self._bold_snippet if result.snippet.marks else self._plain_snippet
        return metrics.horizontalAdvance(text) <= self._room

    def height(self, row: Row) -> int:
        """Return the height of ``row`` in pixels."""
        match row:
            case ResultRow(result, reserved=reserved):
                measured = reserved or result
                if measured.complete and not measured.snippet.text:
                    return self.height_without_snippet
                return self.height_of(self.lines(row))
            case HeaderRow(first=first):
                above = 0 if first else self.px(5 if self._compact else 9)
                return self.first_header + above
            case CaptionRow():
                return self.first_header
            case _:
                return self.snippet_height + self.px(10)


def joined(breadcrumb: Iterable[Marked], theme: Theme) -> Line:
    """Return the headings as one line: the section's own is bold, the parent headings are pale."""
    text, own = "", 0
    marks: list[Span] = []
    for heading in breadcrumb:
        if text:
            text += SEPARATOR
        own = len(text)
        marks += clip(heading.marks, 0, len(heading.text), offset=own)
        text += heading.text
    parents = (Run((0, own), theme.text2),) if own else ()
    return Line(text, (*parents, Run((own, len(text)), theme.text, strong=True)), tuple(marks))


def breadcrumb_line(
    breadcrumb: tuple[Marked, ...], theme: Theme, width: float, measure: Measure
) -> Line:
    """Return the headings in ``breadcrumb`` as a line that fits into ``width`` pixels.

    Headings in the middle give way first, then the last words of the first heading.
    """
    own = breadcrumb[-1]
    choices = [with_gaps(breadcrumb, kept, _GAP) for kept in shortenings(len(breadcrumb))]
    if len(breadcrumb) > 1:
        choices[-1:-1] = [[start, own] for start in _starts(breadcrumb[0])]
    for choice in choices:
        line = joined(choice, theme)
        if measure(line) <= width:
            return line
    return joined([own], theme)


def _starts(heading: Marked) -> Iterator[Marked]:
    """Yield the beginnings of ``heading`` that end with a word, the longest first."""
    spaces = [space.start() for space in re.finditer(" ", heading.text)]
    for length in reversed(spaces):
        text = heading.text[:length].rstrip(BEFORE_ELLIPSIS)
        if len(text) >= SHORTEST_START:
            yield Marked(text + ELLIPSIS, clip(heading.marks, 0, len(text)))


def snippet_line(snippet: Marked, theme: Theme) -> Line:
    """Return the snippet in one pale style, with its marks."""
    marks = clip(snippet.marks, 0, len(snippet.text))
    text = _KEPT_TOGETHER.sub("\N{NO-BREAK SPACE}", snippet.text)
    return Line(text, (Run((0, len(text)), theme.text2),), marks)


@dataclass(frozen=True, slots=True)
class Canvas:
    """The painter of a list, and the state that all its rows share. Lengths are in pixels.

    Attributes:
        left, width: The left edge and the width of the rows.
        text_width: The distance from the left edge of the rows to the right edge of their text.
        mirrored: Whether the layout is right to left.
        selected: The index of the selected row; -1 without one.
        has_focus: Whether the list has the focus.
        mouse: The y coordinate of the mouse; None if it is over no row.
    """

    painter: QPainter
    left: int
    width: int
    text_width: int
    mirrored: bool
    selected: int
    has_focus: bool
    mouse: int | None

    def x(self, left: float, width: float) -> float:
        """Return the x coordinate of an item: ``left``, mirrored in a right-to-left layout."""
        if not self.mirrored:
            return left
        return 2 * self.left + self.width - left - width

    def write(self, line: LaidOutLine, left: float, top: float) -> None:
        """Paint ``line`` at ``left`` and ``top``; mirrored in a right-to-left layout."""
        line.paint(self.painter, round(self.x(left, line.width)), top)


class ResultsDelegate(QStyledItemDelegate):
    """Paints each kind of row of a ``ResultsModel`` in the colours of a theme."""

    def __init__(self, model: ResultsModel, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        # The caches wrap functions: with methods, this object and its caches would form a cycle.
        self._lay_out = lru_cache(_CACHED)(LaidOutLine)
        self._lay_out_breadcrumb = lru_cache(_CACHED)(lay_out_breadcrumb)
        self._lay_out_snippet = lru_cache(_CACHED)(lay_out_snippet)
        self._dimmed = False
        self._width = 0
        self._digits: Mapping[int, int] = {}
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Paint in the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self._measure()
        self._lay_out.cache_clear()
        self._lay_out_breadcrumb.cache_clear()
        self._lay_out_snippet.cache_clear()

    def set_width(self, width: int) -> None:
        """Paint for a view of ``width`` pixels, on which the heights of rows depend."""
        self._width = width
        self._measure()

    def _measure(self) -> None:
        flat = self._model.is_flat
        compact = self._theme.compact
        self._metrics = RowMetrics(flat=flat, compact=compact, width=self._width)

    def set_dimmed(self, dimmed: bool) -> None:
        """Paint the rows pale if ``dimmed``, because they answer an older query."""
        self._dimmed = dimmed

    def set_digits(self, digits: Mapping[int, int]) -> None:
        """Paint a digit on some rows; ``digits`` has the digit by the index of the row."""
        self._digits = digits

    @property
    def row_heights(self) -> tuple[int, int]:
        """The heights in pixels of a section with the shortest and with the longest snippet."""
        metrics = self._metrics
        if not self._theme.snippets:
            return metrics.height_without_snippet, metrics.height_without_snippet
        return metrics.height_of(1), metrics.height_of(metrics.snippet_lines)

    @property
    def sticky_header_height(self) -> int:
        """The height in pixels of a header that stays at the top of the view."""
        return self._metrics.first_header

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row; the view decides its width."""
        return QSize(0, self.height(self._model.rows[index.row()]))

    def height(self, row: Row) -> int:
        """Return the height of ``row`` in pixels."""
        hides_snippet = isinstance(row, ResultRow) and not self._theme.snippets
        return self.row_heights[0] if hides_snippet else self._metrics.height(row)

    def canvas(
        self,
        painter: QPainter,
        view: QWidget,
        first: QRect,
        *,
        selected: int,
        has_focus: bool,
        mouse: int | None,
    ) -> Canvas:
        """Return a canvas for the rows of ``view``; ``first`` is the rectangle of any row."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._dimmed:
            painter.setOpacity(_DIMMED_OPACITY)
        text_width = view.width() - self._metrics.px(_RIGHT) - first.left()
        mirrored = view.isRightToLeft()
        return Canvas(
            painter, first.left(), first.width(), text_width, mirrored, selected, has_focus, mouse
        )

    def paint_row(self, canvas: Canvas, row: Row, number: int, top: int) -> None:
        """Paint ``row``, which has the index ``number``; its upper edge is at ``top`` (pixels)."""
        match row:
            case HeaderRow():
                self._paint_header(canvas, row, top)
            case CaptionRow(text):
                self._paint_caption(canvas, text, top)
            case ResultRow():
                self._paint_ground(canvas, row, number, top)
                self._paint_result(canvas, row, top, self._digits.get(number))
            case MoreRow(text=text):
                self._paint_ground(canvas, row, number, top)
                self._paint_single_line(canvas, text, self._theme.link, top)
            case CapRow(text=text):
                self._paint_single_line(canvas, text, self._theme.text3, top)

    def paint_sticky_header(
        self, canvas: Canvas, row: HeaderRow, top: int, background: QBrush
    ) -> None:
        """Paint a header over the rows, with its upper edge at ``top`` and on ``background``."""
        painter = canvas.painter
        height = self.sticky_header_height
        ground = QRectF(canvas.left, top, canvas.width, height)
        opacity = painter.opacity()
        painter.setOpacity(1)  # no row shows through, even while rows are dimmed
        painter.fillRect(ground, background)
        painter.fillRect(ground.adjusted(0, height - 1, 0, 0), QColor(self._theme.border))
        painter.setOpacity(opacity)
        self._paint_header(canvas, row, top)

    def _paint_ground(self, canvas: Canvas, row: Row, number: int, top: int) -> None:
        is_selected = number == canvas.selected
        mouse = canvas.mouse
        is_under_mouse = mouse is not None and top <= mouse < top + self.height(row)
        if not is_selected and not is_under_mouse:
            return
        painter = canvas.painter
        theme = self._theme
        metrics = self._metrics
        inset = metrics.px(10 if metrics.flat else 8)
        left, width = canvas.left + inset, canvas.text_width - inset + metrics.px(7)
        box = QRectF(canvas.x(left, width), top + 1, width, self.height(row) - 2)
        radius = metrics.px(6)
        fill = QColor(theme.accent_soft if is_selected else theme.hover)
        draw_box(painter, box, radius, fill=fill)
        if not is_selected:
            return
        width = metrics.px(3)
        bar = QRectF(canvas.x(left, width), box.top() + radius, width, box.height() - 2 * radius)
        accent = QColor(theme.accent)
        draw_box(painter, bar, width / 2, fill=accent)
        is_tinted = theme.accent_soft != theme.window  # not in high contrast
        if canvas.has_focus or not is_tinted:
            ring = focus_ring() if canvas.has_focus else 1
            draw_box(painter, box, radius, edge=accent, width=ring)

    def _paint_header(self, canvas: Canvas, row: HeaderRow, top: int) -> None:
        metrics = self._metrics
        theme = self._theme
        note = row.note
        gap = self._metrics.px(8)
        left, right = canvas.left + metrics.header_left, canvas.left + canvas.text_width
        top += metrics.height(row) - metrics.px(6) - metrics.header_height
        drop = QFontMetrics(metrics.header).ascent() - QFontMetrics(metrics.meta).ascent()
        when = self._text(modified_text(note.modified), theme.text3, metrics.meta)
        left += self._paint_page(canvas, left, top)
        available = right - left - when.width - metrics.px(12)
        title_marks = note.sections[0].title_marks if note.sections else ()
        marks = clip(title_marks, 0, len(note.title))
        vault = self._text(note.vault, theme.text3, metrics.meta)  # never shortened
        room = available - (vault.width + gap if note.vault else 0)
        title = self._text(note.title, theme.text2, metrics.header, room, marks=marks)
        canvas.write(title, left, top)
        canvas.write(when, right - when.width, top + drop)
        available -= title.width + gap
        beside = self._text(folder_text(note.path), theme.text3, metrics.meta)
        if beside.width > available:
            beside = vault  # a folder is shown whole or not at all
        if beside.width:
            canvas.write(beside, left + title.width + gap, top + drop)

    def _paint_page(self, canvas: Canvas, left: int, top: int) -> int:
        metrics = self._metrics
        painter = canvas.painter
        side = metrics.px(13)
        icon = icons.pixmap("note", self._theme.text3, side, painter.device().devicePixelRatioF())
        x = round(canvas.x(left - metrics.px(1), side))
        painter.drawPixmap(x, top + (metrics.header_height - side + 1) // 2, icon)
        return side + metrics.px(4)

    def _paint_caption(self, canvas: Canvas, text: str, top: int) -> None:
        metrics = self._metrics
        available = canvas.text_width - metrics.header_left
        line = self._text(text, self._theme.text2, metrics.header, available)
        top += metrics.first_header - metrics.px(6) - metrics.header_height
        canvas.write(line, canvas.left + metrics.header_left, top)

    def _paint_result(self, canvas: Canvas, row: ResultRow, top: int, digit: int | None) -> None:
        metrics = self._metrics
        result = row.result
        theme = self._theme
        left, top = canvas.left + metrics.text_left, top + metrics.padding
        full_width: float = canvas.text_width - metrics.text_left
        available = full_width
        if digit is not None:
            available -= self._paint_digit(canvas, str(digit), top) + metrics.px(8)
        if result.by_meaning_alone and theme.related_tag:
            available -= self._paint_related(canvas, left + available, top) + metrics.px(8)
        for fact in reversed(row.facts):
            shown = self._text(fact, theme.text2, metrics.meta, full_width / 3)
            drop = QFontMetrics(metrics.row).ascent() - QFontMetrics(metrics.meta).ascent()
            canvas.write(shown, left + available - shown.width, top + drop)
            available -= shown.width + metrics.px(8)
        breadcrumb = self._lay_out_breadcrumb(row.breadcrumb, theme, metrics.row, available)
        lines = [(breadcrumb, top)]
        if result.snippet.text and theme.snippets:
            top += metrics.line_height + metrics.line_gap
            most = 2 if metrics.is_short(result) else metrics.lines(row)
            snippet = self._lay_out_snippet(
                result.snippet, theme, metrics.snippet, full_width, most
            )
            lines += [(line, top + n * metrics.snippet_height) for n, line in enumerate(snippet)]
        for shown, y in lines:
            canvas.write(shown, left, y)
            if row.missing:  # struck out
                start = round(canvas.x(left, shown.width))
                thickness = max(1.0, shown.height / 16)
                box = QRectF(start, y + shown.height * 0.55, shown.width, thickness)
                canvas.painter.fillRect(box, QColor(theme.text2))

    def _paint_related(self, canvas: Canvas, right: float, top: int) -> float:
        """Paint the label “Related”, which ends at ``right``; return its width."""
        metrics = self._metrics
        theme = self._theme
        painter = canvas.painter
        gap = metrics.px(4)
        label = self._text(translate("Related"), theme.text2, metrics.meta)
        icon = metrics.px(9)
        height = round(label.height) + gap
        words_left = metrics.px(7) + icon + gap
        width = round(words_left + label.width + metrics.px(6))
        start = round(right) - width
        top += (metrics.line_height - height) // 2
        box = QRectF(round(canvas.x(start, width)), top, width, height)
        draw_box(painter, box, height / 2, edge=QColor(theme.outline))
        ratio = painter.device().devicePixelRatioF()
        sparkle = icons.pixmap("sparkle", theme.text2, icon, ratio)
        middle = top + (height - 1) // 2
        sparkle_left = round(canvas.x(start + metrics.px(7), icon))
        painter.drawPixmap(sparkle_left, middle - icon // 2 + 1, sparkle)
        label.paint(painter, round(canvas.x(start + words_left, label.width)), top + gap / 2)
        return width

    def _paint_digit(self, canvas: Canvas, digit: str, top: int) -> float:
        """Paint the digit that opens the row after its headings; return the width of its key."""
        metrics = self._metrics
        theme = self._theme
        painter = canvas.painter
        gap = metrics.px(4)
        drawn = self._text(digit, theme.text, metrics.strong)
        size = round(drawn.height) + gap
        right, top = canvas.left + canvas.text_width, top + (metrics.line_height - size) // 2
        box = QRectF(canvas.x(right - size, size), top, size, size)
        edge = QColor(theme.border_strong)
        draw_box(painter, box, gap, fill=QColor(theme.raised), edge=edge)
        left = box.left() + (size - drawn.width) / 2
        drawn.paint(painter, round(left), round(box.top()) + gap // 2)
        return size

    def _paint_single_line(self, canvas: Canvas, text: str, colour: str, top: int) -> None:
        metrics = self._metrics
        line = self._text(text, colour, metrics.more, canvas.text_width - metrics.text_left)
        canvas.write(line, canvas.left + metrics.text_left, top + metrics.px(5))

    def _text(
        self,
        text: str,
        colour: str,
        base: QFont,
        width: float = _NO_LIMIT,
        marks: tuple[Span, ...] = (),
    ) -> LaidOutLine:
        line = Line(text, (Run((0, len(text)), colour),), marks)
        return self._lay_out(line, base, self._theme.mark, self._theme.mark_text, round(width))


def lay_out_breadcrumb(
    breadcrumb: tuple[Marked, ...], theme: Theme, base: QFont, width: float
) -> LaidOutLine:
    """Lay out the headings in ``breadcrumb`` as a line of at most ``width`` pixels."""

    def lay_out(line: Line, room: float) -> LaidOutLine:
        return LaidOutLine(line, base, theme.mark, theme.mark_text, room)

    line = breadcrumb_line(breadcrumb, theme, width, lambda line: lay_out(line, _NO_LIMIT).width)
    return lay_out(line, width)


def letter_width(text: str, base: QFont) -> float:
    """Return how wide a character of ``text`` is on average in the font ``base``, in pixels."""
    return max(1.0, QFontMetricsF(base).horizontalAdvance(text) / max(1, len(text)))


def near_match(snippet: Marked, letters: int) -> Marked:
    """Return ``snippet``, or its end from shortly before the first match if that is not visible.

    ``letters`` is the number of characters that are visible.
    """
    if not snippet.marks or snippet.marks[0][1] <= letters:
        return snippet
    first = snippet.marks[0][0]
    space = snippet.text.find(" ", max(0, first - letters // 3), first)
    start = first if space < 0 else space + 1
    if snippet.text.startswith("· ", start):  # no bullet before the first item
        start += 2
    lead = f"{ELLIPSIS} "
    marks = clip(snippet.marks, start, len(snippet.text), offset=len(lead) - start)
    return Marked(lead + snippet.text[start:], marks)


def lay_out_snippet(
    snippet: Marked, theme: Theme, base: QFont, width: float, lines: int
) -> tuple[LaidOutLine, ...]:
    """Lay ``snippet`` out in at most ``lines`` lines of ``width`` pixels; the last is elided."""
    until = snippet.text[: snippet.marks[0][1]] if snippet.marks else snippet.text
    letters = int(lines * width / letter_width(until, base) * _FILLED)
    rest = snippet_line(near_match(snippet, letters), theme)
    laid_out = list[LaidOutLine]()
    while rest.text and len(laid_out) < lines:
        first, following = rest, Line("", ())
        if len(laid_out) < lines - 1:
            first, following = split(rest, base, width)
        laid_out.append(LaidOutLine(first, base, theme.mark, theme.mark_text, width))
        rest = following
    return tuple(laid_out)
