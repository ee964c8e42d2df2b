"""What docs/privacy.md says is kept, and where: compared with what the program leaves behind."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.folders import snapshot, write

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "privacy.md").read_text("utf-8")
NOTES = {"pond.md": "# Pond\n\nReeds and herons.\n"}
SESSION = (
    ("search", "herons", "--vault", "notes"),
    ("vaults", "add", "notes"),
    ("picture", "--vault", "notes", "--", "window.png", "herons"),
)


DIALOG = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog
from notesearch.gui.start import make_application
application = make_application()
dialog = QFileDialog(None, "", "notes")
dialog.finished.connect(application.quit)
QTimer.singleShot(0, dialog.reject)
dialog.show()
application.exec()
del dialog
"""


def environment(home: Path) -> dict[str, str]:
    kept = {"PATH", "PYTHONPATH", "QT_QPA_PLATFORM", "LANG"}
    known = {name: value for name, value in os.environ.items() if name in kept}
    return known | {"HOME": str(home), "TMPDIR": str(home / "tmp")}


linux = pytest.mark.skipif(sys.platform != "linux", reason="the places of Linux are compared")


@linux
def test_nothing_is_left_outside_of_what_the_page_names(tmp_path: Path) -> None:
    write(tmp_path, {f"notes/{name}": text for name, text in NOTES.items()})
    (tmp_path / "tmp").mkdir()
    before = snapshot(tmp_path / "notes")
    for words in SESSION:
        subprocess.run(
            [sys.executable, "-P", "-m", "notesearch", *words],
            cwd=tmp_path, env=environment(tmp_path), check=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    named = {folder.removeprefix("~/") for folder in re.findall(r"`(~/[^`]+)` \|", PAGE)}
    assert named >= {".config/notesearch", ".local/share/notesearch"}
    left = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*")}
    files = {name for name in left if (tmp_path / name).is_file()} - {"window.png"}
    others = {name for name in files if not name.startswith((*named, "notes/"))}
    assert {name for name in others if ".cache/fontconfig" not in name} == set()
    assert snapshot(tmp_path / "notes") == before
    assert not any((tmp_path / "tmp").rglob("*"))


@linux
def test_the_dialog_for_folders_keeps_no_list_of_them(tmp_path: Path) -> None:
    """Qt's own dialog keeps the last visited folders in a file that all users can read."""
    write(tmp_path, {f"notes/{name}": text for name, text in NOTES.items()})
    words = [sys.executable, "-P", "-c", DIALOG]
    subprocess.run(words, cwd=tmp_path, env=environment(tmp_path), check=True)
    assert [file.name for file in tmp_path.rglob("*.conf")] == []
