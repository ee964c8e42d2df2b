"""Measures quick search on a desktop: from a key or click in the X server to the painted window."""

import ctypes
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from notesearch.config import Paths, Settings
from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure, spread
from tests.benchmarks.quick import PAINTED
from tests.gui import x11
from tests.limits import until

ROUNDS = 13
_BETWEEN_S = 0.4
_KEYS = (b"Control_L", b"Shift_L", b"space")
_SHORTCUT = "Ctrl+Shift+Space"

_PROGRAM = f"""{PAINTED}
import sys, time
from notesearch.gui.quick import quick_search
from notesearch.gui.desktop import Desktop
quick_search._SWALLOWED_S = 0.0
create = Desktop.__init__
def created(desktop, *given, **named):
    create(desktop, *given, **named)
    quick = desktop.quick
    def painted():
        print("painted", time.monotonic_ns(), flush=True)
        quick.hide()
    Painted(quick.window, painted)
    desktop._app.vault.idle.connect(lambda: print("ready", 0, flush=True))
Desktop.__init__ = created
from notesearch.cli.main import main
main(sys.argv[1:])
"""


class _Hand:
    """Presses keys and buttons by the X server's own extension for tests."""

    def __init__(self) -> None:
        self._x11, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._x11.XStringToKeysym.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(None))

    def press(self) -> float:
        """Press the shortcut; return the time before that, in nanoseconds."""
        keys = [ctypes.c_ulong(self._x11.XStringToKeysym(name)) for name in _KEYS]
        codes = [self._x11.XKeysymToKeycode(self._display, key) for key in keys]
        started = self._do(self._test.XTestFakeKeyEvent, codes, down=True)
        self._do(self._test.XTestFakeKeyEvent, codes[::-1], down=False)
        return started

    def click(self) -> float:
        """Click at the pointer; return the time before the button goes up, in nanoseconds."""
        self._do(self._test.XTestFakeButtonEvent, [1], down=True)
        return self._do(self._test.XTestFakeButtonEvent, [1], down=False)

    def _do(self, fake: Callable[..., int], codes: list[int], *, down: bool) -> float:
        started = time.monotonic_ns()
        for code in codes:
            fake(self._display, code, int(down), ctypes.c_ulong(0))
        self._x11.XSync(self._display, 0)
        return started


def opening_times(work: Path) -> Iterator[Figure]:
    """Open quick search by the shortcut, then by the tray; yield nothing without an X server."""
    if x11.MISSING:
        return
    home = (work / "desktop").absolute()
    chosen = replace(Settings(), quick_shortcut=_SHORTCUT).with_vault(vaults.SAMPLE)
    chosen.save(Paths.choose(home))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOTESEARCH_HOME", str(home))
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        for start in x11.desktop(patch):
            x11.manage(start)
            start("trayer", "--edge", "top", "--align", "right", "--widthtype", "request")
            until(lambda: x11.windows("panel"))
            command = [sys.executable, "-c", _PROGRAM, "open", "--background"]
            program = start(*command, stdout=subprocess.PIPE)
            assert program.stdout is not None
            told = (line.decode() for line in program.stdout)
            next(line for line in told if line.startswith("ready"))
            hand = _Hand()
            yield _figure("global shortcut to quick search painted", hand.press, told)
            x11.tool("mousemove", *x11.middle(x11.windows("panel")[0]))
            yield _figure("tray click to quick search painted", hand.click, told)


def _figure(name: str, ask: Callable[[], float], told: Iterator[str]) -> Figure:
    times = []
    for _ in range(ROUNDS):
        time.sleep(_BETWEEN_S)  # nobody asks sooner, and the window manager has settled
        started = ask()
        painted = next(line for line in told if line.startswith("painted"))
        times.append((int(painted.split()[1]) - started) / 1e6)
    first = f"Xvfb with openbox, {ROUNDS - 1} times; the first, which nothing is ready for,"
    note = f"{first} {times[0]:.0f} ms"
    return Figure(name, spread(times[1:], "ms"), "<= 50 ms", note, median(times[1:]) <= 50)
