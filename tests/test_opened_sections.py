"""The file of what was opened for which query."""

import json
import stat
import sys
from functools import partial
from pathlib import Path

import pytest

from notesearch import opened_sections
from notesearch.config import Settings
from notesearch.errors import SettingsError
from notesearch.library import NoteLibrary
from notesearch.opened_sections import SECTIONS_FILE, Openings, update_recent
from tests.folders import write

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


def recent(path: str, title: str, heading: str) -> dict[str, object]:
    headings = [heading]
    return {"path": path, "title": title, "section_path": headings, "shown_path": headings}


@pytest.mark.parametrize(
    ("before", "moved", "missing", "after"),
    [
        (recent("a.md", "River", "Banks"), {"a.md": "b/c.md"}, (), ("b/c.md", "River", "Banks")),
        (recent("a.md", "a", "Banks"), {"a.md": "c.md"}, (), ("c.md", "c", "Banks")),
        (recent("a.md", "a", "a"), {"a.md": "c.md"}, (), ("c.md", "c", "c")),
        (recent("a.md", "a", "a"), {"b.md": "c.md"}, (), ("a.md", "a", "a")),
        (recent("a.md", "a", "a"), {}, ("a.md",), None),
        (recent("a.md", "a", "a"), {"a.md": "c.md"}, ("a.md",), ("c.md", "c", "c")),
    ],
)
def test_sections_opened_last_follow_their_notes(
    tmp_path: Path,
    before: dict[str, object],
    moved: dict[str, str],
    missing: tuple[str, ...],
    after: tuple[str, str, str] | None,
) -> None:
    file = tmp_path / SECTIONS_FILE
    file.write_text(json.dumps({"/notes": [before], "/work": [before]}))
    update_recent(file, Path("/notes"), moved, lambda paths: {*paths} & {*missing})
    stored = json.loads(file.read_text())
    assert stored["/notes"] == ([recent(*after)] if after else [])
    assert stored["/work"] == [before]


@pytest.mark.parametrize("content", ["", "[]", '{"/notes": 1}', '{"/notes": [1]}'])
def test_a_damaged_file_of_sections_opened_last_stays_without_notes(
    tmp_path: Path, content: str
) -> None:
    file = tmp_path / SECTIONS_FILE
    file.write_text(content)
    update_recent(file, Path("/notes"), {"a.md": "b.md"}, lambda paths: paths)
    assert "a.md" not in file.read_text()


def test_a_note_deleted_while_no_window_is_open_is_not_named_any_more(tmp_path: Path) -> None:
    """Its title stayed in the file if the command line indexed the folder; also behind a link."""
    write(tmp_path / "real", {"secret plan.md": "# Secret plan", "b.md": "# B"})
    linked = tmp_path / "notes"
    linked.symlink_to(tmp_path / "real")
    opened = [recent("secret plan.md", "Secret plan", "Secret plan"), recent("b.md", "B", "B")]
    with NoteLibrary.open(linked, home=tmp_path, settings=Settings(meaning=False)) as library:
        file = library.paths.data / SECTIONS_FILE
        library.refresh()
        file.write_text(json.dumps({str(library.vault): opened}))
        (linked / "secret plan.md").unlink()
        library.refresh()
        assert json.loads(file.read_text()) == {str(library.vault): opened[1:]}
