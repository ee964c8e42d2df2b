"""The first run of a new user, up to a section in the editor: choose a folder, type, Enter."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import resources
from tests.gui import x11
from tests.gui.x11 import Program, Start, tool, until

pytestmark = x11.needs_x11


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a home with the sample notes; return the file in which opened files are recorded."""
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
        x11.manage(start)
        yield start


def test_three_actions_lead_to_the_first_section(
    start: Start, opened: Path, tmp_path: Path
) -> None:
    program = Program(file := tmp_path / "seen")
    start(sys.executable, "-m", "tests.gui.observed_program", str(file))
    program.wait_for_keyboard("notesearch")
    program.wait(focus=lambda focus: "Choose folder" in focus)
    for _ in range(2):  # skips the sample notes
        tool("key", "Tab")
    program.wait(focus=lambda focus: focus.startswith("Folder “notes”, ~/notes, "))

    program.press("Return", focus="Search your notes")  # the first action
    program.type("kyoto food", answered=True, selected=bool)  # the second
    until(lambda: program.seen()["heading"] == program.seen()["selected"])
    tool("key", "Return")  # the third
    until(lambda: opened.exists() and opened.read_text().endswith(".md\n"))
