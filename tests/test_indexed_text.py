"""The text of a note from the index, while its folder is missing."""

import shutil
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.errors import NoteMissingError
from notesearch.library import NoteLibrary
from notesearch.results import PREVIEW_WORDS, Scope
from tests.folders import write

TRIP = """# Trip

Before all.

## Kyoto

Four *nights*.

### Food

| Place | Price |
|-------|-------|
| Stall | 350   |

## Packing

One pair.
"""


@pytest.fixture
def away(tmp_path: Path, words_only: Settings) -> NoteLibrary:
    """Give the library of an indexed folder that is gone."""
    long = "# Long\n\n" + "word " * 10 + "\n\n## Below\n\n" + "more " * PREVIEW_WORDS
    write(tmp_path / "vault", {"Trip.md": TRIP, "Long.md": long})
    library = NoteLibrary.open(tmp_path / "vault", home=tmp_path / "home", settings=words_only)
    library.refresh()
    shutil.rmtree(tmp_path / "vault")
    return library


@pytest.mark.parametrize(
    ("line", "scope", "headings"),
    [
        (7, Scope.SECTION, ["Kyoto", "Food"]),
        (11, Scope.SECTION, ["Food"]),
        (11, Scope.PARENT, ["Kyoto", "Food"]),
        (5, Scope.PARENT, ["Trip", "Kyoto", "Food", "Packing"]),
        (11, Scope.NOTE, ["Trip", "Kyoto", "Food", "Packing"]),
        (1, Scope.PARENT, ["Trip", "Kyoto", "Food", "Packing"]),
        (99, Scope.SECTION, ["Packing"]),
    ],
)
def test_each_scope(away: NoteLibrary, line: int, scope: Scope, headings: list[str]) -> None:
    with away:
        known = away.last_known("Trip.md", line, scope)
    assert [one.heading for one in known.sections] == headings
    assert [link.heading for link in known.outline] == ["Trip", "Kyoto", "Food", "Packing"]
    assert known.modified > 0


def test_the_text_is_plain(away: NoteLibrary) -> None:
    with away:
        (food,) = away.last_known("Trip.md", 9, Scope.SECTION).sections
        kyoto, _ = away.last_known("Trip.md", 5, Scope.SECTION).sections
    assert kyoto.text == "Four nights."
    assert food.text.splitlines() == ["Place | Price", "Stall | 350"]
    assert (food.title, food.section_path, food.line) == ("Trip", ("Kyoto", "Food"), 9)


def test_long_subsections_are_links(away: NoteLibrary) -> None:
    with away:
        known = away.last_known("Long.md", 1, Scope.SECTION)
    assert [one.heading for one in known.sections] == ["Long"]
    assert [(link.heading, link.words) for link in known.subsections] == [("Below", PREVIEW_WORDS)]


def test_a_note_that_was_never_indexed_is_an_error(away: NoteLibrary) -> None:
    with away, pytest.raises(NoteMissingError):
        away.last_known("Other.md", 1, Scope.NOTE)
