"""The built-in model, and a copy of it for tests that change it."""

import shutil
from pathlib import Path

import pytest

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_loader import load_embedder


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The model that comes with the program, which makes each vector anew."""
    return load_embedder(BUILTIN_MODEL, resources() / "models")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the built-in model's folder."""
    return shutil.copytree(resources() / "models" / BUILTIN_MODEL, tmp_path / "models" / "copied")
