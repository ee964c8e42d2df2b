"""Indexing pauses for a moment while the user types or selects a section."""

import pytest
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.index.scheduling import TypingPause
from tests.gui import using_quick
from tests.gui.using_window import listed, typed


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[TypingPause]:
    """Return a list that collects each request to pause indexing."""
    found: list[TypingPause] = []
    ask = TypingPause.record_keystroke

    def noted(pause: TypingPause) -> None:
        found.append(pause)
        ask(pause)

    monkeypatch.setattr(TypingPause, "record_keystroke", noted)
    return found


def test_each_query_and_each_section_pauses_indexing(
    qtbot: QtBot, app: App, pauses: list[TypingPause]
) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "food")
    before = len(pauses)
    assert before
    with qtbot.waitSignal(app.pane.preview.shown):
        app.pane.preview.show_note()
    assert len(pauses) > before


def test_quick_search_pauses_indexing_too(
    qtbot: QtBot, quick: QuickSearch, pauses: list[TypingPause]
) -> None:
    using_quick.typed(qtbot, quick, "food")
    assert pauses


def test_notes_are_still_indexed_while_the_user_types(qtbot: QtBot, app: App) -> None:
    assert app.vault.path is not None
    with qtbot.waitSignal(app.vault.index_changed):
        (app.vault.path / "new.md").write_text("# Newt\n\nA newt in the pond.\n")
        for letter in "the newt in the pond":
            typed(qtbot, app, letter)
    app.window.field.clear()
    typed(qtbot, app, "newt")
    assert "Newt" in listed(app)
