"""Search in one folder or note, and by date."""

import os
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.search.conftest import LibraryOf

VAULT = {
    "travel/japan.md": "# Japan\n\n## Food\n\nThe food is warm.\n\n## Trains\n\nFast food.\n",
    "travel/Oslo (food).md": "# Oslo\n\nFood is dear.\n",
    "travelling.md": "# Travelling\n\nFood for the way.\n",
    'kitchen/odd "name" 100%*.md': "# Odd\n\nFood with odd names.\n",
}


@pytest.fixture
def library(library_of: LibraryOf) -> NoteLibrary:
    return library_of(VAULT)


@pytest.mark.parametrize(
    ("within", "found"),
    [
        ("", set(VAULT)),
        ("travel/", {"travel/japan.md", "travel/Oslo (food).md"}),
        ("travel/japan.md", {"travel/japan.md"}),
        ("travel/Oslo (food).md", {"travel/Oslo (food).md"}),
        ('kitchen/odd "name" 100%*.md', {'kitchen/odd "name" 100%*.md'}),
        ("nowhere/", set()),
        ("travel", {"travel/japan.md", "travel/Oslo (food).md"}),
        ("travelling.m", set()),
        ("tr*/", set()),
        ("travel\ud800/", set()),
    ],
)
@pytest.mark.parametrize("text", ["food", "food OR xyzzy", "(food", "-dear food OR warm"])
def test_only_sections_in_the_folder_are_found(
    library: NoteLibrary, within: str, found: set[str], text: str
) -> None:
    answer = library.search(text, limit=50, within=within)
    assert {section.path for section in answer.sections} == found - (
        {"travel/Oslo (food).md"} if text.startswith("-") else set()
    )
    assert answer.query == text


def test_an_empty_query_lists_the_folder(library: NoteLibrary) -> None:
    listed = library.search("", limit=50, per_note=9, within="travel/japan.md")
    assert [section.section for section in listed.sections] == ["Japan", "Food", "Trains"]


def test_the_newest_notes_first(vault: Path, library_of: LibraryOf) -> None:
    write(vault, {path: text for path, text in VAULT.items() if path.startswith("travel")})
    for days, path in enumerate(["travelling.md", "travel/japan.md", "travel/Oslo (food).md"]):
        os.utime(vault / path, times=(1e9 + days * 86_400,) * 2)
    library = library_of({})
    newest = library.search("food", limit=50, per_note=9, newest=True)
    assert [note.path for note in newest.notes] == [
        "travel/Oslo (food).md",
        "travel/japan.md",
        "travelling.md",
    ]
    first = library.search("food", limit=1, newest=True)
    assert first.sections[0].path == "travel/Oslo (food).md", "also where the list is cut"
    best = library.search("food", limit=50, per_note=9, within="travel/japan.md")
    of_note = [s.section for s in newest.sections if s.path == "travel/japan.md"]
    assert of_note == [s.section for s in best.sections], "inside a note the best first"


def test_the_date_in_a_note_counts_before_that_of_its_file(library_of: LibraryOf) -> None:
    library = library_of(
        {
            "2019-03-09 fair.md": "quince jam\n",
            "recipe.md": "---\ndate: 2021-05-01\n---\nquince jelly\n",
            "copied.md": "---\ndate: 2012-01-01\n---\nquince paste\n",
        }
    )
    newest = library.search("quince", newest=True)
    assert [note.path for note in newest.notes] == ["recipe.md", "2019-03-09 fair.md", "copied.md"]


def test_the_status_names_the_folders_at_the_top(library: NoteLibrary) -> None:
    assert library.status().folders == ("kitchen", "travel")


def test_related_sections_come_after_those_with_the_words(vault: Path, home: Path) -> None:
    write(
        vault,
        {
            "old.md": "# Breakfast\n\nPorridge and coffee in the morning.\n",
            "new.md": "# Morning meal\n\nEggs, toast, tea, and a glass of orange juice.\n",
        },
    )
    os.utime(vault / "old.md", times=(1e9, 1e9))
    with NoteLibrary.open(vault, home=home, settings=Settings()) as library:
        library.refresh()
        found = library.search("breakfast", limit=9, newest=True)
    assert [(s.path, s.by_meaning_alone) for s in found.sections] == [
        ("old.md", False),
        ("new.md", True),
    ]
