"""Tells a key that is held down from one that is pressed anew, also where Qt on X11 does not.

The X server lets a held key go and presses it again in the same moment. Qt takes that for a new
press where the two have not arrived together: Enter would open a section again and again.
"""

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

_KEYS = {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease}


class KeyRepeatFilter(QObject):
    """Marks the presses that a held key of ``window`` makes; none triggers what does not repeat."""

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._released = 0, 0
        # Shortcuts are looked for before any widget has the key: it is met where it comes in.
        (window.windowHandle() or window).installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the place of presses that Qt believes to be new."""
        if watched is self._window:
            if event.type() == QEvent.Type.Show:
                self._window.removeEventFilter(self)
                self._window.windowHandle().installEventFilter(self)
            return False
        if event.type() not in _KEYS or not isinstance(event, QKeyEvent):
            return False
        at = event.key(), event.timestamp()
        if event.type() == QEvent.Type.KeyRelease:
            self._released = at
        if event.type() == QEvent.Type.KeyRelease or at != self._released or not at[1]:
            return False
        return not event.isAutoRepeat() and self._repeat(watched, event)

    def _repeat(self, watched: QObject, event: QKeyEvent) -> bool:
        once = self._is_once(event)
        if event.type() == QEvent.Type.KeyPress and not once:
            QCoreApplication.sendEvent(watched, _repeating(event))
            return True
        if once:
            event.accept()  # of a press that may be a shortcut: it is none
        return once

    def _is_once(self, event: QKeyEvent) -> bool:
        """Return whether a shortcut has the key that holding it does not trigger again."""
        pressed = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        keys = QKeySequence(pressed.value | event.key())
        for action in self._window.actions():
            if keys in action.shortcuts():
                return not action.autoRepeat()
        shortcuts = self._window.findChildren(QShortcut)
        return any(keys == one.key() and not one.autoRepeat() for one in shortcuts)


def _repeating(event: QKeyEvent) -> QKeyEvent:
    """Return ``event`` as what it is."""
    made = QKeyEvent(
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
    made.setTimestamp(event.timestamp())
    return made


class Move(Enum):
    """Where the selection goes."""

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
    """Move the keyboard from the pane around ``focus`` to the next (1) or the previous (-1)."""
    inside = (n for n, p in enumerate(panes) if focus and (p is focus or p.isAncestorOf(focus)))
    current = next(inside, 0)
    panes[(current + step) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)
