"""A word that is in no note may abbreviate the name of one."""

from collections.abc import Iterator

import pytest

from notesearch.library import NoteLibrary
from notesearch.search.correction import abbreviated_name, stands_for
from tests.indexed import indexed

NAMES = [
    ("Smart Connections.md", "Smart Connections"),
    ("travel/trip.md", "Trip to Japan"),
    ("attic/Smooth compost heap.md", "Smooth compost heap"),
    ("Meeting notes.md", "Minutes of the board"),
    ("Soup.md", "Soup"),
]


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("smco", "Smart Connections"),
        ("SmaCon", "Smart Connections"),
        ("smcohe", "Smooth compost heap"),
        ("trja", "Trip to Japan"),
        ("meno", "Minutes of the board"),
        ("mibo", "Minutes of the board"),
        ("smcox", ""),
        ("cosm", ""),
        ("smar", ""),
        ("soup", ""),
        ("smc", ""),
        ("s3co", ""),
    ],
)
def test_the_name_meant(typed: str, title: str) -> None:
    assert abbreviated_name(typed, NAMES) == title


@pytest.mark.parametrize(
    ("letters", "words", "stands"),
    [("smco", ["smart", "connections"], True), ("sm", ["smart", "connections"], False),
     ("aab", ["aa", "ab"], True), ("", [], True), ("a", [], False)],
)  # fmt: skip
def test_every_word_gives_letters(letters: str, words: list[str], stands: bool) -> None:
    assert stands_for(letters, words) is stands


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    notes = {
        "Smart Connections.md": "# Smart Connections\n\nA plug-in.\n",
        "Smoke.md": "# Smoke\n\nThey use Smart Connections by the river.\n",
        "tours/Élan vital.md": "# Öko Garten\n\nA walk in June.\n",
    }
    with indexed(tmp_path_factory.mktemp("names"), notes) as library:
        yield library


def test_the_note_is_found_first(library: NoteLibrary) -> None:
    found = library.search("smco", mode="words")
    assert [one.path for one in found.sections] == ["Smart Connections.md", "Smoke.md"]
    assert [(one.typed, one.meant) for one in found.spelling] == [("smco", "Smart Connections")]


@pytest.mark.parametrize("typed", ["ökga", "ÖkGa", "élvi"])
def test_a_name_may_begin_with_any_letter(library: NoteLibrary, typed: str) -> None:
    found = library.search(typed, mode="words")
    assert [one.meant for one in found.spelling] == ["Öko Garten"]


@pytest.mark.parametrize("query", ["smco river", '"smco"', "smok"])
def test_only_one_unknown_word_by_itself_is_one(library: NoteLibrary, query: str) -> None:
    found = library.search(query, mode="words")
    assert "Smart Connections" not in [one.meant for one in found.spelling]
