"""The file of what was opened for which query."""

import json
import stat
import sys
from functools import partial
from pathlib import Path

import pytest

from notesearch import opened_sections
from notesearch.errors import SettingsError
from notesearch.opened_sections import Openings

FOOD = ("Trip", "Food")


def test_openings_of_the_same_section_for_the_same_words_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "openings" / "notes.json"
    kept = Openings(file)
    for words in (("kyoto", "food"), ("food", "kyoto"), ("food",)):
        kept.add(words, "trip.md", FOOD)
    kept.add(("food",), "trip.md", ("Trip",))
    found = {(one.words, one.section_path): one.times for one in Openings(file).all()}
    food = frozenset({"food"})
    assert found == {(food | {"kyoto"}, FOOD): 2, (food, FOOD): 1, (food, ("Trip",)): 1}
    assert kept.all() == Openings(file).all()


def test_openings_follow_a_renamed_note_and_go_with_a_deleted_one(tmp_path: Path) -> None:
    """Text before the first heading may be named after the file; other headings stay."""
    kept = Openings(tmp_path / "notes.json")
    for headings in (("trip",), ("Intro",), ("Old", "Gone")):
        kept.add(("kyoto",), "trip.md", headings)
    kept.add(("kyoto",), "food.md", ("trip",))
    kept.move("trip.md", "journey.md", [("journey",), ("Intro",)])
    moved = {one.section_path for one in kept.all() if one.path == "journey.md"}
    assert moved == {("journey",), ("Intro",), ("Old", "Gone")}
    assert kept.paths() == {"journey.md", "food.md"}
    kept.move("food.md", "dinner.md", [])
    kept.drop({"journey.md"})
    assert [(one.path, one.section_path) for one in kept.all()] == [("dinner.md", ("trip",))]


def test_nothing_is_forgotten_without_a_file(tmp_path: Path) -> None:
    Openings(tmp_path / "none.json").forget()
    assert Openings(tmp_path / "none.json").all() == ()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_the_file_is_closed_to_others(tmp_path: Path) -> None:
    file = tmp_path / "openings" / "notes.json"
    Openings(file).add(("food",), "trip.md", FOOD)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_everything_is_forgotten_at_once(tmp_path: Path) -> None:
    vaults = [Openings(tmp_path / f"{name}.json") for name in ("one", "two")]
    for vault in vaults:
        vault.add(("food",), "trip.md", FOOD)
    assert opened_sections.exist(tmp_path)
    opened_sections.forget(tmp_path)
    assert [vault.all() for vault in vaults] == [(), ()]
    assert not opened_sections.exist(tmp_path)


def test_what_cannot_be_forgotten_is_told(tmp_path: Path) -> None:
    (tmp_path / "one.json").mkdir()  # no user may delete it like a file
    for forget in (
        Openings(tmp_path / "one.json").forget,
        partial(opened_sections.forget, tmp_path),
    ):
        with pytest.raises(SettingsError, match=r"forgotten, because .*one\.json cannot"):
            forget()


def test_the_oldest_openings_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened_sections, "_MOST", 3)
    kept = Openings(tmp_path / "notes.json")
    for word in "abcde":
        kept.add((word,), "trip.md", FOOD)
    assert {word for one in kept.all() for word in one.words} == set("cde")


GOOD = {"words": ["a"], "path": "a.md", "section_path": ["A"], "times": 1, "last": 1.5}


@pytest.mark.parametrize(
    "stored",
    ["", "{}", "[1, null]", "[" * 99_999]
    + [json.dumps([GOOD | wrong]) for wrong in (
        {"words": "a"}, {"words": [1]}, {"path": 3}, {"times": 0}, {"times": "1"}, {"last": None},
    )],
)  # fmt: skip
def test_what_cannot_be_read_counts_as_missing(tmp_path: Path, stored: str) -> None:
    file = tmp_path / "notes.json"
    file.write_text(stored)
    kept = Openings(file)
    assert kept.all() == ()
    kept.add(("food",), "trip.md", FOOD)
    assert len(kept.all()) == 1
