"""Quick search and the tray on a desktop of its own: a window manager, a panel, a mouse, keys."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.gui.single_instance import ask
from tests.folders import write
from tests.gui import x11
from tests.gui.x11 import Start, keyboard, middle, tool, until, windows

QUICK, MAIN, PANEL = "quick search", "^notesearch$", "panel"

pytestmark = x11.needs_x11

PROGRAM = """
import sys
from notesearch.cli.main import main
from notesearch.gui import quick_presence
quick_presence._SWALLOWED_S = 0.0  # whatever the test does, it means; see test_quick_presence
main(sys.argv[1:])
"""


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """A desktop with a window manager, and what starts programs on it."""
    for start in x11.desktop(monkeypatch):
        start("openbox")
        until(x11.is_managed)  # a panel that is there first may be lost
        yield start


def test_keys_focus_and_a_tray_that_comes_and_goes(
    start: Start, vault: Path, home: Path, words_only: Settings
) -> None:
    write(vault, {"a.md": "# A\n\nfood\n"})
    chosen = replace(words_only, quick_shortcut="Ctrl+Shift+Space")
    chosen.with_vault(vault).save(Paths.choose(home))
    panel = start("trayer", "--edge", "top", "--align", "right", "--widthtype", "request")
    until(lambda: windows(PANEL))
    start(sys.executable, "-c", PROGRAM, "open", "--background")

    until(lambda: ask("search", "x"))
    until(lambda: QUICK in keyboard())
    assert not windows(MAIN), "it was started without a window"
    tool("key", "Escape")
    until(lambda: not windows(QUICK))

    until(lambda: windows(PANEL))
    tool("mousemove", *middle(windows(PANEL)[0]), "click", "1")
    until(lambda: QUICK in keyboard())
    tool("type", "food")
    tool("key", "ctrl+Return")
    until(lambda: keyboard() == "notesearch")
    until(lambda: not windows(QUICK))

    tool("key", "ctrl+shift+space")
    until(lambda: QUICK in keyboard())
    tool("key", "ctrl+shift+space")
    until(lambda: not windows(QUICK))

    assert ask("search", "food")
    until(lambda: QUICK in keyboard())
    tool("windowactivate", windows(MAIN)[0])
    until(lambda: not windows(QUICK))

    panel.terminate()
    panel.wait(20)
    assert ask("show"), "no tray, and it lives"
