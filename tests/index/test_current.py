"""Waiting until the index knows of all that happened so far."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from notesearch.index.current import Current
from notesearch.index.hints import Hints
from notesearch.index.pacing import Pacing


class Indexing:
    """What an indexing thread and those who wait for it share."""

    def __init__(self) -> None:
        self.hints, self.pacing = Hints(), Pacing()
        self.asked: list[bool] = []
        self.current = Current(
            self.hints, self.pacing, lambda: bool(self.asked) and self.asked.pop()
        )

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Look at one hint, in a thread."""

        def work() -> None:
            self.hints.ready.wait(10)
            self.current.begin()
            paths, _ = self.hints.take()
            self.pacing.admit(paths, float("inf") if self.current.take_hurry() else None)
            self.current.done(looked=True)

        thread = threading.Thread(target=work)
        thread.start()
        yield
        thread.join()


@pytest.fixture
def indexing() -> Indexing:
    return Indexing()


def test_nothing_is_current_before_the_first_look(indexing: Indexing) -> None:
    assert not indexing.current.wait(0)


def test_what_was_looked_at_is_current(indexing: Indexing) -> None:
    indexing.current.begin()
    indexing.current.done()
    assert indexing.current.wait(0)


def test_what_is_hinted_at_is_waited_for(indexing: Indexing) -> None:
    indexing.current.done()
    indexing.hints.add("a.md")
    assert not indexing.current.wait(0)
    with indexing.at_work():
        assert indexing.current.wait(10)
    assert indexing.current.turns == 1


def test_what_is_saved_too_often_is_hurried_where_somebody_waits(indexing: Indexing) -> None:
    for moment in (0.0, 0.1):
        indexing.pacing.indexed(["a.md"], moment)
    indexing.pacing.admit(["a.md"], 0.2)
    assert indexing.pacing.holds_back
    indexing.current.done()
    with indexing.at_work():
        assert indexing.current.wait(10)
    assert not indexing.pacing.holds_back


def test_a_hurry_lasts_until_nothing_has_to_be_looked_at_again(indexing: Indexing) -> None:
    current = indexing.current
    current.stay_hurried()
    assert not current.take_hurry()
    for moment in (0.0, 0.1):
        indexing.pacing.indexed(["a.md"], moment)
    indexing.pacing.admit(["a.md"], 0.2)
    current.wait(0)
    assert current.take_hurry()
    current.stay_hurried()
    assert current.take_hurry()
    assert not current.take_hurry()


def test_another_process_may_ask_for_what_is_held_back(indexing: Indexing) -> None:
    indexing.asked.append(True)
    assert not indexing.current.idle(0)
    assert not indexing.current.take_hurry()
    indexing.pacing.indexed(["a.md", "a.md"])
    indexing.pacing.admit(["a.md"])
    assert indexing.current.idle(20)
    assert indexing.current.take_hurry()
    assert not indexing.asked
