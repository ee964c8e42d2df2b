"""Fixtures of the indexer's tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from notesearch.index import indexer, scheduling
from tests.index.stepwise_index import Bench, Counted

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


@pytest.fixture
def bench(vault: Path, tmp_path: Path) -> Iterator[Bench]:
    """A folder and its index, by words only."""
    made = Bench(vault, tmp_path / "index.sqlite", None)
    yield made
    made.close()


@pytest.fixture
def meaning(vault: Path, tmp_path: Path, embedder: "Embedder") -> tuple[Bench, Counted]:
    """An index of words and meaning, and the embedder that records its texts."""
    counted = Counted(embedder)
    return Bench(vault, tmp_path / "index.sqlite", counted), counted


@pytest.fixture
def a_quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a quarter of the usual size for huge."""
    _take_for_huge(monkeypatch, scheduling.HUGE // 4)


@pytest.fixture
def a_sixteenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a sixteenth of the usual size for huge, for tests that read such a text many times."""
    _take_for_huge(monkeypatch, scheduling.HUGE // 16)


def _take_for_huge(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in (indexer, scheduling):
        monkeypatch.setattr(module, "HUGE", size)
