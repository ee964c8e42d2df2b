"""Suggestions for a query that found nothing."""

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
    ("typed", "suggestion"),
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
def test_missing_words_are_replaced_by_near_ones(
    library: NoteLibrary, typed: str, suggestion: str
) -> None:
    answer = library.search(typed)
    assert answer.sections == ()
    assert answer.suggestion == suggestion


def test_the_suggestion_finds_something(library: NoteLibrary) -> None:
    suggestion = library.search('"kyotto"').suggestion
    assert library.search(suggestion).sections


def test_a_query_with_results_has_no_suggestion(library: NoteLibrary) -> None:
    assert library.search("kyoto").suggestion == ""


@pytest.mark.parametrize(
    ("typed", "suggestion"),
    [
        ("rm -rf cache", 'rm "-rf" cache'),
        ("git rebase -i", 'git rebase "-i"'),
        ("rm -rf cache -branches", 'rm "-rf" cache -branches'),
        ("rm -xyz cache -rf", 'rm -xyz cache "-rf"'),
        ("git -rebase", ""),
    ],
)
def test_options_of_a_command_are_offered_in_quotes(
    typed: str, suggestion: str, searching: Searching
) -> None:
    library = searching({"a.md": "Run rm -rf cache.", "b.md": "Then git rebase -i main."})
    answer = library.search(f"{typed} ", mode="words")
    assert (answer.sections, answer.suggestion) == ((), suggestion)
    if suggestion:
        assert library.search(f"{suggestion} ", mode="words").sections
