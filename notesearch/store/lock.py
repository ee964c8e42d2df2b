"""The lock file that lets only one process index; all others read."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch import private_files
from notesearch.errors import IndexBusyError, IndexFileError

if TYPE_CHECKING:
    import filelock

_CLAIM_PATIENCE_S = 10.0
"""How long a claimer waits for the lock: its holder looks for claims every five seconds if idle."""

_PATIENCE_S = 0.1
"""How long others wait for the lock: ``is_held`` of another process may take it for a moment."""

_POLL_S = 0.05


def file_identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode of the file at ``path``; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class WriterLock:
    """A lock on an index: among all processes, only the thread that holds it may write.

    The system frees the lock when the holder's process dies. A repair, or an update that the user
    asks for, may claim the lock: then its holder releases it, and no other thread may take it.
    """

    def __init__(self, index_file: Path) -> None:
        self._path = index_file.with_name(index_file.name + ".lock")
        self._claim = index_file.with_name(index_file.name + ".claim")
        self._in_process = threading.Lock()
        self._file: tuple[int, int] | None = None
        self._claimer: int | None = None

    @contextlib.contextmanager
    def held(self, patience: float = _PATIENCE_S) -> Iterator[None]:
        """Hold the lock for the block; wait ``patience`` seconds for it at most.

        Raises:
            IndexBusyError: Another thread or process holds the lock or claims it.
            IndexFileError: The folder of the index cannot be written.
        """
        if self._claimer == threading.get_ident():
            patience = _CLAIM_PATIENCE_S
        if not self._in_process.acquire(timeout=patience):
            raise IndexBusyError("index_busy_here")
        try:
            self._check_claim()
            lock = self._acquired(self._path, patience)
            self._file = file_identity(self._path)
            try:
                yield
            finally:
                lock.release()
        finally:
            self._in_process.release()

    @contextlib.contextmanager
    def claimed(self) -> Iterator[None]:
        """Make the holder release the lock, so that this thread can hold it; raises as ``held``."""
        claim = self._acquired(self._claim, 1)
        self._claimer = threading.get_ident()
        try:
            yield
        finally:
            self._claimer = None
            with contextlib.suppress(OSError):
                self._claim.unlink()  # so that no process has to test whether it is locked
            claim.release()

    def check(self) -> None:
        """Make sure that the holder of the lock may continue to write.

        Raises IndexBusyError if another process claims the lock, or the file was deleted.
        """
        if file_identity(self._path) != self._file:
            raise IndexBusyError("index_lock_deleted")
        self._check_claim()

    def _check_claim(self) -> None:
        if self._claimer != threading.get_ident() and self._claim.exists():
            try:
                self._acquired(self._claim, 0).release()
            except IndexBusyError as error:
                raise IndexBusyError("index_claimed") from error

    def delete(self) -> None:
        """Delete the lock files, while nobody holds the lock; ``held`` creates its file again."""
        for file in (self._path, self._claim):
            with contextlib.suppress(OSError):
                file.unlink()

    def is_held(self) -> bool:
        """Return whether any thread of any process is indexing now."""
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
            private_files.make_folder(path.parent)
            lock = filelock.FileLock(
                path,
                mode=0o600,
                thread_local=False,  # another thread may release it
                fallback_to_soft=False,  # a lock that would outlive a killed process
            )
            lock.acquire(timeout=seconds, poll_interval=_POLL_S)
        except filelock.Timeout as error:
            raise IndexBusyError("index_busy") from error
        except OSError as error:
            raise IndexFileError(
                "index_folder_unwritable",
                folder=str(path.parent),
                reason=error.strerror or str(error),
            ) from error
        return lock
