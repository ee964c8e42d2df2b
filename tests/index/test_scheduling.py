"""When notes are indexed: rules for frequent saves, huge notes and typing, by the test's clock."""

import pytest

from notesearch.index import scheduling
from notesearch.index.scheduling import PAUSE_S, TYPING_S, WORK_S, SaveThrottle, TypingPause
from tests.clock import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(100.0)
    monkeypatch.setattr(scheduling, "time", clock)
    return clock


@pytest.fixture
def gone() -> set[str]:
    """The paths at which there is no file."""
    return set()


@pytest.fixture
def throttle(clock: Clock, gone: set[str]) -> SaveThrottle:
    return SaveThrottle(lambda path: path not in gone)


def save(throttle: SaveThrottle, clock: Clock, times: int) -> int:
    """Save a note every 0.2 s; return how often it was indexed."""
    indexed = 0
    for _ in range(times):
        if throttle.admit(["a.md"]):
            throttle.indexed(["a.md"])
            indexed += 1
        clock.advance(0.2)
    return indexed


class TestSaveThrottle:
    def test_a_note_saved_all_the_time_is_indexed_every_two_seconds(
        self, throttle: SaveThrottle, clock: Clock
    ) -> None:
        assert save(throttle, clock, 600) <= 61

    def test_the_last_save_is_indexed_soon(self, throttle: SaveThrottle, clock: Clock) -> None:
        save(throttle, clock, 20)
        seconds = throttle.seconds_until_due(60)
        assert seconds <= 2
        clock.advance(seconds + 0.001)
        assert throttle.admit([]) == {"a.md"}
        assert throttle.seconds_until_due(60) == 60

    def test_two_saves_in_a_row_and_other_notes_do_not_wait(
        self, throttle: SaveThrottle, clock: Clock
    ) -> None:
        assert save(throttle, clock, 2) == 2
        assert throttle.admit(["a.md", "b.md"]) == {"b.md"}

    def test_a_renamed_note_does_not_wait_at_its_former_path(
        self, throttle: SaveThrottle, clock: Clock, gone: set[str]
    ) -> None:
        save(throttle, clock, 3)
        gone.add("a.md")
        assert throttle.admit(["z.md"]) == {"a.md", "z.md"}
        assert not throttle.is_holding_back

    def test_no_note_waits_when_somebody_waits_for_it(
        self, throttle: SaveThrottle, clock: Clock
    ) -> None:
        save(throttle, clock, 3)
        assert throttle.is_holding_back
        assert throttle.admit_all(["b.md"]) == {"a.md", "b.md"}
        assert not throttle.is_holding_back

    def test_a_note_that_others_hurried_does_not_wait_longer(
        self, throttle: SaveThrottle, clock: Clock
    ) -> None:
        for _ in range(20):
            throttle.indexed(throttle.admit_all(["a.md"]))
            clock.advance(0.1)
        assert not throttle.admit(["a.md"])
        assert throttle.seconds_until_due(60) <= 2

    def test_nothing_waits_after_a_full_comparison(
        self, throttle: SaveThrottle, clock: Clock
    ) -> None:
        save(throttle, clock, 3)
        throttle.clear()
        clock.advance(100.0)
        assert not throttle.admit([])

    def test_forgets_notes_that_are_no_longer_saved(
        self, throttle: SaveThrottle, clock: Clock
    ) -> None:
        throttle.indexed([f"{n}.md" for n in range(1000)])
        clock.advance(100.0)
        throttle.indexed(["a.md"])
        assert len(throttle._due) == 1


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
    def pause(self, clock: Clock) -> TypingPause:
        return TypingPause(clock.wait)

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
