"""What the tests of a session share: a library of the small vault, and a window to answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from tests.gui.session.search_bench import Bench


@pytest.fixture
def library(notes: Path, words_only: Settings) -> Iterator[NoteLibrary]:
    """The library of the small vault, up to date, as the threads of a session use it."""
    with NoteLibrary.open(notes, settings=words_only) as opened:
        opened.refresh()
        yield opened


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    """A visible window whose searches the test answers."""
    made = Bench()
    qtbot.addWidget(made.window)
    with qtbot.waitExposed(made.window):
        made.window.show()
    return made
