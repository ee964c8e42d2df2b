"""Earlier and starred queries: their files, the keys that recall them, and the list of them."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.gui.app import App
from notesearch.gui.session.query_history import (
    MOST_QUERIES,
    QUERIES_FILE,
    STARRED_FILE,
    HistoryController,
    QueryHistory,
    StarredQuery,
)
from notesearch.gui.widgets.popovers import STAR_KEYS, StarPopover
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import LIGHT
from tests.gui.fixture_types import StartApp
from tests.gui.opened_files import OpenedFiles
from tests.gui.using_window import CONTROL, SHIFT, Key, press, typed


def stored() -> QueryHistory:
    """Return what the program has stored."""
    return QueryHistory(Paths.choose().data)


class TestTheFileOfQueries:
    def test_holds_only_the_newest(self, tmp_path: Path) -> None:
        history = QueryHistory(tmp_path)
        for number in range(MOST_QUERIES + 5):
            history.add(f"query {number}")
        assert history.queries() == [f"query {number}" for number in range(5, MOST_QUERIES + 5)]

    @pytest.mark.parametrize(
        ("typed", "kept"),
        [
            ("tag:", []),
            ("boats -tag: ", ["boats"]),
            ("tag:sea path:", ["tag:sea"]),
            ("a: b", ["a: b"]),
        ],
    )
    def test_holds_no_filter_without_a_value(
        self, tmp_path: Path, typed: str, kept: list[str]
    ) -> None:
        history = QueryHistory(tmp_path)
        history.add(typed)
        assert history.queries() == kept

    @pytest.mark.parametrize("text", ["", "{", '{"a": 1}', "[1, null]"])
    def test_counts_as_empty_if_damaged(self, tmp_path: Path, text: str) -> None:
        (tmp_path / QUERIES_FILE).write_text(text)
        history = QueryHistory(tmp_path)
        assert history.queries() == []
        history.add("kyoto")
        assert history.queries() == ["kyoto"]

    def test_gets_queries_that_led_to_a_section_and_outlives_the_program(
        self, qtbot: QtBot, app: App, opened: OpenedFiles, start: StartApp, notes: Path
    ) -> None:
        typed(qtbot, app, "dashi")
        press(qtbot, app, Key.Key_Return)
        app.window.field.focus_all()
        typed(qtbot, app, "pickles")
        press(qtbot, app, Key.Key_Escape)
        assert stored().queries() == ["dashi", "pickles"]
        again = start(notes)
        with qtbot.waitSignal(again.pane.search.settled):
            press(qtbot, again, Key.Key_Up, CONTROL)
        assert again.window.field.text == "pickles"


@pytest.fixture
def field(qtbot: QtBot) -> SearchField:
    """A visible search field."""
    made = SearchField(LIGHT)
    made.set_theme(LIGHT)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def history(field: SearchField, tmp_path: Path) -> QueryHistory:
    """The history of the field."""
    made = QueryHistory(tmp_path)
    HistoryController(field, made, StarPopover(field), field)
    return made


def edit_of(field: SearchField) -> QLineEdit:
    return field.findChildren(QLineEdit)[0]


def texts_after(field: SearchField, *keys: Key) -> list[str]:
    """Press keys with Ctrl in the field, and return its text after each."""
    texts = []
    for key in keys:
        QTest.keyClick(edit_of(field), key, CONTROL)
        texts.append(field.text)
    return texts


class TestTheKeys:
    def test_ctrl_up_and_down_step_through_earlier_queries(
        self, field: SearchField, history: QueryHistory
    ) -> None:
        for text in ("kyoto", "dashi  soup", "kyoto", " "):
            history.add(text)
        field.set_text("half typ")
        up, down = Key.Key_Up, Key.Key_Down
        assert texts_after(field, up, up, up) == ["kyoto", "dashi soup", "dashi soup"]
        assert texts_after(field, down, down, down) == ["kyoto", "half typ", "half typ"]

    def test_an_edited_query_begins_at_the_newest_again(
        self, field: SearchField, history: QueryHistory
    ) -> None:
        history.add("kyoto")
        texts_after(field, Key.Key_Up)
        field.set_text("kyoto food")
        assert texts_after(field, Key.Key_Up, Key.Key_Down) == ["kyoto", "kyoto food"]

    @pytest.mark.usefixtures("history")
    def test_undo_brings_a_cleared_query_back(self, field: SearchField) -> None:
        QTest.keyClicks(edit_of(field), "tag:food soup")
        field.clear()
        assert texts_after(field, Key.Key_Z) == ["tag:food soup"]
        QTest.keyClicks(edit_of(field), "s")
        assert texts_after(field, Key.Key_Z) == ["tag:food soup"]


LIST = ["★ stalls", "dashi"]
"""What the list offers after these two queries, of which the first has a star."""


@pytest.fixture
def searched(qtbot: QtBot, app: App) -> App:
    """The program with an empty field, after the two queries of ``LIST``."""
    typed(qtbot, app, "stalls")
    press(qtbot, app, Key.Key_D, CONTROL)
    assert app.window.bar.text.startswith("Query starred")
    press(qtbot, app, Key.Key_Escape)
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_Escape)
    return app


def press_in_list(app: App, *keys: Key) -> None:
    for key in keys:
        QTest.keyClick(app.window.field.completions.view, key)


class TestTheList:
    def test_opens_by_a_click_or_down_in_the_empty_field_and_closes_by_escape(
        self, searched: App
    ) -> None:
        field = searched.window.field
        edit = edit_of(field)
        QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
        assert field.completions.offered == LIST
        press_in_list(searched, Key.Key_Escape)
        assert (field.completions.offered, searched.window.shows_results) == ([], False)
        QTest.keyClick(edit, Key.Key_Down)
        assert field.completions.offered == LIST
        press_in_list(searched, Key.Key_Down, Key.Key_Return)
        assert field.text == "stalls"

    def test_opens_beside_a_query_by_its_keys_and_keeps_it_on_escape(
        self, qtbot: QtBot, searched: App
    ) -> None:
        field = searched.window.field
        field.set_text("kyoto")
        press(qtbot, searched, Key.Key_H, CONTROL | SHIFT)
        assert (field.text, field.completions.offered) == ("kyoto", LIST)
        press_in_list(searched, Key.Key_Escape)
        assert (field.text, field.completions.offered) == ("kyoto", [])

    def test_closes_when_an_input_method_begins_a_query(self, searched: App) -> None:
        field = searched.window.field
        edit = edit_of(field)
        QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
        QApplication.sendEvent(edit, QInputMethodEvent())  # one without a text
        assert field.completions.offered == LIST
        QApplication.sendEvent(edit, QInputMethodEvent("ni", []))
        assert (field.completions.offered, field.text) == ([], "")

    def test_says_that_there_are_none(self, qtbot: QtBot, app: App) -> None:
        typed(qtbot, app, "kyoto")
        press(qtbot, app, Key.Key_H, CONTROL | SHIFT)
        assert app.window.bar.text == "No earlier queries yet"
        assert app.window.field.text == "kyoto"

    def test_closes_when_another_list_opens_which_then_gets_the_keys(self, searched: App) -> None:
        field = searched.window.field
        QTest.keyClick(edit_of(field), Key.Key_Down)
        QTest.keySequence(field.completions.view, QKeySequence("Ctrl+K"))
        assert searched.window.choices.is_open
        assert field.completions.offered == []
        assert QApplication.activePopupWidget() is None

    def test_replaces_the_query_which_can_be_had_back(self, qtbot: QtBot, searched: App) -> None:
        field = searched.window.field
        field.set_text("kyoto")
        press(qtbot, searched, Key.Key_H, CONTROL | SHIFT)
        with qtbot.waitSignal(searched.pane.search.settled):
            press_in_list(searched, Key.Key_Down, Key.Key_Return)
        assert field.text.strip() == "stalls"
        assert stored().queries()[-1] == "kyoto"
        press(qtbot, searched, Key.Key_H, CONTROL | SHIFT)
        assert field.completions.offered[0] == "★ stalls", "also while it is in the field"


class TestStars:
    def test_the_same_keys_remove_a_star(self, qtbot: QtBot, searched: App) -> None:
        typed(qtbot, searched, "stalls")
        press(qtbot, searched, Key.Key_D, CONTROL)
        assert searched.window.bar.text == "Star removed"
        assert stored().starred() == []

    def test_a_star_gets_a_name_and_keys(self, qtbot: QtBot, app: App) -> None:
        window = app.window
        named = name_a_star(qtbot, app)
        assert not window.star.isVisible()
        assert window.bar.text == "Starred query saved"
        assert stored().starred() == [named]
        press(qtbot, app, Key.Key_D, CONTROL | SHIFT)
        assert (window.star.name.text(), window.star.keys.currentText()) == (named.name, named.keys)

    def test_a_query_that_was_not_named_after_all_gets_no_star(
        self, qtbot: QtBot, app: App
    ) -> None:
        typed(qtbot, app, "stalls")
        press(qtbot, app, Key.Key_D, CONTROL | SHIFT)
        QTest.keyClicks(app.window.focusWidget(), "Market day")
        press(qtbot, app, Key.Key_Escape)
        assert not app.window.star.isVisible()
        assert stored().starred() == []

    def test_the_keys_of_a_star_search_it_until_the_star_is_removed(
        self, qtbot: QtBot, app: App
    ) -> None:
        field = app.window.field
        name_a_star(qtbot, app)
        press(qtbot, app, Key.Key_Escape)
        assert field.text == ""
        QTest.mouseClick(edit_of(field), Qt.MouseButton.LeftButton)
        assert field.completions.offered == ["★ Market day, stalls, Ctrl+Shift+F1"]
        press_in_list(app, Key.Key_Escape)
        with qtbot.waitSignal(app.pane.search.settled):
            press(qtbot, app, Key.Key_F1, CONTROL | SHIFT)
        assert field.text.strip() == "stalls"
        press(qtbot, app, Key.Key_D, CONTROL)
        press(qtbot, app, Key.Key_Escape)
        press(qtbot, app, Key.Key_F1, CONTROL | SHIFT)
        assert field.text == ""

    def test_its_card_ends_where_the_field_does(self, qtbot: QtBot, app: App) -> None:
        window, field = app.window, app.window.field
        typed(qtbot, app, "stalls")
        press(qtbot, app, Key.Key_D, CONTROL | SHIFT)
        end = field.mapTo(window, field.rect().topRight()).x()
        assert window.star.card.geometry().right() == end

    def test_enter_saves_a_star_from_its_shortcut_too(self, qtbot: QtBot, app: App) -> None:
        typed(qtbot, app, "stalls")
        press(qtbot, app, Key.Key_D, CONTROL | SHIFT)
        for key in (Key.Key_Tab, Key.Key_Down, Key.Key_Return):
            press(qtbot, app, key)
        assert not app.window.star.isVisible()
        assert [star.keys for star in stored().starred()] == ["Ctrl+Shift+F1"]

    def test_a_star_of_the_other_window_has_its_keys_here(
        self, field: SearchField, history: QueryHistory
    ) -> None:
        history.set_star(StarredQuery("kyoto", keys="Ctrl+Shift+F2"))
        assert field.actions() == []
        QApplication.sendEvent(field, QEvent(QEvent.Type.WindowActivate))
        (action,) = field.actions()
        action.trigger()
        assert (action.shortcut().toString(), field.text.strip()) == ("Ctrl+Shift+F2", "kyoto")

    def test_no_action_has_the_keys_of_stars(self, app: App) -> None:
        taken = {keys.toString() for action in app.window.actions() for keys in action.shortcuts()}
        assert "Ctrl+Shift+D" in taken
        assert taken.isdisjoint(STAR_KEYS)

    def test_two_never_have_the_same_keys(self, tmp_path: Path) -> None:
        history = QueryHistory(tmp_path)
        history.set_star(StarredQuery("kyoto", "Trip", "Ctrl+Shift+F1"))
        history.set_star(StarredQuery("  dashi  soup", keys="Ctrl+Shift+F1"))
        assert history.starred() == [
            StarredQuery("kyoto", "Trip"),
            StarredQuery("dashi soup", keys="Ctrl+Shift+F1"),
        ]

    def test_a_query_has_one_star_and_blanks_have_none(self, tmp_path: Path) -> None:
        history = QueryHistory(tmp_path)
        for query in ("kyoto", "dashi", "kyoto", " "):
            history.set_star(StarredQuery(query))
        assert [star.query for star in history.starred()] == ["kyoto", "dashi"]

    def test_what_is_no_star_in_their_file_is_left_out(self, tmp_path: Path) -> None:
        in_file: list[object] = [
            "kyoto",
            {"query": "dashi", "name": "Soup", "keys": "Ctrl+Q"},  # not among the keys of stars
            {"query": 3},
            None,
            [],
            "",
        ]
        (tmp_path / STARRED_FILE).write_text(json.dumps(in_file))
        assert QueryHistory(tmp_path).starred() == [
            StarredQuery("kyoto"),
            StarredQuery("dashi", "Soup"),
        ]


def name_a_star(qtbot: QtBot, app: App) -> StarredQuery:
    """Search, star and name a query by keys, and return the star."""
    typed(qtbot, app, "stalls")
    press(qtbot, app, Key.Key_D, CONTROL | SHIFT)
    assert app.window.star.isVisible()
    QTest.keyClicks(app.window.focusWidget(), "Market day")
    for key in (Key.Key_Tab, Key.Key_Down, Key.Key_Tab, Key.Key_Space):
        press(qtbot, app, key)
    return StarredQuery("stalls", "Market day", "Ctrl+Shift+F1")


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
