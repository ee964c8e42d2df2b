"""Paints the rows of the result list: note headers, sections with marks, "more" and the cap."""

from collections.abc import Hashable, Mapping

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from notesearch.gui import icons, wording
from notesearch.gui.marked_line import LaidOutLine, Line, LineCache, Run
from notesearch.gui.results_model import ResultsModel
from notesearch.gui.results_rows import CapRow, CaptionRow, HeaderRow, MoreRow, Row, SectionRow
from notesearch.gui.row_metrics import RowMetrics
from notesearch.gui.row_text import breadcrumb_line, snippet_line
from notesearch.gui.theme import Theme
from notesearch.gui.translation import translate
from notesearch.results import Marked, SectionResult

Index = QModelIndex | QPersistentModelIndex

_DIMMED = 0.6


class ResultsDelegate(QStyledItemDelegate):
    """Paints each kind of row of a ``ResultsModel`` with the tokens of a theme."""

    def __init__(self, theme: Theme, parent: QObject | None = None, *, flat: bool = False) -> None:
        super().__init__(parent)
        self._theme = theme
        self._flat = flat
        self._metrics = RowMetrics.measure(flat=flat, compact=theme.compact)
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
        row = _row_at(index)
        bare = isinstance(row, SectionRow) and not self._theme.snippets
        height = self.row_height if bare else self._metrics.height(row)
        if height not in self._sizes:
            self._sizes[height] = QSize(0, height)
        return self._sizes[height]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._dimmed:
            painter.setOpacity(_DIMMED)
        row = _row_at(index)
        match row:
            case HeaderRow():
                self._paint_header(painter, option, row)
            case CaptionRow(text):
                self._paint_caption(painter, option, text)
            case SectionRow():
                self._paint_ground(painter, option)
                self._paint_section(painter, option, row)
                if index.row() in self._digits:
                    self._paint_digit(painter, option, str(self._digits[index.row()]))
            case MoreRow(hidden=hidden):
                self._paint_ground(painter, option)
                text = wording.more_text(hidden)
                self._paint_note_line(painter, option, text, self._theme.link)
            case CapRow(shown):
                text = wording.cap_text(shown)
                self._paint_note_line(painter, option, text, self._theme.text3)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        state = option.state  # Qt makes it anew each time
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if not selected and not hovered:
            return
        theme, metrics = self._theme, self._metrics
        box = QRectF(option.rect).adjusted(metrics.ground, 1, 0, -1)
        box.setRight(self._right(option) + metrics.px7)
        box.moveLeft(_seen(option, box.left(), box.width()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft if selected else theme.hover))
        painter.drawRoundedRect(box, metrics.px6, metrics.px6)
        if not selected:
            return
        inset, width = metrics.px6, metrics.px3
        start = _seen(option, option.rect.left() + metrics.ground, width)
        bar = QRectF(start, box.top() + inset, width, box.height() - 2 * inset)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(bar, width / 2, width / 2)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawRoundedRect(box.adjusted(1, 0, -1, 0), inset, inset)

    def _paint_header(
        self, painter: QPainter, option: QStyleOptionViewItem, row: HeaderRow
    ) -> None:
        metrics, theme, note = self._metrics, self._theme, row.note
        left, right = option.rect.left() + metrics.inset, self._right(option)
        top = option.rect.bottom() + 1 - metrics.under - metrics.line
        date = self._text(wording.modified_text(note.modified), theme.text3, metrics.meta, 1e6)
        room = right - left - date.width - metrics.px12
        title = self._text(note.title, theme.text, metrics.strong, room, strong=True)
        _write(painter, option, title, left, top)
        _write(painter, option, date, right - date.width, top + metrics.raised)
        room -= title.width + metrics.px8
        folder = wording.folder_text(note.path)
        if folder and room >= metrics.px24:
            quiet = self._text(folder, theme.text3, metrics.meta, room)
            at = left + title.width + metrics.px8
            _write(painter, option, quiet, at, top + metrics.raised)

    def _paint_caption(self, painter: QPainter, option: QStyleOptionViewItem, text: str) -> None:
        metrics, left = self._metrics, option.rect.left() + self._metrics.inset
        top = option.rect.bottom() + 1 - metrics.under - metrics.line
        room = self._right(option) - left
        line = self._text(text, self._theme.text, metrics.strong, room, strong=True)
        _write(painter, option, line, left, top)

    def _paint_section(
        self, painter: QPainter, option: QStyleOptionViewItem, row: SectionRow
    ) -> None:
        metrics, result = self._metrics, row.result
        left, right = option.rect.left() + metrics.text, self._right(option)
        top = option.rect.top() + metrics.pad
        room: float = right - left
        if result.related and self._theme.related_tag:
            room -= self._paint_related(painter, option, right, top) + metrics.px8
        lines = [(self._breadcrumb(row.breadcrumb, room), top)]
        if result.snippet.text and self._theme.snippets:
            below = top + metrics.line + metrics.gap
            lines.append((self._snippet(result, right - left), below))
        for line, at in lines:
            _write(painter, option, line, left, at)
            if row.gone:
                _strike(painter, option, line, left, at, self._theme.text2)

    def _paint_related(
        self, painter: QPainter, option: QStyleOptionViewItem, right: int, top: int
    ) -> float:
        """Paint the pill of a section found by meaning only; return its width."""
        metrics, theme = self._metrics, self._theme
        words = self._text(translate("window", "Related"), theme.text2, metrics.meta, 1e6)
        size, height = metrics.px9, round(words.height) + metrics.px4
        left_of_words = metrics.px7 + size + metrics.px4
        width = round(left_of_words + words.width + metrics.px6)
        box = QRect(right - width, top + (metrics.line - height) // 2, width, height)
        box = QStyle.visualRect(option.direction, option.rect, box)
        painter.setPen(QPen(QColor(theme.outline), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        ratio = painter.device().devicePixelRatioF()
        glyph = icons.pixmap("sparkle", theme.text2, size, ratio)
        painter.drawPixmap(box.left() + metrics.px7, box.center().y() - size // 2 + 1, glyph)
        words.paint(painter, box.left() + left_of_words, box.top() + metrics.px4 / 2)
        return width

    def _paint_digit(self, painter: QPainter, option: QStyleOptionViewItem, digit: str) -> None:
        """Paint the key that opens the row as a cap over the end of its last line."""
        metrics, theme = self._metrics, self._theme
        words = self._text(digit, theme.text, metrics.strong, 1e6, strong=True)
        size = round(words.height) + metrics.px4
        right, bottom = self._right(option), option.rect.bottom() + 1 - metrics.px5
        box = QRectF(_seen(option, right - size, size), bottom - size, size, size)
        painter.setPen(QPen(QColor(theme.border_strong), 1))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), metrics.px4, metrics.px4)
        left = box.left() + (size - words.width) / 2
        words.paint(painter, round(left), round(box.top()) + metrics.px4 // 2)

    def _paint_note_line(
        self, painter: QPainter, option: QStyleOptionViewItem, text: str, colour: str
    ) -> None:
        left = option.rect.left() + self._metrics.text
        line = self._text(text, colour, self._metrics.more, self._right(option) - left)
        _write(painter, option, line, left, option.rect.top() + self._metrics.px5)

    def _breadcrumb(self, breadcrumb: tuple[Marked, ...], room: float) -> LaidOutLine:
        key = ("breadcrumb", breadcrumb, round(room))
        kept = self._lines.get(key)
        if kept is not None:
            return kept

        def measure(line: Line) -> float:
            return self._lay_out(line, self._metrics.row, 1e6).width

        line = breadcrumb_line(breadcrumb, self._theme, room, measure)
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
        key: Hashable = (text, colour, base, round(room))
        kept = self._lines.get(key)
        if kept is not None:
            return kept
        line = Line(text, (Run((0, len(text)), colour, strong),))
        return self._lines.keep(key, self._lay_out(line, base, room))

    def _lay_out(self, line: Line, base: QFont, room: float) -> LaidOutLine:
        return LaidOutLine(line, base, self._theme.mark, self._theme.mark_text, room)

    def _right(self, option: QStyleOptionViewItem) -> int:
        """Return where the text of rows ends: the same place with and without a scroll bar."""
        return int(option.widget.width()) - self._metrics.end


def _seen(option: QStyleOptionViewItem, left: float, width: float) -> float:
    """Return where something begins that is at ``left`` where one reads from left to right."""
    if option.direction == Qt.LayoutDirection.LeftToRight:
        return left
    return 2 * option.rect.left() + option.rect.width() - left - width


def _strike(
    painter: QPainter,
    option: QStyleOptionViewItem,
    line: LaidOutLine,
    left: float,
    top: float,
    colour: str,
) -> None:
    start = round(_seen(option, left, line.width))
    box = QRectF(start, top + line.height * 0.55, line.width, max(1.0, line.height / 16))
    painter.fillRect(box, QColor(colour))


def _write(
    painter: QPainter, option: QStyleOptionViewItem, line: LaidOutLine, left: float, top: float
) -> None:
    line.paint(painter, round(_seen(option, left, line.width)), top)


def _row_at(index: Index) -> Row:
    """Return the row at ``index``; asked for its data, Qt would come back to Python for it."""
    model = index.model()
    assert isinstance(model, ResultsModel)
    return model.rows[index.row()]
