"""Quick search and the tray on a real X11 desktop: a window manager, a panel, a mouse, keys."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.gui.system.single_instance import ask
from tests.folders import write
from tests.gui import x11
from tests.gui.x11 import Program, Start, middle, tool, windows
from tests.limits import WAIT_S, until

QUICK, MAIN, PANEL = "notesearch – quick search", "notesearch", "panel"

pytestmark = x11.needs_x11


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start a desktop with a window manager, and return a function that starts programs."""
    for start in x11.desktop(monkeypatch):
        x11.manage(start)
        yield start


def icon() -> str:
    """Return the icon in the panel, the only visible window of the program then."""
    return tool("search", "--onlyvisible", "--class", "^notesearch$")


def test_the_shortcut_the_focus_and_a_tray_that_disappears(
    start: Start, vault: Path, home: Path, tmp_path: Path, words_only: Settings
) -> None:
    write(vault, {"a.md": "# A\n\nfood\n"})
    chosen = replace(words_only, quick_shortcut="Ctrl+Shift+Space")
    chosen.with_vault(vault).save(Paths.choose(home))
    panel = start("trayer", "--edge", "top", "--align", "right", "--widthtype", "request")
    until(lambda: windows(PANEL))
    program = Program(seen := tmp_path / "seen")
    start(sys.executable, "-m", "tests.gui.observed_program", str(seen), "open", "--background")

    program.wait(shown=[])
    assert ask("search", "x")
    program.wait_for_keyboard(QUICK)
    program.wait(rested=True)
    assert ask("toggle")
    assert ask("search", "y")  # before Qt notices that the keyboard left
    program.wait(query="y", window=QUICK)
    program.press("Escape", shown=[])
    until(lambda: not windows(QUICK))

    program.wait(rested=True)
    tool("mousemove", *middle(until(icon)), "click", "1")
    program.wait_for_keyboard(QUICK)
    _move(program)
    program.type("food", query="food")
    program.press("ctrl+Return", shown=[MAIN], query="food")
    program.wait_for_keyboard(MAIN)
    main = tool("getwindowfocus")

    program.wait(rested=True)
    tool("key", "ctrl+shift+space")
    program.wait_for_keyboard(QUICK)
    program.wait(rested=True)
    program.press("ctrl+shift+space", shown=[MAIN])

    assert ask("search", "food")
    program.wait_for_keyboard(QUICK)
    tool("windowactivate", main)
    program.wait(shown=[MAIN])

    panel.terminate()
    panel.wait(WAIT_S)
    assert ask("show"), "without a tray the program keeps running"


def _move(program: Program) -> None:
    """Click beside the controls of quick search, where keys must still arrive, and drag it."""
    (window,) = windows(QUICK)
    x, y = (int(place) for place in middle(window))
    page = str(x), str(y + 120)
    for _ in range(3):
        tool("mousemove", *page, "click", "1")
        program.type("a", query="a")
        program.press("BackSpace", query="")
    until(lambda: _dragged(window, page))
    program.wait_for_keyboard(QUICK)


def _dragged(window: str, page: tuple[str, str]) -> bool:
    """Drag for longer than Qt waits before it believes that the keyboard has left the window."""
    before = middle(window)
    tool("mousemove", *page, "mousedown", "1")
    for _ in range(20):
        tool("mousemove_relative", "0", "2")
    tool("mouseup", "1")
    return middle(window) != before
