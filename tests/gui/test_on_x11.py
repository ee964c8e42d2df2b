"""Quick search and the tray on a desktop of its own: a window manager, a panel, a mouse, keys."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from notesearch.config import Paths, Settings
from notesearch.gui.single_instance import ask
from tests.folders import write

TOOLS = ("Xvfb", "openbox", "trayer", "xdotool")
QUICK, MAIN, PANEL = "quick search", "^notesearch$", "panel"

pytestmark = pytest.mark.skipif(
    not all(shutil.which(tool) for tool in TOOLS), reason=f"needs {', '.join(TOOLS)}"
)

Process = subprocess.Popen[bytes]
Start = Callable[..., Process]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start an X server, and return what starts programs on it; all of them end with the test."""
    runtime = tempfile.mkdtemp(prefix="ns-")
    monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    for name in ("DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    started: list[Process] = []

    def start_program(*command: str, **options: Any) -> Process:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started.append(subprocess.Popen(command, **{**quiet, **options}))
        return started[-1]

    reading, writing = os.pipe()
    screen = ("-screen", "0", "1280x800x24")
    start_program("Xvfb", "-displayfd", str(writing), *screen, pass_fds=(writing,))
    os.close(writing)
    with os.fdopen(reading) as told:
        monkeypatch.setenv("DISPLAY", f":{told.readline().strip()}")
    start_program("openbox")
    yield start_program
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


def test_keys_focus_and_a_tray_that_comes_and_goes(
    start: Start, vault: Path, home: Path, words_only: Settings
) -> None:
    write(vault, {"a.md": "# A\n\nfood\n"})
    words_only.with_vault(vault).save(Paths.choose(home))
    panel = start("trayer", "--edge", "top", "--align", "right", "--widthtype", "request")
    until(lambda: windows(PANEL))
    start(sys.executable, "-m", "notesearch", "open", "--background")

    until(lambda: ask("search", "x"))
    until(lambda: QUICK in keyboard())
    assert not windows(MAIN), "it was started without a window"
    tool("key", "Escape")
    until(lambda: not windows(QUICK))

    until(lambda: windows(PANEL))
    time.sleep(0.4)  # sooner, the click would be the one that turned elsewhere
    tool("mousemove", *middle(windows(PANEL)[0]), "click", "1")
    until(lambda: QUICK in keyboard())
    tool("type", "food")
    tool("key", "ctrl+Return")
    until(lambda: keyboard() == "notesearch")
    until(lambda: not windows(QUICK))

    assert ask("search", "food")
    until(lambda: QUICK in keyboard())
    tool("windowactivate", windows(MAIN)[0])
    until(lambda: not windows(QUICK))

    panel.terminate()
    panel.wait(20)
    assert ask("show"), "no tray, and it lives"
