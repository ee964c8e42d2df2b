"""Which word of the index a misspelt one was meant to be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from notesearch.search.spelling import cost, near, one_slip_from
from notesearch.store.vocabulary import Vocabulary
from tests.search.conftest import Searching


@pytest.mark.parametrize(
    ("typed", "likelier", "less_likely"),
    [
        ("hreon", "heron", "hereon"),  # two letters changed places
        ("hrron", "heron", "hxron"),  # keys side by side
        ("barrn", "barn", "barrin"),  # a letter typed twice
        ("larch", "lurch", "march"),  # the first letter is rarely wrong
    ],
)
def test_some_slips_are_likelier(typed: str, likelier: str, less_likely: str) -> None:
    assert cost(typed, likelier, 1) < cost(typed, less_likely, 1)


def test_of_words_as_near_the_one_in_more_sections_is_meant() -> None:
    held = {"s": [("sloop", 1), ("swoop", 90)]}
    vocabulary = Vocabulary(lambda letter: held.get(letter, []))
    assert list(near("soop", "soop", 1, vocabulary)) == ["swoop", "sloop"]


@pytest.mark.parametrize("slip", ["renovaton", "renovatoin", "renovattion", "renocation"])
def test_a_word_is_one_slip_from_what_was_meant(slip: str) -> None:
    assert "renovation" in one_slip_from(slip)


@given(word=st.text("abcdeéя", min_size=1, max_size=8))
def test_one_slip_is_one_slip(word: str) -> None:
    assert {OSA.distance(word, guess) for guess in one_slip_from(word)} <= {0, 1}


def test_words_that_came_later_are_known_too(searching: Searching) -> None:
    library = searching({"a.md": "A heron."})
    assert not library.search("kingfihser ", mode="words").spelling
    (library.vault / "b.md").write_text("A kingfisher.")
    library.refresh()
    (word,) = library.search("kingfihser ", mode="words").spelling
    assert word.meant == "kingfisher"
