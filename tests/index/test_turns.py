"""How long a huge note lets others go first: by a clock of the test."""

import pytest

from notesearch.index.hints import Hints
from notesearch.index.turns import Turns


class Others:
    """Whether others wait, as the test says."""

    def __init__(self, *, wait: bool = True) -> None:
        self.wait = wait

    def __call__(self, _path: str) -> bool:
        return self.wait


def given_up(turns: Turns, path: str, now: float) -> bool:
    """Let the note at ``path`` be read, and be put off where it gives way."""
    gave_way = turns.gives_way(path, now)
    turns.compared([path], [path] if gave_way else [], now)
    return gave_way


def test_is_given_up_three_times_at_most() -> None:
    turns = Turns(Others())
    assert [given_up(turns, "huge.md", now) for now in range(5)] == [True, True, True, False, True]
    assert turns.later == {"huge.md"}


def test_where_nobody_waits_it_is_not_given_up() -> None:
    assert not given_up(Turns(Others(wait=False)), "huge.md", 0)


@pytest.mark.parametrize(("waited", "due"), [(59, False), (61, True)])
def test_waits_a_minute_at_most(waited: float, *, due: bool) -> None:
    """Without that, one save after another would keep its turn from ever coming."""
    turns = Turns(Others())
    given_up(turns, "huge.md", 100)
    assert turns.due(100 + waited) == (frozenset({"huge.md"}) if due else frozenset())
    assert given_up(turns, "huge.md", 100 + waited) == (not due)


def test_its_turn_comes_when_nobody_waits() -> None:
    others = Others()
    turns = Turns(others)
    turns.compared(["a.md", "huge.md"], ["huge.md"], 0)
    assert not turns.due(1)
    others.wait = False
    assert turns.due(1) == {"huge.md"}
    turns.compared(["huge.md"], [], 2)
    assert not turns.due(3)


def test_only_what_waited_for_a_minute_hurries() -> None:
    turns = Turns(Others())
    turns.compared(["old.md"], ["old.md"], 0)
    turns.compared(["new.md"], ["new.md"], 50)
    assert turns.due(61) == {"old.md"}


def test_its_own_save_does_not_interrupt_it() -> None:
    hints = Hints()
    turns = Turns(hints.hold_besides)
    hints.add("huge.md")
    assert not turns.gives_way("huge.md")
    hints.add("other.md")
    assert turns.gives_way("huge.md")
    hints.take()
    assert not turns.gives_way("huge.md")
    hints.add_everything()
    assert turns.gives_way("huge.md")
