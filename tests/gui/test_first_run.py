"""The first five minutes of a new user, by key presses alone but for one click.

The first three actions lead to a section in the editor: choose a folder, type, Enter.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import resources
from tests.gui import x11
from tests.gui.x11 import SCREEN_WIDTH, Program, Start, tool, windows
from tests.limits import until

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
    defaults = me / ".config" / "mimeapps.list"
    defaults.parent.mkdir()
    defaults.write_text("[Default Applications]\ntext/markdown=editor.desktop\n")
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setenv("HOME", str(me))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return opened


@pytest.fixture(params=["x11", pytest.param("wayland", marks=pytest.mark.slow)])
def start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    is_wayland = request.param == "wayland"
    if is_wayland and not shutil.which("weston"):
        pytest.skip("needs weston")
    for start in x11.desktop(monkeypatch):
        if is_wayland:
            x11.enter_wayland(start, monkeypatch)
        else:
            x11.manage(start)
        yield start


QUICK = "notesearch – quick search"


def click_the_field(program: Program) -> None:
    """Click into the search field. No other program knows where a window is on Wayland."""
    place: tuple[str, ...]
    if found := windows("notesearch"):
        place = "--window", found[0], "200", "30"
    else:
        program.press("super+shift+m", width=lambda width: width > SCREEN_WIDTH - 20)  # its frame
        place = "300", "90"
    # Weston shows the frame later than the program knows it; a click before hits the desktop.
    # Weston adds up how far the mouse moves, and only in a corner is it where X has it.
    until(lambda: tool("mousemove", "0", "0", "mousemove", *place) or is_pointed(program))
    tool("click", "1")


def is_pointed(program: Program) -> bool:
    """Return whether the program knows that the mouse is on the search field."""
    return program.seen()["pointed"] is True


def test_the_first_five_minutes(start: Start, opened: Path, tmp_path: Path) -> None:
    """What is pressed, and what is seen; the whole way from no folder to quick search.

    ===================  ========================================================
    Tab Tab Enter        the folder found on this computer is opened
    kyoto food           its sections are listed, the first one is selected
    Enter                the editor opens its note: the third action
    Down                 the next section, and its preview
    Ctrl+D               the query gets a star, and the status line says so
    Esc, click, Down     the empty field lists the query with its star
    Enter                it is searched again
    F1, star, Esc        the keys, filtered
    Shift+F1, Down Enter an example of the search tips is searched
    Ctrl+Comma, Esc      the settings
    F10 Enter            quick search
    tide, Ctrl+Enter     the same query in the main window
    ===================  ========================================================
    """
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
    program.wait(notice="")

    first = program.seen()["selected"]
    program.press("Down", selected=lambda section: section not in {first, ""})
    until(lambda: program.seen()["heading"] == program.seen()["selected"])
    program.press("ctrl+d", status=lambda text: text.startswith("Query starred."))

    program.press("Escape", query="")
    click_the_field(program)
    program.wait(menu=True)
    program.press("Down Return", query="kyoto food", menu=False, selected=bool, answered=True)

    program.press("F1", window="Keyboard shortcuts", focus="Filter keys and actions")
    tool("type", "star")
    program.press("Escape", window="notesearch")
    program.press("shift+F1", card="Search tips")
    program.press("Down Return", query=lambda query: query.startswith('"'), card="")
    program.wait(answered=True, selected=bool)
    program.press("ctrl+comma", window="Settings – notesearch")
    program.press("Escape", window="notesearch")

    program.hold("F10", menu=True)
    program.press("Down Return", window=QUICK, focus="Search your notes")
    program.type("tide", answered=True, selected=bool)
    # Weston gives the keyboard to no window when one is hidden, so none may be active.
    program.press("ctrl+Return", shown=["notesearch"], query="tide")
    program.wait(answered=True, selected=bool)
