"""Fixtures of the indexer's tests."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.index.bench import Bench, Counted

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


@pytest.fixture
def bench(vault: Path, tmp_path: Path) -> Bench:
    """Words only."""
    return Bench(vault, tmp_path / "index.sqlite", None)


@pytest.fixture
def meaning(vault: Path, tmp_path: Path, embedder: "Embedder") -> tuple[Bench, Counted]:
    """An index of words and meaning, and the embedder that records its texts."""
    counted = Counted(embedder)
    return Bench(vault, tmp_path / "index.sqlite", counted), counted
