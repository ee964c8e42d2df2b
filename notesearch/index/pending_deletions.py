"""Waits before a missing note counts as deleted: a program may be about to replace its file."""

import time
from collections.abc import Collection, Container

_SAVING_S = 0.3
_MAX_SAVED_AT_ONCE = 10
"""No program saves more notes at once; if more are missing, they were deleted."""


class PendingDeletions:
    """Remembers since when notes have been missing."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def seen(self, paths: Container[str]) -> None:
        """Record that ``paths`` exist."""
        self._since = {path: since for path, since in self._since.items() if path not in paths}

    def still_pending(self, missing: Collection[str], now: float | None = None) -> tuple[str, ...]:
        """Return those of the ``missing`` notes that need another look before they are deleted."""
        now = time.monotonic() if now is None else now
        if len(missing) > _MAX_SAVED_AT_ONCE:
            return ()
        since = {path: self._since.get(path, now) for path in missing}
        self._since |= since
        pending = tuple(path for path in missing if now - since[path] < _SAVING_S)
        for path in missing:
            if path not in pending:
                del self._since[path]
        return pending
