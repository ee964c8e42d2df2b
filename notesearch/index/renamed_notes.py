"""Notes whose files are gone: renamed, moved, deleted, or just being saved by a program.

A renamed note keeps its vectors, because a vector belongs to a text, not to a path:
``store/identities.py`` finds the vector of each text by its hash. Only texts with the old name are
embedded again.
"""

import time
from collections.abc import Collection, Container

_MISSING_S = 0.3
"""How long a note that a program saves may be missing."""

_MAX_SAVED_AT_ONCE = 10
"""If more notes are missing at once, they were deleted: no program saves that many at once."""


class PendingDeletions:
    """Remembers how long notes have been missing, because a program may just be saving them."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def seen(self, paths: Container[str]) -> None:
        """Record that ``paths`` exist."""
        self._since = {path: since for path, since in self._since.items() if path not in paths}

    def still_pending(self, missing: Collection[str]) -> tuple[str, ...]:
        """Return the ``missing`` notes to look at again before deleting them; none if many."""
        if len(missing) > _MAX_SAVED_AT_ONCE:
            return ()
        now = time.monotonic()
        since = {path: self._since.get(path, now) for path in missing}
        self._since |= since
        pending = tuple(path for path in missing if now - since[path] < _MISSING_S)
        for path in missing:
            if path not in pending:
                del self._since[path]
        return pending
