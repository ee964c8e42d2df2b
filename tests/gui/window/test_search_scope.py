"""Searching in a folder or in one note, newest notes first, and former queries."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.gui.app import App
from notesearch.gui.results.found_line import best_first, newest_first
from notesearch.gui.session import query_history
from notesearch.gui.session.query_history import MOST, QueryHistory
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import LIGHT
from notesearch.gui.window.folder_button import FolderButton
from tests.gui.made import StartApp
from tests.gui.opened import Opened
from tests.gui.using_window import CONTROL, SHIFT, Key, heading, listed, press, typed


def paths(app: App) -> set[str]:
    return {note.path for note in app.model.notes}


def choose_folder(qtbot: QtBot, app: App, name: str) -> None:
    app.scope.offer_folders()
    QTest.keyClicks(app.window.focusWidget(), name)
    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_Return)


def test_a_folder_is_chosen_from_those_at_the_top(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    QTest.mouseClick(app.window.folder.findChildren(QToolButton)[0], Qt.MouseButton.LeftButton)
    shown = [choice.text for choice in app.window.folders.model.shown]
    assert shown == ["All folders", "kitchen", "travel"]
    press(qtbot, app, Key.Key_Escape)
    choose_folder(qtbot, app, "kit")
    assert paths(app) == {"kitchen/Recipes.md"}
    assert app.window.folder.text == "kitchen"
    assert app.window.field.text == "food"


def test_the_cross_searches_in_all_folders_again(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "kitchen")
    cross = app.window.folder.findChildren(QToolButton)[1]
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert app.window.folder.text == "All folders"
    assert cross.isHidden()
    assert len(paths(app)) == 3


def test_a_folder_holds_for_what_is_typed_next(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "travel")
    app.window.field.focus_all()
    typed(qtbot, app, "dashi")
    assert not app.window.shows_results


def test_what_is_not_in_a_folder_may_be_elsewhere(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "travel")
    app.window.field.focus_all()
    typed(qtbot, app, "dashi")
    assert app.window.page.page.detail.startswith("Only searched in travel.")
    (button,) = app.window.page.buttons
    with qtbot.waitSignal(app.pane.search.settled):
        button.click()
    assert heading(app) == "Dashi"


def test_down_and_enter_take_what_may_have_been_meant(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, '"dasshi"')
    assert app.window.page.page.offers[0].text == 'Did you mean "dashi"?'
    press(qtbot, app, Key.Key_Down)
    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_Return)
    assert app.window.field.text == '"dashi"'
    assert heading(app) == "Dashi"


def test_without_a_vault_no_folder_is_offered(start: StartApp, notes: Path) -> None:
    assert start(None).window.folder.isHidden()


@pytest.mark.parametrize("name", ["travel", "R&D", "a folder whose name goes on for quite a while"])
def test_the_button_names_its_folder(qtbot: QtBot, name: str) -> None:
    button = FolderButton(LIGHT)
    qtbot.addWidget(button)
    button.set_folder(name)
    assert button.text == name
    assert button.sizeHint().width() < 300


def test_ctrl_shift_f_searches_in_this_note_only(qtbot: QtBot, app: App) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "food")
    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_F, CONTROL | SHIFT)
    assert app.window.field.chip == "in: Trip to Japan"
    assert paths(app) == {"travel/Trip to Japan.md"}
    typed(qtbot, app, "plane")
    assert heading(app) == "Snacks", "the text was selected, so typing replaced it"
    press(qtbot, app, Key.Key_Home)
    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_Backspace)
    assert app.window.field.chip == ""
    assert app.window.field.text == "plane"


def test_backspace_inside_the_text_leaves_the_note_chosen(qtbot: QtBot, app: App) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_F, CONTROL | SHIFT)
    press(qtbot, app, Key.Key_Backspace)
    assert app.window.field.text == ""
    assert app.window.field.chip
    press(qtbot, app, Key.Key_Backspace)
    assert not app.window.field.chip


def test_another_vault_is_searched_everywhere(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "kitchen")
    with qtbot.waitSignal(app.vault.idle, timeout=20_000):
        app.actions.sample_notes.trigger()
    assert app.window.folder.text == "All folders"
    assert app.pane.search.within == ""


def test_the_newest_notes_stand_first_when_that_is_chosen(
    qtbot: QtBot, start: StartApp, notes: Path
) -> None:
    for days, path in enumerate(
        ["travel/Trip to Japan.md", "travel/Japan budget.md", "kitchen/Recipes.md"]
    ):
        os.utime(notes / path, times=(1e9 + days * 86_400,) * 2)
    app = start(notes)
    typed(qtbot, app, "food")
    assert app.window.results.order == best_first()
    assert listed(app)[0] == "Trip to Japan"
    (menu,) = app.window.results.findChildren(QMenu)
    newest = next(action for action in menu.actions() if action.text() == newest_first())
    with qtbot.waitSignal(app.pane.search.settled):
        newest.trigger()
    titles = [note.title for note in app.model.notes]
    assert titles == ["Recipes", "Japan budget", "Trip to Japan"]
    assert app.window.results.order == newest_first()


# Former queries


@pytest.fixture
def field(qtbot: QtBot) -> SearchField:
    made = SearchField(LIGHT)
    qtbot.addWidget(made)
    made.show()
    return made


def recall(field: SearchField, *keys: Key) -> list[str]:
    """Press keys with Ctrl in the field; return what stood there after each."""
    target, seen = field.findChildren(QLineEdit)[0], list[str]()
    for key in keys:
        QTest.keyClick(target, key, CONTROL)
        seen.append(field.text)
    return seen


def test_ctrl_up_and_down_go_through_former_queries(field: SearchField, tmp_path: Path) -> None:
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


def test_what_is_changed_on_the_way_starts_anew(field: SearchField, tmp_path: Path) -> None:
    history = QueryHistory(tmp_path)
    history.add("kyoto")
    query_history.HistoryController(field, history, field)
    recall(field, Key.Key_Up)
    field.set_text("kyoto food")
    assert recall(field, Key.Key_Up, Key.Key_Down) == ["kyoto", "kyoto food"]


def test_no_more_queries_are_kept_than_fit(tmp_path: Path) -> None:
    history = QueryHistory(tmp_path)
    for number in range(MOST + 5):
        history.add(f"query {number}")
    assert history.queries() == [f"query {number}" for number in range(5, MOST + 5)]


@pytest.mark.parametrize("text", ["", "{", '{"a": 1}', "[1, null]"])
def test_a_damaged_file_counts_as_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / query_history.FILE_NAME).write_text(text)
    history = QueryHistory(tmp_path)
    assert history.queries() == []
    history.add("kyoto")
    assert history.queries() == ["kyoto"]


def test_what_found_something_is_known_after_a_restart(
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
