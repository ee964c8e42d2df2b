"""With words and meaning answering one after the other, the best row is selected and in sight."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.embedding.embedder import Embedder
from notesearch.gui.app import App
from notesearch.library import NoteLibrary
from tests.gui.fixture_types import StartApp
from tests.gui.using_window import typed
from tests.quality.labels import EVAL, SAMPLE, TYPED, Task, tasks

QUERIES = 30
"""Queries to each folder, evenly over all of its typed questions."""


def not_in_sight(qtbot: QtBot, app: App, queries: Sequence[str]) -> list[str]:
    """Type each query; return those after which the first row is not selected or out of view."""
    missed = []
    view = app.window.results.view
    for query in queries:
        app.window.field.focus_all()
        typed(qtbot, app, query)
        first = app.model.first_section()
        box = view.visualRect(first)
        is_seen = box.top() >= 0 and box.bottom() < view.viewport().height()
        at_top = view.verticalScrollBar().value() == 0
        if not (first.isValid() and view.currentIndex() == first and is_seen and at_top):
            missed.append(query)
    return missed


# Beside other tests, embedding the 578 notes of til takes longer than most tests may.
_LARGE = pytest.param("til", marks=[pytest.mark.slow, pytest.mark.timeout(600)])


@pytest.fixture(params=[SAMPLE, _LARGE])
def queries(request: pytest.FixtureRequest, home: Path, embedder: Embedder) -> Task:
    """Return labelled queries to a folder whose index is complete."""
    task = next(tasks(request.param, [TYPED]), None)
    if task is None:
        pytest.skip(f"no labelled queries in {EVAL}")
    with NoteLibrary.open(task.vault(home), home=home, embedder=embedder) as library:
        library.refresh()
    return task


@pytest.mark.usefixtures("loaded")
def test_the_best_row_is_selected_and_in_sight(
    qtbot: QtBot, start: StartApp, home: Path, queries: Task
) -> None:
    every = [query.text for query in queries.queries]
    chosen = [every[n * len(every) // QUERIES] for n in range(QUERIES)]
    app = start(queries.vault(home), Settings())
    assert not_in_sight(qtbot, app, chosen) == []
