"""A private X server for a test, with a user who presses keys, moves the mouse and looks."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.limits import WAIT_S, until

ROOT = Path(__file__).resolve().parents[2]
Process = subprocess.Popen[bytes]
Start = Callable[..., Process]

MISSING = [name for name in ("Xvfb", "openbox", "trayer", "xdotool") if not shutil.which(name)]
needs_x11 = pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}")


def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start an X server and yield a function that starts programs on it. End all of them."""
    runtime = tempfile.mkdtemp(prefix="ns-")
    monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
    for name in ("DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    started: list[Process] = []

    def start_program(*command: str, **options: Any) -> Process:
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        platform = "wayland" if "WAYLAND_DISPLAY" in os.environ else "xcb"
        own = {"QT_QPA_PLATFORM": platform, "PYTHONPATH": str(ROOT)}
        quiet["env"] = {**os.environ, **own}
        started.append(subprocess.Popen(command, **{**quiet, **options}))
        return started[-1]

    reading, writing = os.pipe()
    # Without -noreset it restarts when its last client leaves, which may be one of our queries.
    screen = ("-noreset", "-screen", "0", f"{SCREEN_WIDTH}x800x24")
    start_program("Xvfb", "-displayfd", str(writing), *screen, pass_fds=(writing,))
    os.close(writing)
    with os.fdopen(reading) as output:
        monkeypatch.setenv("DISPLAY", f":{output.readline().strip()}")
    try:
        yield start_program
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
            process.wait(WAIT_S)
        shutil.rmtree(runtime)


SCREEN_WIDTH = 1280
"""Of the X server, in pixels."""

_HELD_MS = "50"
"""Milliseconds for which a key is down; weston may miss a shorter time."""

_WESTON = """
[core]
idle-time=0
[shell]
close-animation=none
[input-method]
path=
"""
"""Nothing to be seen or typed on but windows. A window that fades away would keep the keyboard."""


def enter_wayland(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill the X server with a Wayland desktop; programs that start later appear there.

    It passes on the keys and the mouse of the X server.
    """
    runtime = Path(os.environ["XDG_RUNTIME_DIR"])
    settings = runtime / "weston.ini"
    settings.write_text(_WESTON)
    start(
        "weston",
        "--backend=x11-backend.so",
        "--socket=wayland-9",
        f"--width={SCREEN_WIDTH}",
        "--height=800",
        f"--config={settings}",
    )
    until((runtime / "wayland-9").exists)
    screen = until(lambda: tool("search", "--onlyvisible", "--class", "weston"))
    tool("windowfocus", screen)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")


def manage(start: Start, *options: str) -> None:
    """Start a window manager and wait until it is ready: before that it loses new windows."""
    begun = Path(os.environ["XDG_RUNTIME_DIR"], "managed")
    start("openbox", *options, "--startup", f"touch {begun}")
    until(begun.exists)


def tool(*words: str) -> str:
    done = subprocess.run(["xdotool", *words], capture_output=True, text=True, check=False)
    return str(done.stdout.strip())


def windows(name: str) -> list[str]:
    """Return the visible windows with this name. Some may be missed while others open or close."""
    return tool("search", "--onlyvisible", "--name", name).split()


def keyboard() -> str:
    """Return the name of the window that receives the keys.

    The active window of the window manager may be one that was hidden long ago.
    """
    name = tool("getwindowfocus", "getwindowname")
    return "notesearch" if name.endswith(" – notesearch") else name  # without the query


def middle(window: str) -> tuple[str, str]:
    """Return the centre of a window."""
    lines = tool("getwindowgeometry", "--shell", window).splitlines()
    found = {name: int(value) for name, value in (line.split("=") for line in lines)}
    x, y = found["X"] + found["WIDTH"] // 2, found["Y"] + found["HEIGHT"] // 2
    return str(x), str(y)


class Program:
    """The program as its user sees it, as ``tests.gui.observed_program`` writes it to a file."""

    def __init__(self, seen: Path) -> None:
        self._seen = seen

    def seen(self) -> dict[str, object]:
        """Return what is visible now; nothing before the program has started."""
        found: dict[str, object] = json.loads(self._seen.read_text()) if self._seen.exists() else {}
        return found

    def wait(self, **expected: object) -> None:
        """Wait until all values are as ``expected``; a function checks the value itself."""
        try:
            until(lambda: not self._differences(expected))
        except AssertionError:
            differences = self._differences(expected)
            raise AssertionError(f"unexpected: {differences} of {self.seen()}") from None

    def wait_for_keyboard(self, title: str) -> None:
        """Wait until both the desktop and the program give the keyboard to the window."""
        if "WAYLAND_DISPLAY" not in os.environ:  # there, only the program itself can know
            until(lambda: keyboard() == title)
        self.wait(window=title)

    def press(self, keys: str, **expected: object) -> None:
        """Press ``keys`` one after another and wait until all is as ``expected``."""
        held = ("--delay", _HELD_MS) if "WAYLAND_DISPLAY" in os.environ else ()
        tool("key", *held, *keys.split())
        self.wait(**expected)

    def hold(self, key: str, **expected: object) -> None:
        """Hold ``key`` down until all is as ``expected``.

        Weston closes a menu whose program asks for the keyboard after the key was released.
        """
        tool("keydown", key)
        try:
            self.wait(**expected)
        finally:
            tool("keyup", key)

    def type(self, text: str, **expected: object) -> None:
        """Type ``text`` and wait until all is as ``expected``."""
        tool("type", text)
        self.wait(**expected)

    def _differences(self, expected: dict[str, object]) -> dict[str, object]:
        seen = self.seen()

        def is_met(name: str, value: object) -> bool:
            return bool(value(seen[name])) if callable(value) else seen[name] == value

        return {
            name: seen.get(name)
            for name, value in expected.items()
            if name not in seen or not is_met(name, value)
        }
