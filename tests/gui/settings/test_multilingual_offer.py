"""The offer of a multilingual model for notes in other languages: on the page, then in the bar."""

import json
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from notesearch.config import BUILTIN_MODEL, Paths, Settings
from notesearch.embedding.download import Offer
from notesearch.errors import ModelError
from notesearch.gui.app import App
from notesearch.gui.session.worker_threads import FileCall
from notesearch.models import MULTILINGUAL
from tests.embedding import tiny_model
from tests.gui.fixture_types import StartApp
from tests.limits import WAIT_S

GERMAN = "# Umzug\n\nDie Kisten sind zu schwer, und der Wagen kommt erst am Montag.\n"


@pytest.fixture
def app(start: StartApp, notes: Path, qtbot: QtBot) -> App:
    """The program just after the first run, once it offers the model for many German notes."""
    for number in range(9):
        (notes / f"umzug {number}.md").write_text(GERMAN, "utf-8")
    app = start(None, Settings())
    app.folders.take(str(notes))
    qtbot.waitUntil(lambda: app.multilingual.waiting is not None)
    return app


def press(place: QWidget, label: str) -> None:
    (button,) = (b for b in place.findChildren(QPushButton) if b.text() == label)
    button.click()


def labels(app: App) -> list[str]:
    return [button.text() for button in app.window.page.buttons]


def install(paths: Paths) -> None:
    paths.models.mkdir(parents=True, exist_ok=True)
    tiny_model.write(paths.models / MULTILINGUAL.replace("/", "--"))


def test_one_click_on_the_first_page_downloads_and_uses_it_and_one_goes_back(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar, page, preferences = app.window.offer, app.window.page, app.preferences
    assert "knows only English" in page.page.detail
    assert "136\u00a0MB" in page.page.detail, "a line must not end between number and unit"
    assert labels(app) == ["Use it", "Not now"]
    assert not bar.isVisible(), "it is not said twice"
    monkeypatch.setattr("notesearch.models.look_up", lambda name: Offer(name, "0123", ()))
    monkeypatch.setattr(
        "notesearch.models.download", lambda _offer, _models, _told: install(preferences.paths)
    )
    press(page, "Use it")
    assert labels(app) == []
    qtbot.waitUntil(lambda: bar.buttons == ["Undo"])
    assert preferences.settings.model == MULTILINGUAL
    press(bar, "Undo")
    assert preferences.settings.model == BUILTIN_MODEL
    assert not bar.isVisible()


def test_the_bar_offers_it_above_results(app: App, qtbot: QtBot) -> None:
    bar, field = app.window.offer, app.window.field
    field.set_text("Kisten")
    qtbot.waitUntil(bar.isVisible)
    assert "knows only English" in bar.text
    assert bar.buttons == ["Use it"]
    field.clear()
    qtbot.waitUntil(lambda: not bar.isVisible())
    assert labels(app) == ["Use it", "Not now"]


def test_only_the_first_page_offers_it_if_the_bar_would_cover_the_results(
    app: App, qtbot: QtBot
) -> None:
    app.preferences.change(text_size=300)
    app.appearance.update()
    app.window.resize(1298, 718)
    app.window.field.set_text("Kisten")
    qtbot.waitUntil(lambda: app.window.shows_results)
    assert not app.window.offer.isVisible()
    app.window.field.clear()
    qtbot.waitUntil(lambda: labels(app) == ["Use it", "Not now"])
    app.preferences.change(text_size=100)
    app.appearance.update()


def test_a_failed_download_can_be_tried_again_or_the_model_added(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> Offer:
        raise ModelError("download_unknown", name=name)

    monkeypatch.setattr("notesearch.models.look_up", fail)
    press(app.window.page, "Use it")
    qtbot.waitUntil(lambda: app.window.offer.buttons == ["Try again"])
    assert MULTILINGUAL in app.window.offer.text
    assert app.preferences.settings.model == BUILTIN_MODEL
    name = MULTILINGUAL.partition("/")[2]
    tiny_model.write(app.preferences.paths.models / name)  # without a network
    press(app.window.offer, "Try again")
    assert app.preferences.settings.model == name


def test_nothing_is_downloaded_after_cancel(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds while the model is being looked up, and when the last part has just arrived."""
    asked, answered = threading.Event(), threading.Event()
    downloads = list[str]()

    def look_up(name: str) -> Offer:
        asked.set()
        answered.wait(WAIT_S)
        return Offer(name, "0123", ())

    monkeypatch.setattr("notesearch.models.look_up", look_up)
    monkeypatch.setattr(
        "notesearch.models.download", lambda offer, _models, _told: downloads.append(offer.name)
    )
    bar = app.window.offer
    press(app.window.page, "Use it")
    qtbot.waitUntil(asked.is_set)
    press(bar, "Cancel")
    (call,) = app.multilingual.findChildren(FileCall)
    with qtbot.waitSignal(call.finished):
        answered.set()
    app.multilingual._share_arrived.emit(0.5)
    app.multilingual._on_downloaded(MULTILINGUAL)
    assert not bar.isVisible()
    assert downloads == []
    assert app.preferences.settings.model == BUILTIN_MODEL


@pytest.mark.parametrize("above_results", [False, True])
def test_what_is_closed_is_not_offered_again(
    app: App, qtbot: QtBot, notes: Path, above_results: bool
) -> None:
    if above_results:
        app.window.field.set_text("Kisten")
        qtbot.waitUntil(app.window.offer.isVisible)
        app.window.offer.close_button.click()
    else:
        press(app.window.page, "Not now")
    (notes / "more.md").write_text(GERMAN, "utf-8")
    with qtbot.waitSignal(app.vault.index_changed):
        app.vault.refresh()
    assert app.multilingual.waiting is None
    with qtbot.waitSignal(app.vault.idle):
        app.vault.reopen()
    assert app.multilingual.waiting is None
    assert not app.window.offer.isVisible()
    app.window.field.clear()
    qtbot.waitUntil(lambda: labels(app) == [])


def test_a_model_that_was_added_needs_no_download_and_a_double_click_is_undone(app: App) -> None:
    """A folder or ZIP file often lacks the name of the owner."""
    assert "to download once" in app.window.page.page.detail
    name = MULTILINGUAL.partition("/")[2]
    tiny_model.write(app.preferences.paths.models / name)
    app.window.activated.emit()  # the user returns from a terminal
    assert "is installed" in app.window.page.page.detail
    use, _ = app.multilingual.choices
    use.trigger()
    use.trigger()
    assert app.preferences.settings.model == name
    press(app.window.offer, "Undo")
    assert app.preferences.settings.model == BUILTIN_MODEL


def test_the_bar_says_when_the_new_model_answers(app: App, qtbot: QtBot) -> None:
    install(app.preferences.paths)
    bar = app.window.offer
    app.window.activated.emit()
    press(app.window.page, "Use it")
    assert "the previous model answers" in bar.text
    qtbot.waitUntil(lambda: bar.text == f"{MULTILINGUAL} has read all notes and now answers.")
    assert app.vault.status is not None
    assert (app.vault.status.model, app.vault.status.former_model) == (MULTILINGUAL, "")
    bar.close_button.click()
    with qtbot.waitSignal(app.vault.state_changed):
        app.vault.refresh()
    assert not bar.isVisible(), "it was closed"


def test_after_cancel_the_model_is_offered_again(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = threading.Event()

    def look_up(_name: str) -> Offer:
        asked.wait(WAIT_S)
        raise ModelError("download_unknown", name=MULTILINGUAL)

    monkeypatch.setattr("notesearch.models.look_up", look_up)
    press(app.window.page, "Use it")
    assert labels(app) == []
    press(app.window.offer, "Cancel")
    assert labels(app) == ["Use it", "Not now"]
    asked.set()


def test_closing_the_bar_in_another_folder_declines_nothing_there(
    app: App, qtbot: QtBot, notes: Path, tmp_path: Path
) -> None:
    """There, the bar still shows the model that was accepted in the first folder."""
    install(app.preferences.paths)
    other = tmp_path / "other"
    other.mkdir()
    for number in range(9):
        (other / f"umzug {number}.md").write_text(GERMAN, "utf-8")
    (notes / "more.md").write_text(GERMAN, "utf-8")
    app.vault.refresh()
    qtbot.waitUntil(lambda: "is installed" in app.window.page.page.detail)
    press(app.window.page, "Use it")
    assert app.window.offer.buttons == ["Undo"]
    app.folders.take(str(other))
    qtbot.waitUntil(lambda: app.vault.path == other)
    app.window.offer.close_button.click()
    assert not app.window.offer.isVisible()
    declined = app.preferences.paths.data / "offers.json"
    assert json.loads(declined.read_text("utf-8")) == [str(notes)]
    app.preferences.change(model=BUILTIN_MODEL)
    qtbot.waitUntil(lambda: app.multilingual.waiting is not None)
