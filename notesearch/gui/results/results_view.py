"""The result list: keyboard and mouse on it, and a selection that stays where it was on screen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from notesearch.gui.results.painted_list import PaintedList
from notesearch.gui.results.results_model import Index, ItemRole, ResultsModel
from notesearch.gui.results.results_rows import HeaderRow, MoreRow, SectionKey, SectionRow
from notesearch.gui.translation import translate
from notesearch.gui.widgets.after_paint import AfterPaint
from notesearch.gui.widgets.keyboard import MOVE_KEYS, Move
from notesearch.gui.widgets.theme import Theme
from notesearch.results import SectionResult, View

_BACKWARD = {Move.UP, Move.PAGE_UP, Move.FIRST}


@dataclass(frozen=True, slots=True)
class Anchor:
    """The selected row and its distance from the top of the view.

    Attributes:
        key: The section; for a "more" row, the path of the note that it unfolds.
    """

    key: SectionKey | str
    y: int


class ResultsView(PaintedList):
    """Shows a ``ResultsModel``; arrows skip headers, the pointer never changes the selection.

    Signals:
        selected: The section selected now (``SectionResult``); not for a "more" row.
        moved: The user moved the selection to a section (``SectionResult``).
        opened: A section is to be opened in the editor.
        touched: The user moved, clicked or scrolled here.
    """

    selected = Signal(object)
    moved = Signal(object)
    opened = Signal()
    touched = Signal()

    def __init__(self, model: ResultsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(model, theme, parent)
        self._filling = False
        self._filled = AfterPaint(self.viewport(), self._tell_selected, self)
        self.setModel(model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(translate("window", "Search results"))
        self.doubleClicked.connect(self._open_clicked)

    @property
    def section(self) -> SectionResult | None:
        """The selected section."""
        return self._results.section(self.currentIndex())

    def near(self) -> tuple[SectionResult, ...]:
        """Return the sections beside the selected one, those that arrows reach first."""
        rows, at = len(self._results.rows), self.currentIndex().row()
        below = filter(None, map(self._section_of, range(at + 1, rows)))
        above = filter(None, map(self._section_of, range(at - 1, -1, -1)))
        return (*islice(below, 2), *islice(above, 1))

    def _section_of(self, row: int) -> SectionResult | None:
        return self._results.section(self._results.index(row))

    @property
    def room(self) -> View:
        """What is in view of a new list."""
        height = self.viewport().height()
        return View(height // self._delegate.row_height + 2, self._results.per_note)

    def set_theme(self, theme: Theme) -> None:
        """Repaint with other colours, lay out again for another font."""
        self._delegate.set_theme(theme)
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show the rows pale while they answer an older query."""
        self._delegate.set_dimmed(dimmed)
        self.viewport().update()

    def set_numbered(self, numbered: bool) -> None:
        """Show on each section that is in view the digit that opens it, or no digits."""
        self._delegate.set_digits(
            {index.row(): digit for digit, index in _numbered(self)} if numbered else {}
        )
        self.viewport().update()

    def select_numbered(self, digit: int) -> bool:
        """Select the section in view that has ``digit``; tell whether there is one."""
        return self.isVisible() and self.select_section(dict(_numbered(self)).get(digit))

    def select_section(self, index: QModelIndex | None) -> bool:
        """Select ``index`` as a click does; tell whether a section is there."""
        if index is None or self._results.section(index) is None:
            return False
        self.touched.emit()
        self._set_current(index)
        return True

    def anchor(self) -> Anchor | None:
        """Return what ``restore`` needs to put the selected section back after a reset."""
        y = self.visualRect(self.currentIndex()).top()
        match self._results.row(self.currentIndex()):
            case MoreRow(path):
                return Anchor(path, y)
            case SectionRow(result):
                return Anchor(SectionKey.of(result), y)
        return None

    def restore(self, anchor: Anchor | None) -> None:
        """Select the anchor's row again, at the same height; else the first section.

        ``selected`` tells of it once the list is painted, so that nothing competes with that.
        """
        self._filling = True
        self._restore(anchor)
        self._filling = False

    def _restore(self, anchor: Anchor | None) -> None:
        index = self._results.reveal(anchor.key) if anchor else QModelIndex()
        if anchor is None or not index.isValid():
            self.select(self._results.first_section())
            return
        self.executeDelayedItemsLayout()
        bar = self.verticalScrollBar()
        self._set_current(index)
        bar.setValue(bar.value() + self.visualRect(index).top() - anchor.y)

    def select(self, index: QModelIndex) -> None:
        """Select ``index`` and bring it into view together with a header right above it."""
        if not index.isValid():
            return
        self.executeDelayedItemsLayout()
        above = index.siblingAtRow(index.row() - 1)
        if isinstance(self._results.row(above), HeaderRow):
            self.scrollTo(above)
        self._set_current(index)
        self.scrollTo(index)

    def move_selection(self, move: Move) -> None:
        """Move the selection by keyboard; it stops at both ends."""
        if move is Move.UNFOLD:
            self._expand(self.currentIndex())
            return
        self.touched.emit()
        target = self._target(move)
        if target.isValid() and target != self.currentIndex():
            self.select(target)
            if self.section is not None:
                self.moved.emit(self.section)

    def activate(self) -> None:
        """Do what Enter does on the selected row: open the section, unfold the note."""
        if isinstance(self._results.row(self.currentIndex()), MoreRow):
            self._expand(self.currentIndex())
        elif self.section is not None:
            self.opened.emit()

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint late snippets where they are in view; Qt would lay all rows out again."""
        if list(roles) != [ItemRole.SNIPPET]:
            super().dataChanged(first, last, list(roles))
            return
        view, height = self.viewport(), self.viewport().height()
        for row in range(first.row(), last.row() + 1):
            box = self.visualRect(self._results.index(row))
            if box.top() >= height:
                return
            view.update(box)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Announce the selected section."""
        super().currentChanged(current, previous)
        if self._filling:
            self._filled.start()
        else:
            self._tell_selected()

    def _tell_selected(self) -> None:
        self._filled.stop()
        if self.section is not None:
            self.selected.emit(self.section)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, open and unfold; all other keys belong to the window."""
        key = Qt.Key(event.key())
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        jump = control and key in {Qt.Key.Key_Home, Qt.Key.Key_End}
        if key in MOVE_KEYS and (plain or jump):
            self.move_selection(MOVE_KEYS[key])
        elif plain and key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.isAutoRepeat():
            self.activate()
        elif plain and key == Qt.Key.Key_Right:
            self._expand(self.currentIndex())
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select by click; a click on a header changes nothing, on "more" it unfolds."""
        index = self.indexAt(event.position().toPoint())
        self.touched.emit()
        if event.button() != Qt.MouseButton.LeftButton or not self._selectable(index):
            return
        if isinstance(self._results.row(index), MoreRow):
            self._expand(index)
            return
        super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, and remember that the user did."""
        self.touched.emit()
        super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the hand over "more" rows."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            row = self._results.row(self.indexAt(event.position().toPoint()))
            hand = isinstance(row, MoreRow)
            shape = Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
        return bool(super().viewportEvent(event))

    def _expand(self, index: QModelIndex) -> None:
        if not isinstance(self._results.row(index), MoreRow):
            return
        self._results.expand(index)
        if index == self.currentIndex():
            self.selected.emit(self.section)
        self.select(index)

    def _open_clicked(self, index: QModelIndex) -> None:
        if self._results.section(index) is not None:
            self.opened.emit()

    def _target(self, move: Move) -> QModelIndex:
        rows, current = len(self._results.rows), self.currentIndex()
        if move is Move.FIRST or not current.isValid():
            return self._nearest(0, 1)
        if move is Move.LAST:
            return self._nearest(rows - 1, -1)
        if move in {Move.UP, Move.DOWN}:
            step = 1 if move is Move.DOWN else -1
            return self._nearest(current.row() + step, step)
        action = QAbstractItemView.CursorAction
        page = action.MovePageUp if move is Move.PAGE_UP else action.MovePageDown
        landed = self.moveCursor(page, Qt.KeyboardModifier.NoModifier)
        step = -1 if move in _BACKWARD else 1
        found = self._nearest(landed.row(), step)
        return found if found.isValid() else self._nearest(landed.row(), -step)

    def _nearest(self, row: int, step: int) -> QModelIndex:
        """Return the first selectable row from ``row`` on in the direction of ``step``."""
        while 0 <= row < len(self._results.rows):
            index = self._results.index(row)
            if self._selectable(index):
                return index
            row += step
        return QModelIndex()

    def _selectable(self, index: QModelIndex) -> bool:
        return bool(self._results.flags(index) & Qt.ItemFlag.ItemIsSelectable)

    def _set_current(self, index: QModelIndex) -> None:
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)


def _numbered(view: ResultsView) -> Iterator[tuple[int, QModelIndex]]:
    """Yield the sections that are wholly in view, counted from 1 to 9."""
    view.executeDelayedItemsLayout()
    digits, height, model = iter(range(1, 10)), view.viewport().height(), view.model()
    assert isinstance(model, ResultsModel)
    for row in range(len(model.rows)):
        index = model.index(row)
        box = view.visualRect(index)
        if box.top() >= height:
            return
        if box.top() >= 0 and box.bottom() < height and model.section(index):
            digit = next(digits, None)
            if digit is None:
                return
            yield digit, index
