"""Faults F: any string is a query, and is looked for as it was typed."""

import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.errors import SearchCancelledError
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.indexed import indexed
from tests.limits import processor_seconds

NOTES = {
    "logic.md": "Write NEAR( before AND, or NOT of it; a* is a star.",
    "hyphens.md": "A state-of-the-art lens takes -x and foo:bar.",
    "parts.md": "The art of a state: foo with a bar, the x of it.",
    "signs.md": "c++ on 20.04, don't; #tag in [[link]], see a/b/c.md, https://example.org/a?b=c"
    " or someone@example.org.",
    "otters.md": "Otters swim at night.",
    "wide.md": "カﾞラスのコップ, a👩‍👩‍👧b, Ångström.",
    "half/50%.md": "Milk.",
    "half/50 litres.md": "Milk.",
    "half/a_b.md": "Milk.",
    "half/axb.md": "Milk.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("queries"), NOTES) as library:
        yield library


def found(library: NoteLibrary, query: str) -> list[str]:
    return [note.path for note in library.search(query).notes]


def marked(library: NoteLibrary, query: str) -> set[str]:
    """Return the marked texts in the snippet of the first section."""
    snippet = library.search(query).sections[0].snippet
    return {snippet.text[start:end] for start, end in snippet.marks}


@pytest.mark.fault(
    "F1, F2",
    row="F1 to F3",
    fault="state-of-the-art, -x, foo:bar, c++, 20.04, #tag, paths",
    outcome="Found literally, with highlights",
)
@pytest.mark.parametrize(
    "query",
    ['"star', '(star', "star)", "star*", "^star", "star AND", "NOT star", "NEAR( star",
     'star"a', "{star}", "body : star", "star + a", "\"star' OR 1=1 --"],
)  # fmt: skip
def test_f01_signs_of_the_index_s_own_language(library: NoteLibrary, query: str) -> None:
    assert found(library, query)[0] == "logic.md"


@pytest.mark.fault("F1, F2")
@pytest.mark.parametrize("query", ["state-of-the-art", "foo:bar", "-x"])
def test_f02_words_that_look_like_its_columns(library: NoteLibrary, query: str) -> None:
    assert found(library, query)[0] == "hyphens.md"
    assert "".join(sorted(marked(library, query))) in {query, query.strip("-")}


@pytest.mark.fault("F3")
@pytest.mark.parametrize(
    "query",
    ["c++", "20.04", "don't", "#tag", "[[link]]", "a/b/c.md", "https://example.org/a?b=c",
     "someone@example.org"],
)  # fmt: skip
def test_f03_words_with_signs_in_them(library: NoteLibrary, query: str) -> None:
    assert found(library, f"{query} ")[0] == "signs.md"
    assert marked(library, f"{query} ")


@pytest.mark.fault(
    "F4",
    row="F4, F6",
    fault="Blanks, only punctuation, surrogates, NUL, control characters",
    outcome="Removed; an empty query finds nothing",
)
@pytest.mark.parametrize("query", ["", " ", "\t\n\u3000", "\0", "\0\0 \0", "…", '"" ""', "()"])
def test_f04_nothing(library: NoteLibrary, query: str) -> None:
    assert found(library, query) == []


@pytest.mark.fault(
    "F5", fault="2 MB, 5,000 terms, 2,000 brackets", outcome="Cut to 1,000 characters and 32 terms"
)
@pytest.mark.parametrize(
    "query",
    ["otters " + "x" * 2_000_000, "otters" + " OR aa" * 20_000, "otters " + "(" * 2000],
    ids=["2 MB", "20k terms", "2k brackets"],
)
def test_f05_huge(library: NoteLibrary, query: str) -> None:
    with processor_seconds(1):
        assert "otters.md" in found(library, query)


@pytest.mark.fault("F6")
@pytest.mark.parametrize(
    "query", ["\ud800otters", "otters\0", "\x1b\x07otters", "\u202eotters\u202c", "ot\u00adters"]
)
def test_f06_signs_that_cannot_be_seen(library: NoteLibrary, query: str) -> None:
    assert found(library, query) == ["otters.md"]
    assert marked(library, query) == {"Otters"}


@pytest.mark.fault("F7", fault="%, _, ? and [ in filters", outcome="Literal; only * is a wildcard")
@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("path:50%", ["half/50%.md"]),
        ("path:a_b", ["half/a_b.md"]),
        ("file:a_b milk", ["half/a_b.md"]),
        ("path:5_", []),
        ("path:%", []),
        ("path:hal?", []),
        ("path:[h]alf", []),
    ],
)
def test_f07_no_sign_stands_for_others(library: NoteLibrary, query: str, paths: list[str]) -> None:
    assert found(library, query) == paths


@pytest.mark.fault(
    "F8", fault="A query that matches everything", outcome="A newer query interrupts it"
)
def test_f08_a_query_over_everything_is_given_up(vault: Path, words_only: Settings) -> None:
    """A newer keystroke interrupts SQLite's work, and the next query is answered as usual."""
    write(vault, {"all.md": "".join(f"# a{n}\n\naa ab ac{n}\n\n" for n in range(3000))})
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        assert times_asked(library, math.inf) > 10
        for answer in (1, 4):
            with pytest.raises(SearchCancelledError):
                times_asked(library, answer)
        assert found(library, "ac2999") == ["all.md"]


def times_asked(library: NoteLibrary, until: float) -> int:
    """Search for everything; cancel at the ``until``-th call of ``cancelled``."""
    steps = itertools.count(1)
    library.search("aa ab", cancelled=lambda: next(steps) >= until)
    return next(steps) - 1


@pytest.mark.fault(
    "F9",
    fault="Half a character, input methods",
    outcome="Beginnings of words are answered, unfinished input is not",
)
@pytest.mark.parametrize(
    ("word", "whole"),
    [("カﾞラス", 2), ("Ångström", 1), ("A\u030angstro\u0308m", 1), ("a👩‍👩‍👧b", 1)],
)
def test_f09_half_a_character(library: NoteLibrary, word: str, whole: int) -> None:
    for end in range(1, len(word) + 1):
        result = library.search(word[:end], limit=100)
        for section in result.sections:
            assert all(start < stop for start, stop in section.snippet.marks)
        if end >= whole:
            assert "wide.md" in [note.path for note in result.notes], ascii(word[:end])
