"""A list that paints its rows in one go: what the result list is, without keyboard and mouse."""

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QHoverEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QListView, QWidget

from notesearch.gui.results.results_delegate import ResultsDelegate
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.widgets.theme import Theme


class PaintedList(QListView):
    """Shows the rows of a ``ResultsModel``, one below the other."""

    def __init__(self, model: ResultsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._results = model
        self._hovered = QPersistentModelIndex()
        self._delegate = ResultsDelegate(model, theme, self)
        self.setItemDelegate(self._delegate)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in view at once.

        Qt would come to Python for each of them and twice for its flags, and each time it may
        have to wait for the threads that search.
        """
        self.executeDelayedItemsLayout()
        exposed, rows = event.rect(), self._results.rows
        with QPainter(self.viewport()) as painter:
            painter.fillRect(
                exposed, self.viewport().palette().brush(self.viewport().backgroundRole())
            )
            first = self.indexAt(QPoint(self.viewport().width() // 2, max(0, exposed.top())))
            if not first.isValid():
                return
            box = self.visualRect(first)
            chosen = self.selectionModel().selectedIndexes()
            current = self.currentIndex().row()
            selected = chosen[0].row() if chosen else -1
            focused = selected == current and (self.hasFocus() or self.viewport().hasFocus())
            marked = selected, focused
            sheet = self._delegate.sheet(painter, self, box, marked, self._hovered.row())
            top, bottom = box.top(), exposed.bottom()
            for number in range(first.row(), len(rows)):
                if top > bottom:
                    break
                self._delegate.paint_row(sheet, rows[number], number, top)
                top += self._delegate.height(rows[number])

    def viewportEvent(self, event: QEvent) -> bool:
        """Notice what row the mouse is on, as Qt does."""
        if isinstance(event, QHoverEvent):
            inside = event.type() != QEvent.Type.HoverLeave
            index = self.indexAt(event.position().toPoint()) if inside else QModelIndex()
            self._hovered = QPersistentModelIndex(index)
        return bool(super().viewportEvent(event))
