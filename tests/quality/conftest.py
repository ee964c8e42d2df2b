"""What the tests of quality share: the sample notes, embedded once."""

from pathlib import Path

import pytest

from notesearch.config import resources
from notesearch.library import NoteLibrary


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with the index of the sample notes, made with the real model."""
    home = tmp_path_factory.mktemp("home")
    with NoteLibrary.open(resources() / "sample-vault", home=home) as library:
        library.refresh()
    return home
