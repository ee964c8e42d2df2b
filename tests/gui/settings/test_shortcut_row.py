"""Recording a shortcut in the settings, and its state."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.settings.quick_page import ShortcutRow
from notesearch.gui.system.global_shortcut import (
    GlobalShortcut,
    Keys,
    ShortcutController,
    active,
    taken,
)

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Grabbing(GlobalShortcut):
    """A desktop with exclusive shortcuts on which F8 is taken."""

    is_exclusive = True
    held = ""

    def grab(self, keys: Keys) -> None:
        self.held = "" if keys.text == "F8" else keys.text
        self._set(active(keys.text) if self.held else taken(keys.text))

    def close(self) -> None:
        self.held = ""


@pytest.fixture
def flow(qtbot: QtBot) -> ShortcutController:
    flow = ShortcutController("F9", list[str]().append, make=Grabbing)
    flow.begin()
    return flow


@pytest.fixture
def row(qtbot: QtBot, flow: ShortcutController) -> Iterator[ShortcutRow]:
    """The row, next to another field that has the focus."""
    window = QWidget()
    qtbot.addWidget(window)
    row, other = ShortcutRow(flow), QLineEdit()
    column = QVBoxLayout(window)
    column.addWidget(other)
    column.addWidget(row)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    other.setFocus()
    yield row
    window.close()


def held(flow: ShortcutController) -> str:
    assert isinstance(flow._shortcut, Grabbing)
    return flow._shortcut.held


def test_the_focused_field_receives_all_keys(row: ShortcutRow, flow: ShortcutController) -> None:
    assert held(flow) == "F9"
    row.keys.setFocus()
    assert held(flow) == ""
    assert row.sentence.text() == "Active: F9 opens quick search from anywhere."
    row.keys.clearFocus()
    assert held(flow) == "F9"


def test_tab_leaves_the_field_in_both_directions(
    row: ShortcutRow, flow: ShortcutController
) -> None:
    for key, modifiers in (
        (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Backtab, SHIFT),
    ):
        row.keys.setFocus()
        QTest.keyClick(row.keys, key, modifiers)
        assert not row.keys.hasFocus()
        assert row.keys.keySequence().toString() == flow.chosen == "F9"
    assert isinstance(row.window().focusWidget(), QLineEdit)


def test_escape_is_left_to_the_dialog(row: ShortcutRow, flow: ShortcutController) -> None:
    row.keys.setFocus()
    QTest.keyClick(row.keys, Qt.Key.Key_Escape)
    assert row.keys.keySequence().toString() == flow.chosen == "F9"
    assert row.sentence.text().startswith("Active: F9")


def test_clearing_empties_the_field_even_while_it_has_the_focus(
    row: ShortcutRow, flow: ShortcutController
) -> None:
    """On macOS, a click on a button does not take the focus from the field."""
    row.keys.setFocus()
    row._clear.click()
    assert flow.chosen == row.keys.keySequence().toString() == ""


def test_pressed_keys_are_chosen(qtbot: QtBot, row: ShortcutRow, flow: ShortcutController) -> None:
    row.keys.setFocus()
    with qtbot.waitSignal(flow.changed):
        QTest.keyClick(row.keys, Qt.Key.Key_Space, CONTROL | SHIFT)
    assert flow.chosen == held(flow) == "Ctrl+Shift+Space"
    with qtbot.waitSignal(flow.changed):
        QTest.keyClick(row.keys, Qt.Key.Key_F8)
    assert row.sentence.text() == "F8 is already used by another program. Choose another."
