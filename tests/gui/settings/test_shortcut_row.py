"""Recording a shortcut in the settings, and its state."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QKeyCombination, Qt
from PySide6.QtGui import QAccessible, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
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
KEYPAD = Qt.KeyboardModifier.KeypadModifier


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


def held_keys(flow: ShortcutController) -> str:
    assert isinstance(flow._shortcut, Grabbing)
    return flow._shortcut.held


def test_the_focused_field_receives_all_keys(row: ShortcutRow, flow: ShortcutController) -> None:
    assert held_keys(flow) == "F9"
    row.keys.setFocus()
    assert held_keys(flow) == ""
    assert row.sentence.text() == "Active: F9 opens quick search from anywhere."
    row.keys.clearFocus()
    assert held_keys(flow) == "F9"


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
        assert row.keys.text() == flow.chosen == "F9"
    assert isinstance(row.window().focusWidget(), QLineEdit)


@pytest.mark.parametrize("where", [CONTROL, CONTROL | KEYPAD], ids=["", "number pad"])
@pytest.mark.parametrize("key", [Qt.Key.Key_PageUp, Qt.Key.Key_PageDown])
def test_keys_that_turn_the_page_are_left_to_the_dialog(
    row: ShortcutRow, flow: ShortcutController, key: Qt.Key, where: Qt.KeyboardModifier
) -> None:
    turned = QShortcut(QKeySequence(QKeyCombination(CONTROL, key)), row.window())
    pressed = QSignalSpy(turned.activated)
    row.keys.setFocus()
    QTest.keyClick(row.keys, key, where)
    assert pressed.count() == 1
    assert flow.chosen == "F9"


def test_escape_is_left_to_the_dialog(row: ShortcutRow, flow: ShortcutController) -> None:
    row.keys.setFocus()
    QTest.keyClick(row.keys, Qt.Key.Key_Escape)
    assert row.keys.text() == flow.chosen == "F9"
    assert row.sentence.text().startswith("Active: F9")


def test_clearing_empties_the_field_even_while_it_has_the_focus(
    row: ShortcutRow, flow: ShortcutController
) -> None:
    """On macOS, a click on a button does not take the focus from the field."""
    row.keys.setFocus()
    row._clear.click()
    assert flow.chosen == row.keys.text() == ""


def test_pressed_keys_are_chosen(qtbot: QtBot, row: ShortcutRow, flow: ShortcutController) -> None:
    row.keys.setFocus()
    with qtbot.waitSignal(flow.changed):
        QTest.keyClick(row.keys, Qt.Key.Key_Space, CONTROL | SHIFT)
    assert flow.chosen == held_keys(flow) == "Ctrl+Shift+Space"
    with qtbot.waitSignal(flow.changed):
        QTest.keyClick(row.keys, Qt.Key.Key_F8)
    assert row.sentence.text() == "F8 is already used by another program. Choose another."


def test_keys_that_are_held_down_are_chosen_once(
    row: ShortcutRow, flow: ShortcutController
) -> None:
    row.keys.setFocus()
    repeated = QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key.Key_Space, CONTROL | SHIFT, text=" ", autorep=True
    )
    QApplication.sendEvent(row.keys, repeated)
    assert flow.chosen == "F9"


def test_a_screen_reader_names_the_field_and_what_it_is(row: ShortcutRow) -> None:
    """It was read as an area without a role."""
    seen = QAccessible.queryAccessibleInterface(row.keys)
    assert seen is not None
    assert seen.role() == QAccessible.Role.EditableText
    assert seen.text(QAccessible.Text.Name) == "Global shortcut"
    assert seen.text(QAccessible.Text.Value) == "F9"


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "chosen"),
    [
        (Qt.Key.Key_F10, SHIFT, "", "Shift+F10"),
        (Qt.Key.Key_W, CONTROL | SHIFT, "", "Ctrl+Shift+W"),  # Ctrl+W would close the dialog
        (Qt.Key.Key_Shift, SHIFT, "", "F9"),
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a", "F9"),
    ],
)
def test_keys_with_modifiers(
    row: ShortcutRow,
    flow: ShortcutController,
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier,
    text: str,
    chosen: str,
) -> None:
    row.keys.setFocus()
    override = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers, text)
    override.ignore()
    QApplication.sendEvent(row.keys, override)
    assert override.isAccepted()
    QApplication.sendEvent(row.keys, QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text))
    assert flow.chosen == chosen
