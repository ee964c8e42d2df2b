"""Why a note is not among the results: its rank, a filter, a word, or that it is not searched."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from notesearch.library import NoteLibrary
from tests.indexed import indexed

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

NOTES = {
    "travel/Kyoto.md": "# Kyoto\n\n## Food\n\nSoup with tofu. #japan\n\n## Baths\n\nHot.\n",
    "travel/Nara.md": "# Nara\n\nDeer.\n",
    "home/Soup.md": "# Soup\n\nSoup of leeks.\n\n## Cold stock\n\nSoup, too.\n",
    "home/Shares.md": "# Shares\n\n## Cold stock\n\nNot sold.\n\n## Prices\n\nLow.\n",
    "travel/Deer.md": "# Deer\n\n## Twice\n\nTwo, and more of them.\n\n## Twice\n\nTwo two.\n",
    "home/Drawer.md": "# Drawer\n\n## Old spoons\n\nBent.\n",
    ".notesearchignore": "attic/\n",
    "attic/Old soup.md": "# Old soup\n",
    "#recycle/Gone.md": "# Gone\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("absence"), NOTES) as library:
        yield library


@pytest.mark.parametrize(
    ("query", "note", "within", "reasons"),
    [
        ("soup", "Kyoto", "",
         ["It is number 2 of 2 notes, with the section “Food”.", "By words alone it is number 3."]),
        ("soup", "Nara", "", ["It contains none of your words."]),
        ("soup tag:japan", "home/Soup.md", "", ["None of its sections matches tag:japan."]),
        ("soup -tofu", "Kyoto", "", ["It contains words that the query excludes: tofu."]),
        ("soup tag:japan -path:travel", "Nara", "",
         ["None of its sections matches tag:japan, -path:travel.",
          "It contains none of your words."]),
        ("soup", "Nara", "home/", ["It is outside “home”, the folder you are searching."]),
        ("soup", "Old soup", "",
         ["“attic/Old soup.md” is ignored: it is hidden, or a rule leaves it out."]),
        ("soup", "Gone", "",
         ["“#recycle/Gone.md” is ignored: “#recycle” belongs to the system or to a program."]),
        ("soup", "Leek", "", ["No note or heading is called “Leek”."]),
        ("soup", "kyotoo", "",
         ["No note or heading is called “kyotoo”. Did you mean travel/Kyoto.md?"]),
        (" ", "Kyoto", "", ["Type a query first."]),
    ],
)  # fmt: skip
def test_the_reason_why_a_note_is_absent(
    library: NoteLibrary, query: str, note: str, within: str, reasons: list[str]
) -> None:
    assert list(library.why_absent(query, note, within=within)) == reasons


@pytest.mark.parametrize(
    ("query", "heading", "within", "reasons"),
    [
        ("soup", "Food", "",
         ["“Kyoto › Food” is number 3 of 3 sections.", "By words alone it is number 3."]),
        ("soup", "## foo", "",
         ["“Kyoto › Food” is number 3 of 3 sections.", "By words alone it is number 3."]),
        ("soup", "Kyoto > Baths", "",
         ["“Kyoto › Baths” is not among the results.",
          "It contains none of your words."]),
        ("soup tag:japan", "Prices", "",
         ["“Shares › Prices” is not among the results.", "It does not match tag:japan.",
          "It contains none of your words."]),
        ("soup -tofu", "Food", "",
         ["“Kyoto › Food” is not among the results.",
          "It contains words that the query excludes: tofu."]),
        ("soup", "stock", "",
         ["“Soup › Cold stock” is number 2 of 3 sections.", "By words alone it is number 2.",
          "“Shares › Cold stock” is not among the results.",
          "It contains none of your words."]),
        ("low", "shares/PRICES", "",
         ["“Shares › Prices” is number 1 of 1 section.", "By words alone it is number 1."]),
        ("cold stock", "home/cold stock", "",
         ["No note or heading is called “home/cold stock”. Did you mean Cold stock?"]),
        ("two", "Twice", "",
         ["“Deer › Twice:7” is number 1 of 2 sections.", "By words alone it is number 1.",
          "“Deer › Twice:3” is number 2 of 2 sections.", "By words alone it is number 2."]),
        ("soup", "Food", "home/", ["It is outside “home”, the folder you are searching."]),
        ("soup", "prises", "", ["No note or heading is called “prises”. Did you mean Prices?"]),
        ("soup", "oo", "", ["No note or heading is called “oo”. Did you mean Food, Old spoons?"]),
    ],
)  # fmt: skip
def test_a_heading_or_a_part_of_one_stands_for_its_section(
    library: NoteLibrary, query: str, heading: str, within: str, reasons: list[str]
) -> None:
    assert list(library.why_absent(query, heading, within=within)) == reasons


def test_an_explanation_has_the_ranks_by_words_and_by_meaning(
    tmp_path: Path, embedder: "Embedder"
) -> None:
    with indexed(tmp_path, NOTES, embedder) as library:
        words, meaning = list(library.why_absent("soup", "Food"))[1:]
        assert words.code == "absence_by_words"
        assert meaning.code == "absence_by_meaning"
        (_, *reasons) = library.why_absent("cheap costs", "Prices")
        assert [one.code for one in reasons] == ["absence_wordless", "absence_by_meaning"]


def test_a_note_that_is_not_indexed_yet_has_a_reason_of_its_own(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as library:
        (tmp_path / "vault/new.md").write_text("# New\n\nSoup.\n")
        for name in ("new", "new.md"):
            (reason,) = library.why_absent("soup", name)
            assert reason.code == "absence_unindexed"
