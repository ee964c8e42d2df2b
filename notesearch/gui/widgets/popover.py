"""A card inside a window that closes when it loses the focus."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import Theme, px

_MARGIN = 12
_FOOT = 32


class Popover(QWidget):
    """A card inside a window; Escape or a click outside the card closes it.

    The popover is a transparent child widget that covers the window. Because it is not a window of
    its own, the window stays active, and the position is right even on Wayland.

    The card is made when the popover first opens. Most popovers never open, and each card would
    take time at the start and at each change of colours.

    Attributes:
        card: The visible part. The card and everything in it exist only after ``make_card``.

    Signals:
        closed: The popover was closed, by the user or by the program.
    """

    closed = Signal()
    card: QFrame

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.has_card = False
        self._anchor: QWidget | None = None
        self._before: QWidget | None = None
        self.hide()

    def make_card(self) -> None:
        """Make the card if there is none yet."""
        if not self.has_card:
            self.has_card = True
            self.card = QFrame(self)
            self.card.setObjectName("popover")
            self.fill_card()

    def fill_card(self) -> None:
        """Put the parts into the card, which is empty here; subclasses add theirs."""

    def set_theme(self, theme: Theme) -> None:
        """Apply the sizes of the current font; a subclass may also need the colours."""
        if self.is_open:
            self._fit()
            self.place_card()

    def _fit(self) -> None:
        """Apply the font sizes. Subclasses implement this."""

    @property
    def is_open(self) -> bool:
        """Whether the popover is shown, or will be shown together with its window."""
        return not self.isHidden()

    def pop_up(self, focus: QWidget, anchor: QWidget | None = None) -> None:
        """Show the card below ``anchor``, or at the bottom right; ``focus`` gets the focus."""
        if not self.is_open:
            self._before = self.window().focusWidget()
            self.window().installEventFilter(self)
            QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]
        self._anchor = anchor
        self.place_card()
        self.show()
        self.raise_()
        focus.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def close_up(self) -> None:
        """Hide the popover, and return the focus to the widget that had it before."""
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
        """Focus the widget that had the focus before; if impossible, focus the search field."""
        before = self._before
        window = self.window()
        if before is None or not (before.isVisibleTo(window) and before.isEnabled()):
            before = window.findChild(SearchField)
        if before is not None:
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def preferred_size(self) -> QSize:
        """Return the preferred size of the card."""
        return self.card.sizeHint().expandedTo(self.card.minimumSize())

    def place_card(self) -> None:
        """Place the card below the anchor, or at the bottom right, where the window is in sight."""
        self.setGeometry(self.window().rect())
        margin = px(_MARGIN)
        room = self._in_sight().adjusted(margin, margin, -margin, -margin)
        size = self.preferred_size().boundedTo(room.size())
        right = room.x() + room.width() - size.width()
        bottom = room.y() + room.height() - size.height()
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if self._anchor is None:
            corner = QPoint(room.x() if mirrored else right, bottom - px(_FOOT))
        else:
            left = 0 if mirrored else self._anchor.width() - size.width()
            corner = self._anchor.mapTo(self.window(), QPoint(left, self._anchor.height() + px(4)))
        corner.setX(max(room.x(), min(corner.x(), right)))
        corner.setY(max(room.y(), min(corner.y(), bottom)))
        self.card.setGeometry(corner.x(), corner.y(), size.width(), size.height())

    def _in_sight(self) -> QRect:
        """Return the part of the window that is on a screen, without the margin for its shadow.

        Wayland tells no program where its windows are, so it is the whole window there.
        """
        shadow = _shadow(self.window())
        whole = self.rect().adjusted(shadow, shadow, -shadow, -shadow)
        if QGuiApplication.platformName().startswith("wayland"):
            return whole
        screens = self.screen().availableVirtualGeometry()
        on_screen = whole & screens.translated(-self.mapToGlobal(QPoint()))
        return whole if on_screen.isEmpty() else on_screen

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt to a new size of the window, and close when the window is hidden."""
        if watched is self.window() and self.is_open:
            if event.type() == QEvent.Type.Resize:
                self.place_card()
            elif event.type() == QEvent.Type.Hide:
                self.close_up()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Escape. Other keys do not reach the window."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_up()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close when the mouse is pressed outside the card."""
        if not self.card.geometry().contains(event.position().toPoint()):
            self.close_up()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep the focus where it is; return True."""
        return True

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and self.isAncestorOf(widget)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new.window() is self.window() and not self._holds(new):
            self.close_up()


def _shadow(window: QWidget) -> int:
    """Return the width in pixels of the margin of ``window``, in which it may paint a shadow."""
    layout = window.layout()
    return layout.contentsMargins().left() if layout is not None else 0
