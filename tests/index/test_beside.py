"""A process beside the one that follows the folder waits for what was saved, but not for ever."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index.beside import Asking, Beside
from notesearch.library import NoteLibrary, wait_for_other
from notesearch.status import LIVE
from tests.folders import write


@pytest.fixture
def library(vault: Path) -> Iterator[NoteLibrary]:
    """Of one note, which is indexed."""
    write(vault, {"pond.md": "Reeds.\n"})
    with NoteLibrary.open(vault, settings=Settings(model="none")) as library:
        library.refresh()
        yield library


def beside(library: NoteLibrary) -> Beside:
    return Beside(library.vault, library.settings, Asking(library._index.store.path).ask)


def waits(library: NoteLibrary, others: Beside, seconds: float) -> bool:
    with library._index.reading() as reader:
        return others.wait(reader, seconds)


def test_nothing_is_waited_for_where_nothing_was_saved(library: NoteLibrary) -> None:
    assert waits(library, beside(library), 0.0)


@pytest.mark.parametrize("what", ["new", "saved", "deleted"])
def test_it_waits_until_the_other_has_taken_it_up(library: NoteLibrary, what: str) -> None:
    others = beside(library)
    if what == "deleted":
        (library.vault / "pond.md").unlink()
    else:
        write(library.vault, {"new.md" if what == "new" else "pond.md": "Rushes.\n"})
    assert not waits(library, others, 0.0)
    indexing = threading.Thread(target=library.refresh)
    indexing.start()
    assert waits(library, beside(library), 20.0)
    indexing.join()
    assert waits(library, others, 0.0)


def test_what_was_waited_for_in_vain_is_not_waited_for_again(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("notesearch.index.beside.time.sleep", slept.append)
    others = beside(library)
    write(library.vault, {"new.md": "Rushes.\n"})
    assert not waits(library, others, 0.05)
    times = len(slept)
    assert times
    assert not waits(library, others, 20.0)
    assert len(slept) == times
    write(library.vault, {"newer.md": "Rushes too.\n"})
    assert not waits(library, others, 0.05)
    assert len(slept) > times


def test_what_was_taken_up_since_is_waited_for_like_any_other(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    others, pond = beside(library), library.vault / "pond.md"
    pond.unlink()
    assert not waits(library, others, 0.0)  # in vain
    write(library.vault, {"pond.md": "Reeds.\n"})
    library.refresh()
    assert waits(library, others, 0.0)
    slept: list[float] = []
    monkeypatch.setattr("notesearch.index.beside.time.sleep", slept.append)
    pond.unlink()
    assert not waits(library, others, 0.05)
    assert slept


def test_a_note_that_was_saved_again_and_again_and_is_gone_is_waited_for(
    library: NoteLibrary,
) -> None:
    with NoteLibrary.open(library.vault, settings=library.settings) as keeper:
        assert keeper.watch().current.wait(20)
        for word in ("first", "second"):
            write(library.vault, {"pond.md": f"Reeds, {word}.\n"})
            assert wait_for_other(library, 2.0)
        (library.vault / "pond.md").unlink()
        assert wait_for_other(library, 3.0)
        assert not library.search("second").sections


def test_a_note_that_is_saved_again_and_again_is_waited_for_as_short_as_any(
    library: NoteLibrary,
) -> None:
    with NoteLibrary.open(library.vault, settings=library.settings) as keeper:
        assert keeper.watch().current.wait(20)
        for word in ("first", "second", "third", "fourth"):
            write(library.vault, {"pond.md": f"Reeds, {word}.\n"})
            assert wait_for_other(library, 2.0)
            assert library.search(word).sections
    assert not list(library._index.store.path.parent.glob("*.asked"))


def test_who_follows_the_folder_says_when_it_ends(library: NoteLibrary) -> None:
    with NoteLibrary.open(library.vault, settings=library.settings) as keeper:
        assert keeper.watch().current.wait(20)
        with library._index.reading() as reader:
            assert reader.watching() == LIVE
    with library._index.reading() as reader:
        assert not reader.watching()


def test_where_nothing_may_be_written_the_other_takes_its_time(tmp_path: Path) -> None:
    asking = Asking(tmp_path / "nowhere" / "index.sqlite")
    asking.ask()
    assert not asking.asked()
