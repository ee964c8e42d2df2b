"""What the window says when something is not as it should be, and the one thing to do about it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.gui.app import App
from notesearch.gui.read_worker import Reading
from notesearch.gui.results_rows import SectionRow
from tests.gui.made import StartApp
from tests.gui.using_window import heading, typed


@pytest.fixture
def in_the_way(home: Path) -> Path:
    """A file where the folder of the indexes should be."""
    file = Paths.choose().data / "indexes"
    file.parent.mkdir(parents=True)
    file.write_text("")
    return file


def test_an_index_that_cannot_be_made_takes_the_page(
    qtbot: QtBot, in_the_way: Path, start: StartApp, notes: Path
) -> None:
    app = start(notes)
    page = app.window.page
    qtbot.waitUntil(lambda: page.page.title == "Your notes cannot be searched")
    assert page.page.detail == "Your notes are not affected."
    assert page.page.tone == "danger"
    assert [button.text() for button in page.buttons] == ["Try again", "Show details"]
    page.buttons[1].click()
    about = app.settings_flow.dialog
    assert about is not None
    facts = [label.text() for label in about.findChildren(QLabel) if label.isVisible()]
    assert any(fact.endswith(".sqlite") for fact in facts), "where the index is"
    about.close()
    in_the_way.unlink()
    with qtbot.waitSignal(app.vaults.idle, timeout=20_000):
        page.buttons[0].click()
    qtbot.waitUntil(lambda: page.page.title == "Search 3 notes")
    typed(qtbot, app, "dashi")
    assert heading(app) == "Dashi"


def test_a_note_that_is_gone_offers_to_update_the_index(qtbot: QtBot, app: App) -> None:
    with qtbot.waitSignal(app.reading.shown):
        typed(qtbot, app, "dashi")
    (button,) = (b for b in app.preview.findChildren(QPushButton) if b.text() == "Update index")
    assert not button.isVisible()
    assert app.reading.request is not None
    plain = app.window.results.view.grab().toImage()
    told = "“Recipes.md” was moved or deleted since the last update."
    app.reading.loaded(Reading(app.reading.request, None, told, gone=True))
    assert button.isVisible()
    (row,) = (row for row in app.model.rows if isinstance(row, SectionRow))
    assert row.gone
    assert app.window.results.view.grab().toImage() != plain, "it is struck out"
    spoken = app.model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Recipes, Dashi. Moved or deleted."
    with qtbot.waitSignal(app.vaults.idle, timeout=20_000):
        button.click()
    qtbot.waitUntil(lambda: app.window.results.view.grab().toImage() == plain)
