"""A huge note takes long: it comes after all others, and is given up half way for them."""

import time
from collections.abc import Callable, Iterable

HUGE = 1 << 20
"""Bytes from which on a note takes so long that the others come first."""

_TIMES = 3
_LONGEST_S = 60.0

GivesWay = Callable[[str], bool]
"""Whether the note at a path, which is being read, is given up for now."""


class Turns:
    """Keeps the huge notes whose turn is later; none waits for ever.

    One is given up at most three times. Once it has waited for a minute it waits no longer.
    """

    def __init__(self, others: Callable[[str], bool]) -> None:
        """Take what tells whether anything but the note at a path waits to be looked at."""
        self._others = others
        self._later: set[str] = set()
        self._since: dict[str, float] = {}
        self._given_up: dict[str, int] = {}

    @property
    def later(self) -> frozenset[str]:
        """What was put off."""
        return frozenset(self._later)

    def gives_way(self, path: str, now: float | None = None) -> bool:
        """Return whether others wait for which the note at ``path`` is to be given up."""
        times = self._given_up.get(path, 0)
        if times >= _TIMES or self._is_overdue(path, now) or not self._others(path):
            return False
        self._given_up[path] = times + 1
        return True

    def compared(
        self, paths: Iterable[str], later: Iterable[str], now: float | None = None
    ) -> None:
        """Remember that ``paths`` had their turn, but for those that are put off to ``later``."""
        self._later.difference_update(paths)
        self._later.update(later)
        now = time.monotonic() if now is None else now
        self._since = {path: self._since.get(path, now) for path in self._later}
        self._given_up = {path: n for path, n in self._given_up.items() if path in self._later}

    def due(self, now: float | None = None) -> frozenset[str]:
        """Return what was put off; where others wait, only what may wait no longer."""
        hurried = self._others("")
        return frozenset(path for path in self._later if not hurried or self._is_overdue(path, now))

    def _is_overdue(self, path: str, now: float | None) -> bool:
        now = time.monotonic() if now is None else now
        return now - self._since.get(path, now) > _LONGEST_S
