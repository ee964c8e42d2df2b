"""The result list: painting, keyboard, mouse, and a selection that keeps its place."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QBrush,
    QHoverEvent,
    QInputEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QListView, QWidget

from notesearch.gui.results.results_delegate import ResultsDelegate
from notesearch.gui.results.results_model import (
    SNIPPET_ROLE,
    CapRow,
    HeaderRow,
    Index,
    MoreRow,
    ResultsModel,
    SectionKey,
)
from notesearch.gui.translation import translate
from notesearch.gui.widgets.keys import Move, move_of
from notesearch.gui.widgets.theme import Theme
from notesearch.results import SectionResult, View

_BACKWARD = {Move.UP, Move.PAGE_UP, Move.FIRST}
_MAX_PAINT_MS = 20
"""The longest wait until a new list is painted; a hidden list never is."""


Anchor = tuple[SectionKey, int]
"""The selected section, and its distance from the top of the view in pixels."""


class ResultsView(QListView):
    """Shows a ``ResultsModel``. Only rows of sections can be selected, and never by hovering.

    Signals:
        selected: Another section is selected; carries its ``SectionResult``.
        moved: The user moved the selection by keyboard; carries the new ``SectionResult``.
        opened: The user wants to open the selected section.
        touched: The user moved the selection, clicked or scrolled.
        dragged: The user begins to drag the selected section; carries its ``SectionResult``.
    """

    selected = Signal(object)
    moved = Signal(object)
    opened = Signal()
    touched = Signal()
    dragged = Signal(object)

    def __init__(self, model: ResultsModel, theme: Theme) -> None:
        super().__init__()
        self._results = model
        self._mouse: int | None = None  # its y coordinate; None if it is elsewhere
        self._is_restoring = False
        self._pressed: QPoint | None = None  # where a drag may begin
        self._after_paint = QTimer(self, singleShot=True)
        self._after_paint.timeout.connect(self._emit_selected)
        self._delegate = ResultsDelegate(model, theme, self)
        self.setItemDelegate(self._delegate)
        self.setModel(model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(translate("Search results"))
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.doubleClicked.connect(self._open_clicked)
        self.verticalScrollBar().actionTriggered.connect(self.touched)

    @property
    def section(self) -> SectionResult | None:
        """The selected section; None without one."""
        return self._results.section(self.currentIndex())

    @property
    def capacity(self) -> View:
        """How many sections fit in view, with a few to spare, and how many each note shows."""
        rows = self.viewport().height() // self._delegate.row_heights[0] + 2
        return View(rows, self._results.shown_per_note)

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        is_seen = self._is_selected_in(self.viewport().height())
        self._delegate.set_theme(theme)
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()
        if is_seen:
            self.scrollTo(self.currentIndex())
        self.viewport().update()

    def minimumSizeHint(self) -> QSize:
        """Return a size with room for the first header and section, so that the best is in view."""
        height = self._delegate.sticky_header_height + self._delegate.row_heights[1]
        return QSize(super().minimumSizeHint().width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the selected row in view, unless the user has scrolled it out of view."""
        is_seen = self._is_selected_in(event.oldSize().height())
        self._delegate.set_width(self.width())
        self.scheduleDelayedItemsLayout()
        super().resizeEvent(event)
        if is_seen:
            self.scrollTo(self.currentIndex())

    def _is_selected_in(self, height: int) -> bool:
        """Return whether a section is selected and in the upper ``height`` pixels of the view."""
        box = self.visualRect(self.currentIndex())
        return self.section is not None and box.top() >= 0 and box.bottom() < height

    def set_dimmed(self, dimmed: bool) -> None:
        """Show the rows pale if ``dimmed``, because they answer an older query."""
        self._delegate.set_dimmed(dimmed)
        self.viewport().update()

    def set_numbered(self, numbered: bool) -> None:
        """Show on each section in view the digit that opens it; if not ``numbered``, no digits."""
        sections = self._numbered() if numbered else ()
        self._delegate.set_digits({index.row(): digit for digit, index in sections})
        self.viewport().update()

    def select_numbered(self, digit: int) -> bool:
        """Select the section in view that has ``digit``; return whether there is one."""
        return self.isVisible() and self.select_section(dict(self._numbered()).get(digit))

    def select_section(self, index: QModelIndex | None) -> bool:
        """Select ``index`` as a click does; return whether it is a section."""
        if index is None or self._results.section(index) is None:
            return False
        self.touched.emit()
        self._set_current(index)
        return True

    def anchor(self) -> Anchor | None:
        """Return what ``restore`` needs to select the same row after a reset; None without one."""
        if self.section is None:
            return None
        return SectionKey.of(self.section), self.visualRect(self.currentIndex()).top()

    def restore(self, anchor: Anchor | None) -> None:
        """Select the section of ``anchor`` at the same place, or the first section.

        The signal ``selected`` comes after the list is painted.
        """
        self._is_restoring = True
        index = self._results.reveal(anchor[0]) if anchor else QModelIndex()
        if anchor and index.isValid():
            self.executeDelayedItemsLayout()
            bar = self.verticalScrollBar()
            self._set_current(index)
            bar.setValue(bar.value() + self.visualRect(index).top() - anchor[1])
        else:
            self.select(self._results.first_section())
        self._is_restoring = False

    def select(self, index: QModelIndex) -> None:
        """Select ``index``, and scroll until it is in view with its header or "more" row."""
        if not index.isValid():
            return
        self.executeDelayedItemsLayout()
        below = index.siblingAtRow(index.row() + 1)
        while isinstance(self._results.row(below), MoreRow | CapRow):
            self.scrollTo(below)
            below = below.siblingAtRow(below.row() + 1)
        above = index.siblingAtRow(index.row() - 1)
        if isinstance(self._results.row(above), HeaderRow):
            self.scrollTo(above)
        self._set_current(index)
        self.scrollTo(index)

    def move_selection(self, move: Move) -> None:
        """Move the selection; it stops at both ends. ``Move.UNFOLD`` unfolds its note instead."""
        if move is Move.UNFOLD:
            self._results.expand(self._results.more_below(self.currentIndex()))
            return
        self.touched.emit()
        target = self._target(move)
        if target.isValid() and target != self.currentIndex():
            self.select(target)
            if self.section is not None:
                self.moved.emit(self.section)

    def activate(self) -> None:
        """Open the selected section."""
        if self.section is not None:
            self.opened.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all rows in view in this one call."""
        self.executeDelayedItemsLayout()
        exposed = event.rect()
        with QPainter(self.viewport()) as painter:
            background = self.viewport().palette().brush(self.viewport().backgroundRole())
            painter.fillRect(exposed, background)
            first = self._row_at(exposed.top())
            if first.isValid():
                self._paint_rows(painter, first, exposed.bottom(), background)
        if self._after_paint.isActive():
            self._after_paint.start(0)

    def _paint_rows(
        self, painter: QPainter, first: QModelIndex, bottom: int, background: QBrush
    ) -> None:
        """Paint the rows from ``first`` down to ``bottom``, and the sticky header over them."""
        box = self.visualRect(first)
        rows = self._results.rows
        indexes = self.selectionModel().selectedIndexes()
        selected = indexes[0].row() if indexes else -1
        is_current = selected == self.currentIndex().row()
        mouse = self._mouse
        if mouse is not None and mouse < self._covered():
            mouse = None  # over the sticky header
        canvas = self._delegate.canvas(
            painter,
            self,
            box,
            selected=selected,
            has_focus=is_current and (self.hasFocus() or self.viewport().hasFocus()),
            mouse=mouse,
        )
        top = box.top()
        for number in range(first.row(), len(rows)):
            if top > bottom:
                break
            self._delegate.paint_row(canvas, rows[number], number, top)
            top += self._delegate.height(rows[number])
        sticky = self._sticky_header()
        if sticky is not None:
            number, sticky_top = sticky
            header = rows[number]
            assert isinstance(header, HeaderRow)
            row = replace(header, first=True)  # without the space above
            self._delegate.paint_sticky_header(canvas, row, sticky_top, background)

    def _row_at(self, y: int) -> QModelIndex:
        return super().indexAt(QPoint(self.viewport().width() // 2, max(0, y)))

    def _sticky_header(self) -> tuple[int, int] | None:
        """Return the header to keep at the top of the view while the rows of its note scroll by.

        That is the index of its row, and the y coordinate at which to paint it, negative while the
        next header pushes it out; None if the row itself is in view.
        """
        top_row = self._row_at(0).row()
        headers = [n for n, row in enumerate(self._results.rows) if isinstance(row, HeaderRow)]
        above = [number for number in headers if number <= top_row]
        if not above:
            return None
        height = self._delegate.sticky_header_height
        if self._bottom(above[-1]) >= height:
            return None
        below = headers[len(above) :]
        top = min(0, self._bottom(below[0]) - 2 * height) if below else 0
        return above[-1], top

    def _bottom(self, number: int) -> int:
        box = self.visualRect(self._results.index(number))
        return box.top() + box.height()

    def _covered(self) -> int:
        """Return how many pixels at the top of the view the sticky header covers."""
        sticky = self._sticky_header()
        return 0 if sticky is None else sticky[1] + self._delegate.sticky_header_height

    def indexAt(self, point: QPoint) -> QModelIndex:
        """Return the row that the user sees at ``point``, which may be the sticky header."""
        sticky = self._sticky_header()
        if sticky is not None and 0 <= point.y() < self._covered():
            return self._results.index(sticky[0])
        return super().indexAt(point)

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Scroll until ``index`` is in view, not behind the sticky header."""
        super().scrollTo(index, hint)
        hidden = self._covered() - self.visualRect(index).top()
        if hidden > 0 and not isinstance(self._results.row(index), HeaderRow):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - hidden)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll, and paint the sticky header again, because Qt moves it with the painted rows."""
        super().scrollContentsBy(dx, dy)
        height = self._delegate.row_heights[1] + max(0, dy)
        self.viewport().update(0, 0, self.viewport().width(), height)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Repaint only rows in view if only snippets changed; Qt would lay out all rows again."""
        if list(roles) != [SNIPPET_ROLE]:
            super().dataChanged(first, last, list(roles))
            return
        view = self.viewport()
        for row in range(first.row(), last.row() + 1):
            box = self.visualRect(self._results.index(row))
            if box.top() >= view.height():
                return
            view.update(box)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Emit ``selected``; if the list is new, wait until it is painted."""
        super().currentChanged(current, previous)
        if self._is_restoring:
            self._after_paint.start(_MAX_PAINT_MS)
        else:
            self._emit_selected()

    @Slot()
    def _emit_selected(self) -> None:
        self._after_paint.stop()
        if self.section is not None:
            self.selected.emit(self.section)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the selection, open or unfold; leave all other keys to the window."""
        key = Qt.Key(event.key())
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        move = move_of(event, in_text=False)
        is_enter = key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if move is not None:
            self.move_selection(move)
        elif is_plain and is_enter and not event.isAutoRepeat():
            self.activate()
        elif is_plain and key == Qt.Key.Key_Right:
            self.move_selection(Move.UNFOLD)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a clicked section, unfold a clicked "more" row, or scroll to a clicked header."""
        index = self.indexAt(event.position().toPoint())
        self.touched.emit()
        self._pressed = None
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if isinstance(self._results.row(index), MoreRow):
            self._results.expand(index)
            self.select(index)
        elif self._is_selectable(index):
            super().mousePressEvent(event)
            self._pressed = event.position().toPoint()
        elif index.isValid():
            self.scrollTo(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begin to drag the pressed section; the selection does not follow the mouse."""
        if not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        moved = event.position().toPoint() - (self._pressed or event.position().toPoint())
        if moved.manhattanLength() >= QApplication.startDragDistance() and self.section:
            self._pressed = None
            self.dragged.emit(self.section)

    def viewportEvent(self, event: QEvent) -> bool:
        """Remember where the mouse is, and show a hand as cursor over "more" rows."""
        if isinstance(event, QHoverEvent):
            is_inside = event.type() != QEvent.Type.HoverLeave
            self._mouse = event.position().toPoint().y() if is_inside else None
        elif event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            row = self._results.row(self.indexAt(event.position().toPoint()))
            shapes = Qt.CursorShape
            is_more = isinstance(row, MoreRow)
            self.viewport().setCursor(shapes.PointingHandCursor if is_more else shapes.ArrowCursor)
        return bool(super().viewportEvent(event))

    def _open_clicked(self, index: QModelIndex) -> None:
        if self._results.section(index) is not None:
            self.opened.emit()

    def _target(self, move: Move) -> QModelIndex:
        current = self.currentIndex()
        if move is Move.FIRST or not current.isValid():
            return self._next_selectable(0, 1)
        if move is Move.LAST:
            return self._next_selectable(len(self._results.rows) - 1, -1)
        if move in {Move.UP, Move.DOWN}:
            step = 1 if move is Move.DOWN else -1
            return self._next_selectable(current.row() + step, step)
        action = QAbstractItemView.CursorAction
        page = action.MovePageUp if move is Move.PAGE_UP else action.MovePageDown
        landed = self.moveCursor(page, Qt.KeyboardModifier.NoModifier)
        step = -1 if move in _BACKWARD else 1
        target = self._next_selectable(landed.row(), step)
        return target if target.isValid() else self._next_selectable(landed.row(), -step)

    def _next_selectable(self, row: int, step: int) -> QModelIndex:
        """Return the first selectable row from ``row`` on, down (1) or up (-1); else invalid."""
        while 0 <= row < len(self._results.rows):
            index = self._results.index(row)
            if self._is_selectable(index):
                return index
            row += step
        return QModelIndex()

    def _is_selectable(self, index: QModelIndex) -> bool:
        return bool(self._results.flags(index) & Qt.ItemFlag.ItemIsSelectable)

    def _set_current(self, index: QModelIndex) -> None:
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)

    def _numbered(self) -> Iterator[tuple[int, QModelIndex]]:
        """Return a digit from 1 to 9 and the row of each section that is completely in view."""
        self.executeDelayedItemsLayout()
        seen = self.viewport().rect().adjusted(0, self._covered(), 0, 0)
        indexes = map(self._results.index, range(len(self._results.rows)))
        sections = filter(self._results.section, indexes)
        whole = (index for index in sections if seen.contains(self.visualRect(index)))
        return zip(range(1, 10), whole, strict=False)


_DELAY_MS = 150
"""Digits appear only after this time, not while the user presses Alt+Up, for example."""


class RowDigits(QObject):
    """Shows digits on the rows while Alt is held; emits ``chosen`` when a digit selects one."""

    chosen = Signal()

    def __init__(self, window: QWidget, view: ResultsView) -> None:
        super().__init__(window)
        self._view = view
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self._show)
        window.installEventFilter(self)
        for digit in range(1, 10):
            shortcut = QShortcut(QKeySequence(f"Alt+{digit}"), window)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(self._choose)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the digits while Alt is held alone and the window is active."""
        if watched is not self.parent():
            # If the desktop takes Alt+Shift+Up, the window never learns that Alt was released.
            if isinstance(event, QInputEvent) and not _has_alt(event):
                self._hide()
        elif event.type() == QEvent.Type.WindowDeactivate:
            self._hide()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
                self._delay.start()
            elif event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat():
                self._hide()
        return bool(super().eventFilter(watched, event))

    @Slot()
    def _show(self) -> None:
        self._view.set_numbered(True)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def _hide(self) -> None:
        self._delay.stop()
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._view.set_numbered(False)

    @Slot()
    def _choose(self) -> None:
        shortcut = self.sender()
        assert isinstance(shortcut, QShortcut)
        digit = int(shortcut.key().toString().removeprefix("Alt+"))
        self._hide()
        if self._view.select_numbered(digit):
            self.chosen.emit()


def _has_alt(event: QInputEvent) -> bool:
    """Return whether Alt is held down or is the key of the event."""
    if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
        return True
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
