"""Has the thread that indexes stand still, in turns, while somebody types in a window.

Python runs one thread at a time: what is painted for a letter waits for the one that indexes.
"""

import time
from collections.abc import Callable

ASKED_S = 0.25
"""From a wish until what answers it is painted, the preview too."""

STILL_S = 0.1
WORK_S = 0.05
"""Indexing goes on for so long after it stood still: somebody may type for minutes."""


class Standstill:
    """Waits in the thread that indexes; another one says that somebody wants something."""

    def __init__(
        self, wait: Callable[[float], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take what waits so many seconds, or returns true before where all is to end."""
        self._wait, self._clock = wait, clock
        self._asked_until = self._works_until = 0.0

    def ask(self) -> None:
        """Have the other thread stand still: somebody waits for a window."""
        self._asked_until = self._clock() + ASKED_S

    def keep(self) -> None:
        """Wait, where that is asked and it is not too soon again."""
        now = self._clock()
        if not self._works_until <= now < self._asked_until:
            return
        until = now + STILL_S
        # Another letter may be typed meanwhile.
        while (left := min(self._asked_until, until) - self._clock()) > 0:
            if self._wait(left):
                return
        self._works_until = self._clock() + WORK_S
