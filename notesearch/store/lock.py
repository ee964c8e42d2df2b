"""The lock file that says which process indexes; all others only read."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import IndexBusyError, IndexFileError
from notesearch.store.rows import identity

if TYPE_CHECKING:
    import filelock

_PATIENCE_S = 10.0
"""A watch that has nothing to do looks every five seconds whether another wants the lock."""

_PROBED_S = 0.1
"""Who only asks whether the lock is held has it for a moment: that is no reason to give up."""

_TURN_S = 0.05


class WriterLock:
    """Held by the one thread of one process that writes an index; freed when that dies."""

    def __init__(self, index_file: Path) -> None:
        self._path = index_file.with_name(index_file.name + ".lock")
        self._claim = index_file.with_name(index_file.name + ".claim")
        self._here = threading.Lock()
        self._file: tuple[int, int] | None = None
        self._claimer: int | None = None

    @contextlib.contextmanager
    def held(self, patience: float = _PROBED_S) -> Iterator[None]:
        """Hold the lock for the block.

        It is waited for ``patience`` seconds at most, and longer by who claimed it.

        Raises:
            IndexBusyError: It is held already, here or by another process, or another claims it.
            IndexFileError: The folder of the index cannot be written.
        """
        if self._claimer == threading.get_ident():
            patience = _PATIENCE_S
        if not self._here.acquire(timeout=patience):
            raise IndexBusyError("This folder is being indexed already.")
        try:
            self._check_claim()
            lock = self._acquired(self._path, patience)
            self._file = identity(self._path)
            try:
                yield
            finally:
                lock.release()
        finally:
            self._here.release()

    @contextlib.contextmanager
    def claimed(self) -> Iterator[None]:
        """Have whoever holds the lock let it go for the block, in which the thread may hold it.

        Raises:
            IndexBusyError: Another claims it.
            IndexFileError: The folder of the index cannot be written.
        """
        claim = self._acquired(self._claim, 1)
        self._claimer = threading.get_ident()
        try:
            yield
        finally:
            self._claimer = None
            with contextlib.suppress(OSError):
                self._claim.unlink()  # then nobody has to try it
            claim.release()

    def check(self) -> None:
        """Make sure that who holds the lock may go on.

        Raises:
            IndexBusyError: Another claims it, or may hold it too: its file was deleted.
        """
        if identity(self._path) != self._file:
            raise IndexBusyError("The index's lock file was deleted: who indexes is settled anew.")
        self._check_claim()

    def _check_claim(self) -> None:
        if self._claimer != threading.get_ident() and self._claim.exists():
            try:
                self._acquired(self._claim, 0).release()
            except IndexBusyError as error:
                raise IndexBusyError(
                    "Another notesearch repairs the index; this one goes on after that."
                ) from error

    def delete(self) -> None:
        """Delete the file that nobody holds; the next one who wants it makes it again."""
        with contextlib.suppress(OSError):
            self._path.unlink()

    def is_held(self) -> bool:
        """Return whether some thread of some process indexes now."""
        try:
            with self.held(patience=0):
                return False
        except IndexBusyError:
            return True
        except IndexFileError:
            return False

    def _acquired(self, path: Path, seconds: float) -> "filelock.BaseFileLock":
        import filelock

        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(path, thread_local=False)
            lock.acquire(timeout=seconds, poll_interval=_TURN_S)
        except filelock.Timeout as error:
            raise IndexBusyError(
                "Another notesearch is indexing this folder; this one only searches."
            ) from error
        except OSError as error:
            raise IndexFileError(
                f"The index folder {path.parent} cannot be written: {error.strerror}."
            ) from error
        return lock
