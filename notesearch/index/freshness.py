"""Whether the index is up to date with all changes so far, for threads that wait for it."""

import threading
import time
from collections.abc import Callable

from notesearch.index.hints import Hints
from notesearch.index.scheduling import SaveThrottle

_POLL_S = 0.004

_REQUEST_POLL_S = 0.1
"""How often to look whether another process asks for notes that are held back."""


class Freshness:
    """Set by the indexing thread; other threads wait for it.

    Args:
        hints: The changes that are not indexed yet.
        throttle: Holds back notes that are saved over and over.
        requested: Returns whether another process has asked for the notes held back.
    """

    def __init__(self, hints: Hints, throttle: SaveThrottle, requested: Callable[[], bool]) -> None:
        self._requested = requested
        self._hints = hints
        self._throttle = throttle
        self._done = threading.Event()
        self._urgent = threading.Event()
        self._is_hurrying = False
        self.turns = 0
        """How many times changes have been indexed."""

    def begin(self) -> None:
        """Record that hints are about to be taken."""
        self._done.clear()

    def done(self, *, looked: bool = False) -> None:
        """Record that all hints are indexed by words, or cannot be indexed here."""
        self.turns += looked
        self._done.set()

    def ask_again(self) -> None:
        """Make the indexing thread retry what it could not do, and make ``wait`` wait for that.

        A process that was in its way may have ended.
        """
        self._done.clear()
        self._hints.ready.set()

    def idle(self, seconds: float) -> bool:
        """Wait for a hint or an urgent request; return whether one came within ``seconds``."""
        deadline = time.monotonic() + seconds
        while self._throttle.is_holding_back and time.monotonic() < deadline:
            if self._requested():
                self._hurry()
            if self._hints.ready.wait(_REQUEST_POLL_S):
                return True
        return self._hints.ready.wait(max(0.0, deadline - time.monotonic()))

    def _hurry(self) -> None:
        self._urgent.set()
        self._hints.ready.set()

    def take_urgency(self) -> bool:
        """Return whether somebody waits for a note that is held back, and reset that."""
        self._is_hurrying = self._urgent.is_set()
        self._urgent.clear()
        return self._is_hurrying

    def keep_urgency(self) -> None:
        """Keep hurrying, if it was urgent, because the same notes need another look."""
        if self._is_hurrying:
            self._hurry()

    def wait(self, seconds: float) -> bool:
        """Wait until all changes so far are found by words; return whether they are.

        Returns at once if another process indexes, or if indexing fails.
        """
        deadline = time.monotonic() + seconds
        while True:
            if self._throttle.is_holding_back:
                self._hurry()
            elif self._done.is_set() and not self._hints.ready.is_set():
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
