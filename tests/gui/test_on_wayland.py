"""Quick search on a headless Wayland desktop, opened by the shortcut and by a second start."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.gui.system.single_instance import ask
from tests.benchmarks.quick import PAINTED
from tests.folders import write
from tests.gui.private_bus import StartPortal, do
from tests.limits import until

pytestmark = pytest.mark.skipif(not shutil.which("weston"), reason="needs weston")

PROGRAM = f"""{PAINTED}
import sys
from PySide6.QtGui import QGuiApplication
from notesearch.gui.desktop import Desktop
create = Desktop.__init__
def created(desktop, *given, **named):
    create(desktop, *given, **named)
    quick = desktop.quick
    def report(*words):
        print(*words, flush=True)
    Painted(quick.window, lambda: report("painted", QGuiApplication.platformName()))
    quick.pane.search.settled.connect(lambda: report("found", len(quick.model.rows)))
    desktop.shortcut.changed.connect(lambda state: report("shortcut", state.kind))
    desktop._app.vault.idle.connect(lambda: report("ready"))
Desktop.__init__ = created
from notesearch.cli.main import main
main(sys.argv[1:])
"""


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Start a private Wayland desktop, and return the folder of its sockets."""
    folder = Path(tempfile.mkdtemp(prefix="ns-"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.delenv("DISPLAY", raising=False)
    command = ["weston", "--backend=headless-backend.so", "--socket=wayland-9", "--idle-time=0"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as weston:
        until((folder / "wayland-9").exists)
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
        yield folder
        weston.terminate()
    shutil.rmtree(folder)


def test_the_window_opens_and_searches(
    runtime: Path, portal: StartPortal, vault: Path, home: Path, words_only: Settings
) -> None:
    write(vault, {"a.md": "# A\n\nfood\n", "b.md": "# B\n\nfood and more\n"})
    chosen = replace(words_only, quick_shortcut="Ctrl+Shift+Space").with_vault(vault)
    chosen.save(Paths.choose(home))
    portal("strict")
    environment = {**os.environ, "QT_QPA_PLATFORM": "wayland", "XDG_DATA_HOME": str(home / "data")}
    command = [sys.executable, "-c", PROGRAM, "open", "--background"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None

        def printed(expected: str) -> bool:
            """Read the output until the program prints ``expected``."""
            assert program.stdout is not None
            return any(line.strip() == expected for line in program.stdout)

        assert printed("shortcut active")
        assert printed("ready")
        do("Press")
        assert printed("painted wayland")
        assert ask("search", "food")
        assert printed("found 2")
        program.terminate()
