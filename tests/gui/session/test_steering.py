"""The order of the results follows sections that the user wants more or less of."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.app import App
from notesearch.messages import NO_SENTENCE
from notesearch.results import SectionResult
from tests.gui.fixture_types import StartApp
from tests.gui.using_window import has_tick, seen_correction, typed


@pytest.fixture
def by_meaning(qtbot: QtBot, start: StartApp, notes: Path) -> App:
    """The program after a search by words and meaning."""
    app = start(notes, Settings())
    typed(qtbot, app, "food")
    return app


def order(app: App) -> list[str]:
    """Return the headings of the listed sections."""
    return [section.section for note in app.model.notes for section in note.sections]


def last_section(app: App) -> SectionResult:
    assert app.pane.search.shown is not None
    return app.pane.search.shown.sections[-1]


def more_like(qtbot: QtBot, app: App, section: SectionResult) -> None:
    with qtbot.waitSignal(app.pane.search.settled):
        app.pane.search.steer(section, more=True)


def test_more_like_this_lists_the_same_sections_with_similar_ones_first(
    qtbot: QtBot, by_meaning: App
) -> None:
    before, last = order(by_meaning), last_section(by_meaning)
    more_like(qtbot, by_meaning, last)
    assert order(by_meaning)[0] == last.section
    assert sorted(order(by_meaning)) == sorted(before)
    selected = by_meaning.window.results.view.section
    assert selected is not None
    assert selected.section == last.section
    assert (
        seen_correction(by_meaning.window.results)
        == f"Listed first: sections similar to “{last.section}”. Best match first"
    )


def test_less_like_this_replaces_it_until_its_link_takes_both_back(
    qtbot: QtBot, by_meaning: App
) -> None:
    pane, before, last = by_meaning.window.results, order(by_meaning), last_section(by_meaning)
    more_like(qtbot, by_meaning, last)
    with qtbot.waitSignal(by_meaning.pane.search.settled):
        by_meaning.actions.less_like.trigger()
    assert order(by_meaning)[0] != last.section
    assert (
        seen_correction(pane) == f"Listed first: sections unlike “{last.section}”. Best match first"
    )
    with qtbot.waitSignal(by_meaning.pane.search.settled):
        pane.offer_button.click()
    assert order(by_meaning) == before
    assert seen_correction(pane) == ""


def test_its_link_leads_back_to_the_newest_first_if_they_were(
    qtbot: QtBot, by_meaning: App
) -> None:
    with qtbot.waitSignal(by_meaning.pane.search.settled):
        by_meaning.pane.search.set_newest_first(True)
    more_like(qtbot, by_meaning, last_section(by_meaning))
    assert seen_correction(by_meaning.window.results).endswith("Newest first")


def test_it_needs_meaning(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    before = order(app)
    app.actions.more_like.trigger()
    assert app.window.bar.text == "This needs search by meaning."
    assert not has_tick(app)
    assert order(app) == before


def test_it_waits_until_meaning_is_ready(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    before, status = order(app), app.vault.status
    assert status is not None
    preparing = replace(status, pending=5, meaning_problem=NO_SENTENCE)
    app.pane.search.set_state(preparing, None)
    app.actions.more_like.trigger()
    assert app.window.bar.text == "Search by meaning is not ready yet."
    assert not has_tick(app)
    assert order(app) == before


def test_the_list_of_actions_finds_it_by_its_usual_name(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    app.actions.all_actions.trigger()
    QTest.keyClicks(app.window.focusWidget(), "like")
    shown = [action.text for action in app.window.choices.model.shown]
    assert shown == ["More like this", "Less like this"]
