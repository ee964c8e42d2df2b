"""What the tests of quality share: the sample notes, embedded once."""

from pathlib import Path

import pytest

from notesearch.config import resources
from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    """Return a home with the index of the sample notes, made with the real model."""
    home = tmp_path_factory.mktemp("home")
    vault = resources() / "sample-vault"
    with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
        library.refresh()
    return home
