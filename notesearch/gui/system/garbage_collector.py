"""Python's garbage collection, kept to the GUI thread.

By default it runs in whichever thread allocates. If it destroys a Qt object in another thread than
the object's own, the process crashes, at once or later.
"""

import gc

from PySide6.QtCore import QObject, QTimer, QTimerEvent, Slot

_PAUSE_MS = 100
"""Short, so that each collection has little to do."""

_START_MS = 10_000


class GarbageCollector(QObject):
    """Collects garbage from a timer of the GUI thread; until ``stop`` no other thread does.

    What exists after the first seconds is the program itself. It is frozen, because looking through
    it takes 40 ms each time and finds nothing.
    """

    def __init__(self, parent: QObject | None = None, start_ms: int = _START_MS) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = 0
        QTimer.singleShot(start_ms, self, self._begin)

    @Slot()
    def _begin(self) -> None:
        gc.freeze()
        self._timer = self.startTimer(_PAUSE_MS)

    def timerEvent(self, event: QTimerEvent) -> None:
        """Collect the oldest generation whose threshold is exceeded, and the younger ones."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [n for n, count in enumerate(counts) if count > thresholds[n]]
        if 0 in due:
            gc.collect(due[-1])

    def stop(self) -> None:
        """Leave collecting to Python again."""
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        gc.enable()
