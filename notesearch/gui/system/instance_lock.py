"""The lock of the one process that shows windows; who has it not asks that process, or waits."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator

from notesearch.gui.system.single_instance import (
    SEARCH,
    InstanceError,
    address,
    ask,
    background_command,
)

_START_S = 15.0
_PAUSE_S = 0.05


def start_quick(words: list[str]) -> None:
    """Start the program in the background, and have it show quick search on ``words``.

    Raises:
        InstanceError: It did not start, or does not answer.
    """
    import subprocess

    command = background_command()
    deadline = time.monotonic() + _START_S
    started: subprocess.Popen[bytes] | None = None
    while time.monotonic() < deadline:
        if ask(SEARCH, " ".join(words)):
            return
        # One that ended without a complaint found another that was starting, or ending.
        if started is None or started.poll() == 0:
            started = subprocess.Popen(  # noqa: S603 - our own program
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        elif started.poll() is not None:
            break
        time.sleep(_PAUSE_S)
    raise InstanceError("notesearch could not be started. “notesearch open” shows why.")


class InstanceLock:
    """Held by the one process that shows windows; the system frees it when that dies."""

    def __init__(self) -> None:
        self._file: int | None = None

    def acquire(self) -> bool:
        """Take the lock if it is free; where no lock is possible, every process may go on."""
        path = _lock_path()
        while path:
            try:
                file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                break
            try:
                _lock(file)
            except OSError:
                os.close(file)
                return False
            if _is_at(file, path):
                self._file = file
                break
            os.close(file)  # its holder ended, and took it away, since it was opened
        return True

    def release(self) -> None:
        """Let another process have it."""
        if self._file is not None:
            if sys.platform != "win32":  # there nobody can take away what is open
                with contextlib.suppress(OSError):
                    os.unlink(_lock_path())  # noqa: PTH108
            os.close(self._file)
            self._file = None


@contextlib.contextmanager
def claimed(command: str) -> Iterator[bool]:
    """Be the one process that shows windows, for the block; else have that one do ``command``.

    It may be about to start, or about to end: both are waited for.

    Yields:
        Whether this process is the one. An empty ``command`` asks for nothing.

    Raises:
        InstanceError: The other one neither answers nor ends.
    """
    lock = InstanceLock()
    deadline = time.monotonic() + _START_S
    ours = lock.acquire()
    while not ours and command and not ask(command):
        if time.monotonic() > deadline:
            raise InstanceError("Another notesearch is starting or ending and takes too long.")
        time.sleep(_PAUSE_S)
        ours = lock.acquire()
    try:
        yield ours
    finally:
        lock.release()


def _is_at(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))  # noqa: PTH116
    except OSError:
        return False


if sys.platform == "win32":
    import msvcrt
    import tempfile

    def _lock_path() -> str:
        name = address().rpartition("\\")[2]
        return os.path.join(tempfile.gettempdir(), f"{name}.lock")  # noqa: PTH118

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock_path() -> str:
        path = address()
        return path and f"{path.removesuffix('.socket')}.lock"

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
