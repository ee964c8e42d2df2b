"""The choices for new users on the first page."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from notesearch.gui.settings.quick_page import FirstChoices
from notesearch.gui.system.desktop_entry import AutostartFile
from notesearch.gui.system.global_shortcut import (
    PROPOSED,
    GlobalShortcut,
    Keys,
    ShortcutController,
    ShortcutState,
    active,
    taken,
    unavailable,
    waiting,
)
from tests.gui.fixture_types import StartQuick
from tests.gui.using_quick import app_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="others have no autostart file")


class Answering(GlobalShortcut):
    """A desktop that answers every request for a key with ``answer``."""

    answer: ShortcutState = active(PROPOSED)

    def grab(self, keys: Keys) -> None:
        self._set(self.answer)

    def tell(self, state: ShortcutState) -> None:
        self._set(state)


@pytest.fixture(autouse=True)
def item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AutostartFile:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return AutostartFile()


def choices(qtbot: QtBot, answer: ShortcutState) -> tuple[FirstChoices, list[str], Answering]:
    """The boxes, the shortcuts saved in the settings, and the desktop."""
    desktop, kept = Answering(), list[str]()
    desktop.answer = answer

    def made(parent: QObject) -> Answering:
        desktop.setParent(parent)
        return desktop

    flow = ShortcutController("", kept.append, make=made)
    shown = FirstChoices(flow)
    qtbot.addWidget(shown)
    shown.show()
    return shown, kept, desktop


def test_nothing_is_ticked_or_registered_at_first(qtbot: QtBot) -> None:
    shown, kept, _ = choices(qtbot, active(PROPOSED))
    assert [box.isChecked() for box in shown.findChildren(QCheckBox)] == [False, False]
    keys = QKeySequence(PROPOSED).toString(QKeySequence.SequenceFormat.NativeText)
    assert shown.shortcut.text() == f"Open quick search with {keys}"
    assert kept == []


def test_a_granted_shortcut_is_kept_if_it_is_refused_later(qtbot: QtBot) -> None:
    shown, kept, desktop = choices(qtbot, active(PROPOSED))
    shown.shortcut.click()
    desktop.tell(taken(PROPOSED))
    assert kept == [PROPOSED]


def test_ticking_and_unticking_take_effect_at_once(qtbot: QtBot) -> None:
    shown, kept, _ = choices(qtbot, active(PROPOSED))
    shown.shortcut.click()
    assert kept == [PROPOSED]
    assert shown.state_label.text() == f"Active: {PROPOSED} opens quick search from anywhere."
    shown.shortcut.click()
    assert kept == [PROPOSED, ""]
    assert not shown.shortcut.isChecked()
    assert shown.state_label.text() == ""


@pytest.mark.parametrize("refusal", [taken(PROPOSED), unavailable()])
def test_a_refusal_unticks_the_box_and_says_why(qtbot: QtBot, refusal: ShortcutState) -> None:
    shown, kept, _ = choices(qtbot, refusal)
    shown.shortcut.click()
    assert not shown.shortcut.isChecked()
    assert shown.state_label.text() == refusal.sentence
    assert shown.state_label.property("tone") == "danger"
    assert kept[-1] == "", "the settings do not want it any more"


def test_the_desktop_may_refuse_later(qtbot: QtBot) -> None:
    shown, kept, desktop = choices(qtbot, waiting())
    shown.shortcut.click()
    assert shown.shortcut.isChecked()
    desktop.tell(taken(PROPOSED))
    assert not shown.shortcut.isChecked()
    assert shown.state_label.text() == taken(PROPOSED).sentence
    assert kept[-1] == ""


def test_the_program_starts_at_login(qtbot: QtBot, item: AutostartFile) -> None:
    shown, _, _ = choices(qtbot, active(PROPOSED))
    shown.login.click()
    assert item.is_set()
    shown.login.click()
    assert not item.is_set()


def test_only_the_first_page_has_them(qtbot: QtBot, start_quick: StartQuick, notes: Path) -> None:
    app = app_of(start_quick(None))
    (boxes,) = app.window.page.findChildren(FirstChoices)
    assert boxes.isVisible()
    with qtbot.waitSignal(app.vault.idle):
        app.open_folder(notes)
    assert not boxes.isVisible()
