"""The program as a process: it paints first, and ends cleanly."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit

from notesearch import __main__
from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.window.main_window import FirstPaint
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.limits import WAIT_S

_WATCHED = """
import os, sys
from notesearch.gui.window import main_window
make = main_window.MainWindow.__init__
def made(window, theme):
    make(window, theme)
    window.painted.connect(lambda: painted(window))
main_window.MainWindow.__init__ = made
"""

_FIRST_PAINT = """
def painted(_):
    print(*sys.modules, flush=True)
    os._exit(0)
from notesearch.__main__ import main
main()
"""

_STARTED = """
from notesearch.gui import app as apps
start_app = apps.App.start
def started(app, vault):
    start_app(app, vault)
    opened(app)
apps.App.start = started
"""

_TYPED_AT_ONCE = """
def painted(window):
    window.field.set_text("food")
def opened(app):
    def settled():
        if app.model.rowCount():
            print(app.pane.search.text)
            app.leave()
    app.pane.search.settled.connect(settled)
from notesearch.__main__ import main
main()
"""

_ANSWERED_AT_ONCE = """
def painted(window):
    window.field.set_text("food")
def opened(app):
    def settled():
        print(*sys.modules)
        app.leave()
    app.pane.search.settled.connect(settled)
from notesearch.__main__ import main
main()
"""

_NEVER_PAINTED = """
from notesearch.gui.window import main_window
from notesearch.gui import start
main_window.MainWindow.paintEvent = lambda window, event: None
start._PAINT_MS = 10
def opened(app):
    print("made")
    app.vault.idle.connect(app.leave)
from notesearch.__main__ import main
main()
"""

_WITH_A_BUG = """
import sys
sys.modules["notesearch.gui.app"] = None
from notesearch.__main__ import main
main()
"""

NOT_YET = {
    "apsw",
    "click",
    "markdown_it",
    "nh3",
    "numpy",
    "onnxruntime",
    "pygments",
    "rich",
    "subprocess",
    "tokenizers",
    "tomlkit",
    "watchdog",
    "yaml",
    "PySide6.QtNetwork",
    "notesearch.cli.main",
    "notesearch.library",
    "notesearch.markdown.render.section_html",
    "notesearch.results",
    "notesearch.status",
    "notesearch.wire",
    "notesearch.gui.app",
    "notesearch.gui.desktop",
    "notesearch.gui.window.folder_chooser",
    "notesearch.gui.session.open_vault",
    "notesearch.gui.session.search_pane",
    "notesearch.gui.preview.preview_pane",
    "notesearch.gui.quick.quick_search",
    "notesearch.gui.results.results_view",
    "notesearch.gui.quick.tray",
}
"""Modules that the first paint does not need."""

NOT_ASKED = {
    "notesearch.index.indexer",
    "notesearch.index.live_index",
    "pygments",
    "watchdog",
    "ziamath",
}
"""Modules that the first answer and a simple preview do not need."""

_RUN = """
import sys
from pathlib import Path
from notesearch.config import Paths, Settings
from notesearch.gui import start
from notesearch.gui.system.single_instance import InstanceLock
def opened(app):
    app.vault.idle.connect(lambda: print("idle", flush=True))
sys.exit(start.run(Path(sys.argv[1]), Settings(model="none"), Paths.choose(), InstanceLock()))
"""

_PICTURE = """
import sys
from pathlib import Path
from notesearch.config import Paths, Settings
from notesearch.gui.session import section_reader
from notesearch.gui.start import save_screenshot
vault, target = map(Path, sys.argv[1:3])
if sys.argv[3:]:
    section_reader._FULL_SECONDS = float(sys.argv[3])
save_screenshot(vault, Settings(model="none"), Paths.choose(), target, "food")
"""


def environment() -> dict[str, str]:
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen"}


def opened(code: str, notes: Path) -> str:
    """Open the window on ``notes`` while ``code`` observes it; return the output."""
    Settings(model="none").with_vault(notes).save(Paths.choose())
    done = subprocess.run(
        [sys.executable, "-c", _WATCHED + code, "open", str(notes)],
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def test_the_first_paint_imports_nothing_else(notes: Path) -> None:
    loaded = set(opened(_FIRST_PAINT, notes).split())
    assert loaded & NOT_YET == set()
    ours = {name for name in loaded if name.startswith("notesearch.")}
    assert "notesearch.gui.widgets.search_field" in ours
    assert len(ours) <= 44


def test_text_typed_at_the_first_paint_is_searched(notes: Path) -> None:
    assert opened(_STARTED + _TYPED_AT_ONCE, notes) == "food\n"


def test_a_query_typed_at_once_imports_nothing_else(notes: Path) -> None:
    with NoteLibrary.open(notes, settings=Settings(model="none")) as library:
        library.refresh()
    loaded = set(opened(_STARTED + _ANSWERED_AT_ONCE, notes).split())
    assert "notesearch.search.search" in loaded
    assert loaded & NOT_ASKED == set()


def test_a_window_that_is_never_painted_is_still_created(notes: Path) -> None:
    assert opened(_STARTED + _NEVER_PAINTED, notes) == "made\n"


def test_an_early_error_is_logged(notes: Path, home: Path) -> None:
    Settings(model="none").with_vault(notes).save(Paths.choose())
    done = subprocess.run(
        [sys.executable, "-c", _WITH_A_BUG],
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "notesearch.gui.app" in Paths.choose(home).log_file.read_text(encoding="utf-8")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("vault", "title"), [("", "Choose your notes folder"), ("/notes", "Search your notes")]
)
def test_without_a_folder_the_field_is_disabled(vault: str, title: str) -> None:
    front = FirstPaint(Settings(vault=vault), Paths.choose())
    assert front.window.page.page.title == title
    field = front.window.findChild(QLineEdit)
    assert field is not None
    assert field.isEnabled() == bool(vault)
    front.appearance.close()


@pytest.mark.parametrize(
    ("words", "is_only_the_window"),
    [
        ("", True),
        ("open", True),
        ("open notes", True),
        ("./notes", True),
        ("notes", False),  # may be the name of a command
        ("./gone", False),  # the command says so
        ("open gone", False),
        ("open --background", False),
        ("open notes --background", False),
        ("--vault notes", False),
        ("search notes", False),
    ],
)
def test_opening_the_window_does_not_import_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, is_only_the_window: bool
) -> None:
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path)
    asked: list[list[str]] = []
    monkeypatch.setattr(sys, "argv", ["notesearch", *words.split()])
    monkeypatch.setattr(__main__, "_open_window", asked.append)
    monkeypatch.setattr("notesearch.cli.main.main", lambda **_: None)
    monkeypatch.setattr("gc.set_threshold", lambda *_: None)
    __main__.main()
    folders = [words.rsplit(maxsplit=1)[-1]] if "notes" in words else []
    assert asked == ([folders] if is_only_the_window else [])


@pytest.mark.fault("J2")
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_program_cleanly(notes: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _STARTED + _RUN, str(notes)],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stdout.readline() == "idle\n"
        running.send_signal(number)
        _, complaints = running.communicate(timeout=WAIT_S)
    assert complaints == ""
    assert running.returncode == 0


def test_the_picture_shows_results(notes: Path, tmp_path: Path) -> None:
    target = tmp_path / "window.png"
    subprocess.run(
        [sys.executable, "-c", _PICTURE, str(notes), str(target)],
        env=environment(), timeout=100, check=True,
    )  # fmt: skip
    assert target.read_bytes().startswith(b"\x89PNG")
    assert target.stat().st_size > 10_000


def test_the_picture_is_the_same_on_a_slow_machine(tmp_path: Path) -> None:
    note = '# Lens\n\n!!! note "Food"\n    For thought.\n\n$$\\frac{1}{f}$$\n'
    site = {"mkdocs.yml": "markdown_extensions:\n  - admonition\n", "lens.md": note}
    write(tmp_path / "site", site)
    pictures = set()
    for seconds in ("2.0", "0.02"):
        target = tmp_path / f"{seconds}.png"
        command = [sys.executable, "-c", _PICTURE, str(tmp_path / "site"), str(target), seconds]
        subprocess.run(command, env=environment(), timeout=100, check=True)
        pictures.add(target.read_bytes())
    assert len(pictures) == 1


@pytest.mark.usefixtures("qapp")
def test_the_index_is_in_the_configured_folder(notes: Path, home: Path, tmp_path: Path) -> None:
    told = Paths.choose(tmp_path / "elsewhere")
    window_app = App(FirstPaint(Settings(model="none"), told))
    open_library = window_app.vault._opener({"": notes})
    window_app.close()
    with open_library().parts[""] as library:
        library.refresh()
    assert told.index_file(notes.resolve()).is_file()
    assert not (home / "data").exists()
