"""The program as a process: it paints before it loads, and it ends when it is told to."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.front import Front
from tests.folders import write

_FIRST_PAINT = """
import sys
from notesearch.config import Paths, Settings
from notesearch.gui import main_window, start
def painted():
    heavy = {"apsw", "numpy", "onnxruntime", "tokenizers", "markdown_it", "pygments", "watchdog",
             "nh3", "yaml", "rich", "tomlkit", "notesearch.library", "notesearch.markdown.render"}
    print(sorted(heavy & set(sys.modules)))
    start.QApplication.quit()
make = main_window.MainWindow.__init__
def made(window, theme):
    make(window, theme)
    window.painted.connect(painted)
main_window.MainWindow.__init__ = made
sys.exit(start.run(None, Settings(), Paths.choose()))
"""

_RUN = """
import sys
from pathlib import Path
from notesearch.config import Paths, Settings
from notesearch.gui import start
begin = start._begin
def began(window_app, vault, paths):
    window_app.vaults.idle.connect(lambda: print("idle", flush=True))
    begin(window_app, vault, paths)
start._begin = began
sys.exit(start.run(Path(sys.argv[1]), Settings(model="none"), Paths.choose()))
"""

_PICTURE = """
import sys
from pathlib import Path
from notesearch.config import Paths, Settings
from notesearch.gui import read_worker
from notesearch.gui.picture import save_picture
vault, target = map(Path, sys.argv[1:3])
if sys.argv[3:]:
    read_worker._WHOLE_S = float(sys.argv[3])
save_picture(vault, Settings(model="none"), Paths.choose(), target, "food")
"""


def environment() -> dict[str, str]:
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen"}


def test_nothing_heavy_is_imported_before_the_first_paint() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_PAINT],
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.strip() == "[]"
    assert done.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(notes: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _RUN, str(notes)],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stdout.readline() == "idle\n"
        running.send_signal(number)
        _, complaints = running.communicate(timeout=30)
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


def test_the_picture_is_the_same_where_what_draws_is_late(tmp_path: Path) -> None:
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
def test_the_index_lies_where_the_program_was_told(notes: Path, home: Path, tmp_path: Path) -> None:
    told = Paths.choose(tmp_path / "elsewhere")
    window_app = App(Front(Settings(model="none"), told))
    open_library = window_app.vaults.turns._opener(notes)
    window_app.close()
    with open_library() as library:
        library.refresh()
    assert told.index_file(notes.resolve()).is_file()
    assert not (home / "data").exists()
