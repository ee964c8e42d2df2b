"""Switching models: words are always searched, and old vectors serve until the new are ready."""

import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.embedding.model_loader import load_embedder
from notesearch.errors import IndexFileError
from notesearch.library import NoteLibrary
from notesearch.status import Report
from tests import index_contents
from tests.embedding import tiny_model
from tests.folders import write
from tests.store import invariants

COLOURS = ["red", "green", "blue"]
NOTES = {
    f"{number}.md": f"# {colour} {number}\n\n{colour} {'blue ' * number}\n"
    for number, colour in enumerate(COLOURS * 3)
}


@dataclass
class Bench:
    """A folder of notes and two models: one of three dimensions, one of six."""

    vault: Path
    paths: Paths

    def open(self, model: str) -> NoteLibrary:
        return NoteLibrary.open(self.vault, home=self.paths, settings=self.settings(model))

    def settings(self, model: str) -> Settings:
        return Settings(model=model)

    def refresh(self, model: str, patience: float | None = None) -> Report:
        with self.open(model) as library:
            return library.refresh(patience=patience)

    def searched(self, model: str) -> list[tuple[str, bool]]:
        """Return the name of each model with vectors, and whether searches use it."""
        with self.open(model) as library:
            return [(one.name, one.searched) for one in library.vectors.all()]

    def assert_like_new(self, model: str) -> None:
        index = self.paths.index_file(self.vault)
        embedder = load_embedder(model, self.paths.models)
        scratch = index_contents.from_scratch(self.vault, self.settings(model), embedder)
        assert index_contents.of(index) == scratch
        invariants.check(index, swept=True)


@pytest.fixture
def bench(vault: Path, home: Path) -> Bench:
    paths = Paths.choose(home)
    paths.models.mkdir(parents=True)
    tiny_model.write(paths.models / "three")
    tiny_model.write(paths.models / "six", pooling=["mean", "max"])
    write(vault, NOTES)
    made = Bench(vault, paths)
    made.refresh("three")
    return made


def test_the_old_model_answers_until_the_new_one_is_ready(bench: Bench) -> None:
    with bench.open("six") as library:
        assert library.search("green", mode="meaning").meaning
        library.refresh(patience=0)
        status = library.status()
        assert (status.model, status.former_model) == ("six", "three")
        assert status.pending == len(NOTES)
        assert library.search("green", mode="meaning").sections
        assert library.search("green").sections
        library.refresh()
        assert library.status().former_model == ""
        assert library.search("green", mode="meaning").sections
    bench.assert_like_new("six")


def test_going_back_embeds_nothing(bench: Bench) -> None:
    assert bench.refresh("six").embedded == len(NOTES)
    assert bench.searched("six") == [("six", True), ("three", False)]
    assert bench.refresh("three").embedded == 0
    assert bench.searched("three") == [("three", True), ("six", False)]
    bench.assert_like_new("three")


def test_unused_vectors_have_a_size_and_can_be_deleted(bench: Bench) -> None:
    bench.refresh("six")
    with bench.open("six") as library:
        _, kept = library.vectors.all()
        assert (kept.vectors, kept.size) == (len(NOTES), len(NOTES) * (10 + 3 + 10 + 1))
        library.vectors.forget(kept.fingerprint)
        assert [one.name for one in library.vectors.all()] == ["six"]
    assert bench.refresh("three").embedded == len(NOTES)


def test_a_model_keeps_its_number_and_size_of_vectors_when_another_is_used(bench: Bench) -> None:
    def counted(model: str) -> tuple[int, int]:
        with bench.open(model) as library:
            (three,) = [stored for stored in library.vectors.all() if stored.name == "three"]
        return three.vectors, three.size

    searched = counted("three")
    bench.refresh("six")
    assert counted("six") == searched


def test_deleting_vectors_makes_no_index(bench: Bench) -> None:
    with bench.open("six") as library:
        index = Path(library.status().index_path)
        library.delete_index()
        with pytest.raises(IndexFileError, match="not indexed yet"):
            library.vectors.forget("three")
        assert not index.exists()


def test_notes_that_change_during_a_switch(bench: Bench) -> None:
    bench.refresh("six", patience=0)
    write(bench.vault, {"0.md": "# red\n\nanother green\n", "new.md": "# new\n\nblue\n"})
    (bench.vault / "1.md").unlink()
    (bench.vault / "2.md").rename(bench.vault / "moved.md")
    bench.refresh("six", patience=0)
    with bench.open("six") as library:
        found = [one.path for one in library.search("another", mode="words").sections]
        assert found == ["0.md"], "its words are current though its meaning waits"
        assert library.search("blue", mode="meaning").sections
    bench.refresh("six")
    bench.assert_like_new("six")


def test_an_abandoned_switch(bench: Bench) -> None:
    bench.refresh("six", patience=0)
    write(bench.vault, {"0.md": "# red\n\nanother green\n"})
    bench.refresh("six", patience=0)
    assert bench.refresh("three").embedded == 1
    bench.assert_like_new("three")


def test_a_switch_from_a_model_that_was_not_ready(bench: Bench) -> None:
    write(bench.vault, {"0.md": "# red\n\nanother green\n"})
    bench.refresh("three", patience=0)
    bench.refresh("six", patience=0)
    invariants.check(bench.paths.index_file(bench.vault))
    bench.refresh("three", patience=0)
    bench.refresh("six")
    bench.assert_like_new("six")


def test_without_its_model_search_by_words_remains(bench: Bench) -> None:
    """Its vectors are not compared with those of another model of the same name, either."""
    (bench.paths.models / "three").rename(bench.paths.models / "elsewhere")
    tiny_model.write(bench.paths.models / "three", pooling="max")
    with bench.open("six") as library:
        assert library.search("green").sections
        assert not library.search("green").meaning


def test_searches_continue_during_a_switch(bench: Bench) -> None:
    """No search fails, loses meaning, or compares vectors of two models."""
    ended, problems, durations = threading.Event(), list[object](), list[float]()

    def search() -> None:
        with bench.open("three") as library:
            while not ended.is_set():
                found = library.search("green", mode="meaning")
                best = found.sections[0].path if found.sections else ""
                if not found.meaning or NOTES[best].split()[1] != "green":
                    problems.append(found)
                durations.append(found.took_ms)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for model in ("six", "three") * 4:
            before = len(durations)
            bench.refresh(model)
            while len(durations) < before + 4 and all(one.is_alive() for one in threads):
                ended.wait(0.001)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert problems == []
    assert len(durations) >= 32
