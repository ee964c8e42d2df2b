"""The measures against values worked out by hand."""

import pytest

from tests.quality.measures import DEPTH, Judged, differences, figures, interval, judge, means

NONE: frozenset[int] = frozenset()


def found(*numbers: int | tuple[int, ...] | None) -> list[frozenset[int]]:
    """Return results that are answer ``n``, lie in several answers, or are none."""
    return [NONE if n is None else frozenset((n,) if isinstance(n, int) else n) for n in numbers]


PLACES = [
    # results, how many answers, places
    (found(0), 1, (1,)),
    (found(None, None, 0), 1, (3,)),
    (found(None, None), 1, ()),
    (found(), 1, ()),
    (found(1, None, 0), 2, (1, 3)),
    # Two parts of one section are one answer.
    (found(None, 0, 0, 0), 1, (2,)),
    # A section inside another that answers too: both can still be found.
    (found((0, 1), 0), 2, (1, 2)),
    (found((0, 1), (0, 1)), 2, (1, 2)),
    # What stands below the tenth place is not seen.
    (found(*[None] * DEPTH, 0), 1, ()),
    (found(*[None] * (DEPTH - 1), 0), 1, (10,)),
]


@pytest.mark.parametrize(("results", "answers", "places"), PLACES)
def test_where_answers_stand(
    results: list[frozenset[int]], answers: int, places: tuple[int, ...]
) -> None:
    assert judge(results, answers) == Judged(places, answers)


GRADED = [
    # results, answers (the last only helps), helpful, judged
    (found(1, 0), 2, [1], Judged((2,), 1, (1,), 1)),
    # What lies in both counts for the answer first, then for what helps.
    (found((0, 1), (0, 1)), 2, [1], Judged((1,), 1, (2,), 1)),
    (found(None, 1), 2, [1], Judged((), 1, (2,), 1)),
]


@pytest.mark.parametrize(("results", "answers", "helpful", "judged"), GRADED)
def test_a_helpful_section_is_no_answer(
    results: list[frozenset[int]], answers: int, helpful: list[int], judged: Judged
) -> None:
    assert judge(results, answers, helpful) == judged


def test_a_part_of_the_answer_is_not_its_very_heading() -> None:
    assert judge(found(0, 0), 1, strict=[False, True]) == Judged((1,), 1, strict=2)


def test_an_answer_gains_three_times_as_much_as_a_section_that_helps() -> None:
    # (1 + 3 / log2(3)) / (3 + 1 / log2(3))
    assert means([Judged((2,), 1, (1,), 1)])["nDCG@10"] == pytest.approx(0.7967, abs=1e-4)
    assert means([Judged((1,), 1, (), 1)])["nDCG@10"] == pytest.approx(0.8262, abs=1e-4)


BY_HAND = [
    # places, answers, hit@1, hit@3, hit@10, MRR@10, nDCG@10
    ((1,), 1, 1, 1, 1, 1, 1),
    ((2,), 1, 0, 1, 1, 0.5, 0.6309),  # 1 / log2(3)
    ((3,), 1, 0, 1, 1, 0.3333, 0.5),  # 1 / log2(4)
    ((7,), 1, 0, 0, 1, 0.1429, 0.3333),  # 1 / log2(8)
    ((), 1, 0, 0, 0, 0, 0),
    ((1, 2), 2, 1, 1, 1, 1, 1),
    ((1,), 2, 1, 1, 1, 1, 0.6131),  # 1 / (1 + 0.6309)
    ((1, 3), 2, 1, 1, 1, 1, 0.9197),  # (1 + 0.5) / (1 + 0.6309)
    ((2, 3), 3, 0, 1, 1, 0.5, 0.5307),  # (0.6309 + 0.5) / (1 + 0.6309 + 0.5)
    # Of more answers than ten places, ten are the best there can be.
    (tuple(range(1, 11)), 25, 1, 1, 1, 1, 1),
]


@pytest.mark.parametrize(("places", "answers", "h1", "h3", "h10", "mrr", "ndcg"), BY_HAND)
def test_one_query(
    places: tuple[int, ...], answers: int, h1: float, h3: float, h10: float, mrr: float, ndcg: float
) -> None:
    measured = means([Judged(places, answers)])
    expected = {"hit@1": h1, "hit@3": h3, "hit@10": h10, "MRR@10": mrr, "nDCG@10": ndcg}
    assert measured == pytest.approx(expected, abs=1e-4)


def test_a_figure_is_the_mean_over_queries() -> None:
    judged = [Judged((1,), 1), Judged((4,), 1), Judged((), 1), Judged((), 1)]
    assert means(judged)["hit@1"] == 0.25
    assert means(judged)["hit@10"] == 0.5
    assert means(judged)["MRR@10"] == pytest.approx((1 + 0.25) / 4)
    assert figures(judged)["MRR@10"].value == means(judged)["MRR@10"]


def test_the_interval_is_that_of_a_coin() -> None:
    """A hundred tosses, half of them heads: 0.5, and 1.96 standard errors (0.05) to each side."""
    measured = interval([0.0, 1.0] * 50)
    assert measured.value == 0.5
    assert measured.low == pytest.approx(0.402, abs=0.02)
    assert measured.high == pytest.approx(0.598, abs=0.02)


def test_the_interval_is_the_same_each_time() -> None:
    assert interval([0.0, 1.0, 0.5]) == interval([0.0, 1.0, 0.5])


def test_no_query_no_figure() -> None:
    assert interval([]).value == 0.0


def test_a_difference_is_taken_query_by_query() -> None:
    """Queries differ much, but each gained the same, so the difference has a narrow interval."""
    before = [Judged((2,), 1), Judged((), 1)] * 20
    after = [Judged((1,), 1), Judged((2,), 1)] * 20
    measured = differences(before, after)["MRR@10"]
    assert (measured.value, measured.low, measured.high) == (0.5, 0.5, 0.5)
