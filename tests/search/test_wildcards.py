"""Terms with wildcards inside: an asterisk for any letters, a question mark for one."""

import re
import string

import pytest

from notesearch.errors import SearchCancelledError
from notesearch.library import NoteLibrary
from tests.limits import processor_seconds
from tests.search.conftest import LibraryOf, ReaderOf

NOTES = {
    "queens.md": "The women and one woman ruled.",
    "digging.md": "A wombat digs.",
    "boats.md": "Two boats leak.",
    "brat.md": "A brat ate beet.",
    "work.md": "Compiling the list was composed work.",
    "main.md": "```c\nint main(int argc, char *argv[])\n```",
    "letters.md": "A character of charm.",
    "cafe.md": "The café of the baby.",
    "python.md": "Pythons, of which there are few.",
    "screen.md": "The ui is a screen.",
    "road.md": "Die Straße ist groß.",
    "library.md": "我在圖書館和咖啡館。图书馆很大。",
}


@pytest.fixture
def library(library_of: LibraryOf) -> NoteLibrary:
    return library_of(NOTES)


def _found(library: NoteLibrary, query: str) -> set[str]:
    return {section.path for section in library.search(query, mode="words").sections}


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("wom*n", {"queens.md"}),
        ("wom*n ", {"queens.md"}),
        ("wom*a", {"queens.md", "digging.md"}),
        ("b?at ", {"boats.md", "brat.md"}),
        ("b?t ", set()),
        ("b??y ", {"cafe.md"}),
        ("comp*ing ", {"work.md"}),
        ("c*m ", {"letters.md"}),
        ("c?f?s*e ", set()),
        ("py?hons ", {"python.md"}),
        ("u*i ", {"screen.md"}),
        ("stra?e ", {"road.md"}),
        ("gr?? ", set()),
        ("gr?ß ", {"road.md"}),
        ("图*馆 ", {"library.md"}),
        ("图?馆 ", {"library.md"}),
        # notes have it as it is
        ("char*argv", {"main.md"}),
        ("ruled -wom*n ", set()),
        ("digs -wom*n ", {"digging.md"}),
    ],
)
def test_finds_the_words_that_match(library: NoteLibrary, query: str, paths: set[str]) -> None:
    assert _found(library, query) == paths


@pytest.mark.parametrize("typed", ["wom*x", "dig*s?t", "c*argv"])
def test_names_a_term_without_a_match_as_typed(library: NoteLibrary, typed: str) -> None:
    """Its parts are no words, so they are not searched for: "dig" is there."""
    result = library.search(f"{typed} ", mode="words")
    assert (result.sections, result.missing) == ((), (typed,))


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("b?ren ", {"tier.md"}),
        ("B*ren ", {"tier.md"}),
        ("ко?ка ", {"дом.md"}),
        ("кош*и ", {"дом.md"}),
        ("b?tte", {"digging.md"}),
    ],
)
def test_finds_words_of_other_languages_and_unfinished_ones(
    library_of: LibraryOf, query: str, paths: set[str]
) -> None:
    notes = {
        "tier.md": "Der Bär und die Bären sind nicht zahm, aber sie fressen auch Honig.\n",
        "дом.md": "Кошка и кошки спят, а собака не спит на крыльце.\n",
        "digging.md": "The butterfly and a battery.\n",
    }
    assert _found(library_of(notes), query) == paths


def test_a_word_that_matches_is_found_among_many_that_begin_alike(library_of: LibraryOf) -> None:
    ends = [f"{one}{other}ld" for one in "aeiou" for other in "abcdefghikm"]
    notes = {f"{number}.md": f"The s{end}, s{end}.\n" for number, end in enumerate(ends * 2)}
    assert _found(library_of({**notes, "rare.md": "A sun sets.\n"}), "s*n ") == {"rare.md"}


def test_marks_all_words_that_match(library: NoteLibrary) -> None:
    (section,) = library.search("wom*n ", mode="words").sections
    text, marks = section.snippet.text, section.snippet.marks
    assert [text[slice(*mark)] for mark in marks] == ["women", "woman"]


@pytest.mark.parametrize("wildcard", ["?", "*"])
def test_finds_each_word_without_one_of_its_letters(library: NoteLibrary, wildcard: str) -> None:
    for path, text in NOTES.items():
        for word in re.findall(r"\b[a-z]{5,}\b", text):
            for at in range(1, len(word) - 1):
                typed = f"{word[:at]}{wildcard}{word[at + 1 :]} "
                assert path in _found(library, typed), typed


def test_a_newer_query_interrupts_the_search_for_words(reader_of: ReaderOf) -> None:
    letters = string.ascii_lowercase
    reader = reader_of(" ".join(f"s{one}{other}d" for one in letters for other in letters))
    with pytest.raises(SearchCancelledError), reader.snapshot(lambda: True):
        reader.lexicon.matching("s*n")
    with reader.snapshot(lambda: False):
        assert reader.lexicon.matching("sa*d")


def test_many_asterisks_between_characters_take_little_time(library_of: LibraryOf) -> None:
    library = library_of({"one.md": f"二\n\n{'一' * 200}\n", "two.md": "一些一些一二\n"})
    with processor_seconds(1.5):
        assert _found(library, f"{'一*' * 12}二 ") == set()
    assert _found(library, "一*一*二 ") == {"two.md"}
