"""Tables that are wider than the text. Each scrolls sideways alone, with a scroll bar below it."""

from collections.abc import Iterable, Iterator
from functools import partial

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QTextCursor, QTextDocument, QTextTable
from PySide6.QtWidgets import QScrollBar, QWidget

from notesearch.gui.preview.document import wide_tables
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px
from notesearch.notes import Span

_BAR = 10
_PADDING = 8


class WideTables:
    """The wide tables of one document. After the document changes, create a new object.

    Qt scrolls only a whole document. Here, a negative left margin moves a table to the left, and
    the rest of the document stays.

    Args:
        document: The document.
        viewport: The widget that shows the document, and that gets the scroll bars.
    """

    def __init__(self, document: QTextDocument, viewport: QWidget) -> None:
        self._document = document
        self._tables = wide_tables(document)
        self._bars = [_bar(viewport) for _ in self._tables]
        for (table, beyond), bar in zip(self._tables, self._bars, strict=True):
            bar.setRange(0, beyond)
            bar.valueChanged.connect(partial(_move, table, beyond))
            if table.format().alignment() & Qt.AlignmentFlag.AlignRight:
                bar.setValue(beyond)  # the columns run from right to left

    def __bool__(self) -> bool:
        """Return whether the document has wide tables."""
        return bool(self._tables)

    @property
    def offsets(self) -> list[int]:
        """How many pixels each table is scrolled."""
        return [bar.value() for bar in self._bars]

    def scroll(self, offsets: Iterable[int]) -> None:
        """Scroll the tables to ``offsets`` in pixels, one for each table, as far as they go."""
        for bar, offset in zip(self._bars, offsets, strict=False):
            bar.setValue(offset)

    def close(self) -> None:
        """Remove the scroll bars."""
        for bar in self._bars:
            bar.hide()
            bar.valueChanged.disconnect()  # its slot refers to a table of the document
            bar.deleteLater()
        self._tables, self._bars = [], []

    def place_bars(self, area: QRectF, visible: Span) -> None:
        """Put a scroll bar below each table in view, and hide the other bars.

        Args:
            area: The rectangle of the document that is in view.
            visible: The span of the text in view.
        """
        for table, bar in self._in_view(visible):
            bounds = self._bounds(table)
            height = px(_BAR)
            top = min(round(bounds.bottom() - area.top()), round(area.height()) - height)
            left, right = round(self._left(table, bar)), round(area.width())
            bar.setPageStep(right - left)
            bar.setGeometry(left, top, right - left - px(_PADDING), height)
            bar.setVisible(bounds.top() < area.bottom() - height)
        shown = {id(bar) for _, bar in self._in_view(visible)}
        for bar in self._bars:
            if id(bar) not in shown:
                bar.hide()

    def bar_at(self, point: QPoint, area: QRectF, visible: Span) -> QScrollBar | None:
        """Return the scroll bar of the table at the height of ``point``; None without a table.

        ``point`` is in the viewport. ``area`` and ``visible`` are as for ``place_bars``.
        """
        y = area.top() + point.y()
        for table, bar in self._in_view(visible):
            if self._bounds(table).top() <= y <= self._bounds(table).bottom() + px(_BAR):
                return bar
        return None

    def scroll_to(self, span: Span, rectangle: QRectF, width: int) -> None:
        """Scroll the table that contains ``span`` until its ``rectangle`` is in view.

        ``width`` is the width of the view in pixels.
        """
        for (table, _), bar in zip(self._tables, self._bars, strict=True):
            is_inside = table.firstPosition() <= span[0] <= table.lastPosition()
            in_view = self._left(table, bar) <= rectangle.left() and rectangle.right() <= width
            if is_inside and not in_view:
                bar.setValue(bar.value() + round(rectangle.left() - width / 3))

    def _in_view(self, visible: Span) -> Iterator[tuple[QTextTable, QScrollBar]]:
        for (table, _), bar in zip(self._tables, self._bars, strict=True):
            if table.firstPosition() <= visible[1] and table.lastPosition() >= visible[0]:
                yield table, bar

    def _bounds(self, table: QTextTable) -> QRectF:
        """Return the rectangle from the first to the last row of ``table``."""
        first = self._rectangle(table.cellAt(0, 0).firstCursorPosition())
        last = table.rows() - 1
        columns = range(table.columns())
        cells = [table.cellAt(last, column).lastCursorPosition() for column in columns]
        for cell in cells:
            first = first.united(self._rectangle(cell))
        return first.adjusted(0, 0, 0, px(_PADDING))

    def _left(self, table: QTextTable, bar: QScrollBar) -> float:
        return self._rectangle(table.cellAt(0, 0).firstCursorPosition()).left() + bar.value()

    def _rectangle(self, cursor: QTextCursor) -> QRectF:
        return self._document.documentLayout().blockBoundingRect(cursor.block())


def _bar(viewport: QWidget) -> QScrollBar:
    bar = QScrollBar(Qt.Orientation.Horizontal, viewport)
    bar.setAccessibleName(translate("preview", "Scroll the table sideways"))
    bar.setCursor(Qt.CursorShape.ArrowCursor)
    bar.setSingleStep(px(40))
    bar.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as Qt lays out every table
    bar.hide()
    return bar


def _move(table: QTextTable, beyond: int, offset: int) -> None:
    """Move ``table`` to the left by ``offset`` pixels; it is ``beyond`` pixels too wide.

    Its rectangle still ends at the right edge, because Qt paints nothing outside of it.
    """
    table_format = table.format()
    table_format.setLeftMargin(-offset)
    table_format.setRightMargin(2 * offset - beyond)
    table.setFormat(table_format)
