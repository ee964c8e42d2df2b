"""The estimated time left for embedding, by a clock that the test sets."""

import pytest

from notesearch.gui.session.open_vault import TimeLeft
from notesearch.status import Phase, Progress

RESTING = Progress(Phase.IDLE)


def embedded(done: int) -> Progress:
    return Progress(Phase.MEANING, done, 1000)


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        ([(0, embedded(0))], None),
        ([(0, embedded(0)), (2, embedded(100))], None),
        ([(0, embedded(0)), (10, embedded(100))], 90),
        ([(0, embedded(400)), (10, embedded(500))], 50),
        ([(0, embedded(0)), (10, embedded(0))], None),
        ([(0, embedded(0)), (5, RESTING), (99, embedded(1)), (109, embedded(2))], 9980),
        ([(0, embedded(900)), (60, embedded(0)), (70, embedded(500))], 10),
        ([(0, Progress(Phase.WORDS, 1, 9)), (9, Progress(Phase.WORDS, 2, 9))], None),
    ],
    ids=[
        "begun", "too early to say", "a tenth in 10 s", "only what was made since counts",
        "nothing was made", "a rest does not count", "another model begins anew", "notes",
    ],
)  # fmt: skip
def test_the_estimate_follows_the_recent_pace(
    steps: list[tuple[float, Progress]], left: float | None
) -> None:
    times = (now for now, _ in steps)
    time_left = TimeLeft(lambda: next(times))
    for _, progress in steps:
        time_left.update(progress)
    assert time_left.seconds == (None if left is None else pytest.approx(left))
