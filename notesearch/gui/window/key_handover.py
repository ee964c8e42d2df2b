"""Gives a window that opens the keys that are pressed before it has the keyboard focus."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

_LONGEST_MS = 1000
"""Some desktops never give the focus to a new window; the keys then go to the old one again."""

_OF_SHORTCUTS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


class KeyHandover(QObject):
    """Passes keys from the window with the focus to the new window ``opened``, until that has it.

    To create the settings takes longer than to press a key, and the desktop gives them the focus
    still later. What is typed meanwhile must not change the query.
    """

    def __init__(self, opened: QWidget) -> None:
        super().__init__(opened)  # a second reference to it would form a cycle
        former = QGuiApplication.focusWindow()
        if former is None or former is opened.windowHandle():
            self.deleteLater()
            return
        former.installEventFilter(self)
        QGuiApplication.instance().focusWindowChanged.connect(self.deleteLater)  # type: ignore[union-attr]
        end = QTimer(self, singleShot=True, interval=_LONGEST_MS)
        end.timeout.connect(self.deleteLater)
        end.start()

    def eventFilter(self, _former: QObject, event: QEvent) -> bool:
        """Pass on a key; leave shortcuts with Ctrl or Alt to the former window."""
        if not isinstance(event, QKeyEvent) or event.modifiers() & _OF_SHORTCUTS:
            return False
        opened = self.parent()
        assert isinstance(opened, QWidget)
        QApplication.sendEvent(opened.focusWidget() or opened, event)
        return True
