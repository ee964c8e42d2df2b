"""What was opened last, in its file."""

import json
from pathlib import Path

import pytest

from notesearch.gui.session.recently_opened import FILE_NAME, MOST, RecentlyOpened
from tests.gui.made import section

VAULT = Path("/home/me/notes")
OTHER = Path("/home/me/work")


def headings(recents: RecentlyOpened, vault: Path = VAULT) -> list[str]:
    return [section.section for section in recents.of(vault)]


def test_the_newest_stands_first_and_once(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path / "new folder")
    for heading in ("Food", "Day 3", "Food"):
        recents.add(VAULT, section("Trip.md", f"*Kyoto* > {heading}", line=7))
    assert headings(RecentlyOpened(tmp_path / "new folder")) == ["Food", "Day 3"]


def test_they_carry_no_marks_of_the_query_that_found_them(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    recents.add(VAULT, section("Trip.md", "*Kyoto* > *Food*", "some *food*"))
    (stored,) = recents.of(VAULT)
    assert [heading.marks for heading in stored.breadcrumb] == [(), ()]
    assert stored.snippet.text == ""


def test_each_folder_has_its_own(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    recents.add(VAULT, section("Trip.md", "Food"))
    recents.add(OTHER, section("Plan.md", "Goals"))
    assert headings(recents) == ["Food"]
    assert headings(recents, OTHER) == ["Goals"]


def test_no_more_are_kept_than_fit(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    for number in range(20):
        recents.add(VAULT, section("Trip.md", f"Day {number}"))
        recents.add(Path(f"/vault {number}"), section("Trip.md", "Food"))
    assert headings(recents)[0] == "Day 19"
    assert len(headings(recents)) == MOST
    assert len(json.loads((tmp_path / FILE_NAME).read_text())) == 20


@pytest.mark.parametrize(
    "text",
    ["", "[]", "\x00", '{"VAULT": 3}', '{"VAULT": [1, {"path": 3}]}', "[" * 99_999, "x" * 2_000_000,
     '{"VAULT": [{"path": "a.md", "title": "A", "section_path": [], "level": 1, "line": 1}]}',
     '{"VAULT": [{"path": "a.md", "title": "A", "section_path": [7], "level": 1, "line": 1}]}',
     '{"VAULT": [{"path": "a", "title": "A", "section_path": ["A"], "level": 1, "line": 1e999}]}'],
)  # fmt: skip
def test_a_damaged_file_is_an_empty_one(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text.replace("VAULT", str(VAULT)))
    recents = RecentlyOpened(tmp_path)
    assert headings(recents) == []
    recents.add(VAULT, section("Trip.md", "Food"))
    assert headings(recents) == ["Food"]


def test_where_it_cannot_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    recents = RecentlyOpened(tmp_path / "file")
    recents.add(VAULT, section("Trip.md", "Food"))
    assert headings(recents) == []
