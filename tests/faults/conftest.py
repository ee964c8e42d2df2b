"""A followed folder for the fault tests."""

import pytest

from notesearch.index import folder_watch, live_index


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check folder and watcher all the time instead of every few seconds."""
    monkeypatch.setattr(live_index, "_CHECK_S", 0.05)
    monkeypatch.setattr(folder_watch, "_MIN_INTERVAL_S", 0.05)
