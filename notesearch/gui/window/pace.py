"""How long the embedding of passages will go on, by how quickly the last ones were embedded."""

import time
from collections.abc import Callable

from notesearch.status import Phase, Progress

_ENOUGH_S = 3.0


class Pace:
    """Looks at each step of the indexer and tells the time that is left.

    Attributes:
        left: Seconds until all passages are embedded; None while that is not known.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Take a clock that is never set back, in seconds."""
        self._clock = clock
        self.left: float | None = None
        self._began = 0.0
        self._first = self._last = Progress(Phase.IDLE)

    def look(self, progress: Progress) -> Progress:
        """Take in how far the indexer is, and return it."""
        self.left = self._left(progress)
        return progress

    def _left(self, progress: Progress) -> float | None:
        now, last, self._last = self._clock(), self._last, progress
        goes_on = last.phase is progress.phase is Phase.MEANING and last.done <= progress.done
        if not goes_on:
            self._began, self._first = now, progress
            return None
        made, took = progress.done - self._first.done, now - self._began
        if not made or took < _ENOUGH_S:
            return None
        return (progress.total - progress.done) * took / made
