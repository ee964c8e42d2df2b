"""A copy of the real model to damage."""

import shutil
from pathlib import Path

import pytest

from notesearch.config import BUILTIN_MODEL, resources


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The built-in model's folder, copied."""
    return shutil.copytree(resources() / "models" / BUILTIN_MODEL, tmp_path / "models" / "copied")
