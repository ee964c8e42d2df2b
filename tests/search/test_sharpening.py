"""Sharper snippets: the sentence nearest to the query, for sections without its words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from notesearch.config import Settings
from notesearch.errors import SearchCancelledError
from notesearch.library import NoteLibrary
from notesearch.results import SearchResult
from notesearch.search import snippets
from notesearch.search.snippets import LENGTH
from tests.indexed import indexed

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

FIRST = (
    "Single tickets from Tokyo to Kyoto and back came to a large sum, which we paid at the counter"
    " in the morning, before the queue."
)
WORTH = "The pass for two weeks costs more than that, so we never bought one."
LAST = "The conductor bows when he enters and when he leaves the carriage."

NOTES = {
    "trains.md": f"# Getting about\n\n{FIRST} {WORTH} {LAST} {LAST} {LAST}\n",
    "short.md": "# Shoes\n\nLeave them at the door. Somebody turns them round for you.\n",
    "garden.md": f"# Garden\n\n{'Water the beans in the evening. ' * 9}Slugs come at night.\n",
}


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, embedder: "Embedder"
) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("sharp"), NOTES, embedder) as library:
        yield library


def snippet_of(result: SearchResult, path: str) -> str:
    return next(s.snippet.text for s in result.sections if s.path == path)


QUESTION = "did you purchase a railway card for fourteen days"


def test_the_snippet_shows_the_nearest_sentence(library: NoteLibrary) -> None:
    result = library.search(QUESTION, mode="meaning")
    assert snippet_of(result, "trains.md").startswith("Single tickets")
    assert snippet_of(library.sharpen(result), "trains.md").startswith(f"… {WORTH}")


def test_the_nearest_sentence(library: NoteLibrary) -> None:
    passage = f"{FIRST} {WORTH} {LAST}"
    assert library.nearest_sentence(QUESTION, passage, lambda: False) == WORTH
    assert library.nearest_sentence(QUESTION, passage, lambda: True) == ""
    assert library.nearest_sentence("", passage, lambda: False) == ""
    assert library.nearest_sentence(QUESTION, " ", lambda: False) == ""


def test_sharpening_changes_only_the_snippet(library: NoteLibrary) -> None:
    result = library.search(QUESTION, mode="meaning")
    sharper = library.sharpen(result)
    before = [(s.path, s.section, s.score, s.passage, s.why) for s in result.sections]
    assert [(s.path, s.section, s.score, s.passage, s.why) for s in sharper.sections] == before
    assert [note.path for note in sharper.notes] == [note.path for note in result.notes]
    in_groups = [section for note in sharper.notes for section in note.sections]
    assert sorted(in_groups, key=str) == sorted(sharper.sections, key=str)


@pytest.mark.parametrize(
    "query",
    [
        "conductor",  # words matched: the snippet is cut around them
        "take off footwear when you visit",  # the whole passage is shown as it is
    ],
)
def test_good_snippets_stay(library: NoteLibrary, query: str) -> None:
    best = library.search(query, limit=1)
    assert library.sharpen(best) is best


def test_results_of_words_are_not_sharpened(library: NoteLibrary) -> None:
    result = library.search(QUESTION, mode="words")
    assert library.sharpen(result) is result


def test_time_is_bounded(library: NoteLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snippets, "_SHARPENING_S", -1.0)
    result = library.search(QUESTION, mode="meaning")
    assert library.sharpen(result) is result


def test_a_newer_query_cancels_sharpening(library: NoteLibrary) -> None:
    result = library.search(QUESTION, mode="meaning")
    with pytest.raises(SearchCancelledError):
        library.sharpen(result, cancelled=lambda: True)


def test_without_the_model_snippets_stay(library: NoteLibrary) -> None:
    result = library.search(QUESTION, mode="meaning")
    home, by_words = library.paths, Settings(meaning=False)
    with NoteLibrary.open(library.vault, home=home, settings=by_words) as other:
        assert other.sharpen(result) is result


def test_a_sentence_near_the_end_comes_with_earlier_ones(library: NoteLibrary) -> None:
    result = library.search("snails in the dark", mode="meaning")
    shown = snippet_of(library.sharpen(result), "garden.md")
    assert shown.endswith("Slugs come at night.")
    assert LENGTH - 40 < len(shown) <= LENGTH + 2
