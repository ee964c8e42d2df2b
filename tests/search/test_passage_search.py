"""The passage shown of a section: the one that holds what was asked, with its own lines."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.library import NoteLibrary
from notesearch.search.snippets import part_around
from tests.indexed import indexed
from tests.search.conftest import LibraryOf

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

FILLER = "The money of the household was counted again in the evening, and some was missing. "
PARTS = [
    "It is said that a rule of thumb helps: spend little, save more.",
    "The **2% and $1 Billion Rule** says when a share is too dear for a small purse.",
    "A café in Kyoto charges per hour, and lets one read.",
    "Nobody counts the billion grains of rice; 2% of them are lost on the way.",
    "Run `git rebase --onto main. Then push` when the branch was cut from another branch.",
]
TEXT = "# Money\n\n## Rules\n\n" + "\n\n".join(f"{part}\n{FILLER * 9}" for part in PARTS)
NOTE = {"money.md": TEXT}


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, embedder: "Embedder"
) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("passages"), NOTE, embedder) as library:
        yield library


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ('"2% and $1 Billion Rule"', 1),
        ("2% billion rule share", 1),
        ('"grains of rice"', 3),
        ("billion grains", 3),
        ("café kyoto", 2),
        ("thumb", 0),
        ('money "cut from another"', 4),
        ("rebase onto main", 4),
    ],
)
def test_the_passage_holds_the_words_of_the_query(
    library: NoteLibrary, query: str, part: int
) -> None:
    (section,) = library.search(query, limit=1).sections
    assert PARTS[part].replace("*", "").replace("`", "") in section.passage
    lines = TEXT.split("\n")[section.passage_line - 1 : section.passage_end_line]
    assert PARTS[part] in lines
    assert len(lines) < 6


@pytest.mark.parametrize("part", range(len(PARTS)))
def test_without_a_model_the_passage_is_the_paragraphs_around_the_words(
    part: int, library_of: LibraryOf
) -> None:
    words = ("thumb", "billion", "café kyoto", "grains rice", "rebase onto main")
    text = TEXT.replace(FILLER, FILLER * 6)
    (section,) = library_of({"long.md": text}).search(words[part], limit=1).sections
    assert PARTS[part].replace("*", "").replace("`", "") in section.passage
    assert len(section.passage) <= 1_200
    lines = text.split("\n")[section.passage_line - 1 : section.passage_end_line]
    assert PARTS[part] in lines


@given(st.text(alphabet="ab \n", max_size=4_000), st.integers(0, 4_000))
def test_a_part_holds_its_place(text: str, at: int) -> None:
    at = min(at, max(0, len(text) - 1))
    start, end = part_around(text, at)
    assert 0 <= start <= at <= end <= len(text)
    assert end - start <= 1_200
