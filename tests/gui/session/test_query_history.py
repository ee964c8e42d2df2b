"""The history of queries: its file, and its keys in the search field."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.gui.app import App
from notesearch.gui.session import history as query_history
from notesearch.gui.session.history import MOST_QUERIES, QueryHistory
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import LIGHT
from tests.gui.made import StartApp
from tests.gui.opened import Opened
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
    query_history.HistoryController(field, history, field)
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


def test_an_edited_query_restarts_the_history(field: SearchField, tmp_path: Path) -> None:
    history = QueryHistory(tmp_path)
    history.add("kyoto")
    query_history.HistoryController(field, history, field)
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


def test_a_click_into_the_empty_field_lists_starred_and_earlier_queries(
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
    assert field.offered == ["★ stalls", "dashi"]
    assert field._list is not None
    QTest.keyClick(field._list, Key.Key_Escape)
    field.set_text("kyoto")
    press(qtbot, app, Key.Key_H, CONTROL | SHIFT)
    assert (field.text, field.offered) == ("", ["★ stalls", "kyoto", "dashi"])
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.keyClick(field._list, Key.Key_Down)
        QTest.keyClick(field._list, Key.Key_Return)
    assert field.text.strip() == "stalls"
    press(qtbot, app, Key.Key_D, CONTROL)
    assert app.window.status.text == "Star removed"
    assert QueryHistory(Paths.choose().data).starred() == []


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
