"""Suggestions for a query that found nothing."""

import pytest

from notesearch.library import NoteLibrary
from tests.search.conftest import LibraryOf

VAULT = {
    "trip.md": "# Trip\n\n## Kyoto\n\nFour nights near the river, and the stepping stones.\n",
    "other.md": "# Renovation\n\nThe worktop is of oak.\n",
}


@pytest.fixture
def library(library_of: LibraryOf) -> NoteLibrary:
    return library_of(VAULT)


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
    ("typed", "without", "notes"),
    [
        ("rm -rf cache", (), ["a.md"]),
        ("rm -rf", (), ["a.md"]),
        ("rm -rf cache -branches", ("branches",), ["a.md"]),
        ("rm -xyz cache -rf", ("xyz",), ["a.md"]),
        ("git rebase -i main", (), ["b.md"]),
        ("tar -q", (), ["f.md"]),
        ("archive -q", ("q",), []),
        ("archive -z", ("z",), ["f.md"]),
        ("ffmpeg -ss -to -vn -crf -tune -map -pix -vf -af -ar -ac -sn x", (), ["e.md"]),
        ("lens -2.75", (), ["c.md"]),
        ("git -rebase", ("rebase",), []),
        ("lens -right", ("right",), []),
        ("run -cache", ("cache",), []),
        ("-rf", (), ["a.md"]),
        ("hull -john", ("john",), []),
    ],
)
def test_a_minus_that_a_note_has_excludes_nothing(
    typed: str, without: tuple[str, ...], notes: list[str], library_of: LibraryOf
) -> None:
    texts = {"a.md": "Run `rm -rf cache`.", "b.md": "Then git rebase -i main."}
    texts |= {"c.md": "# Lens\n\nThe right one: -2.75", "d.md": "A hull.\n\n-john"}
    texts |= {"e.md": "ffmpeg -ss -to -vn -crf -tune -map -pix -vf -af -ar -ac -sn x"}
    texts |= {"f.md": "An archive:\n\ntar -v -q file"}
    library = library_of(texts)
    answer = library.search(f"{typed} ", mode="words")
    assert [note.path for note in answer.notes] == notes
    assert (answer.without, answer.suggestion) == (without, "")


def test_a_negative_number_may_come_before_an_unfinished_word(library_of: LibraryOf) -> None:
    library = library_of({"mix.md": "# Mix\n\nAll streams: -14 LUFS."})
    for typed in ("-14 streams", "-14 stre", "-14 lufs"):
        answer = library.search(typed, mode="words")
        assert ([note.path for note in answer.notes], answer.without) == (["mix.md"], ())
