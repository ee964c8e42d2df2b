"""Launchers and editors meet the real program, with a few notes that are found by their words."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from tests.folders import write

collect_ignore = [] if sys.platform == "linux" else ["test_desktop_search.py"]

INTEGRATIONS = Path(__file__).parents[2] / "integrations"

NOTES = {
    "travel/japan.md": "# Japan\n\nWe went in May.\n\n## Food\n\n### Ramen\n\nA bowl of *ramen* "
    "costs 900 yen & more.\n",
    "it's #1; odd $(name).md": "# Odd\n\nPickled plums.\n",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark these tests, because they need programs that most developers do not have."""
    for item in items:
        if item.nodeid.startswith("tests/integrations/"):
            item.add_marker("integration")


@pytest.fixture
def editor_log(tmp_path: Path) -> Path:
    """The file to which the editor of the settings writes what it opens."""
    return tmp_path / "editor.log"


@pytest.fixture(autouse=True)
def notes(
    vault: Path, home: Path, editor_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A folder of notes in the settings, and the program on the path."""
    write(vault, NOTES)
    editor = tmp_path / "editor.py"
    editor.write_text(
        f"import sys; open({str(editor_log)!r}, 'w').write('\\n'.join(sys.argv[1:]))\n"
    )
    command = f"'{sys.executable}' '{editor}' {{path}} {{line}}"
    settings = Settings(model="none", vault=str(vault), editor=command)
    settings.save(Paths.choose(home))
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return vault


def opened(editor_log: Path) -> str:
    """Wait for the started editor, and return its arguments."""
    for thread in threading.enumerate():
        if thread.name == "opening":
            thread.join(30)
    for _ in range(300):
        if editor_log.exists() and (text := editor_log.read_text()):
            return text
        time.sleep(0.1)  # a process of another one started it
    raise AssertionError("no editor was started")
