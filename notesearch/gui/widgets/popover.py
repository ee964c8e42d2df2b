"""A card over the contents of a window, for as long as the keyboard stays in it."""

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import px

_MARGIN = 12
_FOOT = 32


class Popover(QWidget):
    """Covers its window and shows a card on it; gone by Escape or a click beside the card.

    It is a part of its window and no window itself: it never takes the focus from that window, and
    stands where it should on Wayland too.

    Attributes:
        card: What is seen of it.

    Signals:
        closed: It was closed, whatever the reason.
    """

    closed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.card = QFrame(self)
        self.card.setObjectName("popover")
        self._anchor: QWidget | None = None
        self._before: QWidget | None = None
        self.hide()

    @property
    def is_open(self) -> bool:
        """Whether it is on show, or will be with its window."""
        return not self.isHidden()

    def pop_up(self, focus: QWidget, anchor: QWidget | None = None) -> None:
        """Show it and give ``focus`` the keyboard.

        Args:
            focus: A part of the card.
            anchor: What it belongs to: it stands below that; without one, at the right foot.
        """
        if not self.is_open:
            self._before = self.window().focusWidget()
            self.window().installEventFilter(self)
            QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]
        self._anchor = anchor
        self.place()
        self.show()
        self.raise_()
        focus.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def close_up(self) -> None:
        """Take it away; the keyboard goes back to where it was."""
        if not self.is_open:
            return
        QApplication.instance().focusChanged.disconnect(self._on_focus_changed)  # type: ignore[union-attr]
        self.window().removeEventFilter(self)
        inside = self._holds(self.window().focusWidget())
        self.hide()
        if inside:
            self._give_back()
        self._before = self._anchor = None
        self.closed.emit()

    def _give_back(self) -> None:
        """Give the keyboard back: to the search field where what had it is gone meanwhile."""
        before, window = self._before, self.window()
        if before is None or not (before.isVisibleTo(window) and before.isEnabled()):
            before = window.findChild(SearchField)
        if before is not None:
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def wanted_size(self) -> QSize:
        """Return how large the card would like to be."""
        return self.card.sizeHint()

    def place(self) -> None:
        """Put the card below the anchor, or at the foot where the hints are, inside the window."""
        self.setGeometry(self.window().rect())
        margin = px(_MARGIN) + _shadow(self.window())
        room = QSize(self.width() - 2 * margin, self.height() - 2 * margin)
        size = self.wanted_size().boundedTo(room)
        right, bottom = self.width() - margin, self.height() - margin
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if self._anchor is None:
            left = margin if mirrored else right - size.width()
            corner = QPoint(left, bottom - px(_FOOT) - size.height())
        else:
            left = 0 if mirrored else self._anchor.width() - size.width()
            corner = self._anchor.mapTo(self.window(), QPoint(left, self._anchor.height() + px(4)))
        corner.setX(max(margin, min(corner.x(), right - size.width())))
        corner.setY(max(margin, min(corner.y(), bottom - size.height())))
        self.card.setGeometry(corner.x(), corner.y(), size.width(), size.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window, and go when it is hidden."""
        if watched is self.window() and self.is_open:
            if event.type() == QEvent.Type.Resize:
                self.place()
            elif event.type() == QEvent.Type.Hide:
                self.close_up()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close by Escape; no key goes through to the window."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_up()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close when the mouse is pressed beside the card."""
        if not self.card.geometry().contains(event.position().toPoint()):
            self.close_up()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep Tab inside: Escape leads out."""
        return True

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and self.isAncestorOf(widget)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new.window() is self.window() and not self._holds(new):
            self.close_up()


def _shadow(window: QWidget) -> int:
    """Return how far the contents of ``window`` stand away from its edge."""
    layout = window.layout()
    return layout.contentsMargins().left() if layout is not None else 0
