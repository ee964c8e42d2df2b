"""Whether the index knows of all that happened so far, for whoever wants to wait for that."""

import threading
import time
from collections.abc import Callable

from notesearch.index.hints import Hints
from notesearch.index.pacing import Pacing

_LOOK_S = 0.004

_ASKED_S = 0.1
"""How often it is looked whether another process asks for what is held back."""


class Current:
    """Told by the indexing thread what it is at; waited for by any other."""

    def __init__(self, hints: Hints, pacing: Pacing, asked: Callable[[], bool]) -> None:
        """Take what is waited for; ``asked`` tells whether another process waits since."""
        self._asked = asked
        self._hints = hints
        self._pacing = pacing
        self._done = threading.Event()
        self._hurried = threading.Event()
        self._in_hurry = False
        self.turns = 0
        """How often something was hinted at and looked at."""

    def begin(self) -> None:
        """Hints are about to be taken."""
        self._done.clear()

    def done(self, *, looked: bool = False) -> None:
        """What was hinted at is found by words, or nothing can be done for that here."""
        self.turns += looked
        self._done.set()

    def ask_again(self) -> None:
        """Have the indexing thread try once more what it could not do, and ``wait`` for that.

        A process that was in its way may have ended.
        """
        self._done.clear()
        self._hints.ready.set()

    def idle(self, seconds: float) -> bool:
        """Wait for a hint, or until somebody is in a hurry; return whether either came."""
        until = time.monotonic() + seconds
        while self._pacing.holds_back and time.monotonic() < until:
            if self._asked():
                self._hurry()
            if self._hints.ready.wait(_ASKED_S):
                return True
        return self._hints.ready.wait(max(0.0, until - time.monotonic()))

    def _hurry(self) -> None:
        self._hurried.set()
        self._hints.ready.set()

    def take_hurry(self) -> bool:
        """Return whether somebody waits for a note that is saved too often to be read each time."""
        self._in_hurry = self._hurried.is_set()
        self._hurried.clear()
        return self._in_hurry

    def stay_hurried(self) -> None:
        """Go on hurrying, where that was in a hurry: what was looked at has to be once more."""
        if self._in_hurry:
            self._hurry()

    def wait(self, seconds: float) -> bool:
        """Wait until what changed so far is found by words; return whether it is by then.

        Where another process indexes, or indexing fails, there is nothing to wait for.
        """
        until = time.monotonic() + seconds
        while True:
            if self._pacing.holds_back:
                self._hurry()
            elif self._done.is_set() and not self._hints.ready.is_set():
                return True
            if time.monotonic() >= until:
                return False
            time.sleep(_LOOK_S)
