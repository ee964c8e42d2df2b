"""Figures from the places at which right answers stood, and how sure they are.

A query is judged by the places (from 1) of its answers among the first ten. What the figures mean
is told in docs/quality.md.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

DEPTH = 10
_ROUNDS = 2000
_SEED = 20_240_229


@dataclass(frozen=True, slots=True)
class Judged:
    """How one query was answered: where answers stood, best first, and how many there are."""

    places: tuple[int, ...]
    answers: int

    @property
    def first(self) -> int | None:
        """The place of the first answer."""
        return self.places[0] if self.places else None


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and the interval that holds it with 95 of 100."""

    value: float
    low: float
    high: float


def judge(found: Sequence[frozenset[int]], answers: int) -> Judged:
    """Return the places of answers, given which answers (by number) each result is or lies in.

    An answer counts once, however many of its parts were found. A result that lies in several
    answers counts for the one with the highest number that was not found before.
    """
    taken: set[int] = set()
    places = []
    for place, numbers in enumerate(found[:DEPTH], 1):
        left = numbers - taken
        if left:
            taken.add(max(left))
            places.append(place)
    return Judged(tuple(places), answers)


def hit(judged: Judged, within: int) -> float:
    """Return 1 when an answer stands among the first ``within``."""
    return float(judged.first is not None and judged.first <= within)


def reciprocal_rank(judged: Judged) -> float:
    """Return 1 for a first answer at the top, 1/2 at the second place, 0 when it is not there."""
    return 1 / judged.first if judged.first else 0.0


def ndcg(judged: Judged) -> float:
    """Return the discounted gain of all answers, as a share of the best there could be."""
    best = _gain(range(1, min(judged.answers, DEPTH) + 1))
    return _gain(judged.places) / best if best else 0.0


def _gain(places: Sequence[int]) -> float:
    return sum(1 / math.log2(place + 1) for place in places)


MEASURES: dict[str, Callable[[Judged], float]] = {
    "hit@1": lambda judged: hit(judged, 1),
    "hit@3": lambda judged: hit(judged, 3),
    "hit@10": lambda judged: hit(judged, 10),
    "MRR@10": reciprocal_rank,
    "nDCG@10": ndcg,
}


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

    The seed is fixed and the rows are drawn by their number, so that two runs over the same
    queries are resampled alike.
    """
    if not values:
        return Figure(0.0, 0.0, 0.0)
    told = np.asarray(values, np.float64)
    rows = np.random.default_rng(_SEED).integers(0, len(told), (_ROUNDS, len(told)))
    low, high = np.percentile(told[rows].mean(axis=1), (2.5, 97.5))
    return Figure(float(told.mean()), float(low), float(high))
