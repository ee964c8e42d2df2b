"""Corrections: abbreviated names, encoded names of files, options of commands, suggestions."""

from collections.abc import Iterator

import pytest

from notesearch.library import NoteLibrary
from notesearch.search.correction import abbreviated_name, stands_for
from tests.indexed import indexed
from tests.search.conftest import LibraryOf

NAMES = [
    ("Smart Connections.md", "Smart Connections"),
    ("travel/trip.md", "Trip to Japan"),
    ("attic/Smooth compost heap.md", "Smooth compost heap"),
    ("Meeting notes.md", "Minutes of the board"),
    ("Soup.md", "Soup"),
]


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("smco", "Smart Connections"),
        ("SmaCon", "Smart Connections"),
        ("smcohe", "Smooth compost heap"),
        ("trja", "Trip to Japan"),
        ("meno", "Minutes of the board"),
        ("mibo", "Minutes of the board"),
        ("smcox", ""),
        ("cosm", ""),
        ("smar", ""),
        ("soup", ""),
        ("smc", ""),
        ("s3co", ""),
    ],
)
def test_letters_abbreviate_a_name(typed: str, title: str) -> None:
    assert abbreviated_name(typed, NAMES) == title


@pytest.mark.parametrize(
    ("letters", "words", "stands"),
    [("smco", ["smart", "connections"], True), ("sm", ["smart", "connections"], False),
     ("aab", ["aa", "ab"], True), ("", [], True), ("a", [], False)],
)  # fmt: skip
def test_every_word_gives_letters(letters: str, words: list[str], stands: bool) -> None:
    assert stands_for(letters, words) is stands


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    notes = {
        "Smart Connections.md": "# Smart Connections\n\nA plug-in.\n",
        "Smoke.md": "# Smoke\n\nThey use Smart Connections by the river.\n",
        "tours/Élan vital.md": "# Öko Garten\n\nA walk in June.\n",
    }
    with indexed(tmp_path_factory.mktemp("names"), notes) as library:
        yield library


def test_the_note_is_found_first(names: NoteLibrary) -> None:
    found = names.search("smco", mode="words")
    assert [one.path for one in found.sections] == ["Smart Connections.md", "Smoke.md"]
    assert [(one.typed, one.meant) for one in found.spelling] == [("smco", "Smart Connections")]


@pytest.mark.parametrize("typed", ["ökga", "ÖkGa", "élvi"])
def test_a_name_may_begin_with_any_letter(names: NoteLibrary, typed: str) -> None:
    found = names.search(typed, mode="words")
    assert [one.meant for one in found.spelling] == ["Öko Garten"]


@pytest.mark.parametrize("query", ["smco river", '"smco"', "smok"])
def test_only_one_unknown_word_by_itself_is_one(names: NoteLibrary, query: str) -> None:
    found = names.search(query, mode="words")
    assert "Smart Connections" not in [one.meant for one in found.spelling]


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


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("My%20Other%20Note.md", "My Other Note.md"),
        ("My%20Other%20Note", "My Other Note.md"),
        ("attic/K%C3%B6ln%20trip.md", "attic/Köln trip.md"),
        ("img/Red%20barn%201.png", "pictures.md"),
        ("As%20it%20is", "encoded.md"),
        ("obsidian://open?vault=Open%20file&file=My%20Other%20Note", "My Other Note.md"),
        ("obsidian://open?vault=a&file=attic%2FK%C3%B6ln%20trip", "attic/Köln trip.md"),
        ("obsidian://advanced-uri?filepath=My%20Other%20Note.md&line=3", "My Other Note.md"),
        ("obsidian://open?vault=b&file=Kept", "encoded.md"),
    ],
)
def test_a_percent_encoded_name_is_searched_for_as_its_words(
    library_of: LibraryOf, typed: str, path: str
) -> None:
    notes = {
        "My Other Note.md": "# My Other Note\n\nRain.",
        "attic/Köln trip.md": "# Köln trip\n\nA cathedral.",
        "pictures.md": "# Pictures\n\nThe barn: ![](img/Red%20barn%201.png)",
        "encoded.md": "# Encoded\n\n`As%20it%20is` and `obsidian://open?vault=b&file=Kept`.",
        "other.md": "# Open file\n\nAn open file, a vault, an open vault.",
    }
    answer = library_of(notes).search(f"{typed} ", mode="words")
    assert (answer.notes[0].path, answer.missing) == (path, ())


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("=>", "(n) => 2 * n"),
        ("!==", "a !== b"),
        ("&& ", "make && make install"),
        ('"=>"', "(n) => 2 * n"),
        (") =>", "(n) => 2 * n"),
        ("=>>", None),
        ("=", None),
    ],
)
def test_signs_alone_are_found_as_they_are(
    library_of: LibraryOf, typed: str, shown: str | None
) -> None:
    long = "A plain line.\n\n" * 200
    notes = {
        "arrows.md": f"# Arrows\n\n{long}`(n) => 2 * n`",
        "equal.md": "# Equal\n\n`a !== b` = true.",
        "shell.md": "# Shell\n\n`make && make install`",
    }
    sections = library_of(notes).search(typed, mode="words").sections
    if shown is None:
        assert sections == ()
        return
    (found,) = sections
    assert shown in found.snippet.text
    marks = {found.snippet.text[start:end] for start, end in found.snippet.marks}
    assert marks == {typed.strip('" ')}


def test_an_unknown_word_is_no_link_unless_other_words_are_beside_it(library_of: LibraryOf) -> None:
    """Stop words beside a link once made its name a filter, which left nothing."""
    notes = {
        "a.md": "# Talk\n\nAbout the harbour wall.",
        "b.md": "# Visit\n\n[Somebody](zorba.md) was at the door.",
    }
    library = library_of(notes)
    answer = library.search("the harbour wall at zorba ", mode="words")
    assert [note.path for note in answer.notes] == ["a.md"]


def test_of_many_unknown_words_only_the_first_are_corrected(library_of: LibraryOf) -> None:
    library = library_of({"a.md": "# Birds\n\nA kingfisher and a cormorant."})
    unknown = " ".join(f"xq{letter}wvzk" for letter in "abcdefghij")
    assert [word.meant for word in library.search(f"kingfihser {unknown}").spelling] == [
        "kingfisher"
    ]
    assert library.search(f"{unknown} kingfihser", mode="words").spelling == ()
