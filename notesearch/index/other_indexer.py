"""Waits for another process that indexes the same vault, so that no saved note is missed."""

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.index import scan
from notesearch.index.change_detection import has_changed

if TYPE_CHECKING:
    from notesearch.store.note_states import FileState
    from notesearch.store.reader import Reader

_POLL_S = 0.02

_USUAL_S = 0.3
"""If it takes longer, the note is probably held back because it is saved over and over."""

_Change = tuple[str, "FileState | None"]
"""A path and its file's state; None for a deleted file."""


class IndexRequest:
    """A file next to the index that asks the indexing process for the notes it holds back.

    It exists only from the request until its answer.
    """

    def __init__(self, index_file: Path) -> None:
        self._file = index_file.with_name(index_file.name + ".asked")

    def make(self) -> None:
        """Make the request; without write permission, the other process takes its time."""
        with contextlib.suppress(OSError):
            self._file.touch()

    def take(self) -> bool:
        """Return whether there is a request, and remove it."""
        try:
            self._file.unlink()
        except OSError:
            return False
        return True


class OtherIndexer:
    """Waits until the other process has indexed all saved notes; safe to share between threads.

    Args:
        vault: The folder.
        settings: Say which files are notes.
        request: Asks the other process for the notes it holds back.
    """

    def __init__(self, vault: Path, settings: Settings, request: Callable[[], None]) -> None:
        self._request = request
        self._vault = vault
        self._settings = settings
        self._lock = threading.Lock()
        self._given_up: frozenset[_Change] = frozenset()

    def wait(self, reader: "Reader", seconds: float) -> bool:
        """Wait until the index knows every note as its file is; return whether it does.

        Changes that did not arrive in time once are not waited for again: the file may be
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
                self._request()
                request_at = deadline
            time.sleep(_POLL_S + took)

    def _missing(self, reader: "Reader") -> frozenset[_Change]:
        """Return the changes that the index does not know."""
        files = scan.list_vault(self._vault, self._settings).files
        known, limit = reader.note_states(), self._settings.max_note_bytes
        missing: set[_Change] = {
            (path, state)
            for path, state in files.items()
            if has_changed(known.get(path), state, limit)
        }
        return frozenset(missing | {(path, None) for path in known.keys() - files.keys()})
