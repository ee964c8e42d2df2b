"""Graded questions to the sample notes: how often the section somebody means stands where."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from notesearch.config import resources
from notesearch.library import NoteLibrary
from tests.quality.evaluate import figures

QUERIES = Path(__file__).with_name("sample_queries.toml")


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and the sections (path and heading) that answer it."""

    text: str
    kind: str
    hard: bool
    answers: frozenset[tuple[str, str]]


def questions() -> list[Question]:
    """Read the labelled queries."""
    rows = tomllib.loads(QUERIES.read_text("utf-8"))["query"]
    return [
        Question(
            row["text"],
            row["kind"],
            row.get("hard", False),
            frozenset((answer["path"], answer["section"]) for answer in row["answers"]),
        )
        for row in rows
    ]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    """Give the sample notes, indexed with the real model."""
    home = tmp_path_factory.mktemp("home")
    with NoteLibrary.open(resources() / "sample-vault", home=home) as library:
        library.refresh()
        yield library


def place(library: NoteLibrary, question: Question, mode: str) -> int | None:
    """Return where the first answer stands, from 1."""
    found = library.search(question.text, limit=10, per_note=10, mode=mode).sections
    places = (i for i, s in enumerate(found, 1) if (s.path, s.section) in question.answers)
    return next(places, None)


FLOORS = [
    # mode, kinds (none: all that are not hard), hit@1, hit@3, hit@10
    ("hybrid", (), 0.72, 0.85, 0.93),
    ("words", ("heading", "words", "stem"), 0.90, 0.97, 0.97),
    ("meaning", (), 0.60, 0.75, 0.88),
    ("hybrid", ("heading",), 1.0, 1.0, 1.0),
    ("hybrid", ("paraphrase",), 0.33, 0.65, 0.80),
]


@pytest.mark.parametrize(("mode", "kinds", "first", "third", "tenth"), FLOORS)
def test_the_section_meant_stands_high(
    sample: NoteLibrary, mode: str, kinds: tuple[str, ...], first: float, third: float, tenth: float
) -> None:
    asked = [q for q in questions() if (q.kind in kinds if kinds else True) and not q.hard]
    places = {question.text: place(sample, question, mode) for question in asked}
    found = figures(list(places.values()))
    low = {text: at for text, at in places.items() if at is None or at > 3}
    assert found["hit@1"] >= first, low
    assert found["hit@3"] >= third, low
    assert found["hit@10"] >= tenth, low


def test_hybrid_is_no_worse_than_its_parts(sample: NoteLibrary) -> None:
    asked = [question for question in questions() if not question.hard]
    best = {
        mode: figures([place(sample, question, mode) for question in asked])["MRR@10"]
        for mode in ("words", "meaning", "hybrid")
    }
    assert best["hybrid"] >= max(best["words"], best["meaning"]), best
