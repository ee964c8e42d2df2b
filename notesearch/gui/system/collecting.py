"""Has Python's collector run in the GUI thread alone, for the running program.

By itself it runs in whichever thread happens to allocate. An object of Qt in a reference cycle
that it takes down in another thread than its own ends the process, now or later.
"""

import gc

from PySide6.QtCore import QObject, QTimerEvent, Slot

_PAUSE_MS = 100
"""Between two looks: short, so that little has gathered, whose collection nobody notices."""

_STARTING = 10
"""So many times more than the youngest objects are due is the start: some ten seconds."""


class Collector(QObject):
    """Collects from a timer of its own thread what the thresholds of ``gc`` call for.

    Until ``stop`` no other thread collects.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._starting = _STARTING
        self._again = False
        gc.disable()
        self._timer = self.startTimer(_PAUSE_MS)

    def timerEvent(self, event: QTimerEvent) -> None:
        """Collect the oldest generation that is due, and the younger ones with it."""
        if self._again:
            self._again = False
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            return
        gathered, most = gc.get_count(), gc.get_threshold()
        if gathered[0] <= most[0]:
            return
        oldest = max(n for n in range(len(most)) if gathered[n] > most[n])
        if oldest and self._starting:
            gc.freeze()  # what is left of the start is the program itself: it is not looked at
            self._starting -= 1
        else:
            gc.collect(oldest)

    @Slot()
    def look_again(self) -> None:
        """Look at all there is, soon, and again leave out what is left: a vault was closed.

        What it held was there when the start was left out: some 7 MB of each vault stayed.
        """
        self._again = True

    def stop(self) -> None:
        """Leave collecting to Python again."""
        self.killTimer(self._timer)
        gc.enable()
