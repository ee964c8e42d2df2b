"""An X server of its own for a test, and what a user does on it: keys, a mouse, looking."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

Seen = TypeVar("Seen")
Process = subprocess.Popen[bytes]
Start = Callable[..., Process]

MISSING = [name for name in ("Xvfb", "openbox", "trayer", "xdotool") if not shutil.which(name)]
needs_x11 = pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}")


def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start an X server, and yield what starts programs on it; all of them end at last."""
    runtime = tempfile.mkdtemp(prefix="ns-")
    monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
    for name in ("DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    started: list[Process] = []

    def start_program(*command: str, **options: Any) -> Process:
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        quiet["env"] = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
        started.append(subprocess.Popen(command, **{**quiet, **options}))
        return started[-1]

    reading, writing = os.pipe()
    # Without -noreset it begins anew where its last client, which may be a look, goes.
    screen = ("-noreset", "-screen", "0", "1280x800x24")
    start_program("Xvfb", "-displayfd", str(writing), *screen, pass_fds=(writing,))
    os.close(writing)
    with os.fdopen(reading) as told:
        monkeypatch.setenv("DISPLAY", f":{told.readline().strip()}")
    try:
        yield start_program
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        shutil.rmtree(runtime)


def until(true: Callable[[], Seen]) -> Seen:
    """Look again and again, for twenty seconds at most; return what was seen at last."""
    deadline = time.monotonic() + 20
    while not (seen := true()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return seen


def manage(start: Start, *options: str) -> None:
    """Start a window manager, and wait until it is past its start: that loses windows that come."""
    begun = Path(os.environ["XDG_RUNTIME_DIR"], "managed")
    start("openbox", *options, "--startup", f"touch {begun}")
    until(begun.exists)


def tool(*words: str) -> str:
    done = subprocess.run(["xdotool", *words], capture_output=True, text=True, check=False)
    return str(done.stdout.strip())


def windows(name: str) -> list[str]:
    """Return the visible windows whose name fits; some are missed while others come and go."""
    return tool("search", "--onlyvisible", "--name", name).split()


def keyboard() -> str:
    """Return the name of the window that gets the keys.

    What the window manager calls the active window may be one that was hidden long ago.
    """
    return tool("getwindowfocus", "getwindowname")


def middle(window: str) -> tuple[str, str]:
    """Return the middle of a window."""
    lines = tool("getwindowgeometry", "--shell", window).splitlines()
    found = {name: int(value) for name, value in (line.split("=") for line in lines)}
    x, y = found["X"] + found["WIDTH"] // 2, found["Y"] + found["HEIGHT"] // 2
    return str(x), str(y)


class Program:
    """The program as its user has it before him; ``tests.gui.telling`` writes what is ``seen``."""

    def __init__(self, seen: Path) -> None:
        self._seen = seen

    def seen(self) -> dict[str, object]:
        """Return what is on show now; nothing before the program is there."""
        found: dict[str, object] = json.loads(self._seen.read_text()) if self._seen.exists() else {}
        return found

    def wait(self, **wanted: object) -> None:
        """Wait until each of ``wanted`` is so; a function says whether what is seen will do."""
        try:
            until(lambda: not self._lacks(wanted))
        except AssertionError:
            raise AssertionError(f"not so: {self._lacks(wanted)} of {self.seen()}") from None

    def wait_for_keyboard(self, title: str) -> None:
        """Wait until the window has the keyboard, for the desktop and for the program."""
        until(lambda: keyboard() == title)
        self.wait(window=title)

    def press(self, keys: str, **wanted: object) -> None:
        """Press ``keys``, one after the other, and wait until it is as ``wanted``."""
        tool("key", *keys.split())
        self.wait(**wanted)

    def type(self, text: str, **wanted: object) -> None:
        """Type ``text``, and wait until it is as ``wanted``."""
        tool("type", text)
        self.wait(**wanted)

    def _lacks(self, wanted: dict[str, object]) -> dict[str, object]:
        seen = self.seen()

        def so(name: str, value: object) -> bool:
            return bool(value(seen[name])) if callable(value) else seen[name] == value

        return {
            name: seen.get(name)
            for name, value in wanted.items()
            if name not in seen or not so(name, value)
        }
