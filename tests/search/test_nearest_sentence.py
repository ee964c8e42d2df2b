"""The sentence nearest to the query, at which snippets without its words begin."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.config import Settings
from notesearch.errors import SearchCancelledError
from notesearch.library import NoteLibrary
from notesearch.results import SearchResult
from notesearch.search import nearest_sentence
from notesearch.search.nearest_sentence import sentences
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
    monkeypatch.setattr(nearest_sentence, "_SHARPENING_S", -1.0)
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


# Sentences

SENTENCES = [
    ("One is here. Two is there.", ["One is here.", "Two is there."]),
    ("Is it so? It is so! And…  so on it goes", ["Is it so?", "It is so!", "And…  so on it goes"]),
    ("First line\nsecond line\n\nthird line", ["First line", "second line", "third line"]),
    ("Version 3.14 of it. Then e.g. this one.", ["Version 3.14 of it.", "Then e.g. this one."]),
    ("By Th. 1.14 it holds. No. 4. is by Dr. Kern of St. Gallen. On 24. April it ends.",
     ["By Th. 1.14 it holds.", "No. 4. is by Dr. Kern of St. Gallen.", "On 24. April it ends."]),
    # A short sentence goes with the next one, not with the one before it.
    ("We left early today. Burnt bottom. Put a sheet below.",
     ["We left early today.", "Burnt bottom. Put a sheet below."]),
    ("Rope.\nLeave it alone.", ["Rope.", "Leave it alone."]),
    ("He said “no.” Then he went.", ["He said “no.”", "Then he went."]),
    ("船在海上。我们在上海。", ["船在海上。", "我们在上海。"]),
    ("पानी की टंकी साफ है। बिल भरना है।", ["पानी की टंकी साफ है।", "बिल भरना है।"]),
    ("متى يصل القطار اليوم؟ يصل عند الظهر.", ["متى يصل القطار اليوم؟", "يصل عند الظهر."]),
    ("   ", []),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), SENTENCES)
def test_sentences(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == found


@given(st.text(alphabet="ab .!?。\n\t…”é", max_size=60))
def test_every_character_is_in_one_sentence(text: str) -> None:
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    covered = "".join(text[start:end] for start, end in spans)
    assert [c for c in covered if not c.isspace()] == [c for c in text if not c.isspace()]
