"""Decides when the indexing thread indexes which changed notes.

Hints are paths that may have changed. Four rules apply, each in its class: a note that is saved
very often is not indexed every time; a note that is missing for a moment is not deleted; indexing
pauses while somebody types; notes share transactions.
"""

import threading
import time
from collections.abc import Callable, Collection, Container, Iterable, Sequence

_MANY = 512


class Hints:
    """Collects paths that may have changed, from any thread, until they are taken."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self._lock = threading.Lock()
        self._paths: set[str] = set()
        self._everything = False

    def add(self, path: str) -> None:
        """Add a path; after more than ``_MANY`` paths, the whole folder is to be compared."""
        with self._lock:
            if not self._everything:
                self._paths.add(path)
                self._everything = len(self._paths) > _MANY
        self.ready.set()

    def add_everything(self) -> None:
        """Ask for a comparison of all files in the folder with the index."""
        with self._lock:
            self._everything = True
        self.ready.set()

    def take(self) -> tuple[frozenset[str], bool]:
        """Return the paths, and whether to compare all files with the index; forget both."""
        with self._lock:
            self.ready.clear()
            paths = frozenset(self._paths)
            everything = self._everything
            self._paths = set()
            self._everything = False
            return paths, everything


HUGE = 1 << 20
"""A note of at least this many bytes takes so long to index that all others come first: the
indexer postpones it."""

_MISSING_S = 0.3
"""How long a note that a program saves may be missing."""

MAX_SAVED_AT_ONCE = 10
"""If more notes are missing at once, they were deleted: no program saves that many at once."""

_SAVE_EVERY_S = 2.0

TYPING_S = 0.25
"""For this many seconds after a keystroke, somebody counts as typing: by then, the results are
painted."""
PAUSE_S = 0.1
WORK_S = 0.05
"""Indexing continues for this long after a pause, since somebody may type for minutes."""

_BATCH = 128
_BATCH_S = 0.5
"""A batch ends after this time, so that its notes can be found."""


class SaveThrottle:
    """Lets each path through every two seconds, and the last change in any case.

    A path that was not indexed for two seconds passes twice at once. One that does not exist never
    waits: a renamed note is then seen at both paths at once.
    """

    def __init__(self, exists: Callable[[str], bool]) -> None:
        self._exists = exists
        self._waiting: set[str] = set()
        self._due: dict[str, float] = {}

    @property
    def is_holding_back(self) -> bool:
        """Whether any path is waiting."""
        return bool(self._waiting)

    def admit(self, paths: Iterable[str]) -> frozenset[str]:
        """Return the paths, new or already waiting, that may be indexed now; the others wait."""
        self._waiting.update(paths)
        now = time.monotonic()
        ready = (p for p in self._waiting if self._due.get(p, now) <= now or not self._exists(p))
        return self._released(frozenset(ready))

    def admit_all(self, paths: Iterable[str]) -> frozenset[str]:
        """Return ``paths`` and all waiting paths, because somebody waits for them."""
        return self._released(frozenset((*paths, *self._waiting)))

    def _released(self, paths: frozenset[str]) -> frozenset[str]:
        self._waiting -= paths
        return paths

    def indexed(self, paths: Iterable[str]) -> None:
        """Record that ``paths`` have just been indexed."""
        now = time.monotonic()
        long_ago = now - _SAVE_EVERY_S
        recent = {path: when for path, when in self._due.items() if when > long_ago}
        due = {path: min(recent.get(path, long_ago), now) + _SAVE_EVERY_S for path in paths}
        self._due = recent | due

    def clear(self) -> None:
        """Forget the waiting paths, because all files are compared with the index anyway."""
        self._waiting.clear()

    def seconds_until_due(self, at_most: float) -> float:
        """Return the seconds until the next path is due, at most ``at_most``."""
        now = time.monotonic()
        return max(0.0, min([at_most, *(self._due.get(p, now) - now for p in self._waiting)]))


class PendingDeletions:
    """Remembers how long notes have been missing, because a program may just be saving them."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def seen(self, paths: Container[str]) -> None:
        """Record that ``paths`` exist."""
        self._since = {path: since for path, since in self._since.items() if path not in paths}

    def still_pending(self, missing: Collection[str]) -> tuple[str, ...]:
        """Return the ``missing`` notes to look at again before deleting them; none if many."""
        if len(missing) > MAX_SAVED_AT_ONCE:
            return ()
        now = time.monotonic()
        since = {path: self._since.get(path, now) for path in missing}
        self._since |= since
        pending = tuple(path for path in missing if now - since[path] < _MISSING_S)
        for path in missing:
            if path not in pending:
                del self._since[path]
        return pending


class TypingPause:
    """Pauses the indexing thread now and then while somebody types.

    Python runs one thread at a time, so the results of a keystroke would be painted late.

    The function ``wait`` waits for that many seconds; it returns True at once if the program ends.
    """

    def __init__(self, wait: Callable[[float], bool]) -> None:
        self._wait = wait
        self._typing_until = 0.0
        self._working_until = 0.0

    def record_keystroke(self) -> None:
        """Record a keystroke; may be called from any thread."""
        self._typing_until = time.monotonic() + TYPING_S

    def pause(self) -> None:
        """Wait while somebody types, for 0.1 s at most; do nothing soon after another pause."""
        now = time.monotonic()
        if not self._working_until <= now < self._typing_until:
            return
        end = now + PAUSE_S
        # Another keystroke may come in the meantime.
        while (left := min(self._typing_until, end) - time.monotonic()) > 0:
            if self._wait(left):
                return
        self._working_until = time.monotonic() + WORK_S


class Batches:
    """Commits notes in batches, because each commit adds a segment to the word index."""

    def __init__(
        self, commit: Callable[[], bool], written: Sequence[list[str]], unsettled: list[str]
    ) -> None:
        """Begin the first batch.

        Args:
            commit: Commits the open transaction; returns whether there was one.
            written: Lists of paths, such as those of new and of changed notes. Each list grows with
                the notes that are written.
            unsettled: The paths of notes to compare again. If a batch fails, all its notes go here,
                and leave the lists ``written``.
        """
        self._commit = commit
        self._written = written
        self._unsettled = unsettled
        self._begin()

    def _begin(self) -> None:
        self._notes: list[str] = []
        self._since = time.monotonic()
        self._committed = [len(paths) for paths in self._written]

    def add(self, path: str) -> None:
        """Add the note at ``path``, which was just handled; commit if the batch is full or old."""
        self._notes.append(path)
        if len(self._notes) >= _BATCH or time.monotonic() - self._since > _BATCH_S:
            self.end()

    def end(self) -> None:
        """Commit the notes written so far, and begin the next batch."""
        self._commit()
        self._begin()

    def failed(self) -> None:
        """End the batch in which a note could not be written; compare its other notes again."""
        if not self._commit():
            again = self._notes
            for paths, count in zip(self._written, self._committed, strict=True):
                again += paths[count:]
                del paths[count:]
            self._unsettled.extend(dict.fromkeys(again))
        self._begin()
