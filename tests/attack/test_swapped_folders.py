"""A folder of the vault becomes a link to another place again and again while it is read."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from notesearch import files
from notesearch.config import Settings
from notesearch.errors import NotesearchError
from notesearch.index import note_files
from notesearch.library import NoteLibrary
from tests.folders import write

TRIES, SHORT_TRIES = 3_000, 200
SECRET = "the combination of the safe"


@contextmanager
def swapping(folder: Path, other: Path) -> Iterator[None]:
    """Exchange ``folder`` with a link to ``other`` and back until the block ends."""
    aside, link, ended = folder.with_name("aside"), folder.with_name("link"), threading.Event()
    link.symlink_to(other)

    def swap() -> None:
        while not ended.is_set():
            folder.rename(aside)
            link.rename(folder)
            folder.rename(link)
            aside.rename(folder)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def reads(vault: Path, library: NoteLibrary) -> dict[str, Callable[[], object]]:
    """Return functions that read the note in different ways, by name."""
    return {
        "read": lambda: library.read("a/note.md").text,
        "preview": lambda: library.read_at("a/note.md", 1).text,
        "outline": lambda: library.sections("a/note.md"),
        "indexing": lambda: str(note_files.read_file(vault, "a/note.md", 1000).content),
        "picture": lambda: files.read_inside(vault, "a/note.md", 1000).decode(),
    }


def attack(vault: Path, settings: Settings, tries: int) -> None:
    outside = vault.parent / "outside"
    write(outside, {"note.md": f"# Secret\n\n{SECRET}\n"})
    write(vault, {"a/note.md": "# Open\n\nEverybody may read this.\n"})
    found = 0
    with NoteLibrary.open(vault, settings=settings) as library:
        library.refresh()
        with swapping(vault / "a", outside):
            for number in range(tries):
                for name, read in reads(vault, library).items():
                    with suppress(NotesearchError, OSError):
                        shown = str(read())
                        assert SECRET not in shown, (name, number)
                        assert "Secret" not in shown, (name, number)
                        found += 1
    assert found, "the folder was never in place"


@pytest.mark.fault(
    "K2",
    fault="A folder becomes a link out of the vault, over and over",
    tries="3,000 times 5 reads",
    outcome="Nothing outside is read",
)
def test_k02_a_folder_swapped_for_a_link(vault: Path, words_only: Settings) -> None:
    attack(vault, words_only, SHORT_TRIES)


@pytest.mark.attack
@pytest.mark.timeout(300)
def test_a_folder_swapped_for_a_link_three_thousand_times(
    vault: Path, words_only: Settings
) -> None:
    attack(vault, words_only, TRIES)
