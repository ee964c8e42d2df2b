"""The sections opened last, in their file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from notesearch.gui.session.start_list import MOST_SECTIONS, RecentlyOpened
from notesearch.opened_sections import SECTIONS_FILE, update_recent
from tests.gui.sample_results import section

VAULT = Path("/home/me/notes")
OTHER = Path("/home/me/work")


def headings(recents: RecentlyOpened, vault: Path = VAULT) -> list[str]:
    return [section.section for section in recents.opened_in({"": vault})]


def test_the_newest_section_comes_first_and_only_once(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path / "new folder")
    for heading in ("Food", "Day 3", "Food"):
        recents.add(VAULT, "Trip.md", section("Trip.md", f"*Kyoto* > {heading}", line=7))
    assert headings(RecentlyOpened(tmp_path / "new folder")) == ["Food", "Day 3"]


def test_stored_sections_have_no_marks_of_their_query(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    recents.add(VAULT, "Trip.md", section("Trip.md", "*Kyoto* > *Food*", "some *food*"))
    (stored,) = recents.opened_in({"": VAULT})
    assert [heading.marks for heading in stored.breadcrumb] == [(), ()]
    assert stored.snippet.text == ""


def test_stored_sections_show_the_words_of_blocks(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    opened = replace(section("Trip.md", "… > Food"), resolved_path=("Kyoto", "Food"))
    recents.add(VAULT, "Trip.md", opened)
    (stored,) = recents.opened_in({"": VAULT})
    assert (stored.section_path, stored.shown_path) == (("…", "Food"), ("Kyoto", "Food"))
    assert [heading.text for heading in stored.breadcrumb] == ["Kyoto", "Food"]


def test_two_notes_that_swap_their_names_keep_their_sections(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    for path, heading in (("Trip.md", "Food"), ("Plan.md", "Goals")):
        recents.add(VAULT, path, section(path, heading))
    swapped = {"Trip.md": "Plan.md", "Plan.md": "Trip.md"}
    update_recent(tmp_path / SECTIONS_FILE, VAULT, swapped, lambda _: ())
    stored = recents.opened_in({"": VAULT})
    assert [(s.path, s.section) for s in stored] == [("Trip.md", "Goals"), ("Plan.md", "Food")]


def test_each_vault_has_its_own_sections(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    recents.add(VAULT, "Trip.md", section("Trip.md", "Food"))
    recents.add(OTHER, "Plan.md", section("Plan.md", "Goals"))
    assert headings(recents) == ["Food"]
    assert headings(recents, OTHER) == ["Goals"]


def test_only_the_newest_sections_are_stored(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    for number in range(20):
        recents.add(VAULT, "Trip.md", section("Trip.md", f"Day {number}"))
        recents.add(Path(f"/vault {number}"), "Trip.md", section("Trip.md", "Food"))
    assert headings(recents)[0] == "Day 19"
    assert len(headings(recents)) == MOST_SECTIONS
    assert len(json.loads((tmp_path / SECTIONS_FILE).read_text())) == 20


@pytest.mark.parametrize(
    "text",
    ["", "[]", "\x00", '{"VAULT": 3}', '{"VAULT": [1, {"path": 3}]}', "[" * 99_999, "x" * 2_000_000,
     '{"VAULT": [{"path": "a.md", "title": "A", "section_path": [], "level": 1, "line": 1}]}',
     '{"VAULT": [{"path": "a.md", "title": "A", "section_path": [7], "level": 1, "line": 1}]}',
     '{"VAULT": [{"path": "a", "title": "A", "section_path": ["A"], "level": 1, "line": 1e999}]}',
     ('{"VAULT": [{"path": "a", "title": "A", "section_path": ["A"], "shown_path": [],'
      ' "level": 1, "line": 1}]}')],
)  # fmt: skip
def test_a_damaged_file_of_sections_counts_as_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / SECTIONS_FILE).write_text(text.replace("VAULT", str(VAULT)))
    recents = RecentlyOpened(tmp_path)
    assert headings(recents) == []
    recents.add(VAULT, "Trip.md", section("Trip.md", "Food"))
    assert headings(recents) == ["Food"]


def test_an_unwritable_file_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    recents = RecentlyOpened(tmp_path / "file")
    recents.add(VAULT, "Trip.md", section("Trip.md", "Food"))
    assert headings(recents) == []
