"""The sections opened last, in the main window while the field is empty, and in their file."""

from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.gui.app import App
from notesearch.gui.results.results_model import CaptionRow, ResultRow
from notesearch.gui.session.query_history import clear_history
from notesearch.gui.session.section_reader import Question
from notesearch.library import NoteLibrary
from notesearch.results import Marked
from tests.gui.fixture_types import StartApp
from tests.gui.opened_files import OpenedFiles
from tests.gui.using_window import CONTROL, Key, heading, press, previewed, typed

HEADINGS = {"Trip to Japan", "Kyoto", "Food", "Temples", "Packing", "Snacks", "Recipes", "Dashi"}


def recent(app: App) -> list[str]:
    """Return the caption of the list and its headings."""
    rows = app.model.rows
    captions = [row.text for row in rows if isinstance(row, CaptionRow)]
    return captions + [row.result.section for row in rows if isinstance(row, ResultRow)]


def open_section(qtbot: QtBot, app: App, text: str) -> None:
    app.window.field.focus_all()
    typed(qtbot, app, text)
    press(qtbot, app, Key.Key_Return)


@pytest.fixture
def used(qtbot: QtBot, app: App, opened: OpenedFiles) -> App:
    """The program with an empty field after two sections were opened."""
    open_section(qtbot, app, "dashi")
    open_section(qtbot, app, "temples")
    press(qtbot, app, Key.Key_Escape)
    qtbot.waitUntil(lambda: recent(app) == ["Recently opened", "Temples", "Dashi"])
    return app


def test_sections_opened_last_are_listed_with_an_example_query(qtbot: QtBot, used: App) -> None:
    assert used.window.shows_results
    qtbot.waitUntil(lambda: bool(used.window.results.summary.count_text))
    example = used.window.results.summary.count_text.removeprefix("Try: ")
    assert example in HEADINGS
    assert heading(used) == "Temples"
    qtbot.waitUntil(lambda: "Go at opening time" in previewed(used))


def test_the_example_of_the_start_page_runs_on_click(qtbot: QtBot, app: App) -> None:
    """It once described a trip that was not in these notes."""
    page = app.window.page
    qtbot.waitUntil(lambda: bool(page.page.offers))
    (offer,) = page.page.offers
    assert offer.query in HEADINGS
    page.focus_action()
    press(qtbot, app, Key.Key_Return)
    qtbot.waitUntil(lambda: heading(app) == offer.query)


def test_sections_of_a_renamed_note_follow_it_and_those_of_a_deleted_one_end(
    qtbot: QtBot, used: App, notes: Path
) -> None:
    """The names of both notes stayed in the file until newer sections pushed them out."""
    file = Paths.choose().recents_file(notes)
    (notes / "kitchen/Recipes.md").rename(notes / "kitchen/Soups.md")
    qtbot.waitUntil(lambda: "Soups" in file.read_text())
    assert "Recipes" not in file.read_text()
    qtbot.waitUntil(lambda: recent(used) == ["Recently opened", "Temples", "Dashi"])
    (notes / "kitchen/Soups.md").unlink()
    qtbot.waitUntil(lambda: "Soups" not in file.read_text())
    qtbot.waitUntil(lambda: recent(used) == ["Recently opened", "Temples"])


def test_the_list_ends_when_the_window_returns_after_the_history_was_cleared(
    qtbot: QtBot, used: App
) -> None:
    clear_history(Paths.choose())
    QApplication.sendEvent(used.window, QEvent(QEvent.Type.WindowActivate))
    qtbot.waitUntil(lambda: recent(used) == [])
    assert not used.window.shows_results, "the page to start from is shown"
    press(qtbot, used, Key.Key_Up, CONTROL)
    assert used.window.field.text == "", "no earlier query comes back"


def test_a_section_opens_while_an_earlier_one_is_stored(
    qtbot: QtBot, used: App, opened: OpenedFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window stood still while the disk did, and the section was then missing."""
    disk, record = Lock(), NoteLibrary.record_opened

    def record_late(library: NoteLibrary, *opened: Any) -> None:
        with disk:
            record(library, *opened)

    monkeypatch.setattr(NoteLibrary, "record_opened", record_late)
    before = len(opened.files)
    with disk:
        for text in ("snacks", "pickles"):
            open_section(qtbot, used, text)
        qtbot.waitUntil(lambda: len(opened.files) == before + 2)
    press(qtbot, used, Key.Key_Escape)
    listed = ["Recently opened", "Pickles", "Snacks", "Temples", "Dashi"]
    qtbot.waitUntil(lambda: recent(used) == listed)


def test_a_section_opened_just_before_the_end_is_listed_next_time(
    qtbot: QtBot, used: App, opened: OpenedFiles, start: StartApp, notes: Path
) -> None:
    with qtbot.waitSignal(used.pane.opener.opened):
        open_section(qtbot, used, "snacks")
    used.close()
    again = start(notes)
    qtbot.waitUntil(lambda: recent(again) == ["Recently opened", "Snacks", "Temples", "Dashi"])


def test_arrows_and_enter_open_a_section_again(
    qtbot: QtBot, used: App, opened: OpenedFiles
) -> None:
    press(qtbot, used, Key.Key_Down)
    assert heading(used) == "Dashi"
    press(qtbot, used, Key.Key_Return)
    qtbot.waitUntil(lambda: opened.files[-1] == "Recipes.md")


def test_their_rows_have_room_for_one_line_of_text(qtbot: QtBot, used: App) -> None:
    view = used.window.results.view
    recent_height = view.visualRect(view.currentIndex()).height()
    typed(qtbot, used, "pickles")
    assert view.visualRect(view.currentIndex()).height() == recent_height, "a short snippet"
    [found] = view._results.notes
    long = replace(found.sections[0], snippet=Marked("long snippet " * 15))
    view._results.set_notes([replace(found, sections=(long,))])
    view.restore(None)
    assert 0 < view.visualRect(view.currentIndex()).height() - recent_height < recent_height


def test_typing_replaces_the_list_and_escape_restores_it(qtbot: QtBot, used: App) -> None:
    typed(qtbot, used, "pickles")
    assert used.window.results.summary.count_text == "1 section in 1 note"
    press(qtbot, used, Key.Key_Escape)
    assert recent(used) == ["Recently opened", "Temples", "Dashi"]
    assert heading(used) == "Temples"


def test_the_selection_stays_when_the_index_is_updated(qtbot: QtBot, used: App) -> None:
    press(qtbot, used, Key.Key_Down)
    with qtbot.waitSignal(used.vault.idle):
        used.actions.update_index.trigger()
    assert used.window.shows_results
    assert heading(used) == "Dashi"


def test_the_list_survives_a_restart(qtbot: QtBot, used: App, start: StartApp, notes: Path) -> None:
    (notes / "kitchen/Recipes.md").unlink()
    again = start(notes)
    qtbot.waitUntil(lambda: recent(again) == ["Recently opened", "Temples"])


def test_another_vault_has_its_own_list(qtbot: QtBot, used: App) -> None:
    with qtbot.waitSignal(used.vault.idle):
        used.actions.sample_notes.trigger()
    assert not used.window.shows_results
    QTest.keyClicks(used.window.focusWidget(), "x")


def test_a_late_answer_about_another_vault_is_dropped(used: App) -> None:
    assert used.vault.session is not None
    reading = used.vault.session.main.reading
    late = Question("recents", lambda _: (), used.pane.start_list._list_recent)
    reading._found.emit(late, ())
    assert recent(used) == ["Recently opened", "Temples", "Dashi"]
    reading._newest["recents"] = late, late.heard
    reading.stop()
    reading._found.emit(late, ())
    assert recent(used) == ["Recently opened", "Temples", "Dashi"]
