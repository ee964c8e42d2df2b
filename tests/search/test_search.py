"""Searching a folder of notes by words: results, their order and their presentation."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from notesearch.config import Settings
from notesearch.errors import SearchCancelledError
from notesearch.library import NoteLibrary
from notesearch.markdown.bounds import PASSAGES
from notesearch.results import Mode, SearchResult, SectionResult
from notesearch.wire import search_response
from tests.folders import write
from tests.indexed import indexed
from tests.search.conftest import LibraryOf

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

VAULT = {
    "travel/japan.md": """---
title: Trip to Japan
aliases: [Honshu]
tags: [travel/asia]
category: plans
---
Booked in March.

## Kyoto

### Food

We walked to Nishiki market before nine, when the stalls open and the food is still warm.

### Temples

Early in the morning.

## Packing

Socks, rice crackers, a phrase book for the night train.
""",
    "travel/oslo.md": """# Oslo

Took the night train from Bergen.

## Food

Expensive. Bring your own bread.
""",
    "kitchen/pickles.md": """# Pickles

## Kyoto-style turnip

A little sugar. Keeps a week. Goes with any food.

## Cucumber

Salt, then wait. The market sells small ones on Friday nights.
""",
    "kitchen/cookies.md": "# Cookies\n\nCooking time: ten minutes.\n",
    "kitchen/dashi.md": "Base for miso soup. Cooked slowly.\n",
    "日本語.md": "# 日本語の勉強\n\n## 東京都\n\n京都へ旅行しました。Python入門を読む。\n",
    "people/Åse Øverland.md": "Café owner. Likes naïve art and ﬁne wine.\n",
    "empty.md": "",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("search"), VAULT) as library:
        yield library


def crumbs(section: SectionResult) -> str:
    return " > ".join((section.path, *section.section_path))


def found(result: SearchResult) -> list[str]:
    return [crumbs(section) for section in result.sections]


FOOD = "travel/japan.md > Kyoto > Food"
OSLO = "travel/oslo.md > Oslo"
TURNIP = "kitchen/pickles.md > Kyoto-style turnip"
CUCUMBER = "kitchen/pickles.md > Cucumber"
PACKING = "travel/japan.md > Packing"
JAPAN = "travel/japan.md > Trip to Japan"
COOKIES = "kitchen/cookies.md > Cookies"
DASHI = "kitchen/dashi.md > dashi"
ASE = "people/Åse Øverland.md > Åse Øverland"
TOKYO = "日本語.md > 東京都"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        # a name comes first: heading, title, alias, file name
        ("Packing", PACKING),
        ("trip to japan", JAPAN),
        ("honshu", JAPAN),
        ("HONSHU", JAPAN),
        ("oslo", OSLO),
        ("dashi", DASHI),
        ("pickles", "kitchen/pickles.md > Pickles"),
        ("åse øverland", ASE),
        ("kyoto-style turnip", TURNIP),
        # all words before some of them, in any field
        ("kyoto food", FOOD),
        ("nishiki stalls", FOOD),
        ("turnip sugar", TURNIP),
        ("oslo bread", "travel/oslo.md > Food"),
        ("japan socks", PACKING),
        ("night market cucumber", CUCUMBER),
        # words in other forms
        ("cooked slow", DASHI),
        ("cafe", ASE),
        ("CAFÉ", ASE),
        ("fine wine", ASE),
        ("naive", ASE),
        ("travel/asia food", FOOD),
        # unfinished words
        ("nishi", FOOD),
        ("cucum", CUCUMBER),
        ("kyoto-sty", TURNIP),
        # scripts without spaces
        ("京都", TOKYO),
        ("旅行", TOKYO),
        ("東京", TOKYO),
        ("読", TOKYO),
        ("Python入門", TOKYO),
        ("python", TOKYO),
        ("日本語の勉強", "日本語.md > 日本語の勉強"),
    ],
)
def test_the_first_result(library: NoteLibrary, query: str, first: str) -> None:
    assert found(library.search(query))[0] == first


@pytest.mark.parametrize(
    ("query", "sections"),
    [
        ('"night train"', {OSLO, PACKING}),
        ('"train night"', {OSLO, PACKING, CUCUMBER}),  # no section has it: its words count
        ('"nishiki market before nine"', {FOOD}),
        ('"nishiki mar', {FOOD}),
        ("cookie ", {COOKIES}),
        ("cooking", {COOKIES, DASHI}),
        ("market", {FOOD, CUCUMBER}),
        ("market -cucumber", {FOOD}),
        ("market -friday", {FOOD}),
        ('market -"before nine"', {CUCUMBER}),
        ("market -pickles", {FOOD}),
        ("market -japan", {CUCUMBER}),
        ("market -market", set()),
        ("-cucumber", {CUCUMBER}),
        ("zebra", set()),
        ("", set()),
        ("?! …", set()),
        ("北海道", set()),
    ],
)
def test_all_results(library: NoteLibrary, query: str, sections: set[str]) -> None:
    result = library.search(query, limit=100, per_note=100)
    assert set(found(result)) == sections
    assert result.total == len(sections)


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ("zebra", ("zebra",)),
        ("kyoto zebra", ("zebra",)),
        ("kyoto food", ()),
        ("oslo turnip", ()),  # each stands somewhere, though nowhere both
        ("kyoto cookin", ()),
        ("the zebra", ("zebra",)),
        ('"train night"', ("train night",)),
        ("kyoto-zebra", ("zebra",)),
        ("zebra-crossing kyoto", ("zebra-crossing",)),
        ("", ()),
        ("?!", ()),
    ],
)
def test_missing_words(library: NoteLibrary, query: str, missing: tuple[str, ...]) -> None:
    assert library.search(query).missing == missing


def test_groups_follow_the_flat_ranking(library: NoteLibrary) -> None:
    result = library.search("food", limit=100, per_note=100)
    order = list(dict.fromkeys(section.path for section in result.sections))
    assert [note.path for note in result.notes] == order
    for note in result.notes:
        assert note.sections == tuple(s for s in result.sections if s.path == note.path)
        assert note.score >= note.sections[0].score
        assert note.more == 0
    assert sum(len(note.sections) for note in result.notes) == result.total


def test_results_describe_the_note(library: NoteLibrary) -> None:
    (note,) = library.search("nishiki").notes
    assert (note.path, note.title, note.category) == ("travel/japan.md", "Trip to Japan", "plans")
    assert note.tags == ("travel/asia",)
    assert note.page_word_count > 30
    assert note.modified > 1e9


@pytest.mark.parametrize(
    ("limit", "per_note", "shown", "more"),
    [(10, 2, [2, 2], [2, 1]), (10, 1, [1, 1], [3, 2]), (1, 5, [1], [3]), (3, 2, [2, 1], [2, 2])],
)
def test_limits(
    library_of: LibraryOf, limit: int, per_note: int, shown: list[int], more: list[int]
) -> None:
    library = library_of(
        {
            "a.md": "---\ntitle: River\n---\n"
            + "\n\n".join(f"## River {n}\n\nx" for n in range(4)),
            "b.md": "\n\n".join(f"## Day {n}\n\nsome words on a river" for n in range(3)),
        }
    )
    result = library.search("river", limit=limit, per_note=per_note)
    assert [len(note.sections) for note in result.notes] == shown
    assert [note.more for note in result.notes] == more
    assert result.total == 7


def test_why_a_section_was_found(library: NoteLibrary, library_of: LibraryOf) -> None:
    def fields(query: str) -> tuple[str, ...]:
        return library.search(query).sections[0].why.fields

    assert fields("nishiki") == ("body",)
    assert fields("packing") == ("headings",)
    assert fields("packing socks") == ("headings", "body")
    assert fields("honshu") == ("aliases",)
    assert fields("asia") == ("tags",)
    assert fields("plans") == ("tags",)
    assert fields("oslo") == ("path", "title", "headings")
    assert fields("kitchen turnip") == ("path", "headings")
    only_below = library_of({"a.md": "# A\n\nwind\n\n## B\n\nwind #sail\n"})
    below, above = only_below.search("wind sail").sections
    assert (below.why.fields, above.why.fields) == (("tags", "body"), ("body",))
    section = library.search("nishiki").sections[0]
    assert (section.why.words_rank, section.why.meaning_rank) == (1, None)
    assert not section.by_meaning_alone


def test_a_result_has_marks_and_lines(library: NoteLibrary) -> None:
    section = library.search("kyoto food").sections[0]
    assert [(c.text, c.marks) for c in section.breadcrumb] == [
        ("Kyoto", ((0, 5),)), ("Food", ((0, 4),)),
    ]  # fmt: skip
    assert (section.section, section.level, section.line, section.end_line) == ("Food", 3, 11, 14)
    assert section.title == "Trip to Japan"
    marked = [section.snippet.text[start:end] for start, end in section.snippet.marks]
    assert marked == ["food"]
    assert section.passage.startswith("We walked to Nishiki")
    assert (section.chunk_index, section.total_chunks) == (0, 1)


def test_formulas_in_a_breadcrumb_are_readable(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": "# Sums\n\n## The $x^2$ law\n\nIt holds.\n"}) as library:
        (section,) = library.search("law").sections
        assert section.breadcrumb[-1].text == "The x² law"
        assert section.section == "The $x^2$ law", "other programs find the heading as written"
        start, end = section.breadcrumb[-1].marks[0]
        assert section.breadcrumb[-1].text[start:end] == "law"


@pytest.mark.fault("E1")
def test_the_answer_names_its_mode(library: NoteLibrary) -> None:
    assert library.search("food", mode="words").mode is Mode.WORDS
    result = library.search("food")
    assert (result.mode, result.meaning) == (Mode.HYBRID, False)  # there is no model here
    assert result.sections
    result = library.search("food", mode=Mode.MEANING)
    assert (result.sections, result.meaning) == ((), False)
    with pytest.raises(ValueError, match="bogus"):
        library.search("food", mode="bogus")


@pytest.mark.fault("F8")
def test_a_cancelled_search(library: NoteLibrary) -> None:
    with pytest.raises(SearchCancelledError):
        library.search("food", cancelled=lambda: True)
    assert library.search("food", cancelled=lambda: False).sections


def test_a_heading_without_text_shows_the_first_text_below_it(library_of: LibraryOf) -> None:
    library = library_of(
        {
            "trip.md": "# Trip\n\nx\n\n## Kyoto\n\n#### Odd jump\n\n### Food\n\nstalls\n\n"
            "#### Breakfast\n\nrice\n\n### Temples\n\nearly\n\n## Oslo\n\ncold\n",
        }
    )
    section = library.search("kyoto").sections[0]
    assert section.section_path == ("Kyoto",)
    assert section.snippet.text == "Food · stalls"
    section = library.search("kyoto food", limit=100, per_note=100).sections[0]
    assert section.section_path == ("Kyoto", "Food")
    (parent,) = [
        s for s in library.search("kyoto food", per_note=9).sections if s.section == "Kyoto"
    ]
    assert [parent.snippet.text[a:b] for a, b in parent.snippet.marks] == ["Food"]
    assert parent.why.fields == ("headings",)


@pytest.mark.parametrize("many", [100, 400])
def test_an_exact_name_comes_first_however_many_sections_have_the_word(
    library_of: LibraryOf, many: int
) -> None:
    sections = "\n\n".join(f"## Kyoto walk {n}\n\nKyoto, Kyoto" for n in range(many))
    long = "A long text about an old city of many temples. " * 300
    library = library_of({"log.md": sections, "big.md": f"# Kyoto\n\n{long}"})
    assert found(library.search("kyoto"))[0] == "big.md > Kyoto"
    assert found(library.search("kyoto", per_note=99, limit=99))[:2] == [
        "big.md > Kyoto", "log.md > Kyoto walk 0",
    ]  # fmt: skip
    assert "big.md > Kyoto" not in found(library.search("kyoto -temples", limit=999))


def test_the_answer_has_the_cleaned_query(library: NoteLibrary) -> None:
    result = library.search("  kyoto \0 food\n")
    assert result.query == "kyoto food"
    assert result.took_ms > 0


def test_the_answer_names_excluded_words(library: NoteLibrary) -> None:
    result = library.search('kyoto -temples -"night train" -tag:x')
    assert result.without == ("temples", "night train")
    assert search_response(result).without == ("temples", "night train")
    assert search_response(result).remarks == [
        (
            "Left out sections with “temples”, “night train”."
            " To search for a word with its minus, put both in quotes."
        )
    ]
    assert library.search('kyoto "-temples"').without == ()
    assert search_response(library.search("kyoto")).without == ()


def test_a_note_of_megabytes_is_searched(library_of: LibraryOf) -> None:
    filler = "nothing to see here at all, only words and more words " * 40_000
    library = library_of({"big.md": f"{filler}\n\nThe needle is here. {filler}", "small.md": "hay"})
    (section,) = library.search("needle").sections
    assert section.path == "big.md"
    assert len(section.snippet.text) < 200
    (section,) = library.search("words hay", limit=1).sections
    assert section.snippet.marks


def test_searching_while_notes_change(library_of: LibraryOf, vault: Path) -> None:
    library = library_of(VAULT)

    def keep_changing() -> None:
        for n in range(20):
            write(vault, {f"{n % 4}.md": f"# Day {n}\n\nmarket\n\n## Food\n\nmarket food {n}"})
            (vault / f"{(n + 2) % 4}.md").unlink(missing_ok=True)
            library.refresh()

    thread = threading.Thread(target=keep_changing)
    thread.start()
    try:
        while thread.is_alive():
            assert library.search("market food", limit=50, per_note=9).total >= 3
    finally:
        thread.join()
    assert library.search("19").sections[0].section == "Day 19"


def test_the_words_of_a_tag_find_only_the_sections_that_have_it(library_of: LibraryOf) -> None:
    log = "One\n\n# Plan\n\nTwo %% #hidden/fog %%\n\n# Idea\n\nThree, a long text, #quince\n"
    library = library_of({"log.md": log, "all.md": f"---\ntags: [medlar]\n---\n{log}"})
    for text, sections in (("#quince ", 2 * ["Idea"]), ("fog ", 2 * ["Plan"])):
        assert [section.section for section in library.search(text).sections] == sections
    assert {section.path for section in library.search("medlar ").sections} == {"all.md"}
    assert library.search("medlar ").total == 3


def test_a_word_after_the_last_passage_of_a_long_section_is_shown(
    vault: Path, home: Path, embedder: "Embedder"
) -> None:
    write(vault, {"log.md": f"# Log\n\n{'Rain fell. ' * 9_000}\n\nThe quince is ripe.\n"})
    short = Settings(passage_tokens=16)
    with NoteLibrary.open(vault, home=home, settings=short, embedder=embedder) as library:
        library.refresh()
        (section,) = library.search("quince", mode=Mode.WORDS).sections
    assert section.total_chunks == PASSAGES
    assert (section.passage, section.passage_end_line) == ("The quince is ripe.", 5)


def test_a_word_far_into_a_long_section_is_shown(library_of: LibraryOf) -> None:
    library = library_of({"log.md": f"# Log\n\n{'Rain fell. ' * 99_000}\n\nThe quince is ripe.\n"})
    (section,) = library.search("quince").sections
    assert section.snippet.text.endswith("The quince is ripe.")
    assert library.place_found(section) == (5, 5)


def test_a_container_shows_its_title_without_its_type(library_of: LibraryOf) -> None:
    text = (
        ":::info See also\nThe kayak floats.\n:::\n\n::: tip\nPaddle.\n:::\n\n::: code-group\n:::\n"
    )
    (found,) = library_of({"boat.md": text}).search("kayak").sections
    assert found.snippet.text == "See also · The kayak floats. Paddle."
    assert (found.passage_line, found.passage_end_line) == (1, 7)


def test_a_passage_ends_with_the_lines_of_its_paragraph_that_show_nothing(
    library_of: LibraryOf,
) -> None:
    text = "The kayak\nfloats. <!-- a\nremark -->\n\n[paddle]: https://example.org\n"
    (found,) = library_of({"boat.md": text}).search("kayak").sections
    assert (found.passage_line, found.passage_end_line) == (1, 3)


def test_an_empty_heading_is_shown_empty_though_its_path_has_the_title(
    library_of: LibraryOf,
) -> None:
    (found,) = library_of({"boat.md": "# \n\nThe kayak floats.\n"}).search("kayak").sections
    assert (found.section, found.section_path, found.shown_heading) == ("", ("boat",), "")
