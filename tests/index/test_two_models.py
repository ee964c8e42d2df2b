"""A folder of English and other notes, read by the built-in model and another one beside it.

The other one is a copy of the built-in model under the name of a multilingual one, so that it finds
the same.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from notesearch.config import BUILTIN_DIMENSIONS, BUILTIN_MODEL, Paths, Settings, resources
from notesearch.embedding.embedder import TwoModels
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.index_contents import unlike_vectors
from tests.quality.labels import translated_vault

MULTILINGUAL = "multilingual-e5-small"

ENGLISH = """# Garden

The tomatoes on the balcony need a lot of water in the summer, and they like the sun.
"""
GERMAN = """# Fahrrad

Die Kette wird nach jeder Fahrt im Regen geputzt und mit einem Tropfen Wachs gepflegt.
"""


@dataclass
class Mixed:
    """A folder and the home of a program with both models."""

    vault: Path
    home: Path

    def open(self, model: str = MULTILINGUAL) -> NoteLibrary:
        return NoteLibrary.open(self.vault, home=self.home, settings=Settings(model=model))

    def parts(self, library: NoteLibrary, note: str) -> list[bool]:
        """Return, for each of the two models, whether the vectors of a note have its numbers."""
        _, vectors = library.vectors_of(note)
        assert vectors.size
        return [
            bool(p.any())
            for p in (vectors[:, :BUILTIN_DIMENSIONS], vectors[:, BUILTIN_DIMENSIONS:])
        ]


@pytest.fixture
def mixed(vault: Path, home: Path) -> Mixed:
    paths = Paths.choose(home)
    paths.models.mkdir(parents=True)
    shutil.copytree(resources() / "models" / BUILTIN_MODEL, paths.models / MULTILINGUAL)
    write(vault, {"garden.md": ENGLISH, "bike.md": GERMAN})
    return Mixed(vault, home)


def add_translations(mixed: Mixed) -> None:
    """Add notes in German, some of those that the quality of search is measured with."""
    for note in sorted(translated_vault("de", mixed.home).iterdir())[1::3]:
        write(mixed.vault, {f"de/{note.name}": note.read_text("utf-8")})


@pytest.fixture
def library(mixed: Mixed) -> Iterator[NoteLibrary]:
    with mixed.open() as opened:
        opened.refresh()
        yield opened


def test_each_note_is_read_by_the_model_of_its_language(mixed: Mixed, library: NoteLibrary) -> None:
    assert mixed.parts(library, "garden.md") == [True, False]
    assert mixed.parts(library, "bike.md") == [False, True]


def test_the_first_note_for_the_other_model_is_found_by_words_if_that_is_damaged(
    mixed: Mixed,
) -> None:
    (mixed.vault / "bike.md").unlink()
    with mixed.open() as library:
        library.refresh()
    write(mixed.vault, {"bike.md": GERMAN})
    files = list((Paths.choose(mixed.home).models / MULTILINGUAL).rglob("*.onnx"))
    whole = [file.read_bytes() for file in files]
    for file in files:
        file.write_bytes(b"no model")
    with mixed.open() as library:
        assert library.refresh().added == ("bike.md",)
        assert [section.path for section in library.search("Kette").sections] == ["bike.md"]
        assert library.check().remarks
    for file, content in zip(files, whole, strict=True):
        file.write_bytes(content)
    with mixed.open() as library:
        library.refresh()
        assert mixed.parts(library, "bike.md") == [False, True]


def test_a_query_finds_the_notes_of_both_models(mixed: Mixed) -> None:
    """The cosines of the other model are measured with its own notes."""
    add_translations(mixed)
    with mixed.open() as library:
        library.refresh()
        for query, note in (("watering tomatoes", "garden.md"), ("Sauerteig", "de/Sauerteig.md")):
            for mode in ("meaning", "hybrid"):
                assert library.search(query, mode=mode).sections[0].path == note
            assert library.passages(query).passages[0].path == note


def test_a_note_whose_language_changes_is_read_by_the_other_model(
    mixed: Mixed, library: NoteLibrary
) -> None:
    write(mixed.vault, {"bike.md": ENGLISH, "garden.md": GERMAN})
    library.refresh()
    assert mixed.parts(library, "bike.md") == [True, False]
    assert mixed.parts(library, "garden.md") == [False, True]
    assert unlike_vectors(library._index) == ([], 0)


def test_a_section_in_another_language_is_read_by_the_other_model(
    mixed: Mixed, library: NoteLibrary
) -> None:
    """An English note with a German section: each is found by the model that reads it."""
    for path in mixed.vault.glob("*.md"):
        path.unlink()
    add_translations(mixed)
    more = "## More\n\nThe pots are in the shed, and there is a lot of room for all of them.\n"
    write(mixed.vault, {"both.md": f"{ENGLISH}\n{GERMAN.replace('#', '##')}\n{more}"})
    library.refresh()
    assert mixed.parts(library, "both.md") == [True, True]
    assert unlike_vectors(library._index) == ([], 0)
    asked = ("watering tomatoes", "Garden"), ("Kette nach jeder Fahrt geputzt", "Fahrrad")
    for query, heading in asked:
        first = library.search(query, mode="meaning").sections[0]
        assert (first.path, first.section) == ("both.md", heading)


def test_the_nearest_sentence_is_found_by_the_model_of_its_language(mixed: Mixed) -> None:
    english = "The tomatoes need a lot of water in the summer. I like the sun on the balcony."
    german = "Die Kette wird nach jeder Fahrt geputzt. Der Reifen ist noch gut."
    with mixed.open() as library:
        both = library._model.get()
        assert library.nearest_sentence("Kette", german, lambda: False).startswith("Die Kette")
        assert "builtin" not in vars(both)
        assert library.nearest_sentence("watering", english, lambda: False).startswith("The tom")
        assert "builtin" in vars(both)


def test_an_empty_index_file_is_repaired_with_the_vectors_of_both_models(mixed: Mixed) -> None:
    with mixed.open() as library:
        library.refresh()
        file = Path(library.check().index_path)
    for beside in file.parent.glob(f"{file.name}-*"):
        beside.unlink()
    file.write_bytes(b"")
    with mixed.open() as library:
        assert library.repair().repaired
        assert mixed.parts(library, "garden.md") == [True, False]
        assert mixed.parts(library, "bike.md") == [False, True]
        assert library.search("watering tomatoes", mode="meaning").sections[0].path == "garden.md"
        assert library.check().problems == ()


def test_a_check_finds_nothing_wrong(library: NoteLibrary) -> None:
    assert unlike_vectors(library._index) == ([], 0)


def test_related_sections_are_of_the_same_model(mixed: Mixed, library: NoteLibrary) -> None:
    write(mixed.vault, {"pots.md": ENGLISH.replace("Garden", "Pots")})
    library.refresh()
    related = library.related("garden.md", other_notes_only=True)
    assert [section.path for section in related] == ["pots.md"]


def test_going_back_to_the_built_in_model_and_forth(mixed: Mixed) -> None:
    with mixed.open(BUILTIN_MODEL) as library:
        library.refresh()
    with mixed.open() as library:
        assert library.search("watering tomatoes", mode="meaning").meaning, "until the switch"
        assert library.refresh().embedded == 2
        assert library.search("watering tomatoes", mode="meaning").sections[0].path == "garden.md"
        assert mixed.parts(library, "bike.md") == [False, True]
    with mixed.open(BUILTIN_MODEL) as library:
        assert library.refresh().embedded == 0
    with mixed.open() as library:
        assert library.refresh().embedded == 0
        assert unlike_vectors(library._index) == ([], 0)


def test_a_folder_without_english_notes_needs_one_model(mixed: Mixed) -> None:
    (mixed.vault / "garden.md").unlink()
    with mixed.open() as library:
        library.refresh()
        assert library.search("Kette putzen").meaning
        model = library._model.loaded
        assert isinstance(model, TwoModels)
        assert "builtin" not in vars(model)


def test_a_folder_of_english_notes_alone_needs_the_built_in_model(mixed: Mixed) -> None:
    (mixed.vault / "bike.md").unlink()
    with mixed.open() as library:
        library.refresh()
    with mixed.open() as library:
        library.preload_model()
        library.load_model()
        assert library.search("watering tomatoes", mode="meaning").sections[0].path == "garden.md"
        model = library._model.loaded
        assert isinstance(model, TwoModels)
        assert not model.has_other
        write(mixed.vault, {"bike.md": GERMAN})
        library.refresh()
        assert library.search("Kette putzen").sections[0].path == "bike.md"
        assert model.has_other


def test_words_are_indexed_although_the_other_model_is_damaged(mixed: Mixed) -> None:
    graphs = (Paths.choose(mixed.home).models / MULTILINGUAL / "onnx").glob("*.onnx")
    for graph in graphs:
        graph.write_bytes(b"no model")
    with mixed.open() as library:
        assert library.refresh().embedded == 0
        found = library.search("Kette")
        assert [section.path for section in found.sections] == ["bike.md"]
        assert not found.meaning
        assert library.status().meaning_problem
