"""Finds the program that runs already and asks it to show itself: no Qt, imported in no time.

Whoever starts the program comes here first. One process of a user (and of a ``NOTESEARCH_HOME``)
holds the lock and listens at the socket beside it; all others ask there and end.
"""

import contextlib
import os
import socket
import sys
import time
from collections.abc import Iterator

from notesearch.errors import NotesearchError

SHOW, SEARCH, TOGGLE = "show", "search", "toggle"
COMMANDS = (SHOW, SEARCH, TOGGLE)
"""All that can be asked for: the window, a quick search, quick search shown or hidden."""

MAX_QUERY = 1000
"""Characters of a query that are sent and taken; search looks at no more."""

VERSION = "1"
OK = b"ok"

_ANSWER_S = 3.0
_START_S = 15.0
_PAUSE_S = 0.05
_MAX_PATH = 103
"""Bytes in the path of a socket, on the system that allows the fewest."""


class InstanceError(NotesearchError):
    """The running program does not answer, or none could be started."""


def address() -> str:
    """Return the socket's path, on Windows the pipe's name; empty where there can be none."""
    home = os.environ.get("NOTESEARCH_HOME", "")
    name = "window"
    if home:
        import hashlib

        home = os.path.abspath(os.path.expanduser(home))  # noqa: PTH100, PTH111 - pathlib takes long
        name = hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    if sys.platform == "win32":
        return rf"\\.\pipe\notesearch-{os.environ.get('USERNAME', '')}-{name}"
    folders = (folder for folder in _folders() if _fits(folder) and _make_private(folder))
    folder = next(folders, "")
    return folder and f"{folder}/{name}.socket"


def ask(command: str, query: str = "") -> bool:
    """Ask the running program for ``command``; return False where none runs.

    Raises:
        InstanceError: One runs, but does not answer.
    """
    path = address()
    if not path:
        return False
    try:
        answer = _answer(path, _message(command, query))
    except TimeoutError as error:
        raise InstanceError(
            "notesearch is running but does not answer. End it and try again."
        ) from error
    except OSError:
        return False
    return answer.startswith(OK)


def ask_quick(words: list[str]) -> bool:
    """Ask the running program for quick search on ``words``; return False where none runs."""
    return ask(SEARCH, " ".join(words)) if words else ask(TOGGLE)


def program() -> list[str]:
    """Return the command of this program."""
    return [sys.executable, *([] if getattr(sys, "frozen", False) else ["-m", "notesearch"])]


def background_command() -> list[str]:
    """Return the command that starts this program without a window."""
    return [*program(), "open", "--background"]


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


def _folders() -> Iterator[str]:
    """Yield where the private folder may be, best first."""
    if sys.platform == "win32":
        return
    runtime, user = os.environ.get("XDG_RUNTIME_DIR", ""), os.getuid()
    if os.path.isabs(runtime):  # noqa: PTH117
        yield f"{runtime}/notesearch"
    yield f"/run/user/{user}/notesearch"
    yield f"{os.path.abspath(os.environ.get('TMPDIR') or '/tmp')}/notesearch-{user}"  # noqa: PTH100, S108
    yield f"/tmp/notesearch-{user}"  # noqa: S108 - used only if it is ours alone


def _fits(folder: str) -> bool:
    return len(os.fsencode(folder)) + len("/0123456789ab.socket") <= _MAX_PATH


def _make_private(folder: str) -> bool:
    """Make ``folder`` ours alone; return False where it cannot be, or belongs to somebody else."""
    if sys.platform == "win32":
        return False
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)  # noqa: PTH102
        found = os.lstat(folder)
        if found.st_mode & 0o170077 != 0o040000:  # a folder that nobody else may enter
            if found.st_mode & 0o170000 != 0o040000 or found.st_uid != os.geteuid():
                return False
            os.chmod(folder, 0o700)  # noqa: PTH101
    except OSError:
        return False
    return found.st_uid == os.geteuid()


def _message(command: str, query: str) -> bytes:
    """Return a request: a line of four fields, parted by tabs."""
    token = os.environ.get("XDG_ACTIVATION_TOKEN") or os.environ.get("DESKTOP_STARTUP_ID", "")
    fields = (VERSION, command, *(" ".join(text.split()) for text in (token, query[:MAX_QUERY])))
    return "\t".join(fields).encode("utf-8", "replace") + b"\n"


if sys.platform == "win32":
    import ctypes
    import msvcrt
    import tempfile

    _ANY_PROCESS = -1

    def _answer(path: str, message: bytes) -> bytes:
        ctypes.windll.user32.AllowSetForegroundWindow(_ANY_PROCESS)
        with open(path, "r+b", buffering=0) as pipe:  # noqa: PTH123
            pipe.write(message)
            return pipe.read(len(OK)) or b""

    def _lock_path() -> str:
        name = address().rpartition("\\")[2]
        return os.path.join(tempfile.gettempdir(), f"{name}.lock")  # noqa: PTH118

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _answer(path: str, message: bytes) -> bytes:
        if os.lstat(path).st_uid != os.geteuid():
            raise PermissionError(path)
        deadline, answer = time.monotonic() + _ANSWER_S, b""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
            peer.settimeout(_ANSWER_S)
            while True:
                try:
                    peer.connect(path)
                    break
                except BlockingIOError:  # many others ask at the moment
                    if time.monotonic() > deadline:
                        raise TimeoutError from None
                    time.sleep(0.01)
            peer.sendall(message)
            while len(answer) < len(OK):
                peer.settimeout(max(0.001, deadline - time.monotonic()))
                received = peer.recv(len(OK) - len(answer))
                if not received:
                    break
                answer += received
        return answer

    def _lock_path() -> str:
        path = address()
        return path and f"{path.removesuffix('.socket')}.lock"

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
