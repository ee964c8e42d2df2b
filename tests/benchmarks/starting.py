"""From the command to the first painted window, and the memory of the running program."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure

STARTS = 7

_PAINT = """
import os, time
from notesearch.gui.window.main_window import MainWindow
make = MainWindow.__init__
def made(window, *parts):
    make(window, *parts)
    window.painted.connect(painted)
def painted():
    print(time.time(), flush=True)
    os._exit(0)
MainWindow.__init__ = made
from notesearch.__main__ import main
main()
"""

_HYBRID = """
import os, time
from PySide6.QtCore import QTimer
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.session.search_controller import SearchController
make, receive = MainWindow.__init__, SearchController.answer
def made(window, *parts):
    make(window, *parts)
    window.painted.connect(lambda: window.field.set_text("how do I bake bread"))
def painted():
    print(time.time(), flush=True)
    os._exit(0)
def answer(flow, found):  # a slot keeps its name
    receive(flow, found)
    if found.result is not None and found.result.meaning and found.result.sections:
        flow._window.results.view.viewport().repaint()
        QTimer.singleShot(0, painted)
MainWindow.__init__, SearchController.answer = made, answer
from notesearch.__main__ import main
main()
"""

_MEMORY = """
import sys
from pathlib import Path
from notesearch.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
for line in Path("/proc/self/status").read_text().splitlines():
    if line.startswith(("VmHWM", "VmRSS")):
        print(line.split()[1])
"""


def first_paints(work: Path) -> list[float]:
    """Return the milliseconds from the command to the first painted window, of each start."""
    return _starts(work, _PAINT)


def first_by_both(work: Path) -> list[float]:
    """Return the milliseconds from the command to the first results by words and meaning."""
    return _starts(work, _HYBRID)


def _starts(work: Path, code: str) -> list[float]:
    """Start the command line several times; return the milliseconds of all but the first start."""
    times = []
    for _ in range(STARTS):
        started = time.time()
        shown = _run(work, code, "open", str(vaults.SAMPLE))
        times.append((float(shown.split()[0]) - started) * 1000)
    return times[1:]


def memory(work: Path) -> Iterator[Figure]:
    """Index a vault, search it in the window, and ask the system for the process's memory."""
    if not sys.platform.startswith("linux"):
        return
    vault = vaults.real()[0]
    words = ("picture", str(work / "window.png"), "due date", "--vault", str(vault))
    shutil.rmtree(work / "memory-fresh", ignore_errors=True)
    for name, most in (("while it indexes", 350), ("the index there", 230)):
        told = _run(work / "memory-fresh", _MEMORY, *words).split()[-2:]
        peak, now = (int(kb) / 1024 for kb in told)
        value = f"{now:.0f} MB, at most {peak:.0f} MB"
        met = (peak if most == 350 else now) <= most
        yield Figure(f"memory of the window, {name}", value, f"<= {most} MB", vault.name, met)


def _run(home: Path, code: str, *words: str) -> str:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "NOTESEARCH_HOME": str(home.absolute()),
    }
    # An installed program is compiled once; without its cache each start would compile it again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout
