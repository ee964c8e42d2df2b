"""Reranking: a model improves the order of results in limited time."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from notesearch.embedding.reranker import is_reranker, load_reranker
from notesearch.errors import ModelError, SearchCancelledError
from notesearch.library import NoteLibrary
from notesearch.results import SearchResult
from notesearch.search.reranking import reranked
from tests.embedding.extra import needs_extra
from tests.embedding.tiny_model import put
from tests.folders import write

NOTES = {
    "a.md": "# Otters\n\nThey swim.\n\n## Food\n\nOtters eat fish.\n",
    "b.md": "# Rivers\n\nOtters live there.\n",
    "c.md": "# Zoo\n\nTwo otters and a beaver.\n",
}


class Longest:
    """A model that prefers long passages and counts its calls."""

    def __init__(self, least: int = 0) -> None:
        self.reached: list[tuple[str, str]] = []
        self.least = least

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.reached += [(query, text) for text in texts]
        return [float(len(text)) for text in texts]


@pytest.fixture
def found(vault: Path, words_only: object) -> SearchResult:
    write(vault, NOTES)
    with NoteLibrary.open(vault, settings=words_only) as library:  # type: ignore[arg-type]
        library.refresh()
        return library.search("otters", per_note=5)


def never() -> bool:
    return False


def test_the_order_is_that_of_the_model(found: SearchResult) -> None:
    model = Longest()
    made = reranked(found, model, seconds=9, stopped=never)
    assert sorted(map(id, made.sections)) == sorted(map(id, found.sections))
    texts = [f"{s.title}: {s.section}\n{s.passage}" for s in made.sections]
    assert [len(text) for text in texts] == sorted(map(len, texts), reverse=True)
    assert {query for query, _ in model.reached} == {"otters"}
    assert [note.path for note in made.notes] == list(dict.fromkeys(s.path for s in made.sections))
    for note in made.notes:
        assert list(note.sections) == [s for s in made.sections if s.path == note.path]


def test_the_order_of_notes_does_not_need_the_same_objects(found: SearchResult) -> None:
    """Copied sections once raised a ``KeyError``."""
    sections = tuple(replace(section, complete=False) for section in found.sections)
    order = range(len(sections))[::-1]
    copied = replace(found, sections=sections).in_order(order)
    assert copied.notes == found.in_order(order).notes
    assert [note.path for note in copied.notes] == list(
        dict.fromkeys(section.path for section in copied.sections)
    )


def test_without_time_the_order_stays(found: SearchResult) -> None:
    model = Longest()
    assert reranked(found, model, seconds=-1, stopped=never).sections == found.sections
    assert model.reached == []


@pytest.mark.parametrize(("each", "reached"), [(0.1, 3), (0.25, 1), (0.9, 1), (0.001, 4)])
def test_it_stops_in_time(
    found: SearchResult, monkeypatch: pytest.MonkeyPatch, each: float, reached: int
) -> None:
    """The time of one passage tells how many more it can read. It reads at least one."""
    now = 100.0

    class Slow(Longest):
        def score(self, query: str, texts: Sequence[str]) -> list[float]:
            nonlocal now
            now += each * len(texts)
            return super().score(query, texts)

    monkeypatch.setattr("notesearch.search.reranking.time.monotonic", lambda: now)
    model = Slow()
    made = reranked(found, model, seconds=0.3, stopped=never)
    assert len(model.reached) == reached
    assert now - 100 <= max(each, 0.3) + 1e-9
    assert made.sections[reached:] == tuple(
        s for s in found.sections if s in made.sections[reached:]
    )


def test_a_newer_query_cancels_reranking(found: SearchResult) -> None:
    with pytest.raises(SearchCancelledError):
        reranked(found, Longest(), seconds=9, stopped=lambda: True)


def test_folders_that_are_no_models(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="There is no reranker"):
        load_reranker("nowhere", tmp_path)
    folder = tmp_path / "model"
    folder.mkdir()
    with pytest.raises(ModelError, match="is not a reranker"):
        load_reranker("model", tmp_path)
    put(folder, "config.json", {"architectures": ["BertForSequenceClassification"]})
    assert is_reranker(folder)
    (folder / "pytorch_model.bin").write_bytes(b"a pickle")
    with pytest.raises(ModelError, match="no safetensors file"):
        load_reranker("model", tmp_path)


@pytest.mark.extra
class TestWithTheExtra:
    pytestmark = needs_extra

    def test_both_engines_score_the_same(self, tmp_path: Path) -> None:
        from notesearch.embedding.reranker import OnnxReranker, TorchReranker
        from tests.embedding import random_model

        folder = random_model.write_reranker(tmp_path / "model")
        quick = load_reranker("model", tmp_path)
        assert isinstance(quick, OnnxReranker)
        texts = ["otters swim", "the beaver builds", "red " * 99, ""]
        whole = TorchReranker(folder).score("otters", texts)
        assert len(set(whole)) > 1
        ours = quick.score("otters", texts)
        assert sorted(range(3), key=lambda i: ours[i]) == sorted(range(3), key=lambda i: whole[i])
