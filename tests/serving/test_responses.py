"""The distances of an answer by meaning never fall."""

from dataclasses import replace

import pytest

from notesearch.results import Mode, SearchResult
from notesearch.wire.responses import semantic_search_response
from tests.gui.made import note


@pytest.mark.parametrize(
    ("scores", "distances"),
    [
        ([3.0, 1.0, 0.0], [0.25, 0.5, 1.0]),
        ([1.0, 3.0, 0.25, 1.0], [0.5, 0.5, 0.8, 0.8]),  # the first is named exactly as in the query
        ([-1.0], [1.0]),
        ([], []),
    ],
)
def test_distances_keep_the_order_of_the_passages(
    scores: list[float], distances: list[float]
) -> None:
    found = note("a.md", *(f"H{n}" for n in range(len(scores))))
    ranked = tuple(
        replace(one, score=score) for one, score in zip(found.sections, scores, strict=True)
    )
    result = SearchResult("x", Mode.MEANING, 1.0, len(ranked), (found,), ranked, meaning=True)
    assert [one.distance for one in semantic_search_response(result).results] == distances
