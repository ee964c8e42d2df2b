"""The keys of the main window, each on the real program with a real folder."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from tests.gui.opened import Opened
from tests.gui.using_window import ALT, CONTROL, Key, heading, press, typed


def test_ctrl_k_lists_what_can_be_done_with_the_section(qtbot: QtBot, app: App) -> None:
    actions = app.window.popovers.actions
    press(qtbot, app, Key.Key_K, CONTROL)
    assert "Choose folder…" in actions.offered, "nothing is selected yet"
    press(qtbot, app, Key.Key_Escape)
    typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_K, CONTROL)
    assert actions.offered[0] == app.opening.label
    assert "Show parent section" in actions.offered
    press(qtbot, app, Key.Key_K, CONTROL)
    assert not actions.is_open
    assert isinstance(app.window.focusWidget(), QLineEdit)


def test_enter_in_the_action_list_does_the_action(qtbot: QtBot, app: App, opened: Opened) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_K, CONTROL)
    press(qtbot, app, Key.Key_Return)
    assert opened.files == ["Recipes.md"]


@pytest.mark.parametrize("digit", [1, 3])
def test_alt_and_a_digit_open_a_row_in_view(
    qtbot: QtBot, app: App, opened: Opened, digit: int
) -> None:
    typed(qtbot, app, "food")
    sections = [section for note in app.model.notes for section in note.sections]
    press(qtbot, app, Key(Key.Key_0 + digit), ALT)
    assert heading(app) == sections[digit - 1].section
    assert opened.files == [sections[digit - 1].path.rpartition("/")[2]]
    assert app.window.field.text == "food"


def test_alt_and_a_digit_without_a_row_do_nothing(qtbot: QtBot, app: App, opened: Opened) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_9, ALT)
    press(qtbot, app, Key.Key_Escape)
    press(qtbot, app, Key.Key_1, ALT)
    assert opened.files == []


def test_digits_stand_on_the_rows_while_alt_is_held(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    plain = app.window.results.view.grab().toImage()
    field = app.window.focusWidget()
    QTest.keyPress(field, Key.Key_Alt)
    qtbot.waitUntil(lambda: app.window.results.view.grab().toImage() != plain)
    QTest.keyRelease(field, Key.Key_Alt)
    assert app.window.results.view.grab().toImage() == plain
