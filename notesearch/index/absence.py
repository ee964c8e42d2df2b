"""Notes that are gone for so short that a program may be putting a new file in their place."""

import time
from collections.abc import Collection, Container

_SAVING_S = 0.3
_MANY = 10
"""No program saves so many notes at once: they were deleted."""


class Absences:
    """Remembers since when notes are gone."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def seen(self, paths: Container[str]) -> None:
        """Remember that ``paths`` are there."""
        self._since = {path: since for path, since in self._since.items() if path not in paths}

    def may_return(self, gone: Collection[str], now: float | None = None) -> tuple[str, ...]:
        """Return which of ``gone`` have to be looked at again before they count as deleted."""
        now = time.monotonic() if now is None else now
        if len(gone) > _MANY:
            return ()
        since = {path: self._since.get(path, now) for path in gone}
        self._since |= since
        awaited = tuple(path for path in gone if now - since[path] < _SAVING_S)
        for path in gone:
            if path not in awaited:
                del self._since[path]
        return awaited
