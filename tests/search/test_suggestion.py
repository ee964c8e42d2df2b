"""What a query that found nothing may have meant."""

import pytest

from notesearch.library import NoteLibrary
from tests.search.conftest import Searching

VAULT = {
    "trip.md": "# Trip\n\n## Kyoto\n\nFour nights near the river, and the stepping stones.\n",
    "other.md": "# Renovation\n\nThe worktop is of oak.\n",
}


@pytest.fixture
def library(searching: Searching) -> NoteLibrary:
    return searching(VAULT)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ('"kyotto"', '"kyoto"'),
        ('"Kyotto"', '"kyoto"'),
        ('"renowation"', '"renovation"'),
        ('"xyzzyqqq"', ""),
        ('"kyo"', ""),
        ('"a1b2c3"', ""),
        ("", ""),
        ("tag:kyotto", ""),
        ("カﾞカﾞ", ""),
    ],
)
def test_words_that_stand_nowhere_are_taken_for_near_ones(
    library: NoteLibrary, typed: str, meant: str
) -> None:
    answer = library.search(typed)
    assert answer.sections == ()
    assert answer.suggestion == meant


def test_the_suggestion_finds_something(library: NoteLibrary) -> None:
    meant = library.search('"kyotto"').suggestion
    assert library.search(meant).sections


def test_where_something_was_found_nothing_is_suggested(library: NoteLibrary) -> None:
    assert library.search("kyoto").suggestion == ""
