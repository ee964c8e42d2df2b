"""Why a note is not among the results: its rank, a filter, a word, or that it is not searched."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.library import NoteLibrary
from tests.indexed import indexed

NOTES = {
    "travel/Kyoto.md": "# Kyoto\n\n## Food\n\nSoup with tofu. #japan\n",
    "travel/Nara.md": "# Nara\n\nDeer.\n",
    "home/Soup.md": "# Soup\n\nSoup of leeks.\n",
    ".notesearchignore": "attic/\n",
    "attic/Old soup.md": "# Old soup\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("absence"), NOTES) as library:
        yield library


@pytest.mark.parametrize(
    ("query", "note", "within", "reasons"),
    [
        ("soup", "Kyoto", "", ["It is number 2 of 2 notes, with the section “Food”."]),
        ("soup", "Nara", "", ["It has none of the words of the query."]),
        ("soup tag:japan", "home/Soup.md", "", ["None of its sections matches tag:japan."]),
        ("soup -leeks", "home/Soup.md", "", ["The query excludes words that it has: leeks."]),
        ("soup tag:japan -path:travel", "Nara", "",
         ["None of its sections matches tag:japan, -path:travel.",
          "It has none of the words of the query."]),
        ("soup", "Nara", "home/", ["It is outside of “home”, where you search."]),
        ("soup", "Old soup", "",
         ["“attic/Old soup.md” is ignored: it is hidden, or a rule leaves it out."]),
        ("soup", "Leek", "", ["No note is called “Leek”."]),
    ],
)  # fmt: skip
def test_the_reason_is_told(
    library: NoteLibrary, query: str, note: str, within: str, reasons: list[str]
) -> None:
    assert list(library.why_absent(query, note, within=within)) == reasons


def test_a_note_that_is_not_indexed_yet_is_told_apart(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as library:
        (tmp_path / "vault/new.md").write_text("# New\n\nSoup.\n")
        for name in ("new", "new.md"):
            (reason,) = library.why_absent("soup", name)
            assert reason.code == "absence_unindexed"
