"""With words and meaning answering one after the other, the best row is selected and in sight."""

from collections.abc import Sequence

import pytest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings, resources
from notesearch.gui.app import App
from tests.gui.made import StartApp
from tests.gui.using_window import typed
from tests.quality.labels import SAMPLE_TYPED, sample

QUERIES = [query.text for query in sample(SAMPLE_TYPED)][::4]


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


@pytest.mark.usefixtures("loaded")
def test_the_best_row_is_selected_and_in_sight(qtbot: QtBot, start: StartApp) -> None:
    app = start(resources() / "sample-vault", Settings())
    assert not_in_sight(qtbot, app, QUERIES) == []
