"""Renamed, moved and deleted notes."""

import pytest

from notesearch.index import scheduling
from notesearch.index.scheduling import PendingDeletions
from tests.clock import Clock
from tests.folders import write
from tests.index.stepwise_index import Bench, rename, summary


def test_a_note_that_leaves_the_folder_of_logseq_is_read_in_another_way(bench: Bench) -> None:
    write(bench.vault, {"pages/herons.md": "- Herons\n  - stand in the river\n  - eat fish\n"})
    bench.refresh()
    rename(bench.vault, "pages/herons.md", "archive/herons.md")
    assert summary(bench.refresh()) == {"moved": ("archive/herons.md",)}
    bench.assert_like_new()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(scheduling, "time", clock)
    return clock


@pytest.fixture
def deletions(clock: Clock) -> PendingDeletions:
    return PendingDeletions()


def test_a_missing_note_is_pending_for_a_moment(deletions: PendingDeletions, clock: Clock) -> None:
    assert deletions.still_pending(["a.md"]) == ("a.md",)
    clock.advance(0.2)
    assert deletions.still_pending(["a.md", "b.md"]) == ("a.md", "b.md")
    clock.advance(0.2)
    assert deletions.still_pending(["a.md", "b.md"]) == ("b.md",)


def test_a_note_that_came_back_can_be_missing_again(
    deletions: PendingDeletions, clock: Clock
) -> None:
    deletions.still_pending(["a.md"])
    deletions.seen({"a.md", "b.md"})
    clock.advance(1.0)
    assert deletions.still_pending(["a.md"]) == ("a.md",)


def test_a_deleted_note_is_forgotten(deletions: PendingDeletions, clock: Clock) -> None:
    deletions.still_pending(["a.md"])
    clock.advance(1.0)
    assert deletions.still_pending(["a.md"]) == ()
    clock.advance(1.0)
    assert deletions.still_pending(["a.md"]) == ("a.md",)


def test_many_missing_notes_are_deleted_at_once(deletions: PendingDeletions) -> None:
    assert deletions.still_pending([f"{n}.md" for n in range(11)]) == ()
