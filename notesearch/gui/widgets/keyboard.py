"""Keys in both windows: auto-repeat, moves of the selection, and moves between panes."""

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

_KEYS = {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease}


class KeyRepeatFilter(QObject):
    """Marks the repeated presses of a held key in ``window`` as auto-repeat.

    On X11, a held key sends a release and a press event with the same time. If these do not arrive
    together, Qt takes the press for a new one, and Enter would open a section again and again.
    """

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._released = 0, 0
        # Shortcuts are matched before a widget gets the key, so filter at the native window.
        (window.windowHandle() or window).installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Mark presses as auto-repeat that Qt takes for new ones."""
        if watched is self._window:
            if event.type() == QEvent.Type.Show:
                self._window.removeEventFilter(self)
                self._window.windowHandle().installEventFilter(self)
            return False
        if event.type() not in _KEYS or not isinstance(event, QKeyEvent):
            return False
        key_and_time = event.key(), event.timestamp()
        if event.type() == QEvent.Type.KeyRelease:
            self._released = key_and_time
            return False
        if key_and_time != self._released or not event.timestamp():
            return False
        return not event.isAutoRepeat() and self._replace(watched, event)

    def _replace(self, watched: QObject, event: QKeyEvent) -> bool:
        once = self._is_once(event)
        if event.type() == QEvent.Type.KeyPress and not once:
            QCoreApplication.sendEvent(watched, _as_repeat(event))
            return True
        if once:
            event.accept()  # so that it triggers no shortcut
        return once

    def _is_once(self, event: QKeyEvent) -> bool:
        """Return whether the key belongs to a shortcut that must not repeat."""
        pressed = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        keys = QKeySequence(pressed.value | event.key())
        for action in self._window.actions():
            if keys in action.shortcuts():
                return not action.autoRepeat()
        shortcuts = self._window.findChildren(QShortcut)
        return any(keys == other.key() and not other.autoRepeat() for other in shortcuts)


def _as_repeat(event: QKeyEvent) -> QKeyEvent:
    """Return a copy of ``event`` that is marked as auto-repeat."""
    repeated = QKeyEvent(
        event.type(),
        event.key(),
        event.modifiers(),
        event.nativeScanCode(),
        event.nativeVirtualKey(),
        event.nativeModifiers(),
        event.text(),
        True,
        event.count(),
    )
    repeated.setTimestamp(event.timestamp())
    return repeated


class Move(Enum):
    """How a key moves the selection in the result list; ``UNFOLD`` shows more of a note instead."""

    UP = "up"
    DOWN = "down"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    FIRST = "first"
    LAST = "last"
    UNFOLD = "unfold"


MOVE_KEYS = {
    Qt.Key.Key_Up: Move.UP,
    Qt.Key.Key_Down: Move.DOWN,
    Qt.Key.Key_PageUp: Move.PAGE_UP,
    Qt.Key.Key_PageDown: Move.PAGE_DOWN,
    Qt.Key.Key_Home: Move.FIRST,
    Qt.Key.Key_End: Move.LAST,
}


def focus_next_pane(panes: Sequence[QWidget], focus: QWidget | None, step: int) -> None:
    """Focus the pane after (1) or before (-1) the pane that contains ``focus``, as F6 does."""
    inside = (n for n, p in enumerate(panes) if focus and (p is focus or p.isAncestorOf(focus)))
    current = next(inside, 0)
    panes[(current + step) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)
