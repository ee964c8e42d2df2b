"""The widths of tables: no word is broken, and a table wider than the text scrolls by itself."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import nlargest
from itertools import takewhile
from math import ceil

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLength,
    QTextTable,
    QTextTableCell,
)
from PySide6.QtWidgets import QScrollBar, QWidget

from notesearch.gui.preview.document import (
    all_tables,
    blocks_from,
    depth,
    fragments_of,
    list_depth,
    right_edge,
    tone_of,
)
from notesearch.gui.preview.preview_style import CELL_SPACING, Inline
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px
from notesearch.notes import Span

_BAR_HEIGHT = 10
"""The height of a table's scroll bar in pixels, before scaling."""
_PADDING = 8

_LEAST_COLUMNS = 2
_WIDE_TABLE_COLUMNS = 4
_MAX_MEASURED_CELLS = 600
_MAX_WORD = 28
_SHORTEST_WORD = "abc"
_MEASURED_WORDS = 20
"""How many of the longest words of a column are measured: "4000" is wider than "April"."""
_SHORT_CELL = 12
_LONG_CELL = 300


def widen_tables(document: QTextDocument, width: int, *, may_scroll: bool) -> None:
    """Set the widths of the columns of tables so that Qt breaks no words.

    A table whose words do not fit becomes wider than the text; ``WideTables`` scrolls it. If it may
    not scroll, its widest columns become narrower. Only tables of few columns may break very long
    words.
    """
    bold = QFont(document.defaultFont())
    bold.setWeight(QFont.Weight.Bold)
    metrics = QFontMetricsF(bold)
    gap = px(CELL_SPACING) + 1
    most = _MAX_WORD * metrics.averageCharWidth()
    for table in all_tables(document):
        if table.columns() < _LEAST_COLUMNS or tone_of(table):
            continue
        room = width - depth(table) * document.indentWidth() - table.format().leftMargin()
        has_few = table.columns() < _WIDE_TABLE_COLUMNS
        needed, pleasant = [], []
        for column in _columns(table):
            longest = nlargest(_MEASURED_WORDS, column.words, key=len)
            words = (_SHORTEST_WORD, column.text[:_SHORT_CELL], *longest)
            word = max(*map(metrics.horizontalAdvance, words), column.code)
            text = metrics.horizontalAdvance(column.text)
            least = max(min(word, most) if has_few else word, column.picture)
            beside = gap + column.lists * document.indentWidth()
            needed.append(ceil(least + beside))
            pleasant.append(max(least, text) + beside)
        if sum(pleasant) <= room:
            continue
        table_format = table.format()
        if sum(needed) <= room:
            # Each column gets the width it needs, and a share of the rest by the width it lacks.
            lacks = [max(0.0, much - least) for least, much in zip(needed, pleasant, strict=True)]
            share = (room - sum(needed)) / max(1.0, sum(lacks))
            widths = [least + lack * share for least, lack in zip(needed, lacks, strict=True)]
        elif not may_scroll:
            widths = _cut(needed, room)
        else:
            widths = [max(n, min(p, most)) for n, p in zip(needed, pleasant, strict=True)]
            table_format.setRightMargin(room - sum(widths))  # else the document would widen, too
            table_format.setBottomMargin(table_format.bottomMargin() + px(_BAR_HEIGHT))
        fixed = QTextLength.Type.FixedLength
        table_format.setColumnWidthConstraints([QTextLength(fixed, width) for width in widths])
        table.setFormat(table_format)


def _cut(widths: Sequence[float], room: float) -> list[float]:
    """Return ``widths`` that fit into ``room`` together: the greatest are cut to one width."""
    most = rest = room
    for number, width in enumerate(sorted(widths)):
        most = rest / (len(widths) - number)
        if width > most:
            break
        rest -= width
    return [min(width, most) for width in widths]


@dataclass(slots=True)
class _Column:
    """The contents of a table's column that decide its width.

    Attributes:
        words: All words.
        text: The text of the longest cell; the beginning of a very long one.
        code: Width of the widest word or short piece of code, in pixels.
        picture: Width of the widest picture or formula, in pixels.
        lists: Depth of the deepest list.
    """

    words: set[str] = field(default_factory=set)
    text: str = ""
    code: float = 0.0
    picture: float = 0.0
    lists: int = 0


def _columns(table: QTextTable) -> list[_Column]:
    columns = [_Column() for _ in range(table.columns())]
    for row in range(min(table.rows(), _MAX_MEASURED_CELLS // table.columns())):
        for number, column in enumerate(columns):
            for block in _blocks_in(table.cellAt(row, number)):
                _measure(block, column)
    return columns


def _blocks_in(cell: QTextTableCell) -> Iterator[QTextBlock]:
    blocks = blocks_from(cell.firstCursorPosition().block())
    return takewhile(lambda block: block.position() <= cell.lastPosition(), blocks)


def _measure(block: QTextBlock, column: _Column) -> None:
    """Add the contents of ``block``, a paragraph in one of the column's cells, to ``column``."""
    text = block.text()
    column.words.update(text.split())
    column.text = max(column.text, text[:_LONG_CELL], key=len)
    if block.blockFormat().objectIndex() >= 0:  # an item of a list
        column.lists = max(column.lists, list_depth(block))
    for run in fragments_of(block):
        run_format = run.charFormat()
        if run_format.isImageFormat():
            column.picture = max(column.picture, run_format.toImageFormat().width())
        elif Inline.of(run_format) is Inline.CODE:
            word = max(run.text()[:_SHORT_CELL], *run.text().split(), key=len)
            width = QFontMetricsF(run_format.font()).horizontalAdvance(word)
            column.code = max(column.code, width)


class WideTables:
    """The wide tables of one document in ``viewport``. A changed document needs a new object.

    Qt scrolls only a whole document. Here, a negative left margin moves a table to the left, and
    the rest of the document stays.
    """

    def __init__(self, document: QTextDocument, viewport: QWidget) -> None:
        self._document = document
        self._tables: list[tuple[QTextTable, QScrollBar]] = []
        for table in list(all_tables(document)):
            table_format = table.format()
            beyond = -round(table_format.rightMargin())  # pixels that the text has no room for
            if beyond <= 0 or not table_format.columnWidthConstraints():
                continue
            bar = _scroll_bar(viewport)
            bar.setRange(0, beyond)
            bar.valueChanged.connect(partial(_move_table, table, beyond, table_format.leftMargin()))
            if table_format.alignment() & Qt.AlignmentFlag.AlignRight:
                bar.setValue(beyond)  # the columns run from right to left
            self._tables.append((table, bar))

    @property
    def offsets(self) -> list[int]:
        """How many pixels each table is scrolled."""
        return [bar.value() for _, bar in self._tables]

    def scroll(self, offsets: Iterable[int]) -> None:
        """Scroll each table to its offset in ``offsets``, in pixels, but not beyond its end."""
        for (_, bar), offset in zip(self._tables, offsets, strict=False):
            bar.setValue(offset)

    def step(self, steps: int, visible: Span) -> None:
        """Scroll the tables in the span ``visible``, to the right if ``steps`` is positive."""
        for _, bar in self._in_view(visible):
            bar.setValue(bar.value() + steps * bar.singleStep())

    def close(self) -> None:
        """Remove the scroll bars."""
        for _, bar in self._tables:
            bar.hide()
            bar.valueChanged.disconnect()  # its slot refers to a table of the document
            bar.deleteLater()
        self._tables = []

    def place_bars(self, area: QRectF, visible: Span) -> None:
        """Put a scroll bar below each table in ``area``, which shows the span ``visible``."""
        for table, bar in self._tables:
            if not _is_in_view(table, visible):
                bar.hide()
                continue
            bounds = self._bounds(table)
            height = px(_BAR_HEIGHT)
            top = min(round(bounds.bottom() - area.top()), round(area.height()) - height)
            left, right = round(self._left(table, bar)), round(self._right(table, area.width()))
            bar.setPageStep(right - left)
            bar.setGeometry(left, top, right - left - px(_PADDING), height)
            bar.setVisible(bounds.top() < area.bottom() - height)

    def outside(self, visible: Span, width: float) -> Iterator[QRectF]:
        """Yield the rectangles beside wide tables in which no part of a table may show.

        A table may reach the right edge of the view, which is ``width`` pixels wide; in a quote,
        only the right edge of the quote.
        """
        for table, bar in self._in_view(visible):
            bounds = self._bounds(table)
            bounds.adjust(0, -px(_PADDING), 0, px(_PADDING))
            if bar.value():
                bounds.setLeft(0)
                bounds.setRight(self._left(table, bar))
                yield QRectF(bounds)
            bounds.setLeft(self._right(table, width))
            bounds.setRight(width)
            if bounds.width() > 0:
                yield bounds

    def bar_at(self, point: QPoint, area: QRectF, visible: Span) -> QScrollBar | None:
        """Return the scroll bar of the wide table at the height of ``point``; None without one.

        ``point`` is in the viewport, which shows ``area`` and the characters ``visible`` of the
        document. The space of the bar counts as part of the table.
        """
        y = area.top() + point.y()
        for table, bar in self._in_view(visible):
            if self._bounds(table).top() <= y <= self._bounds(table).bottom() + px(_BAR_HEIGHT):
                return bar
        return None

    def scroll_to(self, span: Span, rectangle: QRectF, width: int) -> None:
        """Scroll the table that contains ``span`` until the ``rectangle`` of ``span`` is in view.

        ``width`` is the width of the view in pixels.
        """
        for table, bar in self._tables:
            is_inside = table.firstPosition() <= span[0] <= table.lastPosition()
            in_view = self._left(table, bar) <= rectangle.left() and rectangle.right() <= width
            if is_inside and not in_view:
                bar.setValue(bar.value() + round(rectangle.left() - width / 3))

    def _in_view(self, visible: Span) -> Iterator[tuple[QTextTable, QScrollBar]]:
        return ((table, bar) for table, bar in self._tables if _is_in_view(table, visible))

    def _bounds(self, table: QTextTable) -> QRectF:
        first = self._rectangle(table.cellAt(0, 0).firstCursorPosition())
        last = table.rows() - 1
        columns = range(table.columns())
        cells = [table.cellAt(last, column).lastCursorPosition() for column in columns]
        for cell in cells:
            first = first.united(self._rectangle(cell))
        return first.adjusted(0, 0, 0, px(_PADDING))

    def _left(self, table: QTextTable, bar: QScrollBar) -> float:
        return self._rectangle(table.cellAt(0, 0).firstCursorPosition()).left() + bar.value()

    def _right(self, table: QTextTable, width: float) -> float:
        """Return the right edge of what is shown of ``table`` in a view of ``width`` pixels."""
        is_quoted = isinstance(table.parentFrame(), QTextTable)
        return min(right_edge(table), width) if is_quoted else width

    def _rectangle(self, cursor: QTextCursor) -> QRectF:
        return self._document.documentLayout().blockBoundingRect(cursor.block())


def _is_in_view(table: QTextTable, visible: Span) -> bool:
    return table.firstPosition() <= visible[1] and table.lastPosition() >= visible[0]


def _scroll_bar(viewport: QWidget) -> QScrollBar:
    bar = QScrollBar(Qt.Orientation.Horizontal, viewport)
    bar.setAccessibleName(translate("Scroll the table sideways"))
    bar.setCursor(Qt.CursorShape.ArrowCursor)
    bar.setSingleStep(px(40))
    bar.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as Qt lays out every table
    bar.hide()
    return bar


def _move_table(table: QTextTable, beyond: int, margin: float, offset: int) -> None:
    """Move ``table``, ``beyond`` pixels too wide, ``offset`` pixels to the left of ``margin``.

    Its rectangle still ends at the right edge, because Qt paints nothing outside of it.
    """
    table_format = table.format()
    table_format.setLeftMargin(margin - offset)
    table_format.setRightMargin(2 * offset - beyond)
    table.setFormat(table_format)
