"""``notesearch quick`` while the program runs: from its exec to the painted window, by parts."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure, spread

ROUNDS = 25

PAINTED = """
from PySide6.QtCore import QEvent, QObject, QTimer
class Painted(QObject):
    def __init__(self, window, call):
        super().__init__(window)
        self.call, self.waits = call, False
        window.installEventFilter(self)
    def eventFilter(self, window, event):
        if event.type() == QEvent.Type.Show:
            self.waits = True
        elif event.type() == QEvent.Type.Paint and self.waits:
            self.waits = False
            QTimer.singleShot(0, self.call)
        return False
"""
"""A class that calls a function each time a window has been shown and painted."""

_PROGRAM = f"""{PAINTED}
import sys, time
from notesearch.gui.desktop import Desktop
create = Desktop.__init__
def created(desktop, *given, **named):
    create(desktop, *given, **named)
    quick = desktop.quick
    def tell(word):
        print(word, time.monotonic_ns(), flush=True)
    def painted():
        tell("painted")
        quick.hide()
    Painted(quick.window, painted)
    desktop.server.requested.connect(lambda *_: tell("asked"))
    desktop._app.vault.idle.connect(lambda: tell("ready"))
Desktop.__init__ = created
from notesearch.cli.main import main
main(sys.argv[1:])
"""

_CLIENT = "from notesearch.__main__ import main; main()"


def opening_times(work: Path) -> Iterator[Figure]:
    """Run the command often, and a bare interpreter beside each, as the machine may be busy."""
    environment = {
        **os.environ,
        "NOTESEARCH_HOME": str((work / "quick").absolute()),
        "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    program = [sys.executable, "-c", _PROGRAM, "open", "--background", str(vaults.SAMPLE)]
    bare, asked, painted = [], [], []
    with subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        _moment(running.stdout, "ready")
        for number in range(ROUNDS):
            started = time.monotonic_ns()
            subprocess.run([sys.executable, "-c", "pass"], env=environment, check=True)
            bare.append((time.monotonic_ns() - started) / 1e6)
            started = time.monotonic_ns()
            client = [sys.executable, "-c", _CLIENT, "quick", f"food {number}"]
            with subprocess.Popen(client, env=environment):
                asked.append((_moment(running.stdout, "asked") - started) / 1e6)
                painted.append((_moment(running.stdout, "painted") - started) / 1e6)
        running.terminate()
    yield Figure("a bare interpreter, beside the next two", spread(bare[1:], "ms"))
    yield Figure("notesearch quick: exec to asked", spread(asked[1:], "ms"))
    platform = environment["QT_QPA_PLATFORM"]
    yield Figure(
        "notesearch quick: exec to painted",
        spread(painted[1:], "ms"),
        "<= 60 ms",
        platform,
        median(painted[1:]) <= 60,
    )


def _moment(told: Iterator[str], word: str) -> int:
    """Return the time, in nanoseconds, at which the program printed ``word``."""
    return next(int(line.split()[1]) for line in told if line.startswith(word))
