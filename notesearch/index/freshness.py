"""Lets other threads wait until this process, or another one, has indexed all changes."""

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.index import scan
from notesearch.index.scan import Change
from notesearch.index.scheduling import Hints, SaveThrottle

if TYPE_CHECKING:
    from notesearch.store.reader import Reader

_POLL_S = 0.004
_LISTING_POLL_S = 0.02


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
        """Record that all hints are indexed by words, or cannot be.

        ``looked`` says that the indexing thread has looked at changes.
        """
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
        """If the last turn was urgent, make the next one urgent, too: it takes the same notes."""
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
