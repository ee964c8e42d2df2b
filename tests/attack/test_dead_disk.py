"""The disk with the notes stops answering, as the share of a computer that is switched off."""

import subprocess
import sys
from pathlib import Path

import pytest

from notesearch.gui.system.single_instance import InstanceLock
from tests.faults.follower import ROOT, in_namespace
from tests.folders import write

_PROGRAM = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from notesearch.gui import app as apps, start

dead, alive = map(Path, sys.argv.pop().split(":"))
start.END_S = 1.0
start_app = apps.App.start

def started(app, vault):
    app.window.field.set_text("herons")
    start_app(app, vault)
    app.vault.idle.connect(lambda: on_idle(app))

def on_idle(app):
    print(app.vault.path.name, app.vault.status.notes, flush=True)
    if app.vault.path == alive:
        app.leave()
        return
    os.kill(int(os.environ["DEAD_DISK"]), signal.SIGUSR1)
    app.actions.open_section.trigger()
    app.actions.reveal.trigger()
    app.folders.take(str(dead))
    app.vault.refresh()
    QTimer.singleShot(300, lambda: app.open_folder(alive))

apps.App.start = started
from notesearch.__main__ import main
main()
"""


@pytest.mark.fault(
    "K10",
    fault="The disk stops answering while notes are read, opened and counted",
    tries="a test file system",
    outcome="The window stays usable, opens another folder, and closes within 5 s",
)
def test_k10_the_disk_of_the_notes_is_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mount, shown, alive, home = (tmp_path / name for name in ("dead", "shown", "alive", "home"))
    mount.mkdir()
    write(shown, {f"{n}.md": f"# Pond {n}\n\nHerons wade.\n" for n in range(5)})
    write(alive, {"note.md": "# Pond\n\nHerons wade.\n", "more.md": "# Reeds\n"})
    write(home, {"config/settings.toml": "meaning = false\n"})
    folders = f"{mount}:{alive}"
    window = [sys.executable, "-c", _PROGRAM, str(mount), folders]
    disk = [sys.executable, "-m", "tests.attack.dead_disk", str(mount), str(shown)]
    monkeypatch.setenv("NOTESEARCH_HOME", str(home))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    done = subprocess.run(
        [*in_namespace("-m", setup=": < /dev/fuse"), *disk, *window],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == ["dead 5", "alive 2"]
    with InstanceLock() as next_start:
        assert next_start.acquire(), "the next start would wait"
