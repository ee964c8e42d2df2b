"""Related sections: by stored vectors, without any model."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from notesearch.config import Settings
from notesearch.errors import ModelError, NoteMissingError, SectionMissingError
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.indexed import indexed, without_model

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

ABOUT_SAILS = "Reef the sail before the wind rises, and let the sheet go in a gust. " * 12
ABOUT_BREAD = "Knead the dough, let the loaf rise in its basket, bake it in a hot oven. " * 12

NOTES = {
    "boat.md": "# Boat\n\n## Strong wind\n\nTake in a reef when it blows, and ease the sheets.\n\n"
    "## Rigging\n\nHalyard, sheet and stay; the mast leans aft, the sail is of cotton.\n\n"
    "## Supper\n\nSandwiches.\n",
    "lake.md": "# Lake\n\n## A windy day\n\nGusts off the hill; we put a reef into the sail.\n",
    "bread.md": "# Bread\n\n## Dough\n\nFlour, water, salt; fold it four times.\n\n"
    "## Oven\n\nHot stone, steam for ten minutes, then a brown crust.\n",
    "cafe.md": "# Café\n\n## Loaves\n\nThe baker folds the dough at five and bakes on stone.\n",
    "both.md": f"# Both\n\n## A week\n\n{ABOUT_SAILS}\n\n{ABOUT_BREAD}\n",
    "tax.md": "# Tax\n\n## Form\n\nSend the declaration to the office by July.\n",
    "empty.md": "",
}


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, embedder: "Embedder"
) -> Iterator[NoteLibrary]:
    """Give the notes with stored vectors, opened without a model."""
    folder = tmp_path_factory.mktemp("related")
    with indexed(folder, NOTES, embedder):
        pass
    settings = without_model(folder)
    with NoteLibrary.open(folder / "vault", home=folder / "home", settings=settings) as opened:
        yield opened


def related_sections(
    library: NoteLibrary, path: str, section: str | None = None, **how: bool
) -> list[str]:
    found = library.related(path, section, **how)
    return [f"{result.path}#{result.section}" for result in found]


@pytest.mark.parametrize(
    ("path", "section", "nearest"),
    [
        ("boat.md", "Strong wind", "lake.md#A windy day"),
        ("lake.md", "A windy day", "boat.md#Strong wind"),
        ("boat", "wind", "lake.md#A windy day"),  # named as `read` takes it
        ("bread.md", "Dough", "cafe.md#Loaves"),
        ("cafe.md", None, "bread.md#Dough"),
    ],
)
def test_similar_sections_are_related(
    library: NoteLibrary, path: str, section: str | None, nearest: str
) -> None:
    assert related_sections(library, path, section)[0] == nearest


def test_a_long_section_is_related_to_what_is_near_any_part_of_it(library: NoteLibrary) -> None:
    """Its two halves differ in meaning; the mean of their vectors is near neither."""
    found = related_sections(library, "both.md", "A week")
    assert {"boat.md#Strong wind", "lake.md#A windy day"} & set(found[:4])
    assert {"bread.md#Dough", "bread.md#Oven", "cafe.md#Loaves"} & set(found[:4])


def test_sections_of_the_same_note_are_optional(library: NoteLibrary) -> None:
    others = related_sections(library, "boat.md", "Strong wind")
    assert not [name for name in others if name.startswith("boat.md")]
    with_own = related_sections(library, "boat.md", "Strong wind", other_notes_only=False)
    assert "boat.md#Rigging" in with_own
    assert "boat.md#Strong wind" not in with_own


def test_a_whole_note_is_not_related_to_its_own_sections(library: NoteLibrary) -> None:
    found = related_sections(library, "bread.md", None, other_notes_only=False)
    assert found[0] == "cafe.md#Loaves"
    assert not [name for name in found if name.startswith("bread.md")]


def test_a_blank_heading_means_the_whole_note(library: NoteLibrary) -> None:
    assert related_sections(library, "bread.md", " ") == related_sections(library, "bread.md", None)


def test_distant_sections_are_not_related(library: NoteLibrary) -> None:
    assert related_sections(library, "tax.md", "Form") == []
    assert "tax.md#Form" not in related_sections(library, "boat.md", "Strong wind")


def test_results_have_a_score_and_a_passage(library: NoteLibrary) -> None:
    found = library.related("lake.md", "A windy day", limit=3)
    assert len(found) == 3
    assert [result.why.meaning_rank for result in found] == [1, 2, 3]
    assert sorted((result.score for result in found), reverse=True) == [r.score for r in found]
    assert 0.35 <= found[-1].score <= found[0].score <= 1
    assert all(result.by_meaning_alone and result.why.words_rank is None for result in found)
    long = next(result for result in found if result.path == "both.md")
    assert "sail" in long.passage
    assert long.total_chunks > 1


@pytest.mark.parametrize(
    ("path", "section", "error"),
    [
        ("nowhere.md", None, NoteMissingError),
        ("empty.md", None, NoteMissingError),
        ("boat.md", "Anchor", SectionMissingError),
    ],
)
def test_errors_name_the_missing_note_or_section(
    library: NoteLibrary, path: str, section: str | None, error: type[Exception]
) -> None:
    with pytest.raises(error, match=section or path.removesuffix(".md")):
        library.related(path, section)


def test_an_index_without_vectors_is_an_error(vault: Path, words_only: Settings) -> None:
    write(vault, NOTES)
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        with pytest.raises(ModelError):
            library.related("boat.md", "Strong wind")


def test_a_section_without_its_vector_has_no_related_ones(
    vault: Path, home: Path, embedder: "Embedder", words_only: Settings
) -> None:
    write(vault, NOTES)
    with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
        library.refresh()
    write(vault, {"boat.md": "# Boat\n\n## Anchor\n\nDrop it where the sand is clean.\n"})
    with NoteLibrary.open(vault, home=home, settings=words_only) as library:
        library.refresh()
        assert library.related("boat.md", "Anchor") == ()


def test_vectors_are_those_of_the_section_that_the_address_names(library: NoteLibrary) -> None:
    model, vectors = library.vectors_of("boat.md", "Strong wind")
    for address in ("boat.md#Strong wind", "boat.md > Strong wind"):
        assert library.vectors_of(address)[0] == model
        assert (library.vectors_of(address)[1] == vectors).all()


def test_a_note_that_is_not_indexed_has_no_vectors(
    vault: Path, home: Path, words_only: Settings
) -> None:
    write(vault, {"old.md": "# Old\n"})
    with NoteLibrary.open(vault, home=home, settings=words_only) as library:
        library.refresh()
        write(vault, {"new.md": "# New\n"})
        with pytest.raises(NoteMissingError):
            library.vectors_of("new.md", "New")


def test_a_result_is_sorted_by_likeness(library: NoteLibrary) -> None:
    found = library.search("the", mode="words", limit=50, per_note=50)
    windy = ("lake.md", 3)
    liked = library.by_likeness(found, [windy])
    assert [one.section for one in liked.sections][:2] == ["A windy day", "Strong wind"]
    assert [note.path for note in liked.notes][:2] == ["lake.md", "boat.md"]
    assert sorted(liked.sections, key=id) == sorted(found.sections, key=id)
    last = library.by_likeness(found, [], [windy]).sections[-2:]
    assert {one.path for one in last} <= {"lake.md", "boat.md", "both.md"}
    assert library.by_likeness(found, [("gone.md", 1)]) == found
