"""Waits until the index is up to date, whether this process or another one indexes the vault."""

import contextlib
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch import private_files
from notesearch.config import Settings
from notesearch.index import scan
from notesearch.index.scan import has_changed
from notesearch.index.scheduling import Hints, SaveThrottle

if TYPE_CHECKING:
    from notesearch.store.reader import Reader
    from notesearch.store.rows import FileState

_POLL_S = 0.004

_REQUEST_POLL_S = 0.1
"""How often to look whether another process asks for notes that are held back."""


class IndexRequest:
    """A file next to the index that asks the indexing process to index delayed notes now.

    It exists only from the request until its answer.
    """

    def __init__(self, index_file: Path) -> None:
        self._file = index_file.with_name(index_file.name + ".asked")

    def make(self) -> None:
        """Create the request file; if that fails, the notes are indexed a little later."""
        with contextlib.suppress(OSError):
            private_files.make_file(self._file)

    def take(self) -> bool:
        """Return whether there is a request, and remove it."""
        try:
            self._file.unlink()
        except OSError:
            return False
        return True


class Freshness:
    """Knows whether the indexing thread has indexed all changes; other threads wait for that.

    Args:
        hints: The changes that the watcher has reported and that are not indexed yet.
        throttle: Delays notes that are saved very often.
        request: The request of another process for the delayed notes.
    """

    def __init__(self, hints: Hints, throttle: SaveThrottle, request: IndexRequest) -> None:
        self._request = request
        self._hints = hints
        self._throttle = throttle
        self._done = threading.Event()
        self._urgent = threading.Event()
        self._closed = threading.Event()
        self._is_hurrying = False
        self.turns = 0
        """How many times the indexing thread has looked at changes."""

    def begin(self) -> None:
        """Record that the indexing thread is about to take the hints.

        ``wait`` now waits until they are indexed.
        """
        self._done.clear()

    def done(self, *, looked: bool = False) -> None:
        """Record that all hints are indexed by words, or cannot be indexed here.

        ``looked`` says that the thread has examined changes; ``turns`` counts how often.
        """
        self.turns += looked
        self._done.set()

    def ask_again(self) -> None:
        """Make the indexing thread retry what failed; ``wait`` then waits for the result.

        The failure may be over: the process that was in the way may have ended.
        """
        self._done.clear()
        self._hints.ready.set()

    def idle(self, seconds: float) -> bool:
        """Wait for a hint or an urgent request; return whether one came within ``seconds``."""
        deadline = time.monotonic() + seconds
        while self._throttle.is_holding_back and time.monotonic() < deadline:
            if self._request.take():
                self._hurry()
            if self._hints.ready.wait(_REQUEST_POLL_S):
                return True
        return self._hints.ready.wait(max(0.0, deadline - time.monotonic()))

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

_USUAL_S = 0.3
"""The other process usually indexes a saved note within this time; if not, it is asked to hurry."""

_Change = tuple[str, "FileState | None"]
"""A path and its file's state; None for a deleted file."""


class OtherIndexer:
    """Waits until the other process has indexed all saved notes; safe to share between threads.

    Args:
        vault: The folder.
        settings: The settings, which say which files are notes.
        request: The request to the other process to index delayed notes now.
    """

    def __init__(self, vault: Path, settings: Settings, request: IndexRequest) -> None:
        self._request = request
        self._vault = vault
        self._settings = settings
        self._lock = threading.Lock()
        self._given_up: frozenset[_Change] = frozenset()

    def wait(self, reader: "Reader", seconds: float) -> bool:
        """Wait until the index has the current version of every note; return whether it does.

        A change that once failed to arrive in time is not awaited again: the file may be
        unreadable, or saved too often to be indexed every time.

        Raises:
            VaultMissingError: The folder does not exist.
        """
        request_at = time.monotonic() + _USUAL_S
        deadline = time.monotonic() + seconds
        while True:
            started = time.monotonic()
            missing = self._missing(reader)
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
            if started >= request_at:
                self._request.make()
                request_at = deadline
            time.sleep(_LISTING_POLL_S + took)

    def _missing(self, reader: "Reader") -> frozenset[_Change]:
        """Return the changes of files that the index does not have yet."""
        files = scan.list_vault(self._vault, self._settings).files
        known, limit = reader.note_states(), self._settings.max_note_bytes
        missing: set[_Change] = {
            (path, state)
            for path, state in files.items()
            if has_changed(known.get(path), state, limit)
        }
        return frozenset(missing | {(path, None) for path in known.keys() - files.keys()})
