"""Waiting until the index is up to date with all changes so far."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from notesearch.index.live_index import Freshness
from notesearch.index.scheduling import Hints, SaveThrottle


class Indexing:
    """What an indexing thread shares with the threads that wait for it."""

    def __init__(self) -> None:
        self.hints, self.throttle = Hints(), SaveThrottle(lambda _path: True)
        self.freshness = Freshness(self.hints, self.throttle)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Take one hint, in a thread."""

        def work() -> None:
            self.hints.ready.wait(10)
            self.freshness.begin()
            paths, _ = self.hints.take()
            urgent = self.freshness.take_urgency()
            (self.throttle.admit_all if urgent else self.throttle.admit)(paths)
            self.freshness.done(looked=True)

        thread = threading.Thread(target=work)
        thread.start()
        yield
        thread.join()

    def hold_back(self) -> None:
        """Save a note so often that it is held back."""
        for _ in range(2):
            self.throttle.indexed(["a.md"])
        self.throttle.admit(["a.md"])


@pytest.fixture
def indexing() -> Indexing:
    return Indexing()


def test_is_not_fresh_before_the_first_look(indexing: Indexing) -> None:
    assert not indexing.freshness.wait(0)


def test_is_fresh_after_a_look(indexing: Indexing) -> None:
    indexing.freshness.begin()
    indexing.freshness.done()
    assert indexing.freshness.wait(0)


def test_nobody_waits_after_the_end(indexing: Indexing) -> None:
    indexing.freshness.close()
    assert not indexing.freshness.wait(600)


def test_waits_for_a_hint_to_be_indexed(indexing: Indexing) -> None:
    indexing.freshness.done()
    indexing.hints.add("a.md")
    assert not indexing.freshness.wait(0)
    with indexing.at_work():
        assert indexing.freshness.wait(10)
    assert indexing.freshness.turns == 1


def test_waiting_releases_a_note_that_is_held_back(indexing: Indexing) -> None:
    indexing.hold_back()
    assert indexing.throttle.is_holding_back
    indexing.freshness.done()
    with indexing.at_work():
        assert indexing.freshness.wait(10)
    assert not indexing.throttle.is_holding_back


def test_urgency_lasts_until_no_note_needs_another_look(indexing: Indexing) -> None:
    freshness = indexing.freshness
    freshness.keep_urgency()
    assert not freshness.take_urgency()
    indexing.hold_back()
    freshness.wait(0)
    assert freshness.take_urgency()
    freshness.keep_urgency()
    assert freshness.take_urgency()
    assert not freshness.take_urgency()
