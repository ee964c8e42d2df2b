"""When notes are indexed: rules for frequent saves, huge notes and typing, by the test's clock."""

import pytest

from notesearch.index.scheduling import PAUSE_S, TYPING_S, WORK_S, SaveThrottle, TypingPause
from tests.clock import Clock


class TestSaveThrottle:
    def test_a_note_saved_all_the_time_is_indexed_every_two_seconds(self) -> None:
        throttle, indexed = SaveThrottle(), 0
        for tick in range(600):  # a save every 0.2 s for two minutes
            if throttle.admit(["a.md"], tick / 5):
                throttle.indexed(["a.md"], tick / 5)
                indexed += 1
        assert indexed <= 61

    def test_the_last_save_is_indexed_soon(self) -> None:
        throttle = SaveThrottle()
        for tick in range(20):
            if throttle.admit(["a.md"], tick / 5):
                throttle.indexed(["a.md"], tick / 5)
        seconds = throttle.seconds_until_due(60, 3.8)
        assert seconds <= 4
        assert throttle.admit([], 3.8 + seconds + 0.001) == {"a.md"}
        assert throttle.seconds_until_due(60, 9.0) == 60

    def test_two_saves_in_a_row_and_other_notes_do_not_wait(self) -> None:
        throttle = SaveThrottle()
        for now in (0.0, 0.1):
            assert throttle.admit(["a.md"], now) == {"a.md"}
            throttle.indexed(["a.md"], now)
        assert throttle.admit(["a.md", "b.md"], 0.2) == {"b.md"}

    def test_nothing_waits_after_a_full_comparison(self) -> None:
        throttle = SaveThrottle()
        for now in (0.0, 0.1):
            throttle.indexed(["a.md"], now)
        assert not throttle.admit(["a.md"], 0.2)
        throttle.clear()
        assert not throttle.admit([], 100.0)

    def test_forgets_notes_that_are_no_longer_saved(self) -> None:
        throttle = SaveThrottle()
        throttle.indexed([f"{n}.md" for n in range(1000)], 0.0)
        throttle.indexed(["a.md"], 100.0)
        assert len(throttle._indexed) == 1


def work(pause: TypingPause, clock: Clock, seconds: float, *, typing: bool) -> float:
    """Index notes of 5 ms each until the clock has advanced; return the seconds of work."""
    end, worked = clock.now + seconds, 0.0
    while clock.now < end:
        if typing:
            pause.record_keystroke()
        pause.pause()
        clock.advance(0.005)
        worked += 0.005
    return worked


class TestTypingPause:
    @pytest.fixture
    def clock(self) -> Clock:
        return Clock(100.0)

    @pytest.fixture
    def pause(self, clock: Clock) -> TypingPause:
        return TypingPause(clock.wait, clock.monotonic)

    def test_nothing_waits_while_nobody_types(self, pause: TypingPause, clock: Clock) -> None:
        work(pause, clock, 1.0, typing=False)
        assert clock.waited == 0

    def test_a_keystroke_pauses_for_a_moment(self, pause: TypingPause, clock: Clock) -> None:
        pause.record_keystroke()
        pause.pause()
        assert clock.waited == pytest.approx(PAUSE_S)
        work(pause, clock, 10.0, typing=False)
        assert PAUSE_S < clock.waited < TYPING_S

    def test_an_old_keystroke_does_not_pause(self, pause: TypingPause, clock: Clock) -> None:
        pause.record_keystroke()
        clock.advance(TYPING_S)
        pause.pause()
        assert clock.waited == 0

    def test_a_third_of_the_time_is_work_however_long_somebody_types(
        self, pause: TypingPause, clock: Clock
    ) -> None:
        worked = work(pause, clock, 60.0, typing=True)
        assert worked / 60 == pytest.approx(WORK_S / (WORK_S + PAUSE_S), abs=0.04)

    def test_does_not_wait_when_everything_is_to_end(
        self, pause: TypingPause, clock: Clock
    ) -> None:
        clock.is_set = True
        pause.record_keystroke()
        pause.pause()
        assert clock.waited <= PAUSE_S
