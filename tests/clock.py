"""A clock that a test moves."""

import threading


class Clock:
    """Stands in for the module ``time``, and for an event that a thread waits for.

    Attributes:
        now: The time in seconds.
        waited: How many of these passed in ``wait``.
        is_set: What ``wait`` returns: whether the event happened.
    """

    def __init__(self, now: float = 0.0) -> None:
        self.now = now
        self.waited = 0.0
        self.is_set = False
        self._lock = threading.Lock()

    def monotonic(self) -> float:
        """Return the time."""
        return self.now

    perf_counter = monotonic

    def advance(self, seconds: float) -> None:
        """Let time pass; threads may do so together."""
        with self._lock:
            self.now += seconds

    def wait(self, seconds: float) -> bool:
        """Advance at once instead of waiting."""
        self.advance(seconds)
        self.waited += seconds
        return self.is_set
