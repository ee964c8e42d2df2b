"""A copy of the built-in model, for tests that change it."""

import shutil
from pathlib import Path

import pytest

from notesearch.config import BUILTIN_MODEL, resources


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the built-in model's folder."""
    return shutil.copytree(resources() / "models" / BUILTIN_MODEL, tmp_path / "models" / "copied")
