"""A card over a window's content that closes when it loses the focus."""

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import px

_MARGIN = 12
_FOOT = 32


class Popover(QWidget):
    """Covers its window and shows a card; Escape or a click outside the card closes it.

    It is a child of its window, not a window: it never takes the focus from that window, and its
    position is right on Wayland too.

    Attributes:
        card: The visible part.

    Signals:
        closed: It was closed, for whatever reason.
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
        """Whether it is shown, or will be with its window."""
        return not self.isHidden()

    def pop_up(self, focus: QWidget, anchor: QWidget | None = None) -> None:
        """Show it.

        Args:
            focus: The part of the card that gets the focus.
            anchor: The widget to place it below; without one, it is at the bottom right.
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
        """Hide it and return the focus to where it was."""
        if not self.is_open:
            return
        QApplication.instance().focusChanged.disconnect(self._on_focus_changed)  # type: ignore[union-attr]
        self.window().removeEventFilter(self)
        inside = self._holds(self.window().focusWidget())
        self.hide()
        if inside:
            self._restore_focus()
        self._before = self._anchor = None
        self.closed.emit()

    def _restore_focus(self) -> None:
        """Return the focus; to the search field if the previous widget is gone."""
        before, window = self._before, self.window()
        if before is None or not (before.isVisibleTo(window) and before.isEnabled()):
            before = window.findChild(SearchField)
        if before is not None:
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def preferred_size(self) -> QSize:
        """Return the preferred size of the card."""
        return self.card.sizeHint()

    def place(self) -> None:
        """Place the card below the anchor or at the bottom, inside the window."""
        self.setGeometry(self.window().rect())
        margin = px(_MARGIN) + _shadow(self.window())
        room = QSize(self.width() - 2 * margin, self.height() - 2 * margin)
        size = self.preferred_size().boundedTo(room)
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
        """Follow the window's size, and close when it is hidden."""
        if watched is self.window() and self.is_open:
            if event.type() == QEvent.Type.Resize:
                self.place()
            elif event.type() == QEvent.Type.Hide:
                self.close_up()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Escape; let no key through to the window."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_up()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close when the mouse is pressed outside the card."""
        if not self.card.geometry().contains(event.position().toPoint()):
            self.close_up()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep the focus inside; Escape leaves."""
        return True

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and self.isAncestorOf(widget)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new.window() is self.window() and not self._holds(new):
            self.close_up()


def _shadow(window: QWidget) -> int:
    """Return the margin around the content of ``window``, which may hold its shadow."""
    layout = window.layout()
    return layout.contentsMargins().left() if layout is not None else 0
