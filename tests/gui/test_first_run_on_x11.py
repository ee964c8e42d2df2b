"""From nothing to the first section in an editor, as a new user goes: choose, type, Enter."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import resources
from tests.gui import x11
from tests.gui.x11 import Start, keyboard, tool, until

pytestmark = x11.needs_x11


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the sample notes in it; where the desktop's own program writes what it opens."""
    me, opened = tmp_path / "me", tmp_path / "opened"
    shutil.copytree(resources() / "sample-vault", me / "notes")
    program = tmp_path / "programs" / "xdg-open"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nbasename "$1" >> "{opened}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setenv("HOME", str(me))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return opened


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    for start in x11.desktop(monkeypatch):
        start("openbox")
        until(x11.is_managed)
        yield start


def test_three_actions(start: Start, opened: Path, tmp_path: Path) -> None:
    file = tmp_path / "seen"

    def seen(name: str) -> str:
        return str(json.loads(file.read_text())[name]) if file.exists() else ""

    start(sys.executable, "-m", "tests.gui.telling", str(file))
    until(lambda: keyboard() == "notesearch")
    until(lambda: "Choose folder" in seen("focus"))
    for _ in range(2):  # past the sample notes
        tool("key", "Tab")
    until(lambda: seen("focus").startswith("Folder “notes”, ~/notes, "))

    tool("key", "Return")  # the first action
    until(lambda: seen("focus") == "Search your notes")
    tool("type", "kyoto food")  # the second
    until(lambda: seen("selected") and seen("heading") == seen("selected"))
    tool("key", "Return")  # the third
    until(lambda: opened.exists() and opened.read_text().endswith(".md\n"))
