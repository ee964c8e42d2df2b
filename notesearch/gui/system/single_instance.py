"""Finds the program that runs already and asks it to show itself: no Qt, imported in no time.

Whoever starts the program comes here first. One process of a user (and of a ``NOTESEARCH_HOME``)
holds the lock and listens at the socket beside it; all others ask there and end.
"""

import os
import sys
import time

from notesearch.errors import NotesearchError

APP_ID = "org.notesearch.Notesearch"
"""Portals, Wayland and the task bar know the program by it, and find its entry."""

SHOW, SEARCH, TOGGLE = "show", "search", "toggle"
COMMANDS = (SHOW, SEARCH, TOGGLE)
"""All that can be asked for: the window, a quick search, quick search shown or hidden."""

MAX_QUERY = 1000
"""Characters of a query that are sent and taken; search looks at no more."""

VERSION = "1"
OK = b"ok"

_ANSWER_S = 3.0
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
    if not getattr(sys, "frozen", False):
        # -P: a file notesearch.py in the folder where it is started is not the program.
        return [sys.executable, "-P", "-m", "notesearch"]
    if sys.platform == "win32":  # the one without a console
        return [os.path.join(os.path.dirname(sys.executable), "notesearchw.exe")]  # noqa: PTH118, PTH120
    return [sys.executable]


def background_command() -> list[str]:
    """Return the command that starts this program without a window."""
    return [*program(), "open", "--background"]


def _folders() -> list[str]:
    """Return where the private folder may be, best first."""
    if sys.platform == "win32":
        return []
    runtime, user = os.environ.get("XDG_RUNTIME_DIR", ""), os.getuid()
    return [
        *([f"{runtime}/notesearch"] if os.path.isabs(runtime) else []),  # noqa: PTH117
        f"/run/user/{user}/notesearch",
        f"{os.path.abspath(os.environ.get('TMPDIR') or '/tmp')}/notesearch-{user}",  # noqa: PTH100, S108
        f"/tmp/notesearch-{user}",  # noqa: S108 - used only if it is ours alone
    ]


def _fits(folder: str) -> bool:
    return len(os.fsencode(folder)) + len("/0123456789ab.socket") <= _MAX_PATH


def _make_private(folder: str) -> bool:
    """Make ``folder`` ours alone; return False where it cannot be, or belongs to somebody else."""
    if sys.platform == "win32":
        return False
    try:
        try:  # noqa: SIM105 - contextlib takes long to import
            os.mkdir(folder, 0o700)  # noqa: PTH102
        except FileExistsError:
            pass
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

    _ANY_PROCESS = -1

    def _answer(path: str, message: bytes) -> bytes:
        ctypes.windll.user32.AllowSetForegroundWindow(_ANY_PROCESS)
        with open(path, "r+b", buffering=0) as pipe:  # noqa: PTH123
            pipe.write(message)
            return pipe.read(len(OK)) or b""

else:
    import _socket  # what ``socket`` adds is not needed, and takes almost as long as Python itself

    def _answer(path: str, message: bytes) -> bytes:
        if os.lstat(path).st_uid != os.geteuid():
            raise PermissionError(path)
        deadline, answer = time.monotonic() + _ANSWER_S, b""
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
            except BlockingIOError:  # many others ask at the moment
                if time.monotonic() > deadline:
                    raise TimeoutError from None
                time.sleep(0.01)
