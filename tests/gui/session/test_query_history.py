"""The history of queries: its file, and its keys in the search field."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.gui.app import App
from notesearch.gui.session import history as query_history
from notesearch.gui.session.history import MOST_QUERIES, QueryHistory, StarredQuery
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.star_popover import STAR_KEYS, StarPopover
from notesearch.gui.widgets.theme import LIGHT
from tests.gui.made import StartApp
from tests.gui.opened_files import Opened
from tests.gui.using_window import CONTROL, SHIFT, Key, press, typed


@pytest.fixture
def field(qtbot: QtBot) -> SearchField:
    made = SearchField(LIGHT)
    qtbot.addWidget(made)
    made.show()
    return made


def recall(field: SearchField, *keys: Key) -> list[str]:
    """Press keys with Ctrl in the field, and return its text after each."""
    target, seen = field.findChildren(QLineEdit)[0], list[str]()
    for key in keys:
        QTest.keyClick(target, key, CONTROL)
        seen.append(field.text)
    return seen


def test_ctrl_up_and_down_step_through_earlier_queries(field: SearchField, tmp_path: Path) -> None:
    history = QueryHistory(tmp_path)
    for text in ("kyoto", "dashi  soup", "kyoto", " "):
        history.add(text)
    query_history.HistoryController(field, history, StarPopover(field), field)
    field.set_text("half typ")
    up, down = Key.Key_Up, Key.Key_Down
    assert recall(field, up, up, up, down, down, down) == [
        "kyoto",
        "dashi soup",
        "dashi soup",
        "kyoto",
        "half typ",
        "half typ",
    ]


def test_undo_brings_a_cleared_query_back(field: SearchField, tmp_path: Path) -> None:
    query_history.HistoryController(field, QueryHistory(tmp_path), StarPopover(field), field)
    edit = field.findChildren(QLineEdit)[0]
    QTest.keyClicks(edit, "tag:food soup")
    field.clear()
    assert recall(field, Key.Key_Z) == ["tag:food soup"]
    QTest.keyClicks(edit, "s")
    assert recall(field, Key.Key_Z) == ["tag:food soup"]


def test_an_edited_query_restarts_the_history(field: SearchField, tmp_path: Path) -> None:
    history = QueryHistory(tmp_path)
    history.add("kyoto")
    query_history.HistoryController(field, history, StarPopover(field), field)
    recall(field, Key.Key_Up)
    field.set_text("kyoto food")
    assert recall(field, Key.Key_Up, Key.Key_Down) == ["kyoto", "kyoto food"]


def test_only_the_newest_queries_are_stored(tmp_path: Path) -> None:
    history = QueryHistory(tmp_path)
    for number in range(MOST_QUERIES + 5):
        history.add(f"query {number}")
    assert history.queries() == [f"query {number}" for number in range(5, MOST_QUERIES + 5)]


@pytest.mark.parametrize("text", ["", "{", '{"a": 1}', "[1, null]"])
def test_a_damaged_file_counts_as_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / query_history.QUERIES_FILE).write_text(text)
    history = QueryHistory(tmp_path)
    assert history.queries() == []
    history.add("kyoto")
    assert history.queries() == ["kyoto"]


def test_queries_that_led_to_a_section_survive_a_restart(
    qtbot: QtBot, app: App, opened: Opened, start: StartApp, notes: Path
) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_Return)
    app.window.field.focus_all()
    typed(qtbot, app, "pickles")
    press(qtbot, app, Key.Key_Escape)
    assert QueryHistory(Paths.choose().data).queries() == ["dashi", "pickles"]
    again = start(notes)
    with qtbot.waitSignal(again.pane.search.settled):
        press(qtbot, again, Key.Key_Up, CONTROL)
    assert again.window.field.text == "pickles"


def test_a_click_or_down_in_the_empty_field_lists_starred_and_earlier_queries(
    qtbot: QtBot, app: App
) -> None:
    field = app.window.field
    for query in ("stalls", "dashi"):
        typed(qtbot, app, query)
        if query == "stalls":
            press(qtbot, app, Key.Key_D, CONTROL)
            assert app.window.status.text.startswith("Query starred")
        press(qtbot, app, Key.Key_Escape)
    edit = field.findChildren(QLineEdit)[0]
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    assert field.completions.offered == ["★ stalls", "dashi"]
    QTest.keyClick(field.completions.view, Key.Key_Escape)
    assert (field.completions.offered, app.window.shows_results) == ([], False)
    QTest.keyClick(edit, Key.Key_Down)
    assert field.completions.offered == ["★ stalls", "dashi"]
    QTest.keyClick(field.completions.view, Key.Key_Down)
    QTest.keyClick(field.completions.view, Key.Key_Return)
    assert field.text == "stalls"
    QTest.keyClick(field.completions.view, Key.Key_Escape)
    field.set_text("kyoto")
    press(qtbot, app, Key.Key_H, CONTROL | SHIFT)
    assert (field.text, field.completions.offered) == ("kyoto", ["★ stalls", "dashi"])
    QTest.keyClick(field.completions.view, Key.Key_Escape)
    assert (field.text, field.completions.offered) == ("kyoto", [])
    press(qtbot, app, Key.Key_H, CONTROL | SHIFT)
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.keyClick(field.completions.view, Key.Key_Down)
        QTest.keyClick(field.completions.view, Key.Key_Return)
    assert field.text.strip() == "stalls"
    press(qtbot, app, Key.Key_H, CONTROL | SHIFT)
    assert field.completions.offered[0] == "★ stalls", "the query in the field is in the list, too"
    QTest.keyClick(field.completions.view, Key.Key_Escape)
    assert QueryHistory(Paths.choose().data).queries()[-1] == "kyoto", "it can be had back"
    press(qtbot, app, Key.Key_D, CONTROL)
    assert app.window.status.text == "Star removed"
    assert QueryHistory(Paths.choose().data).starred() == []


def test_a_starred_query_has_a_name_and_keys(qtbot: QtBot, app: App) -> None:
    window, field = app.window, app.window.field
    typed(qtbot, app, "stalls")
    press(qtbot, app, Key.Key_D, CONTROL | SHIFT)
    assert window.star.isVisible()
    field_right = window.field.mapTo(window, window.field.rect().topRight()).x()
    assert window.star.card.geometry().right() == field_right
    QTest.keyClicks(window.focusWidget(), "Market day")
    for key in (Key.Key_Tab, Key.Key_Down, Key.Key_Tab, Key.Key_Space):
        press(qtbot, app, key)
    assert not window.star.isVisible()
    assert window.status.text == "Starred query saved"
    star = StarredQuery("stalls", "Market day", "Ctrl+Shift+F1")
    assert QueryHistory(Paths.choose().data).starred() == [star]
    press(qtbot, app, Key.Key_D, CONTROL | SHIFT)
    assert (window.star.name.text(), window.star.keys.currentText()) == (star.name, star.keys)
    press(qtbot, app, Key.Key_Escape)
    press(qtbot, app, Key.Key_Escape)
    assert field.text == ""
    QTest.mouseClick(field.findChildren(QLineEdit)[0], Qt.MouseButton.LeftButton)
    assert field.completions.offered == ["★ Market day, stalls, Ctrl+Shift+F1"]
    QTest.keyClick(field.completions.view, Key.Key_Escape)
    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_F1, CONTROL | SHIFT)
    assert field.text.strip() == "stalls"
    press(qtbot, app, Key.Key_D, CONTROL)
    press(qtbot, app, Key.Key_Escape)
    press(qtbot, app, Key.Key_F1, CONTROL | SHIFT)
    assert field.text == ""


def test_enter_saves_a_star_from_its_shortcut_too(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "stalls")
    press(qtbot, app, Key.Key_D, CONTROL | SHIFT)
    for key in (Key.Key_Tab, Key.Key_Down, Key.Key_Return):
        press(qtbot, app, key)
    assert not app.window.star.isVisible()
    assert [one.keys for one in QueryHistory(Paths.choose().data).starred()] == ["Ctrl+Shift+F1"]


def test_a_star_of_the_other_window_has_its_keys_here(field: SearchField, tmp_path: Path) -> None:
    query_history.HistoryController(field, QueryHistory(tmp_path), StarPopover(field), field)
    QueryHistory(tmp_path).set_star(StarredQuery("kyoto", keys="Ctrl+Shift+F2"))
    assert field.actions() == []
    QApplication.sendEvent(field, QEvent(QEvent.Type.WindowActivate))
    (action,) = field.actions()
    action.trigger()
    assert (action.shortcut().toString(), field.text.strip()) == ("Ctrl+Shift+F2", "kyoto")


def test_no_action_has_the_keys_of_stars(app: App) -> None:
    taken = {keys.toString() for action in app.window.actions() for keys in action.shortcuts()}
    assert "Ctrl+Shift+D" in taken
    assert taken.isdisjoint(STAR_KEYS)


def test_two_queries_never_have_the_same_keys(tmp_path: Path) -> None:
    history = QueryHistory(tmp_path)
    history.set_star(StarredQuery("kyoto", "Trip", "Ctrl+Shift+F1"))
    history.set_star(StarredQuery("  dashi  soup", keys="Ctrl+Shift+F1"))
    assert history.starred() == [
        StarredQuery("kyoto", "Trip"),
        StarredQuery("dashi soup", keys="Ctrl+Shift+F1"),
    ]
    history.set_star(StarredQuery("kyoto"))
    history.set_star(StarredQuery(" "))
    assert [star.query for star in history.starred()] == ["kyoto", "dashi soup"]


def test_stars_of_any_file_are_read(tmp_path: Path) -> None:
    stored: list[object] = [
        "kyoto",
        {"query": "dashi", "name": "Soup", "keys": "Ctrl+Q"},
        {"query": 3},
        None,
        [],
        "",
    ]
    (tmp_path / query_history.STARRED_FILE).write_text(json.dumps(stored))
    assert QueryHistory(tmp_path).starred() == [
        StarredQuery("kyoto"),
        StarredQuery("dashi", "Soup"),
    ]


def test_the_title_names_the_query_which_returns_with_the_window(
    qtbot: QtBot, app: App, start: StartApp, notes: Path
) -> None:
    typed(qtbot, app, "dashi")
    assert app.window.windowTitle() == "dashi – notesearch"
    app.window.close()
    app.close()
    again = start(notes)
    assert again.window.field.text == "dashi"
    qtbot.waitUntil(lambda: again.model.rowCount() > 0)
    again.window.field.clear()
    assert again.window.windowTitle() == "notesearch"
