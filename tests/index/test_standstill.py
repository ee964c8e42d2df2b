"""Whoever types is waited for, and notes are indexed all the same."""

import pytest

from notesearch.index.standstill import ASKED_S, STILL_S, WORK_S, Standstill


class Clock:
    """A clock that goes on while somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waited = 0.0
        self.ends = False

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        self.waited += seconds
        return self.ends


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def standstill(clock: Clock) -> Standstill:
    return Standstill(clock.wait, clock)


def work(standstill: Standstill, clock: Clock, seconds: float, *, typing: bool) -> float:
    """Index notes of 5 ms each for so long, by the clock; return for how long they were worked."""
    until, worked = clock.now + seconds, 0.0
    while clock.now < until:
        if typing:
            standstill.ask()
        standstill.keep()
        clock.now += 0.005
        worked += 0.005
    return worked


def test_where_nobody_types_nothing_waits(standstill: Standstill, clock: Clock) -> None:
    work(standstill, clock, 1.0, typing=False)
    assert clock.waited == 0


def test_a_wish_is_waited_for_and_over_soon(standstill: Standstill, clock: Clock) -> None:
    standstill.ask()
    standstill.keep()
    assert clock.waited == pytest.approx(STILL_S)
    work(standstill, clock, 10.0, typing=False)
    assert STILL_S < clock.waited < ASKED_S


def test_a_wish_that_nobody_had_time_for_is_over(standstill: Standstill, clock: Clock) -> None:
    standstill.ask()
    clock.now += ASKED_S
    standstill.keep()
    assert clock.waited == 0


def test_a_third_of_the_time_is_worked_however_long_somebody_types(
    standstill: Standstill, clock: Clock
) -> None:
    worked = work(standstill, clock, 60.0, typing=True)
    assert worked / 60 == pytest.approx(WORK_S / (WORK_S + STILL_S), abs=0.04)


def test_what_ends_does_not_wait(standstill: Standstill, clock: Clock) -> None:
    clock.ends = True
    standstill.ask()
    standstill.keep()
    assert clock.waited <= STILL_S
