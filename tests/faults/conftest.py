"""A followed folder for the fault tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.index import live, watching
from tests.watched import Watched


@pytest.fixture
def watched(vault: Path, tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(vault, tmp_path / "index.sqlite")
    yield watched
    watched.index.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have folder and watcher checked all the time instead of every few seconds."""
    monkeypatch.setattr(live, "_CHECK_S", 0.05)
    monkeypatch.setattr(watching, "_LEAST_S", 0.05)
