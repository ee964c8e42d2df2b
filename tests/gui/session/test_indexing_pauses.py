"""Who types, or reads, has Python for a moment; indexing waits."""

import pytest
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.index.scheduling import TypingPause
from tests.gui import using_quick
from tests.gui.using_window import listed, typed


@pytest.fixture
def wishes(monkeypatch: pytest.MonkeyPatch) -> list[TypingPause]:
    """Each time that the thread that indexes was asked to stand still."""
    found: list[TypingPause] = []
    ask = TypingPause.typed

    def noted(pause: TypingPause) -> None:
        found.append(pause)
        ask(pause)

    monkeypatch.setattr(TypingPause, "typed", noted)
    return found


def test_each_query_and_each_section_that_is_read_asks_for_it(
    qtbot: QtBot, app: App, wishes: list[TypingPause]
) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "food")
    asked = len(wishes)
    assert asked
    with qtbot.waitSignal(app.pane.preview.shown):
        app.pane.preview.show_note()
    assert len(wishes) > asked


def test_so_does_quick_search(qtbot: QtBot, quick: QuickSearch, wishes: list[TypingPause]) -> None:
    using_quick.typed(qtbot, quick, "food")
    assert wishes


def test_notes_are_indexed_while_somebody_types(qtbot: QtBot, app: App) -> None:
    assert app.vault.path is not None
    with qtbot.waitSignal(app.vault.index_changed, timeout=20_000):
        (app.vault.path / "new.md").write_text("# Newt\n\nA newt in the pond.\n")
        for letter in "the newt in the pond":
            typed(qtbot, app, letter)
    app.window.field.clear()
    typed(qtbot, app, "newt")
    assert "Newt" in listed(app)
