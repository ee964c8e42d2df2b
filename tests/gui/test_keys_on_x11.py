"""Every key of both windows, pressed on a real X11 desktop with a window manager.

One program runs for all steps. Each step presses keys and names what must be visible then.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.gui.system.single_instance import ask
from tests.folders import write
from tests.gui import x11
from tests.gui.x11 import tool
from tests.limits import until

pytestmark = x11.needs_x11

FIELD, LIST = "Search your notes", "Search results"
PREVIEW = "Preview of the selected section"
READY = "3 notes, searching by words only"
ACTIONS, OUTLINE = "Actions", "Note outline"

DAYS = "\n\n".join(f"Rain on day {day}, and food in the hall." for day in range(60))
TRIP = (
    f"# Trip\n\n## Kyoto\n\nA house.\n\n### Food\n\n{DAYS}\n\n### Temples\n\nFood there is none.\n"
)
NOTES = {
    "Trip.md": TRIP,
    "Pickles.md": "# Pickles\n\nGoes with fried food.\n",
    "Shoes.md": "# Shoes\n\nMoths take them for food.\n",
}


class Program(x11.Program):
    """The program; ``opened`` lists the notes for which it started editors."""

    def __init__(self, seen: Path, opened: Path) -> None:
        super().__init__(seen)
        self._opened = opened

    @property
    def opened(self) -> list[str]:
        return self._opened.read_text().splitlines() if self._opened.exists() else []


@pytest.fixture
def program(
    monkeypatch: pytest.MonkeyPatch, vault: Path, home: Path, tmp_path: Path, words_only: Settings
) -> Iterator[Program]:
    """The program with its main window open and an empty field."""
    write(vault, NOTES)
    opened, seen, script = tmp_path / "opened", tmp_path / "seen", tmp_path / "editor"
    script.write_text(f'#!/bin/sh\necho "$1 $(basename "$2"):$3" >> "{opened}"\n')
    files = tmp_path / "programs" / "xdg-open"
    files.parent.mkdir()
    files.write_text(f'#!/bin/sh\necho "folder $(basename "$1")" >> "{opened}"\n')
    for made in (script, files):
        made.chmod(0o755)
    monkeypatch.setenv("PATH", str(files.parent), prepend=os.pathsep)
    chosen = replace(
        words_only,
        editor=f"{script} first {{path}} {{line}}",
        second_editor=f"{script} second {{path}} {{line}}",
        quick_shortcut="Ctrl+Shift+Space",
        quick_hides=False,
    )
    chosen.with_vault(vault).save(Paths.choose(home))
    no_keys = tmp_path / "openbox.xml"
    no_keys.write_text('<openbox_config xmlns="http://openbox.org/3.4/rc"/>')
    for start in x11.desktop(monkeypatch):
        x11.manage(start, "--config-file", str(no_keys))  # else Alt+Shift+Up would be its own
        start("setxkbmap", "us", "intl").wait()  # with dead keys
        start(sys.executable, "-m", "tests.gui.observed_program", str(seen), "open")
        program = Program(seen, opened)
        program.wait_for_keyboard("notesearch")
        yield program


def other(than: object) -> Callable[[object], bool]:
    return lambda now: now != than


def test_the_keys_of_both_windows(program: Program) -> None:
    program.wait(busy=READY, focus=FIELD)
    _results(program)
    _preview(program)
    _places(program)
    _accents(program)
    _quick_search(program)


def _results(program: Program) -> None:
    press = program.press
    program.type("food", query="food", answered=True, selected="Food", focus=FIELD)
    press("Up", selected="Food")  # no way round
    press("Down", selected="Temples")
    press("Up", selected="Food")
    press("ctrl+End", selected="Shoes", query="food")
    press("Down", selected="Shoes")
    press("ctrl+Home", selected="Food")
    press("Next", selected="Shoes")
    press("Prior", selected="Food")
    press("Home", cursor=0, selected="Food")  # those of the text
    press("End", cursor=4, selected="Food")
    press("Return")
    until(lambda: program.opened == ["first Trip.md:9"])
    press("ctrl+Return")
    until(lambda: program.opened[1:] == ["second Trip.md:9"])
    tool("keydown", "alt")
    program.wait(digits=4)
    tool("keyup", "alt")
    program.wait(digits=0)
    press("alt+2", selected="Temples")
    until(lambda: program.opened[2:] == ["first Trip.md:131"])
    press("ctrl+k", card=ACTIONS, focus="Search actions")
    program.type("copy path")
    press("Return", card="", clipboard=lambda text: text.endswith("Trip.md"), focus=FIELD)
    press("ctrl+shift+c", clipboard="### Temples\n\nFood there is none.")
    press("ctrl+shift+l", clipboard="[[Trip#Kyoto#Temples]]")
    press("ctrl+alt+c", clipboard=lambda text: text.endswith("/Trip.md"))
    press("ctrl+shift+r", notice="")
    until(lambda: program.opened[3:] == ["folder vault"])
    press("ctrl+shift+f", chip="in: Trip", marked="food")
    press("Home BackSpace", chip="", query="food")
    press("ctrl+Home", selected="Food", cursor=0)


def _preview(program: Program) -> None:
    press = program.press
    press("alt+Up", scope="parent", heading="Kyoto")
    press("alt+Down", scope="section", heading="Food")
    press("alt+shift+Up", scope="note", heading="Trip")
    press("alt+Down alt+Down", scope="section", heading="Food", scroll=0)
    press("shift+Down", scroll=lambda place: place > 0)
    press("shift+Up", scroll=0)
    press("shift+Next", scroll=lambda place: place > 100)
    press("shift+Prior", scroll=0)
    program.wait(match=lambda text: text.startswith("2 of "))  # the snippet's
    for keys, match in (("F3", "3"), ("shift+F3", "2"), ("ctrl+g", "3"), ("ctrl+shift+g", "2")):
        press(keys, match=lambda text, match=match: text.startswith(f"{match} of "))
    press("ctrl+shift+o", card=OUTLINE)
    program.type("temples")
    press("Return", heading="Temples", card="", focus=FIELD)
    press("alt+Left", heading="Food")
    press("alt+Right", heading="Temples")
    press("alt+p", preview=False)
    press("alt+p", preview=True)
    press("ctrl+plus", zoom=110)
    press("ctrl+minus ctrl+minus", zoom=90)
    press("ctrl+0", zoom=100)


def _places(program: Program) -> None:
    press = program.press
    press("Tab", focus=LIST)
    press("Down", selected="Temples", focus=LIST)
    press("ctrl+f", focus=FIELD, marked="food")
    press("F6", focus=LIST)
    press("ctrl+l", focus=FIELD, marked="food")
    press("F6 F6", focus=PREVIEW)
    press("slash", focus=FIELD, marked="food")
    press("shift+F6", focus=PREVIEW)
    program.type("x", focus=FIELD, query=lambda text: "x" in text)
    press("BackSpace")
    press("ctrl+f Delete", query="")
    program.type("food", query="food", answered=True, selected="Food")
    press("Tab shift+Tab", focus=FIELD)
    press("ctrl+k", card=ACTIONS)
    press("Escape", card="", query="food", focus=FIELD)
    press("Tab Escape", focus=FIELD, marked="food", query="food")
    press("Escape", query="", window="notesearch")
    press("Down", focus=FIELD)
    press("ctrl+Up", query="food")
    press("ctrl+Down", query="")
    press("ctrl+comma", window=lambda title: "Settings" in title)
    press("Escape", window="notesearch")
    for keys in ("F1", "ctrl+question"):
        press(keys, window="Keyboard shortcuts")
        press("Escape", window="notesearch")
    press("F10", menu=True)
    press("Escape", menu=False, focus=FIELD)
    press("F5", busy=READY)


def _accents(program: Program) -> None:
    """Text typed with dead keys or AltGr reaches the field from any widget."""
    press = program.press
    for where, keys in ((FIELD, "ctrl+f"), (LIST, "ctrl+f F6"), (PREVIEW, "ctrl+f F6 F6")):
        for typed, text in (("dead_acute e", "é"), ("ISO_Level3_Shift+s", "ß"), ("KP_7", "7")):
            program.type("food", focus=FIELD, query="food", answered=True, selected="Food")
            press(keys, focus=where)
            press(typed, focus=FIELD, query=lambda now, text=text: now.endswith(text))
            press("ctrl+f Delete", query="")


def _quick_search(program: Program) -> None:
    press, quick = program.press, "notesearch – quick search"
    press("ctrl+shift+space", window=quick, focus=FIELD, query="")
    program.wait(selected="Temples")  # opened last
    program.type("food", query="food", answered=True, selected="Food")
    press("Down", selected=other("Food"))
    press("ctrl+End", selected=other("Food"))
    press("ctrl+Home", selected="Food")
    press("alt+Up", scope="parent")
    press("alt+Down", scope="section")
    press("shift+Next", scroll=lambda place: place > 0)
    press("shift+Prior", scroll=0)
    press("ctrl+shift+l", clipboard="[[Trip#Kyoto#Food]]")
    press("F6", focus=LIST)
    press("slash", focus=FIELD, marked="food")
    press("ctrl+k", card=ACTIONS)
    press("Escape", card="", window=quick, query="food")
    press("Escape", query="", window=quick)
    press("ctrl+Up", query="food", selected="Food")
    known = len(program.opened)
    press("Return", shown=lambda titles: quick not in titles)
    until(lambda: program.opened[known:] == ["first Trip.md:9"])
    assert ask("search", "food")
    program.wait(window=quick, query="food", selected="Food")
    press("alt+1", shown=lambda titles: quick not in titles)
    until(lambda: len(program.opened) == known + 2)
    assert ask("search", "moths")
    program.wait(window=quick, query="moths", selected="Shoes")
    press("ctrl+Return", window="notesearch", query="moths", selected="Shoes", focus=FIELD)
    program.wait(rested=True)  # what is asked for within a moment of its coming is no wish
    press("ctrl+shift+space", window=quick)
    press("Escape", shown=["notesearch"])  # nothing was typed since
    press("ctrl+q")
    until(lambda: not ask("show"))
