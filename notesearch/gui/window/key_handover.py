"""Gives a window that opens the keys that are pressed before it has the keyboard focus."""

from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

_LONGEST_MS = 1000
"""Some desktops never give the focus to a new window; the keys then go to the old one again."""

_OF_SHORTCUTS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


class KeyHandover(QObject):
    """Passes keys from other windows to the new window ``opened``, until that is active.

    To create the settings takes longer than to press a key, and the desktop gives them the focus
    still later. What is typed meanwhile must not change the query.
    """

    def __init__(self, opened: QWidget) -> None:
        super().__init__(opened)
        end = QTimer(self, singleShot=True, interval=_LONGEST_MS)
        end.timeout.connect(self.deleteLater)
        end.start()
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    @property
    def _opened(self) -> QWidget:
        """The new window: a reference to it would keep it alive and destroy it with this child."""
        return cast(QWidget, self.parent())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass on a key that another window gets; leave shortcuts with Ctrl or Alt to that."""
        if not isinstance(event, QKeyEvent) or event.modifiers() & _OF_SHORTCUTS:
            return False
        if self._opened.isActiveWindow() or not self._opened.isVisible():
            self.deleteLater()
            return False
        if event.type() == QEvent.Type.ShortcutOverride and not self._is_inside(watched):
            event.accept()  # the key is no shortcut of the other window
            return True
        if watched.isWindowType() and watched is not self._opened.windowHandle():
            QApplication.sendEvent(self._opened.focusWidget() or self._opened, event)
            return True
        return False

    def _is_inside(self, part: QObject) -> bool:
        if isinstance(part, QWidget):
            return part.window() is self._opened
        return part is self._opened.windowHandle()
