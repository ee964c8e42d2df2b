"""How many notes go into one transaction: some where all are new; only what is kept is told."""

import contextlib
import time
from collections.abc import Callable, Iterator

from notesearch.index.changes import Changes
from notesearch.store.writer import Writer

_NOTES = 128
_LONGEST_S = 0.5
"""What was read can be found after so long at the latest."""


@contextlib.contextmanager
def portions_of(writer: Writer, changes: Changes, *, from_nothing: bool) -> "Iterator[Portions]":
    """Have what is written go together, some notes at a time where all are new."""
    with writer.grouped() as keep:
        yield Portions(keep, changes, from_nothing=from_nothing)


class Portions:
    """Ends a transaction now and then: each writes a piece of the word list, which are joined."""

    def __init__(self, keep: Callable[[], bool], changes: Changes, *, from_nothing: bool) -> None:
        """Take what ends a transaction and says whether there was one, and what is told of it."""
        self._keep = keep
        self._changes = changes
        self._most = _NOTES if from_nothing else 1
        self._begin()

    def _begin(self) -> None:
        self._notes, self._since = 0, time.monotonic()
        self._kept = len(self._changes.added)

    def took(self) -> None:
        """Count a note; keep it with those before it where they are enough."""
        self._notes += 1
        if self._notes >= self._most or time.monotonic() - self._since > _LONGEST_S:
            self._keep()
            self._begin()

    def failed(self) -> None:
        """Have what went with a note that could not be put looked at again."""
        if not self._keep():
            self._changes.unsettled += self._changes.added[self._kept :]
            del self._changes.added[self._kept :]
        self._begin()
