"""Waiting for the process that follows the folder to index saved notes, but not forever."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index.vault_index import OtherIndexer
from notesearch.library import NoteLibrary
from notesearch.status import LIVE
from tests.folders import write


@pytest.fixture
def library(vault: Path) -> Iterator[NoteLibrary]:
    """A library with one indexed note."""
    write(vault, {"pond.md": "Reeds.\n"})
    with NoteLibrary.open(vault, settings=Settings(model="none")) as library:
        library.refresh()
        yield library


def other_indexer(library: NoteLibrary) -> OtherIndexer:
    return OtherIndexer(library.vault, library.settings)


def has_caught_up(library: NoteLibrary, other: OtherIndexer, seconds: float) -> bool:
    with library._index.reading() as reader:
        return other.wait(reader, seconds)


def test_does_not_wait_if_nothing_was_saved(library: NoteLibrary) -> None:
    assert has_caught_up(library, other_indexer(library), 0.0)


@pytest.mark.parametrize("what", ["new", "saved", "deleted"])
def test_waits_until_the_other_has_indexed_the_change(library: NoteLibrary, what: str) -> None:
    other = other_indexer(library)
    if what == "deleted":
        (library.vault / "pond.md").unlink()
    else:
        write(library.vault, {"new.md" if what == "new" else "pond.md": "Rushes.\n"})
    assert not has_caught_up(library, other, 0.0)
    indexing = threading.Thread(target=library.refresh)
    indexing.start()
    assert has_caught_up(library, other_indexer(library), 20.0)
    indexing.join()
    assert has_caught_up(library, other, 0.0)


def test_does_not_wait_again_for_a_change_that_never_arrived(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("notesearch.index.vault_index.time.sleep", slept.append)
    other = other_indexer(library)
    write(library.vault, {"new.md": "Rushes.\n"})
    assert not has_caught_up(library, other, 0.05)
    times = len(slept)
    assert times
    assert not has_caught_up(library, other, 20.0)
    assert len(slept) == times
    write(library.vault, {"newer.md": "Rushes too.\n"})
    assert not has_caught_up(library, other, 0.05)
    assert len(slept) > times


def test_waits_again_for_a_change_that_has_arrived_since(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, pond = other_indexer(library), library.vault / "pond.md"
    pond.unlink()
    assert not has_caught_up(library, other, 0.0)  # gave up
    write(library.vault, {"pond.md": "Reeds.\n"})
    library.refresh()
    assert has_caught_up(library, other, 0.0)
    slept: list[float] = []
    monkeypatch.setattr("notesearch.index.vault_index.time.sleep", slept.append)
    pond.unlink()
    assert not has_caught_up(library, other, 0.05)
    assert slept


def test_waits_for_the_deletion_of_a_note_that_was_saved_over_and_over(
    library: NoteLibrary,
) -> None:
    with NoteLibrary.open(library.vault, settings=library.settings) as keeper:
        assert keeper.watch().freshness.wait(20)
        for word in ("first", "second"):
            write(library.vault, {"pond.md": f"Reeds, {word}.\n"})
            assert library.wait_for_other(2.0)
        (library.vault / "pond.md").unlink()
        assert library.wait_for_other(5.0)
        assert not library.search("second").sections


def test_a_process_that_stops_following_records_that(library: NoteLibrary) -> None:
    with NoteLibrary.open(library.vault, settings=library.settings) as keeper:
        assert keeper.watch().freshness.wait(20)
        with library._index.reading() as reader:
            assert reader.watching() == LIVE
    with library._index.reading() as reader:
        assert not reader.watching()
