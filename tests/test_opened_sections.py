"""The file of what was opened for which query."""

import json
import stat
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from notesearch import opened_sections
from notesearch.config import Settings
from notesearch.errors import SettingsError
from notesearch.library import NoteLibrary
from notesearch.opened_sections import MOST_RECENT, Openings
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
    sections = {"journey.md": [("journey",), ("Intro",)], "dinner.md": []}
    kept.move({"trip.md": "journey.md"}, lambda path: sections[path])
    moved = {one.section_path for one in kept.all() if one.path == "journey.md"}
    assert moved == {("journey",), ("Intro",), ("Old", "Gone")}
    assert kept.paths() == {"journey.md", "food.md"}
    kept.move({"food.md": "dinner.md"}, lambda path: sections[path])
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


def test_the_oldest_openings_go(tmp_path: Path) -> None:
    kept = Openings(tmp_path / "notes.json", 3)
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


def test_two_notes_that_swap_their_names_keep_their_sections(tmp_path: Path) -> None:
    """Both then had the same name, as one was renamed after the other."""
    kept = Openings(tmp_path / "notes.json")
    kept.add((), "trip.md", FOOD)
    kept.add((), "plan.md", ("Plan", "Goals"))
    kept.move({"trip.md": "plan.md", "plan.md": "trip.md"}, lambda _: [])
    assert {(one.path, one.section_path[-1]) for one in kept.all()} == {
        *(("trip.md", "Goals"), ("plan.md", "Food"))
    }


def test_the_order_is_that_of_opening(tmp_path: Path) -> None:
    """A slow disk may record a section after one that was opened later."""
    kept = Openings(tmp_path / "notes.json")
    for heading, when in (("Second", 2.0), ("First", 1.0), ("Third", 3.0)):
        kept.add((), "trip.md", (heading,), when)
    assert [one.section_path for one in kept.all()] == [("Third",), ("Second",), ("First",)]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[NoteLibrary]:
    """A library of a folder behind a link."""
    notes = {
        "secret plan.md": "Before the first heading.\n\n# Goals\n\nMany.\n",
        "b.md": "# Why ((abc123))\n\n- Because $\\alpha$\n  id:: abc123\n\n# Day\n",
    }
    write(tmp_path / "real", {**notes, **{f"{n}.md": "# A\n" for n in range(MOST_RECENT)}})
    (tmp_path / "notes").symlink_to(tmp_path / "real")
    settings = Settings(meaning=False)
    with NoteLibrary.open(tmp_path / "notes", home=tmp_path, settings=settings) as library:
        library.refresh()
        yield library


def opened_last(library: NoteLibrary) -> list[tuple[str, str]]:
    return [(each.section.path, each.section.section) for each in library.opened_last()]


def test_the_section_opened_last_comes_first_and_only_once(library: NoteLibrary) -> None:
    assert library.opened_last() == ()
    for heading in ("Goals", "secret plan", "Goals"):
        library.record_opened("secret plan.md", (heading,))
    assert opened_last(library) == [("secret plan.md", "Goals"), ("secret plan.md", "secret plan")]
    assert library.opened_last()[0].section.title == "secret plan"
    for n in range(MOST_RECENT):
        library.record_opened(f"{n}.md", ("A",))
    assert opened_last(library) == [(f"{n}.md", "A") for n in reversed(range(MOST_RECENT))]


def test_sections_opened_last_show_the_words_of_blocks(library: NoteLibrary) -> None:
    (found,) = library.search("because", mode="words").sections[:1]
    library.record_opened("b.md", found.section_path)
    (opened,) = library.opened_last()
    assert opened.section.section_path == found.section_path
    assert opened.section.shown_path == found.shown_path
    assert [heading.marks for heading in opened.section.breadcrumb] == [()]
    assert opened.section.snippet.text == ""


def test_sections_opened_last_follow_their_notes(library: NoteLibrary) -> None:
    """The title of a deleted note stayed in the file."""
    file = library.paths.recents_file(library.vault)
    for heading in ("secret plan", "Goals"):
        library.record_opened("secret plan.md", (heading,))
    library.record_opened("b.md", ("Day",))
    (library.vault / "secret plan.md").rename(library.vault / "open plan.md")
    library.refresh()
    assert opened_last(library) == [
        *(("b.md", "Day"), ("open plan.md", "Goals"), ("open plan.md", "open plan"))
    ]
    assert "secret" not in file.read_text()
    (library.vault / "open plan.md").unlink()
    library.refresh()
    assert opened_last(library) == [("b.md", "Day")]
    assert "plan" not in file.read_text()


def test_sections_opened_last_are_forgotten(library: NoteLibrary) -> None:
    library.record_opened("b.md", ("Day",))
    library.forget_openings()
    assert library.opened_last() == ()


def test_without_an_index_no_section_was_opened_last(library: NoteLibrary) -> None:
    library.record_opened("b.md", ("Day",))
    library.delete_index()
    assert library.opened_last() == ()
