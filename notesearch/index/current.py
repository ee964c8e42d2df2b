"""Whether the index knows of all that happened so far, for whoever wants to wait for that."""

import threading
import time

from notesearch.index.watcher import Hints

_LOOK_S = 0.004


class Current:
    """Told by the indexing thread what it is at; waited for by any other."""

    def __init__(self, hints: Hints) -> None:
        self._hints = hints
        self._done = threading.Event()

    def begin(self) -> None:
        """Hints are about to be taken."""
        self._done.clear()

    def done(self) -> None:
        """What was hinted at is found by words, or nothing can be done for that here."""
        self._done.set()

    def wait(self, seconds: float) -> bool:
        """Wait until what changed so far is found by words; return whether it is by then.

        Where another process indexes, or indexing fails, there is nothing to wait for.
        """
        until = time.monotonic() + seconds
        while self._hints.ready.is_set() or not self._done.is_set():
            if time.monotonic() >= until:
                return False
            time.sleep(_LOOK_S)
        return True
