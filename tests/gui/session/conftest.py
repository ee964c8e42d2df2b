"""A library of the small vault, up to date, as the threads of a session use it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.library import NoteLibrary


@pytest.fixture
def library(notes: Path, words_only: Settings) -> Iterator[NoteLibrary]:
    with NoteLibrary.open(notes, settings=words_only) as opened:
        opened.refresh()
        yield opened
