"""How often one note is indexed while a program saves it again and again."""

import time
from collections import deque
from collections.abc import Iterable

_BURST = 2
_SPAN_S = 4.0


class Pacing:
    """Lets each path through at most twice in four seconds; the last change is never lost."""

    def __init__(self) -> None:
        self._taken: dict[str, deque[float]] = {}
        self._later: dict[str, float] = {}

    @property
    def holds_back(self) -> bool:
        """Whether any path waits for its turn."""
        return bool(self._later)

    def admit(self, paths: Iterable[str], now: float | None = None) -> frozenset[str]:
        """Return which of ``paths``, and of those that waited, are looked at now."""
        now = time.monotonic() if now is None else now
        for path in paths:
            self._later.setdefault(path, self._due(path, now))
        ready = frozenset(path for path, due in self._later.items() if due <= now)
        for path in ready:
            del self._later[path]
        return ready

    def indexed(self, paths: Iterable[str], now: float | None = None) -> None:
        """Remember that ``paths`` were indexed now."""
        now = time.monotonic() if now is None else now
        for path in paths:
            self._taken.setdefault(path, deque(maxlen=_BURST)).append(now)
        stale = [path for path, taken in self._taken.items() if taken[-1] < now - _SPAN_S]
        for path in stale:
            del self._taken[path]

    def forget(self) -> None:
        """Let nothing wait: all is looked at."""
        self._later.clear()

    def wait(self, longest: float, now: float | None = None) -> float:
        """Return the seconds until the next path is due, ``longest`` at most."""
        now = time.monotonic() if now is None else now
        return max(0.0, min([longest, *(due - now for due in self._later.values())]))

    def _due(self, path: str, now: float) -> float:
        taken = self._taken.get(path)
        return max(now, taken[0] + _SPAN_S) if taken and len(taken) == _BURST else now
