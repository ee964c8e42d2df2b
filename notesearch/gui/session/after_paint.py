"""Work that waits until what has just changed in the windows is painted."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal

_AFTER_PAINT = QEvent.Type(QEvent.registerEventType())
_PRIORITY = Qt.EventPriority.LowEventPriority.value - 1
"""Lower than the priority with which Qt posts its requests to paint widgets."""


class AfterPaint(QObject):
    """Asks for work in the same turn of the event loop, but after everything is painted.

    Another thread that works competes with the GUI thread for Python's lock, so a letter that is
    painted while a search runs appears some milliseconds later.

    Signals:
        due: The work may start.
    """

    due = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waits = False

    @property
    def is_active(self) -> bool:
        """Whether ``due`` will be emitted."""
        return self._waits

    def start(self) -> None:
        """Emit ``due`` after the next paint. The same call again changes nothing."""
        if not self._waits:
            self._waits = True
            QCoreApplication.postEvent(self, QEvent(_AFTER_PAINT), _PRIORITY)

    def stop(self) -> None:
        """Do not emit ``due``, unless ``start`` is called again."""
        QCoreApplication.removePostedEvents(self, _AFTER_PAINT.value)
        self._waits = False

    def customEvent(self, event: QEvent) -> None:
        """Emit ``due``."""
        if event.type() == _AFTER_PAINT and self._waits:
            self._waits = False
            self.due.emit()
