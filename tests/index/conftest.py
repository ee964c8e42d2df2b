"""What the tests of the indexer compare."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.index.bench import Bench, Counted

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder


@pytest.fixture
def bench(vault: Path, tmp_path: Path) -> Bench:
    """Words only."""
    return Bench(vault, tmp_path / "index.sqlite", None)


@pytest.fixture
def meaning(vault: Path, tmp_path: Path, embedder: "Embedder") -> tuple[Bench, Counted]:
    """Words and meaning, and what is embedded for it."""
    counted = Counted(embedder)
    return Bench(vault, tmp_path / "index.sqlite", counted), counted
