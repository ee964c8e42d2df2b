"""The shortcut in the settings is registered, saved and reported."""

import pytest
from PySide6.QtCore import QObject
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings
from notesearch.gui.desktop import Desktop
from notesearch.gui.system.global_shortcut import (
    GlobalShortcut,
    Keys,
    Kind,
    Remedy,
    ShortcutController,
    active,
    off,
    taken,
    waiting,
)
from notesearch.gui.system.native_shortcuts import native_shortcut
from tests.gui.fixture_types import StartQuick

KEYS = "Ctrl+Shift+Space"


class MadeUpShortcut(GlobalShortcut):
    """A desktop on which one key is taken and one is answered later."""

    asked: list[str]
    configured = closed = False

    def grab(self, keys: Keys) -> None:
        self.asked = [*getattr(self, "asked", []), keys.text]
        states = {"F8": taken("F8"), "F9": waiting()}
        self._set(states.get(keys.text, active(keys.text, Remedy.CONFIGURE)))

    def configure(self) -> None:
        self.configured = True

    def close(self) -> None:
        self.closed = True

    def answer(self) -> None:
        self._set(active("F9"))


@pytest.fixture
def saved_keys() -> list[str]:
    return []


@pytest.fixture
def flow(qapp: QApplication, saved_keys: list[str]) -> ShortcutController:
    return ShortcutController("", saved_keys.append, make=MadeUpShortcut)


def shortcut_of(flow: ShortcutController) -> MadeUpShortcut:
    assert isinstance(flow._shortcut, MadeUpShortcut)
    return flow._shortcut


def test_without_a_shortcut_in_the_settings_nothing_is_registered(flow: ShortcutController) -> None:
    flow.begin()
    assert flow.state == off()
    assert flow._shortcut is None


def test_a_chosen_shortcut_is_registered_and_saved(
    flow: ShortcutController, saved_keys: list[str]
) -> None:
    spy = QSignalSpy(flow.changed)
    flow.choose("shift+ctrl+space")
    assert (flow.state.kind, flow.state.keys) == (Kind.ACTIVE, KEYS)
    assert flow.is_active
    flow.choose("")
    assert flow.state.kind is Kind.OFF
    assert saved_keys == [KEYS, ""]
    assert spy.count() == 2


def test_a_bad_shortcut_is_refused(flow: ShortcutController, saved_keys: list[str]) -> None:
    flow.choose("Ctrl+C")
    assert (flow.state.kind, flow.state.remedy) == (Kind.UNAVAILABLE, Remedy.CHOOSE)
    assert saved_keys == []


def test_an_invalid_shortcut_in_the_settings_is_reported(qapp: QApplication) -> None:
    flow = ShortcutController("Ctrl+Ctrl", list[str]().append, make=MadeUpShortcut)
    flow.begin()
    assert flow.state.remedy is Remedy.CHOOSE
    assert "global shortcut" in flow.state.sentence


def test_the_desktop_may_answer_later(flow: ShortcutController, qtbot: QtBot) -> None:
    flow.choose("F9")
    assert flow.state.kind is Kind.WAITING
    with qtbot.waitSignal(flow.changed):
        shortcut_of(flow).answer()
    assert flow.is_active


def test_later_changes_of_the_settings_are_followed(
    flow: ShortcutController, saved_keys: list[str]
) -> None:
    flow.follow(KEYS)
    flow.follow(KEYS)
    assert shortcut_of(flow).asked == [KEYS]
    flow.follow("")
    assert flow.state.kind is Kind.OFF
    assert saved_keys == []


def test_while_keys_are_recorded_our_window_gets_them(
    flow: ShortcutController, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow.choose(KEYS)
    flow.suspend()
    flow.resume()
    assert shortcut_of(flow).asked == [KEYS], "the desktop takes no keys away"
    monkeypatch.setattr(MadeUpShortcut, "is_exclusive", True)
    flow.suspend()
    assert shortcut_of(flow).closed
    assert flow.is_active, "nothing is said to have changed"
    flow.resume()
    flow.resume()
    assert shortcut_of(flow).asked == [KEYS, KEYS]


def test_a_refused_shortcut_is_forgotten(flow: ShortcutController) -> None:
    flow.choose("Alt+Space")
    flow.resume()
    assert flow.state.kind is Kind.OFF
    flow.choose(KEYS)
    flow.choose("Alt+Space")
    assert flow.state.remedy is Remedy.CHOOSE
    flow.resume()
    assert flow.is_active, "as it has been all the time"
    assert shortcut_of(flow).asked == [KEYS]


def test_each_state_has_one_remedy(flow: ShortcutController) -> None:
    flow.choose("F9")
    flow.help()
    assert shortcut_of(flow).asked == ["F9", "F9"]
    flow.choose(KEYS)
    flow.help()
    assert shortcut_of(flow).configured
    flow.choose("F8")
    assert flow.state.sentence == "F8 is already used by another program. Choose another."


def test_without_a_shortcut_the_sentence_names_the_command(qapp: QApplication) -> None:
    flow = ShortcutController("", list[str]().append, make=GlobalShortcut)
    flow.choose(KEYS)
    assert "notesearch quick" in flow.state.sentence


def test_offscreen_there_is_no_shortcut(qapp: QApplication) -> None:
    parent = QObject()
    assert type(native_shortcut(parent)) is GlobalShortcut


def test_pressing_it_toggles_quick_search(
    qtbot: QtBot, start_quick: StartQuick, words_only: Settings
) -> None:
    words_only.save(Paths.choose())
    quick = start_quick(None)
    desktop = quick.parent()
    assert isinstance(desktop, Desktop)
    desktop.shortcut.pressed.emit("")
    qtbot.waitUntil(quick.window.isActiveWindow)
    desktop.shortcut.choose(KEYS)
    desktop._app.preferences.close()
    assert Settings.load(Paths.choose()).quick_shortcut == KEYS
    desktop._app.preferences.change(quick_shortcut="F9")
    assert desktop.shortcut.chosen == "F9", "whoever wrote it"
