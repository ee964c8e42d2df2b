"""Decides when the indexing thread indexes which changed notes; lets requests wait for that.

Hints are paths that may have changed. Three rules apply, each in its class: a note that is saved
very often is not indexed every time; indexing pauses while somebody types; new notes share
transactions.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.index import scan
from notesearch.index.scan import Change

if TYPE_CHECKING:
    from notesearch.store.reader import Reader


_MANY = 512


class Hints:
    """Collects paths that may have changed, from any thread, until they are taken."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self._lock = threading.Lock()
        self._paths: set[str] = set()
        self._everything = False

    def add(self, path: str) -> None:
        """Add a path; a few hundred of them mean "compare everything"."""
        with self._lock:
            if not self._everything:
                self._paths.add(path)
                self._everything = len(self._paths) > _MANY
        self.ready.set()

    def add_everything(self) -> None:
        """Ask for a comparison of the whole folder."""
        with self._lock:
            self._everything = True
        self.ready.set()

    def take(self) -> tuple[frozenset[str], bool]:
        """Return the paths, and whether to compare the whole folder; forget both."""
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

_MAX_SAVES = 2
_SAVES_SPAN_S = 4.0

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
    """Lets each path through at most twice in four seconds, and the last change in any case."""

    def __init__(self) -> None:
        self._indexed: dict[str, deque[float]] = {}
        self._due: dict[str, float] = {}

    @property
    def is_holding_back(self) -> bool:
        """Whether any path is waiting."""
        return bool(self._due)

    def admit(self, paths: Iterable[str], now: float | None = None) -> frozenset[str]:
        """Return which of ``paths`` and of the waiting paths may be indexed now."""
        now = time.monotonic() if now is None else now
        for path in paths:
            self._due.setdefault(path, self._due_time(path, now))
        ready = frozenset(path for path, due in self._due.items() if due <= now)
        for path in ready:
            del self._due[path]
        return ready

    def indexed(self, paths: Iterable[str], now: float | None = None) -> None:
        """Record that ``paths`` have just been indexed."""
        now = time.monotonic() if now is None else now
        for path in paths:
            self._indexed.setdefault(path, deque(maxlen=_MAX_SAVES)).append(now)
        stale = [path for path, times in self._indexed.items() if times[-1] < now - _SAVES_SPAN_S]
        for path in stale:
            del self._indexed[path]

    def clear(self) -> None:
        """Forget the waiting paths, because the whole folder is compared."""
        self._due.clear()

    def seconds_until_due(self, at_most: float, now: float | None = None) -> float:
        """Return the seconds until the next path is due, at most ``at_most``."""
        now = time.monotonic() if now is None else now
        return max(0.0, min([at_most, *(due - now for due in self._due.values())]))

    def _due_time(self, path: str, now: float) -> float:
        times = self._indexed.get(path)
        return max(now, times[0] + _SAVES_SPAN_S) if times and len(times) == _MAX_SAVES else now


class TypingPause:
    """Pauses the indexing thread now and then while somebody types.

    Python runs one thread at a time, so the results of a keystroke would be painted late. ``wait``
    waits for some seconds; it returns True at once if the program ends.
    """

    def __init__(
        self, wait: Callable[[float], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._wait = wait
        self._clock = clock
        self._typing_until = 0.0
        self._working_until = 0.0

    def record_keystroke(self) -> None:
        """Record a keystroke; may be called from any thread."""
        self._typing_until = self._clock() + TYPING_S

    def pause(self) -> None:
        """Wait while somebody types; return at once if the last pause has only just ended."""
        now = self._clock()
        if not self._working_until <= now < self._typing_until:
            return
        end = now + PAUSE_S
        # Another keystroke may come in the meantime.
        while (left := min(self._typing_until, end) - self._clock()) > 0:
            if self._wait(left):
                return
        self._working_until = self._clock() + WORK_S


class Batches:
    """Commits notes in batches, because each commit adds a segment to the word index."""

    def __init__(
        self,
        commit: Callable[[], bool],
        added: list[str],
        unsettled: list[str],
        *,
        from_nothing: bool,
    ) -> None:
        """Begin the first batch.

        Args:
            commit: Commits the open transaction; returns whether there was one.
            added: The paths of the new notes written so far.
            unsettled: The paths of notes to compare again. The notes of a failed batch move here
                from ``added``.
            from_nothing: Whether the index is being built. If not, a batch is a single note.
        """
        self._commit = commit
        self._added = added
        self._unsettled = unsettled
        self._size = _BATCH if from_nothing else 1
        self._begin()

    def _begin(self) -> None:
        self._notes = 0
        self._since = time.monotonic()
        self._reported = len(self._added)

    def written(self) -> None:
        """Count a note; commit if the batch is full or old."""
        self._notes += 1
        if self._notes >= self._size or time.monotonic() - self._since > _BATCH_S:
            self.end()

    def end(self) -> None:
        """Commit the notes written so far, and begin the next batch."""
        self._commit()
        self._begin()

    def failed(self) -> None:
        """End the batch in which a note could not be written; compare its other notes again."""
        if not self._commit():
            self._unsettled += self._added[self._reported :]
            del self._added[self._reported :]
        self._begin()


_POLL_S = 0.004


class Freshness:
    """Knows whether the indexing thread has indexed all changes; other threads wait for that."""

    def __init__(self, hints: Hints, throttle: SaveThrottle) -> None:
        self._hints = hints
        self._throttle = throttle
        self._done = threading.Event()
        self._urgent = threading.Event()
        self._closed = threading.Event()
        self._is_hurrying = False
        self.turns = 0
        """How many times the indexing thread has looked at changes."""

    def begin(self) -> None:
        """Record that the indexing thread now takes the hints; ``wait`` waits until ``done``."""
        self._done.clear()

    def done(self, *, looked: bool = False) -> None:
        """Record that all hints are indexed by words, or cannot be; ``looked``: it was a turn."""
        self.turns += looked
        self._done.set()

    def ask_again(self) -> None:
        """Make the indexing thread retry what failed; ``wait`` then waits for the result."""
        self._done.clear()
        self._hints.ready.set()

    def _hurry(self) -> None:
        self._urgent.set()
        self._hints.ready.set()

    def take_urgency(self) -> bool:
        """Return whether somebody waits for a delayed note, and reset that."""
        self._is_hurrying = self._urgent.is_set()
        self._urgent.clear()
        return self._is_hurrying

    def keep_urgency(self) -> None:
        """If the last turn was urgent, make the next one urgent: it has the same notes again."""
        if self._is_hurrying:
            self._hurry()

    def wait(self, seconds: float) -> bool:
        """Wait until a search by words finds all changes so far; return whether it does.

        Returns at once if another process indexes, if indexing fails, or after ``close``.
        """
        deadline = time.monotonic() + seconds
        while not self._closed.is_set():
            if self._throttle.is_holding_back:
                self._hurry()
            elif self._done.is_set() and not self._hints.ready.is_set():
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
        return False

    def close(self) -> None:
        """Wake all threads that wait."""
        self._closed.set()


_LISTING_POLL_S = 0.02


class OtherIndexer:
    """Waits until the other process has indexed all saved notes; thread-safe."""

    def __init__(self, vault: Path, settings: Settings) -> None:
        self._vault = vault
        self._settings = settings
        self._lock = threading.Lock()
        self._given_up: frozenset[Change] = frozenset()

    def wait(self, reader: "Reader", seconds: float) -> bool:
        """Wait until the index has the current version of every note; return whether it does.

        A change that once failed to arrive in time is not awaited again: the file may be
        unreadable, or saved too often to be indexed every time.

        Raises VaultMissingError if the folder does not exist.
        """
        deadline = time.monotonic() + seconds
        while True:
            started = time.monotonic()
            listing = scan.list_vault(self._vault, self._settings)
            missing = scan.changes(listing, reader.note_states(), self._settings.max_note_bytes)
            with self._lock:
                self._given_up &= missing  # forget those that have been indexed since
                if not missing:
                    return True
                if missing <= self._given_up:
                    return False
                took = time.monotonic() - started
                if started + took >= deadline:
                    self._given_up = missing
                    return False
            time.sleep(_LISTING_POLL_S + took)
