"""What a process does beside the one that follows the folder, so that it misses no saved note."""

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.index import scan
from notesearch.index.unchanged import touched

if TYPE_CHECKING:
    from notesearch.store.note_states import FileState
    from notesearch.store.reader import Reader

_LOOK_S = 0.02

_USUAL_S = 0.3
"""What takes that one longer is mostly a note that is saved too often to be read every time."""


class Asking:
    """A file beside the index, by which the other process is asked for what it holds back."""

    def __init__(self, index_file: Path) -> None:
        """Take the index; the file is there only from a question to its answer."""
        self._file = index_file.with_name(index_file.name + ".asked")

    def ask(self) -> None:
        """Ask; where nothing may be written the other process takes its time."""
        with contextlib.suppress(OSError):
            self._file.touch()

    def asked(self) -> bool:
        """Return whether somebody asked since the last time."""
        try:
            self._file.unlink()
        except OSError:
            return False
        return True


class Beside:
    """Waits until the other process has taken up what was saved; safe to share between threads."""

    def __init__(self, vault: Path, settings: Settings, ask: Callable[[], None]) -> None:
        """Take the folder, the settings that say what its notes are, and how to ask for them."""
        self._ask = ask
        self._vault = vault
        self._settings = settings
        self._lock = threading.Lock()
        self._in_vain: frozenset[tuple[str, FileState | None]] = frozenset()

    def wait(self, reader: "Reader", seconds: float) -> bool:
        """Wait until the index knows every note as its file is; return whether it does.

        What was waited for in vain once is not waited for again while it stays as it is: it may
        be a file that cannot be read, or a note that is saved too often to be read each time.

        Raises:
            VaultMissingError: The folder is not there.
        """
        asks = time.monotonic() + _USUAL_S
        until = time.monotonic() + seconds
        while True:
            started = time.monotonic()
            missed = self._missed(reader)
            with self._lock:
                self._in_vain &= missed  # what was taken up since is waited for like any other
                if not missed:
                    return True
                if missed <= self._in_vain:
                    return False
                took = time.monotonic() - started
                if started + took >= until:
                    self._in_vain = missed
                    return False
            if started >= asks:
                self._ask()
                asks = until
            time.sleep(_LOOK_S + took)

    def _missed(self, reader: "Reader") -> "frozenset[tuple[str, FileState | None]]":
        """Return the files that are not as the index knows them; with no state where gone."""
        files = scan.list_vault(self._vault, self._settings).files
        known, limit = reader.note_states(), self._settings.max_note_bytes
        missed: set[tuple[str, FileState | None]] = {
            (path, state) for path, state in files.items() if touched(known.get(path), state, limit)
        }
        return frozenset(missed | {(path, None) for path in known.keys() - files.keys()})
