"""What waits until a part of the window is painted, so that nothing competes with painting it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

_PAINTED_MS = 20
"""By then it is painted, or not at all: the window is hidden."""


class AfterPaint(QObject):
    """Calls ``act`` once after each ``start``: after the next paint of ``widget``."""

    def __init__(self, widget: QWidget, act: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(act)
        widget.installEventFilter(self)

    def start(self) -> None:
        """Wait for the next paint."""
        self._timer.start(_PAINTED_MS)

    def stop(self) -> None:
        """Wait no longer."""
        self._timer.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Act as soon as the paint that comes now is done."""
        if event.type() == QEvent.Type.Paint and self._timer.isActive():
            self._timer.start(0)
        return False
