"""Searching in one folder or one note, and sorting by date."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as RichText
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.results.results_pane import best_first, newest_first
from notesearch.gui.widgets.theme import LIGHT
from notesearch.gui.window.folder_buttons import FolderButton
from tests.folders import write
from tests.gui.fixture_types import StartApp
from tests.gui.using_window import CONTROL, SHIFT, Key, heading, listed, press, seen_order, typed


def paths(app: App) -> set[str]:
    return {note.path for note in app.model.notes}


def choose_folder(qtbot: QtBot, app: App, name: str) -> None:
    app.scope.offer_folders()
    QTest.keyClicks(app.window.focusWidget(), name)
    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_Return)


def test_a_top_level_folder_can_be_chosen(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    QTest.mouseClick(app.window.folder.findChildren(QToolButton)[0], Qt.MouseButton.LeftButton)
    shown = [choice.text for choice in app.window.choices.model.shown]
    assert shown == ["Everywhere", "kitchen", "travel"]
    press(qtbot, app, Key.Key_Escape)
    choose_folder(qtbot, app, "kit")
    assert paths(app) == {"kitchen/Recipes.md"}
    assert app.window.folder.text == "kitchen"
    assert app.window.field.text == "food"


def test_the_list_of_actions_leads_to_the_folders(qtbot: QtBot, app: App) -> None:
    press(qtbot, app, Key.Key_K, CONTROL)
    QTest.keyClicks(app.window.focusWidget(), "one folder")
    press(qtbot, app, Key.Key_Return)
    assert app.window.choices.model.shown[0].text == "Everywhere"
    assert app.window.choices.is_open


def test_the_folder_stays_when_a_setting_opens_the_vault_again(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "kit")
    with qtbot.waitSignal(app.pane.search.settled):
        app.preferences.change(results=100)
    assert app.window.folder.text == "kitchen"
    assert paths(app) == {"kitchen/Recipes.md"}


def test_no_tooltip_takes_names_or_words_for_markup(
    qtbot: QtBot, start: StartApp, tmp_path: Path
) -> None:
    vault = tmp_path / "notes"
    for folder in ("<u>inside", "out"):
        (vault / folder).mkdir(parents=True)
        (vault / folder / "<i>a.md").write_text("# Plan\n\nFood for <x> here.\n")
    app = start(vault)
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "<u>")
    tips = [one.toolTip() for one in app.window.findChildren(QWidget) if one.toolTip()]
    shown = [
        QTextDocumentFragment.fromHtml(tip).toPlainText() if RichText.mightBeRichText(tip) else tip
        for tip in tips
    ]
    for name in ("<u>inside", "<i>a"):
        assert [text for text in shown if name in text]
        assert not [text for text in shown if name[3:] in text.split() and name not in text]


def test_a_search_in_one_note_folds_nothing(qtbot: QtBot, start: StartApp, tmp_path: Path) -> None:
    days = "\n\n".join(f"## Day {number}\n\nFood on day {number}." for number in range(1, 9))
    write(tmp_path / "notes", {"Trip.md": f"# Trip\n\n{days}\n", "Meal.md": "# Meal\n\nFood.\n"})
    app = start(tmp_path / "notes")
    typed(qtbot, app, "food day")
    assert "  +5" in listed(app)

    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_F, CONTROL | SHIFT)
    assert app.window.field.chip == "in: Trip"
    headings = [f"  Day {number}" for number in range(1, 9)]
    assert sorted(listed(app)) == sorted(["Trip", *headings])

    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_F, CONTROL | SHIFT)
    assert "  +5" in listed(app)


def test_the_empty_field_says_where_it_searches(qtbot: QtBot, app: App) -> None:
    """It offered to search all notes while a chip limited the search to one."""
    field, page = app.window.field, app.window.page
    assert (field.hint, page.page.title) == ("Search your notes", "Search 3 notes")
    app.scope._search_in("travel")
    assert field.hint == page.page.title == "Search the notes in “travel”"
    typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_F, CONTROL | SHIFT)
    field.clear()
    assert field.hint == page.page.title == "Search this note"
    app.scope.search_everywhere()
    assert (field.hint, page.page.title) == ("Search your notes", "Search 3 notes")


def test_the_cross_searches_all_folders_again(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "kitchen")
    cross = app.window.folder.findChildren(QToolButton)[1]
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert app.window.folder.text == "Everywhere"
    assert cross.isHidden()
    assert len(paths(app)) == 3


def test_a_chosen_folder_stays_for_the_next_query(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "travel")
    app.window.field.focus_all()
    typed(qtbot, app, "dashi")
    assert not app.window.shows_results


def test_the_empty_page_offers_to_search_all_folders(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    choose_folder(qtbot, app, "travel")
    app.window.field.focus_all()
    typed(qtbot, app, "dashi")
    assert app.window.page.page.detail.startswith("Only searched in travel.")
    (button,) = app.window.page.buttons
    with qtbot.waitSignal(app.pane.search.settled):
        button.click()
    assert heading(app) == "Dashi"


def test_down_and_enter_take_a_suggestion(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, '"dasshi"')
    assert app.window.page.page.offers[0].text == 'Did you mean "dashi"?'
    press(qtbot, app, Key.Key_Down)
    with qtbot.waitSignal(app.pane.search.settled):
        press(qtbot, app, Key.Key_Return)
    assert app.window.field.text == '"dashi"'
    assert heading(app) == "Dashi"


def test_without_a_vault_the_folder_button_is_hidden(start: StartApp, notes: Path) -> None:
    assert start(None).window.folder.isHidden()


@pytest.mark.parametrize("name", ["travel", "R&D", "a folder whose name goes on for quite a while"])
def test_the_button_names_its_folder(qtbot: QtBot, name: str) -> None:
    button = FolderButton(LIGHT)
    qtbot.addWidget(button)
    button.set_folder(name)
    assert button.text == name
    assert button.sizeHint().width() < 300


def test_ctrl_shift_f_searches_this_note_only(qtbot: QtBot, app: App) -> None:
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


def test_backspace_in_the_text_keeps_the_chosen_note(qtbot: QtBot, app: App) -> None:
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
    with qtbot.waitSignal(app.vault.idle):
        app.actions.sample_notes.trigger()
    assert app.window.folder.text == "Everywhere"
    assert app.pane.search.within == ""


def test_notes_can_be_sorted_by_date(qtbot: QtBot, start: StartApp, notes: Path) -> None:
    for days, path in enumerate(
        ["travel/Trip to Japan.md", "travel/Japan budget.md", "kitchen/Recipes.md"]
    ):
        os.utime(notes / path, times=(1e9 + days * 86_400,) * 2)
    app = start(notes)
    typed(qtbot, app, "food")
    assert seen_order(app.window.results.summary) == best_first()
    assert listed(app)[0] == "Trip to Japan"
    (menu,) = app.window.results.findChildren(QMenu)
    newest = next(action for action in menu.actions() if action.text() == newest_first())
    with qtbot.waitSignal(app.pane.search.settled):
        newest.trigger()
    titles = [note.title for note in app.model.notes]
    assert titles == ["Recipes", "Japan budget", "Trip to Japan"]
    assert seen_order(app.window.results.summary) == newest_first()
