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


@pytest.mark.skipif(sys.platform != "linux", reason="the places of Linux are compared")
def test_nothing_is_left_outside_of_what_the_page_names(tmp_path: Path) -> None:
    kept = {"PATH", "PYTHONPATH", "QT_QPA_PLATFORM", "LANG"}
    environment = {name: value for name, value in os.environ.items() if name in kept}
    environment |= {"HOME": str(tmp_path), "TMPDIR": str(tmp_path / "tmp")}
    write(tmp_path, {f"notes/{name}": text for name, text in NOTES.items()})
    (tmp_path / "tmp").mkdir()
    before = snapshot(tmp_path / "notes")
    for words in SESSION:
        subprocess.run(
            [sys.executable, "-P", "-m", "notesearch", *words],
            cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            check=True,
        )  # fmt: skip
    named = {folder.removeprefix("~/") for folder in re.findall(r"`(~/[^`]+)` \|", PAGE)}
    assert named >= {".config/notesearch", ".local/share/notesearch"}
    left = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*")}
    files = {name for name in left if (tmp_path / name).is_file()} - {"window.png"}
    others = {name for name in files if not name.startswith((*named, "notes/"))}
    assert {name for name in others if ".cache/fontconfig" not in name} == set()
    assert snapshot(tmp_path / "notes") == before
    assert not any((tmp_path / "tmp").rglob("*"))
