"""Figures from the ranks of right answers, and how certain they are.

A query is judged by the ranks (from 1) of its answers among the first ten results. docs/quality.md
explains the figures.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

DEPTH = 10
_ROUNDS = 2000
_SEED = 20_240_229

_BEST_GAIN, _HELPFUL_GAIN = 3, 1
"""2 ** grade - 1 of the two grades."""


@dataclass(frozen=True, slots=True)
class Judged:
    """How one query was answered.

    Attributes:
        places: Ranks of the answers found, best first.
        answers: How many answers there are.
        helpful_places: Ranks of results that only help.
        helpful: How many answers there are that only help.
        strict: Rank of the first result with an answer's very own heading; 0 for none.
    """

    places: tuple[int, ...]
    answers: int
    helpful_places: tuple[int, ...] = ()
    helpful: int = 0
    strict: int = 0

    @property
    def first(self) -> int | None:
        """The rank of the first answer."""
        return self.places[0] if self.places else None


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and its 95 % confidence interval."""

    value: float
    low: float
    high: float


def judge(
    found: Sequence[frozenset[int]],
    answers: int,
    helpful: Collection[int] = (),
    strict: Sequence[bool] = (),
) -> Judged:
    """Return the ranks of answers among the first ten results.

    An answer counts once, however many of its parts were found. A result that lies in several
    answers counts for one that was not found before: a full answer before a helpful one, then the
    one with the highest number.

    Args:
        found: The answers, by number, that each result is or lies in.
        answers: How many there are, the helpful ones included.
        helpful: Numbers of those that only help.
        strict: Whether each result has an answer's very own heading.
    """
    taken: set[int] = set()
    best: list[int] = []
    helping: list[int] = []
    for place, numbers in enumerate(found[:DEPTH], 1):
        left = numbers - taken
        if left:
            number = max(left, key=lambda n: (n not in helpful, n))
            taken.add(number)
            (helping if number in helpful else best).append(place)
    first_strict = next((n for n, is_strict in enumerate(strict[:DEPTH], 1) if is_strict), 0)
    return Judged(tuple(best), answers - len(helpful), tuple(helping), len(helpful), first_strict)


def hit(judged: Judged, within: int) -> float:
    """Return 1 when an answer stands among the first ``within``."""
    return float(judged.first is not None and judged.first <= within)


def reciprocal_rank(judged: Judged) -> float:
    """Return 1 for a first answer at the top, 1/2 at the second rank, 0 when there is none."""
    return 1 / judged.first if judged.first else 0.0


def ndcg(judged: Judged) -> float:
    """Return the discounted gain of all answers, as a share of the best possible."""
    full = min(judged.answers, DEPTH)
    rest = min(judged.helpful, DEPTH - full)
    best = _gain(range(1, full + 1), range(full + 1, full + rest + 1))
    return _gain(judged.places, judged.helpful_places) / best if best else 0.0


def _gain(places: Sequence[int], helpful: Sequence[int]) -> float:
    full = sum(_BEST_GAIN / math.log2(place + 1) for place in places)
    return full + sum(_HELPFUL_GAIN / math.log2(place + 1) for place in helpful)


Measure = Callable[[Judged], float]

MEASURES: dict[str, Measure] = {
    "hit@1": lambda judged: hit(judged, 1),
    "hit@3": lambda judged: hit(judged, 3),
    "hit@10": lambda judged: hit(judged, 10),
    "MRR@10": reciprocal_rank,
    "nDCG@10": ndcg,
}

STRICT_MEASURES: dict[str, Measure] = {
    "strict hit@1": lambda judged: float(judged.strict == 1),
    "strict MRR@10": lambda judged: 1 / judged.strict if judged.strict else 0.0,
}
"""Measures for which only the answer's own heading counts, not a part of the answer."""


def means(judged: Sequence[Judged]) -> dict[str, float]:
    """Return the mean of each measure."""
    return {
        name: sum(map(measure, judged)) / max(1, len(judged)) for name, measure in MEASURES.items()
    }


def figures(judged: Sequence[Judged]) -> dict[str, Figure]:
    """Return each measure with its interval."""
    return {name: interval([measure(j) for j in judged]) for name, measure in MEASURES.items()}


def differences(before: Sequence[Judged], after: Sequence[Judged]) -> dict[str, Figure]:
    """Return what changed in each measure; the two runs answered the same queries, in order."""
    pairs = list(zip(before, after, strict=True))
    return {
        name: interval([measure(new) - measure(old) for old, new in pairs])
        for name, measure in MEASURES.items()
    }


def interval(values: Sequence[float]) -> Figure:
    """Return the mean of ``values``, and the middle 95 % of the means of resampled ones.

    The seed is fixed and rows are drawn by their number, so two runs over the same queries are
    resampled alike.
    """
    if not values:
        return Figure(0.0, 0.0, 0.0)
    rows = np.asarray(values, np.float64)
    drawn = np.random.default_rng(_SEED).integers(0, len(rows), (_ROUNDS, len(rows)))
    low, high = np.percentile(rows[drawn].mean(axis=1), (2.5, 97.5))
    return Figure(float(rows.mean()), float(low), float(high))
