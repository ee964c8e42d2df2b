"""Questions to the sample notes: how high the section that answers stands."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from notesearch.config import resources
from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary
from tests.quality.labels import SAMPLE, SECTIONS, TYPED, tasks
from tests.quality.measures import means
from tests.quality.runs import MODES, Outcome, run

Outcomes = Mapping[str, Sequence[Outcome]]


@pytest.fixture(scope="module")
def answers(sample_home: Path, embedder: Embedder) -> Outcomes:
    """Ask the sample notes the first set of questions in each mode, with the real model."""
    return _ask(sample_home, embedder, SECTIONS)


@pytest.fixture(scope="module")
def typed(sample_home: Path, embedder: Embedder) -> Outcomes:
    """Ask the sample notes the questions as people type them, in each mode."""
    return _ask(sample_home, embedder, TYPED)


def _ask(home: Path, embedder: Embedder, level: str) -> Outcomes:
    (task,) = tasks(SAMPLE, (level,))
    vault = resources() / "sample-vault"
    with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
        return {mode: run(library, task, mode).outcomes for mode in MODES}


FLOORS = [
    # mode, kinds (none: all that are not hard), hit@1, hit@3, hit@10
    ("hybrid", (), 0.72, 0.85, 0.93),
    ("words", ("heading", "words", "stem"), 0.90, 0.97, 0.97),
    ("meaning", (), 0.60, 0.75, 0.88),
    ("hybrid", ("heading",), 1.0, 1.0, 1.0),
    ("hybrid", ("paraphrase",), 0.33, 0.60, 0.80),
]


@pytest.mark.parametrize(("mode", "kinds", "first", "third", "tenth"), FLOORS)
def test_the_section_that_answers_ranks_high(
    answers: Outcomes, mode: str, kinds: tuple[str, ...], first: float, third: float, tenth: float
) -> None:
    outcomes = _of_kinds(answers[mode], kinds)
    found = means([outcome.judged for outcome in outcomes])
    low = {o.text: o.judged.first for o in outcomes if (o.judged.first or 1000) > 3}
    assert found["hit@1"] >= first, low
    assert found["hit@3"] >= third, low
    assert found["hit@10"] >= tenth, low


TYPED_FLOORS = [
    # kind, hit@1, MRR@10
    ("keywords", 0.92, 0.95),
    ("question", 0.84, 0.90),
    ("memory", 0.60, 0.70),
]


@pytest.mark.parametrize(("kind", "first", "reciprocal"), TYPED_FLOORS)
def test_the_answer_to_a_typed_question_ranks_high(
    typed: Outcomes, kind: str, first: float, reciprocal: float
) -> None:
    outcomes = _of_kinds(typed["hybrid"], (kind,))
    found = means([outcome.judged for outcome in outcomes])
    low = {o.text: o.judged.first for o in outcomes if o.judged.first != 1}
    assert found["hit@1"] >= first, low
    assert found["MRR@10"] >= reciprocal, low


def test_hybrid_is_no_worse_than_its_parts(answers: Outcomes) -> None:
    best = {
        mode: means([outcome.judged for outcome in _of_kinds(outcomes)])["MRR@10"]
        for mode, outcomes in answers.items()
    }
    assert best["hybrid"] >= max(best["words"], best["meaning"]), best


def _of_kinds(outcomes: Sequence[Outcome], kinds: tuple[str, ...] = ()) -> list[Outcome]:
    """Return the outcomes of some kinds; without kinds, of all that are not hard."""
    return [o for o in outcomes if (o.split in kinds if kinds else not o.split.startswith("hard "))]
