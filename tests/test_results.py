"""What results compute from their own fields."""

import pytest

from notesearch.results import WEAK, as_percent


@pytest.mark.parametrize(
    ("share", "weak", "percent"),
    [
        (0.0, 0.4, 0),
        (0.1, 0.4, 6),
        (0.378, 0.4, 24),
        (0.4, 0.4, WEAK),
        (0.6, 0.4, 50),
        (1.0, 0.4, 100),
        # More than the maximum, and less than nothing.
        (1.2, 0.4, 100),
        (-0.1, 0.4, 0),
    ],
)
def test_a_score_rises_to_25_with_weak_evidence_and_from_there_to_100(
    share: float, weak: float, percent: int
) -> None:
    assert as_percent(share, weak) == percent


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_a_share_is_its_own_score_if_a_quarter_is_weak(share: float) -> None:
    assert as_percent(share) == round(100 * share)
