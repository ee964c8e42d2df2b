"""What was opened for a query in a window ranks higher there next time."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.gui.app import App
from notesearch.gui.results.results_model import ResultRow
from notesearch.gui.session.query_history import QueryHistory, StarredQuery
from notesearch.opened_sections import Openings
from tests.folders import write
from tests.gui.fixture_types import StartApp, StartQuick
from tests.gui.opened_files import OpenedFiles
from tests.gui.settings_use import control, tick
from tests.gui.using_window import CONTROL, SHIFT, Key, press, typed

pytestmark = pytest.mark.usefixtures("opened")

TIES = {
    f"{name}.md": f"# {name.title()}\n\nThe {name} has varnish, rope and a kettle.\n"
    for name in ("anna", "berta", "clara")
}


@pytest.fixture
def boats(tmp_path: Path) -> Path:
    write(tmp_path / "boats", TIES)
    return tmp_path / "boats"


def times(vault: Path) -> list[int]:
    return [one.times for one in Openings(Paths.choose().openings_file(vault)).all()]


def order(app: App) -> list[str]:
    return [row.result.path for row in app.model.rows if isinstance(row, ResultRow)]


def test_what_was_opened_comes_first_and_says_why(
    qtbot: QtBot, start: StartApp, boats: Path
) -> None:
    app = start(boats)
    typed(qtbot, app, "varnish rope")
    last = order(app)[-1]
    press(qtbot, app, Key.Key_End, CONTROL)
    press(qtbot, app, Key.Key_Return)
    qtbot.waitUntil(lambda: times(boats) == [1])
    app.window.field.clear()
    typed(qtbot, app, "rope varnish")
    assert order(app)[0] == last
    app.actions.why.trigger()
    assert "You opened it for this query before." in app.window.why.text


def test_a_copied_link_counts_but_looking_does_not(
    qtbot: QtBot, start: StartApp, boats: Path
) -> None:
    app = start(boats)
    typed(qtbot, app, "kettle")
    press(qtbot, app, Key.Key_Down)
    section = app.window.results.view.section
    assert section is not None
    qtbot.waitUntil(lambda: app.pane.preview.shows(section))
    assert times(boats) == []
    press(qtbot, app, Key.Key_L, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: times(boats) == [1])


def test_quick_search_learns_too(
    qtbot: QtBot, start_quick: StartQuick, boats: Path, opened: OpenedFiles
) -> None:
    quick = start_quick(boats)
    quick.show("kettle")
    qtbot.waitUntil(lambda: len(quick.model.rows) == 3)
    quick.pane.opener.open_selected()
    qtbot.waitUntil(lambda: times(boats) == [1])
    assert len(opened.files) == 1


def test_folders_of_the_settings_come_first_and_say_why(
    qtbot: QtBot, start: StartApp, boats: Path
) -> None:
    write(boats, {"zoo/dora.md": "# Dora\n\nThe dora has varnish, rope and a kettle.\n"})
    app = start(boats)
    folders = control(app, QPlainTextEdit, "Preferred folders")
    folders.setFocus()
    folders.setPlainText("zoo")
    folders.clearFocus()
    qtbot.waitUntil(lambda: app.settings.preferred_folders == ("zoo",))
    tick(app, "Recently changed notes rank slightly higher")
    qtbot.waitUntil(lambda: app.settings.prefer_recent)
    typed(qtbot, app, "varnish rope")
    qtbot.waitUntil(lambda: order(app)[:1] == ["zoo/dora.md"])
    app.actions.why.trigger()
    assert "It is in a folder that you prefer." in app.window.why.text
    assert "Its note changed recently, and you prefer recent notes." in app.window.why.text


def test_the_settings_forget_what_was_learnt(start: StartApp, boats: Path) -> None:
    for folder in (boats, boats / "other"):
        Openings(Paths.choose().openings_file(folder)).add(("kettle",), "anna.md", ("Anna",))
    app = start(boats)
    forget(app, "Cancel")
    assert any(Paths.choose().openings.iterdir()), "it asks first"
    button = forget(app, "Forget")
    assert not any(Paths.choose().openings.iterdir())
    assert not button.isEnabled()


def test_the_settings_tell_what_cannot_be_forgotten(start: StartApp, boats: Path) -> None:
    kept = Paths.choose().openings_file(boats)
    kept.mkdir(parents=True)  # no user may delete it like a file
    app = start(boats)
    button = forget(app, "Forget")
    shown = [label.text() for label in button.window().findChildren(QLabel)]
    assert any("Not everything was forgotten" in text for text in shown)
    assert button.isEnabled()


def forget(app: App, answer: str) -> QPushButton:
    """Press the button that forgets what was learnt, and ``answer`` the question; return it."""
    return answered(app, "Forget what was learnt…", answer)


def answered(app: App, name: str, answer: str) -> QPushButton:
    """Press the button ``name`` of the settings, and ``answer`` the question; return the button."""
    button = control(app, QPushButton, name)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    box = button.window().findChildren(QMessageBox)[-1]
    choice = next(choice for choice in box.buttons() if choice.text().replace("&", "") == answer)
    QTest.mouseClick(choice, Qt.MouseButton.LeftButton)
    return button


def test_the_settings_clear_the_history(start: StartApp, boats: Path) -> None:
    app = start(boats)
    data = Paths.choose().data
    history = QueryHistory(data)
    history.add("kettle")
    history.set_star(StarredQuery("varnish"))
    recents = Openings(Paths.choose().recents_file(boats))
    recents.add((), "anna.md", ("Anna",))
    clear_history(app, "Cancel")
    assert history.queries() == ["kettle"], "it asks first"
    clear_history(app, "Clear")
    assert history.queries() == []
    assert [star.query for star in history.starred()] == ["varnish"]
    assert recents.all() == ()


def test_the_settings_tell_what_cannot_be_cleared(start: StartApp, boats: Path) -> None:
    app = start(boats)
    (Paths.choose().data / "queries.json").mkdir()  # no user may delete it like a file
    button = clear_history(app, "Clear")
    shown = [label.text() for label in button.window().findChildren(QLabel)]
    assert any("Not everything was forgotten" in text for text in shown)


def clear_history(app: App, answer: str) -> QPushButton:
    """Press the button that clears the history, and ``answer`` the question; return the button."""
    return answered(app, "Clear the history…", answer)
