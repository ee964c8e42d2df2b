"""Keys grabbed and pressed on a real X server."""

from collections.abc import Iterator

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.gui.system.global_shortcut import Keys, Kind, parse_keys
from notesearch.gui.system.native_shortcuts import X11Shortcut
from tests.gui import x11
from tests.gui.x11 import Start, tool
from tests.limits import WAIT_S

pytestmark = x11.needs_x11


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    yield from x11.desktop(monkeypatch)


@pytest.fixture
def shortcut(qtbot: QtBot, start: Start) -> Iterator[X11Shortcut]:
    asked = X11Shortcut()
    yield asked
    asked.close()


def keys(text: str) -> Keys:
    found = parse_keys(text)
    assert found
    return found


def press(qtbot: QtBot, shortcut: X11Shortcut, key: str) -> None:
    with qtbot.waitSignal(shortcut.pressed):
        tool("key", key)


def test_the_key_works_everywhere_with_any_lock_key_on(qtbot: QtBot, shortcut: X11Shortcut) -> None:
    shortcut.grab(keys("Ctrl+Shift+Space"))
    assert shortcut.state.kind is Kind.ACTIVE
    pressed = QSignalSpy(shortcut.pressed)
    for lock in ("", "Caps_Lock", "Num_Lock", "Caps_Lock"):
        if lock:
            tool("key", lock)
        press(qtbot, shortcut, "ctrl+shift+space")
    assert pressed.count() == 4
    tool("key", "ctrl+space")
    press(qtbot, shortcut, "ctrl+shift+space")
    assert pressed.count() == 5, "other keys stay with others"


def test_a_key_of_another_program_is_reported_as_taken(qtbot: QtBot, shortcut: X11Shortcut) -> None:
    other = X11Shortcut()
    other.grab(keys("Ctrl+Shift+Space"))
    shortcut.grab(keys("Ctrl+Shift+Space"))
    assert shortcut.state.kind is Kind.TAKEN
    shortcut.grab(keys("Ctrl+Shift+F9"))
    press(qtbot, shortcut, "ctrl+shift+F9")
    other.release()
    shortcut.grab(keys("Ctrl+Shift+Space"))
    press(qtbot, shortcut, "ctrl+shift+space")
    assert other.state.kind is Kind.OFF


def test_the_key_follows_the_keyboard_layout(
    qtbot: QtBot, shortcut: X11Shortcut, start: Start
) -> None:
    shortcut.grab(keys("Meta+Z"))
    pressed, display = QSignalSpy(shortcut.pressed), shortcut._display
    start("setxkbmap", "de").wait(WAIT_S)
    qtbot.waitUntil(lambda: shortcut._display is not display)
    press(qtbot, shortcut, "super+z")
    assert pressed.count() == 1


def test_a_key_missing_on_the_keyboard_is_reported(shortcut: X11Shortcut) -> None:
    shortcut.grab(Keys("Hyperspace", ("Ctrl",)))
    assert shortcut.state.kind is Kind.UNAVAILABLE


def test_without_an_x_server_there_is_no_shortcut(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")
    shortcut = X11Shortcut()
    shortcut.grab(keys("F9"))
    assert shortcut.state.kind is Kind.UNAVAILABLE
