"""Which word of the index a misspelt one was meant to be."""

import pytest

from notesearch.search.spelling import cost, near
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


def test_words_that_came_later_are_known_too(searching: Searching) -> None:
    library = searching({"a.md": "A heron."})
    assert not library.search("kingfihser ", mode="words").spelling
    (library.vault / "b.md").write_text("A kingfisher.")
    library.refresh()
    (word,) = library.search("kingfihser ", mode="words").spelling
    assert word.meant == "kingfisher"
