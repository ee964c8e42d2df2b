"""The order of the results follows sections that the user wants more or less of."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.app import App
from notesearch.messages import NO_SENTENCE
from tests.gui.made import StartApp
from tests.gui.using_window import has_tick, seen_correction, typed


def order(app: App) -> list[str]:
    return [one.section for note in app.model.notes for one in note.sections]


def test_more_like_this_sorts_until_it_is_taken_back(
    qtbot: QtBot, start: StartApp, notes: Path
) -> None:
    app = start(notes, Settings())
    typed(qtbot, app, "food")
    before, search = order(app), app.pane.search
    assert app.pane.display.shown is not None
    last = app.pane.display.shown.sections[-1]
    with qtbot.waitSignal(search.settled):
        search.steer(last, more=True)
    assert order(app)[0] == last.section
    assert sorted(order(app)) == sorted(before)
    pane = app.window.results
    assert (
        seen_correction(pane)
        == f"Listed first: sections similar to “{last.section}”. Best match first"
    )
    assert app.window.results.view.section is not None
    assert app.window.results.view.section.section == last.section
    with qtbot.waitSignal(search.settled):
        app.actions.less_like.trigger()
    assert (
        seen_correction(pane) == f"Listed first: sections unlike “{last.section}”. Best match first"
    )
    assert order(app)[0] != last.section
    with qtbot.waitSignal(search.settled):
        pane.offer_button.click()
    assert (order(app), seen_correction(pane)) == (before, "")
    with qtbot.waitSignal(search.settled):
        search.set_newest_first(True)
    with qtbot.waitSignal(search.settled):
        search.steer(last, more=True)
    assert seen_correction(pane).endswith("Newest first"), "to which the link returns"


def test_it_needs_meaning(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    before = order(app)
    app.actions.more_like.trigger()
    assert app.window.status.text == "This needs search by meaning."
    assert not has_tick(app)
    assert order(app) == before


def test_it_waits_until_meaning_is_ready(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    before, status = order(app), app.vault.status
    assert status is not None
    preparing = replace(status, pending=5, meaning_problem=NO_SENTENCE)
    app.pane.display.set_state(preparing, None)
    app.actions.more_like.trigger()
    assert app.window.status.text == "Search by meaning is not ready yet."
    assert not has_tick(app)
    assert order(app) == before


def test_the_list_of_actions_finds_it_by_its_usual_name(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    app.actions.all_actions.trigger()
    QTest.keyClicks(app.window.focusWidget(), "like")
    assert [one.text for one in app.window.command_palette.model.shown] == [
        "More like this",
        "Less like this",
    ]
