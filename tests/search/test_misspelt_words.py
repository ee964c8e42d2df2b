"""The words of the index that a misspelt one may stand for."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from notesearch.search.correction import (
    correct,
    nearest_stems,
    one_slip_from,
    with_other_start,
)
from notesearch.search.query import parse
from notesearch.store.lexicon import Vocabulary
from notesearch.store.reader import Reader
from tests.search.conftest import LibraryOf, ReaderOf


def test_of_equally_near_words_the_more_frequent_wins() -> None:
    words = {"s": [("sloop", 1), ("swoop", 90)]}
    vocabulary = Vocabulary(lambda letter: words.get(letter, []))
    assert list(nearest_stems("soop", "soop", 1, vocabulary)) == ["swoop", "sloop"]


def test_a_slip_in_the_first_letter_reads_no_other_words() -> None:
    read: list[str] = []

    def words(beginning: str) -> list[tuple[str, int]]:
        read.append(beginning)
        return [(word, 3) for word in ("zebra", "zebrawood", "sebum") if word.startswith(beginning)]

    assert nearest_stems("xebra", "xebra", 1, Vocabulary(words)) == {"zebra": 3}
    assert {beginning for beginning in read if len(beginning) == 1} == {"x", "e"}


@pytest.mark.parametrize(
    ("typed", "is_large", "expected", "read"),
    [
        ("xebrawood", False, ["zebrawood"], {"x", "e", "z", "s", "d", "c"}),
        ("xebrawood", True, ["zebrawood"], {"x", "e"}),
        ("xebrawod", False, ["zebrawood"], {"x", "e", "z", "s", "d", "c"}),
        ("xebrawod", True, [], {"x", "e"}),
    ],
)
def test_a_large_vocabulary_reads_no_other_words_either(
    typed: str, is_large: bool, expected: list[str], read: set[str]
) -> None:
    prefixes: set[str] = set()

    def words(beginning: str) -> list[tuple[str, int]]:
        prefixes.add(beginning)
        return [(word, 3) for word in ("zebrawood", "sebum") if word.startswith(beginning)]

    assert list(nearest_stems(typed, typed, 2, Vocabulary(words, is_large=is_large))) == expected
    assert {beginning for beginning in prefixes if len(beginning) == 1} == read


@given(stem=st.text("ab", min_size=4, max_size=5))
def test_other_starts_are_all_strings_one_slip_away(stem: str) -> None:
    lengths = range(len(stem) - 1, len(stem) + 2)
    every = ["".join(letters) for n in lengths for letters in product("ab", repeat=n)]
    other = [word for word in every if word[0] != stem[0] and OSA.distance(stem, word) == 1]
    assert set(with_other_start(stem, "ab")) == set(other)


@pytest.mark.parametrize("slip", ["renovaton", "renovatoin", "renovattion", "renocation"])
def test_each_kind_of_slip_is_undone(slip: str) -> None:
    assert "renovation" in one_slip_from(slip)


@given(word=st.text("abcdeéя", min_size=1, max_size=8))
def test_guesses_are_one_slip_away(word: str) -> None:
    assert {OSA.distance(word, guess) for guess in one_slip_from(word)} <= {0, 1}


def test_words_added_later_are_known(library_of: LibraryOf) -> None:
    library = library_of({"a.md": "A heron."})
    assert not library.search("kingfihser ", mode="words").spelling
    (library.vault / "b.md").write_text("A kingfisher.")
    library.refresh()
    (word,) = library.search("kingfihser ", mode="words").spelling
    assert word.meant == "kingfisher"


TYPOS = {
    "renovaton": "renovation", "kingfsher": "kingfisher", "databse": "database",
    "recieve": "receive", "definately": "definitely", "sepcify": "specify", "contaner": "container",
    "functoin": "function", "watchng": "watching", "prettty": "pretty", "libary": "library",
    "enviroment": "environment", "formater": "formatter", "poin": "point", "hte": "",
    "queu": "queue", "maintainance": "maintenance", "commitee": "committee", "sycn": "sync",
    "rtest": "test", "seperate": "separate", "ubernetes": "kubernetes",
}  # fmt: skip
OTHERS = {
    "docker": "dock", "setter": "sitter", "sender": "sense", "backend": "backed",
    "helper": "helped", "vnode": "node",
    "frontend": "fronted", "callback": "fallback", "preset": "present", "overload": "overhead",
    "handlers": "handles", "constructor": "constructs", "headless": "needless", "wget": "get",
    "gcloud": "cloud", "venv": "env", "blob": "blog", "emit": "edit", "glob": "glow",
    "vert": "very", "todo": "too", "pane": "page", "tmate": "that", "bitters": "better",
}  # fmt: skip


def corrected(word: str, reader: Reader) -> str:
    spelling = correct(parse(f"{word} "), reader).spelling
    return spelling[0].meant if spelling else ""


@pytest.mark.parametrize("typed", TYPOS)
def test_mistyped_words_are_corrected(reader_of: ReaderOf, typed: str) -> None:
    reader = reader_of(" ".join(filter(None, [*TYPOS.values(), *OTHERS.values()])))
    assert corrected(typed, reader) == TYPOS[typed]


@pytest.mark.parametrize("typed", OTHERS)
def test_other_words_that_the_notes_lack_stay(reader_of: ReaderOf, typed: str) -> None:
    assert corrected(typed, reader_of(f"The {OTHERS[typed]} stands.")) == ""


@pytest.mark.parametrize(
    ("typed", "meant"), [("tunel ", "tunnel"), ("tunel", "tunnel"), ("wigth ", "wight")]
)
def test_a_likely_slip_comes_before_a_frequent_word(
    reader_of: ReaderOf, typed: str, meant: str
) -> None:
    frequent = "\n\n".join(f"## Day {day}\n\nA tune, with words." for day in range(40))
    reader = reader_of(f"# Tunnel\n\nThe wight waits.\n\n{frequent}")
    assert [spelling.meant for spelling in correct(parse(typed), reader).spelling] == [meant]


@pytest.mark.parametrize(
    ("typed", "meant"), [("plabe", "plate"), ("plabe ticket", "plane"), ("dinner plabe", "plate")]
)
def test_a_word_that_stands_beside_the_others_comes_first(
    reader_of: ReaderOf, typed: str, meant: str
) -> None:
    reader = reader_of(
        "# Trip\n\nA plane and a ticket.\n\n# Day\n\nDinner, a plate.\n\n# B\n\nPlate."
    )
    assert [spelling.meant for spelling in correct(parse(typed), reader).spelling] == [meant]
