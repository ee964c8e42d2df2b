"""A followed folder for the fault tests."""

import pytest

from notesearch.index import live_index, watcher


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check folder and watcher all the time instead of every few seconds."""
    monkeypatch.setattr(live_index, "_CHECK_S", 0.05)
    monkeypatch.setattr(watcher, "_MIN_INTERVAL_S", 0.05)
