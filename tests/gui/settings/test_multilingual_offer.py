"""The bar that offers a multilingual model for notes in other languages."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from notesearch.config import BUILTIN_MODEL, Paths, Settings
from notesearch.embedding.download import Offer
from notesearch.errors import ModelError
from notesearch.gui.app import App
from notesearch.models import MULTILINGUAL
from tests.embedding import tiny_model
from tests.gui.made import StartApp

GERMAN = "# Umzug\n\nDie Kisten sind zu schwer, und der Wagen kommt erst am Montag.\n"


@pytest.fixture
def app(start: StartApp, notes: Path, qtbot: QtBot) -> App:
    """The program with many German notes, once it offers the model."""
    for number in range(9):
        (notes / f"umzug {number}.md").write_text(GERMAN, "utf-8")
    app = start(notes, Settings(vault=str(notes)))
    qtbot.waitUntil(app.window.offer.isVisible, timeout=20_000)
    return app


def press(app: App, label: str) -> None:
    (button,) = (b for b in app.window.offer.findChildren(QPushButton) if b.text() == label)
    button.click()


def install(paths: Paths) -> None:
    paths.models.mkdir(parents=True, exist_ok=True)
    tiny_model.write(paths.models / MULTILINGUAL.replace("/", "--"))


def test_one_click_downloads_and_uses_it_and_one_goes_back(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar, preferences = app.window.offer, app.preferences
    assert "not in English" in bar.text
    assert bar.buttons == ["Use it"]
    monkeypatch.setattr("notesearch.models.look_up", lambda name: Offer(name, "0123", ()))
    monkeypatch.setattr(
        "notesearch.models.download", lambda _offer, _models, _told: install(preferences.paths)
    )
    press(app, "Use it")
    qtbot.waitUntil(lambda: bar.buttons == ["Undo"], timeout=20_000)
    assert preferences.settings.model == MULTILINGUAL
    press(app, "Undo")
    assert preferences.settings.model == BUILTIN_MODEL
    assert not bar.isVisible()


def test_a_failed_download_can_be_tried_again(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> Offer:
        raise ModelError("download_unknown", name=name)

    monkeypatch.setattr("notesearch.models.look_up", fail)
    press(app, "Use it")
    qtbot.waitUntil(lambda: app.window.offer.buttons == ["Try again"], timeout=20_000)
    assert MULTILINGUAL in app.window.offer.text
    assert app.preferences.settings.model == BUILTIN_MODEL


def test_what_is_closed_is_not_offered_again(app: App, qtbot: QtBot, notes: Path) -> None:
    app.window.offer.close_button.click()
    (notes / "more.md").write_text(GERMAN, "utf-8")
    with qtbot.waitSignal(app.vault.index_changed, timeout=20_000):
        app.vault.refresh()
    assert not app.window.offer.isVisible()
    with qtbot.waitSignal(app.vault.idle, timeout=20_000):
        app.vault.reopen()
    assert not app.window.offer.isVisible()
