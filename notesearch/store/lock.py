"""The lock file that says which process indexes; all others only read."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import filelock

from notesearch.errors import IndexBusyError, IndexFileError


class WriterLock:
    """Held by the one thread of one process that writes an index; freed when that dies."""

    def __init__(self, index_file: Path) -> None:
        self._path = index_file.with_name(index_file.name + ".lock")
        self._here = threading.Lock()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for the block.

        Raises:
            IndexBusyError: It is held already, here or by another process.
            IndexFileError: The folder of the index cannot be written.
        """
        if not self._here.acquire(blocking=False):
            raise IndexBusyError("This folder is being indexed already.")
        try:
            lock = self._acquired()
            try:
                yield
            finally:
                lock.release()
        finally:
            self._here.release()

    def is_held(self) -> bool:
        """Return whether some thread of some process indexes now."""
        try:
            with self.held():
                return False
        except IndexBusyError:
            return True
        except IndexFileError:
            return False

    def _acquired(self) -> filelock.BaseFileLock:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self._path, thread_local=False)
            lock.acquire(blocking=False)
        except filelock.Timeout as error:
            raise IndexBusyError(
                "Another notesearch is indexing this folder; this one only searches."
            ) from error
        except OSError as error:
            raise IndexFileError(
                f"The index folder {self._path.parent} cannot be written: {error.strerror}."
            ) from error
        return lock
