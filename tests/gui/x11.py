"""An X server of its own for a test, and what a user does on it: keys, a mouse, looking."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

Process = subprocess.Popen[bytes]
Start = Callable[..., Process]

MISSING = [
    name for name in ("Xvfb", "openbox", "trayer", "xdotool", "xprop") if not shutil.which(name)
]
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
    screen = ("-screen", "0", "1280x800x24")
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


def until(true: Callable[[], object]) -> None:
    """Look again and again, for twenty seconds at most."""
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_managed() -> bool:
    """Whether a window manager is at work."""
    command = ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "window id" in done.stdout


def tool(*words: str) -> str:
    done = subprocess.run(["xdotool", *words], capture_output=True, text=True, check=False)
    return str(done.stdout.strip())


def windows(name: str) -> list[str]:
    """Return the visible windows whose name fits."""
    return tool("search", "--onlyvisible", "--name", name).split()


def keyboard() -> str:
    """Return the name of the window that has the keyboard."""
    return tool("getactivewindow", "getwindowname")


def middle(window: str) -> tuple[str, str]:
    """Return the middle of a window; of the panel, that is where its only icon is."""
    lines = tool("getwindowgeometry", "--shell", window).splitlines()
    found = {name: int(value) for name, value in (line.split("=") for line in lines)}
    x, y = found["X"] + found["WIDTH"] // 2, found["Y"] + found["HEIGHT"] // 2
    return str(x), str(y)
