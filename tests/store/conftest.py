"""An index file of its own for every test of the store."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from notesearch.store.reader import Reader
from notesearch.store.store import Store
from notesearch.store.writer import Writer

Words = Callable[[str], list[str]]
Find = Callable[[str], set[str]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new, empty index."""
    made = Store(tmp_path / "indexes" / "vault.sqlite")
    made.prepare()
    yield made
    made.close()


@pytest.fixture
def reader(store: Store) -> Reader:
    """A reader of ``store``."""
    return store.reader()


@pytest.fixture
def writer(store: Store) -> Iterator[Writer]:
    """A writer of ``store``."""
    with store.writing() as writing:
        yield writing
