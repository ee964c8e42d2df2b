"""Lets only one process show windows; every later start sends it a request and ends.

There is one such process for each user and ``NOTESEARCH_HOME``. It holds the lock file and listens
on the socket next to it; ``gui/desktop.py`` does what it is asked. Every start uses this module
first, so it imports quickly and without Qt.
"""

import os
import sys
import time

from notesearch.errors import NotesearchError

APP_ID = "org.notesearch.Notesearch"
"""The ID by which portals, Wayland and the task bar find the program's desktop entry."""

SHOW = "show"
SEARCH = "search"
TOGGLE = "toggle"
COMMANDS = (SHOW, SEARCH, TOGGLE)
"""The requests: show the window, search for a query in quick search, show or hide quick search."""

MAX_QUERY = 1000
"""The maximum number of characters of a query that are sent."""

VERSION = "1"
OK = b"ok"

_ANSWER_S = 3.0
_START_S = 15.0
_PAUSE_S = 0.05
_MAX_PATH = 103
"""The maximum number of bytes in the path of a socket that all systems allow."""


class InstanceError(NotesearchError):
    """The running program does not answer, or could not be started."""


def address() -> str:
    """Return the path of the socket (on Windows, the name of the pipe); empty if impossible."""
    home = os.environ.get("NOTESEARCH_HOME", "")
    name = "window"
    if home:
        import hashlib

        home = os.path.abspath(os.path.expanduser(home))  # noqa: PTH100, PTH111 - pathlib takes long
        name = hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    if sys.platform == "win32":
        return rf"\\.\pipe\notesearch-{os.environ.get('USERNAME', '')}-{name}"
    room = _MAX_PATH - len("/0123456789ab.socket")
    short = (folder for folder in _folders() if len(os.fsencode(folder)) <= room)
    folder = next(filter(_make_private, short), "")
    return folder and f"{folder}/{name}.socket"


def ask(command: str, query: str = "") -> bool:
    """Send ``command`` to the running program; return False if none is running.

    Raises an ``InstanceError`` if the program is running but does not answer.
    """
    path = address()
    if not path:
        return False
    try:
        answer = _answer(path, _message(command, query))
    except TimeoutError as error:
        raise InstanceError("instance_silent") from error
    except OSError:
        return False
    return answer.startswith(OK)


def ask_quick(words: list[str]) -> bool:
    """Ask the running program to search for ``words``; without words, to toggle quick search.

    Returns False if no program is running; raises as ``ask`` does.
    """
    return ask(SEARCH, " ".join(words)) if words else ask(TOGGLE)


def start_quick(words: list[str]) -> None:
    """Start the program in the background and let it search for ``words`` in quick search.

    Raises an ``InstanceError`` if the program did not start, or does not answer.
    """
    import subprocess

    deadline = time.monotonic() + _START_S
    started: subprocess.Popen[bytes] | None = None
    while time.monotonic() < deadline:
        if ask(SEARCH, " ".join(words)):
            return
        # A start that ended without an error has found another process that was starting or ending.
        if started is None or started.poll() == 0:
            started = subprocess.Popen(  # noqa: S603 - our own program
                background_command(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        elif started.poll() is not None:
            break
        time.sleep(_PAUSE_S)
    raise InstanceError("instance_failed")


class InstanceLock:
    """The lock file of the process that shows windows; the system frees it if the process dies."""

    def __init__(self) -> None:
        self._file: int | None = None

    def __enter__(self) -> "InstanceLock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def claim(self, command: str) -> bool:
        """Take the lock, or send ``command``, if any, to the process that has it.

        Returns whether this process has the lock. If the other process is starting or ending, wait
        until it answers or has ended.

        Raises:
            InstanceError: The other process neither answers nor ends.
        """
        deadline = time.monotonic() + _START_S
        while not self.acquire():
            if not command or ask(command):
                return False
            if time.monotonic() > deadline:
                raise InstanceError("instance_slow")
            time.sleep(_PAUSE_S)
        return True

    def acquire(self) -> bool:
        """Take the lock if it is free; return False if another process has it."""
        try:
            file = os.open(_lock_path(), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return True
        try:
            _lock(file)
        except OSError:
            os.close(file)
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Release the lock, so that another process can take it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def program() -> list[str]:
    """Return the words of the command that starts this program."""
    if not getattr(sys, "frozen", False):
        # -P: do not run a file named notesearch.py in the current folder.
        return [sys.executable, "-P", "-m", "notesearch"]
    if sys.platform == "win32":  # the executable without a console
        return [os.path.join(os.path.dirname(sys.executable), "notesearchw.exe")]  # noqa: PTH118, PTH120
    return [sys.executable]


def background_command() -> list[str]:
    """Return the words of the command that starts this program without a window."""
    return [*program(), "open", "--background"]


def _folders() -> list[str]:
    """Return the possible paths of the private folder for socket and lock file, best first."""
    if sys.platform == "win32":
        return []
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    user = os.getuid()
    return [
        *([f"{runtime}/notesearch"] if os.path.isabs(runtime) else []),  # noqa: PTH117
        f"/run/user/{user}/notesearch",
        f"{os.path.abspath(os.environ.get('TMPDIR') or '/tmp')}/notesearch-{user}",  # noqa: PTH100, S108
        f"/tmp/notesearch-{user}",  # noqa: S108 - used only if it is private
    ]


def _make_private(folder: str) -> bool:
    """Create ``folder`` if necessary, for this user only; return whether that was possible."""
    if sys.platform == "win32":
        return False
    try:
        try:  # noqa: SIM105 - contextlib takes long to import
            os.mkdir(folder, 0o700)  # noqa: PTH102
        except FileExistsError:
            pass
        status = os.lstat(folder)
        if status.st_mode & 0o170077 != 0o040000:  # anything but a private folder
            if status.st_mode & 0o170000 != 0o040000 or status.st_uid != os.geteuid():
                return False
            os.chmod(folder, 0o700)  # noqa: PTH101
    except OSError:
        return False
    return status.st_uid == os.geteuid()


def _message(command: str, query: str) -> bytes:
    """Return a request: one line of four fields, separated by tabs."""
    token = os.environ.get("XDG_ACTIVATION_TOKEN") or os.environ.get("DESKTOP_STARTUP_ID", "")
    fields = (VERSION, command, *(" ".join(text.split()) for text in (token, query[:MAX_QUERY])))
    return "\t".join(fields).encode("utf-8", "replace") + b"\n"


if sys.platform == "win32":
    import ctypes
    import msvcrt
    import tempfile

    _ANY_PROCESS = -1

    def _lock_path() -> str:
        name = address().rpartition("\\")[2]
        return os.path.join(tempfile.gettempdir(), f"{name}.lock")  # noqa: PTH118

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _answer(path: str, message: bytes) -> bytes:
        ctypes.windll.user32.AllowSetForegroundWindow(_ANY_PROCESS)
        with open(path, "r+b", buffering=0) as pipe:  # noqa: PTH123
            pipe.write(message)
            return pipe.read(len(OK)) or b""

else:
    import _socket  # ``socket`` takes almost as long to import as Python to start
    import fcntl

    def _lock_path() -> str:
        path = address()
        return path and f"{path.removesuffix('.socket')}.lock"

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _answer(path: str, message: bytes) -> bytes:
        if os.lstat(path).st_uid != os.geteuid():
            raise PermissionError(path)
        deadline = time.monotonic() + _ANSWER_S
        answer = b""
        peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            peer.settimeout(_ANSWER_S)
            _connect(peer, path, deadline)
            peer.sendall(message)
            while len(answer) < len(OK):
                peer.settimeout(max(0.001, deadline - time.monotonic()))
                received = peer.recv(len(OK) - len(answer))
                if not received:
                    break
                answer += received
        finally:
            peer.close()
        return answer

    def _connect(peer: _socket.socket, path: str, deadline: float) -> None:
        while True:
            try:
                return peer.connect(path)
            except BlockingIOError:  # many processes are asking
                if time.monotonic() > deadline:
                    raise TimeoutError from None
                time.sleep(0.01)
