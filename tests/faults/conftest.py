"""A followed folder for the fault tests."""

import pytest

from notesearch.index import live, watching


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have folder and watcher checked all the time instead of every few seconds."""
    monkeypatch.setattr(live, "_CHECK_S", 0.05)
    monkeypatch.setattr(watching, "_LEAST_S", 0.05)
