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


DAY = "# Day\n\nRain at seven, then sun.\n\n## Birds\n\nTwo herons at the pond, one kingfisher.\n"


class TestRenamedAfterAnEdit:
    """A note is saved and then renamed before the index has seen the edit."""

    @pytest.mark.parametrize(
        "edited",
        [
            DAY + "A third heron came late.\n",
            DAY.replace("seven", "eight"),
            DAY.replace("Rain at seven, then sun.", ""),
            DAY.replace("# Day", "# A wet day"),
        ],
        ids=["more words", "another word", "fewer words", "another title"],
    )
    @pytest.mark.parametrize("whole", [True, False], ids=["whole folder", "two paths"])
    def test_is_a_move(self, bench: Bench, edited: str, whole: bool) -> None:
        write(bench.vault, {"day.md": DAY, "hill.md": "Grass grows on it."})
        bench.refresh()
        (bench.vault / "day.md").unlink()
        write(bench.vault, {"herons/Saturday.md": edited})
        report = bench.refresh() if whole else bench.look_at("day.md", "herons/Saturday.md")[0]
        assert summary(report) == {"moved": ("herons/Saturday.md",)}
        assert report.moved_from == ("day.md",)
        bench.assert_like_new()

    @pytest.mark.parametrize(
        "other", ["Sun all day.", "", DAY + 8 * "The pond freezes over in the first cold night.\n"]
    )
    def test_another_note_is_new(self, bench: Bench, other: str) -> None:
        write(bench.vault, {"day.md": DAY})
        bench.refresh()
        (bench.vault / "day.md").unlink()
        write(bench.vault, {"new.md": other})
        assert summary(bench.refresh()) == {"added": ("new.md",), "removed": ("day.md",)}
        bench.assert_like_new()

    def test_many_new_notes_are_not_compared(self, bench: Bench) -> None:
        write(bench.vault, {"day.md": DAY})
        bench.refresh()
        (bench.vault / "day.md").unlink()
        new = {f"{n:02}.md": f"Pond {n}." for n in range(11)}
        write(bench.vault, {**new, "Saturday.md": DAY + "A third heron came late.\n"})
        assert "Saturday.md" in summary(bench.refresh())["added"]
        bench.assert_like_new()

    def test_many_at_once_are_not_compared(self, bench: Bench) -> None:
        write(bench.vault, {f"{n:02}.md": DAY for n in range(11)})
        bench.refresh()
        for n in range(11):
            (bench.vault / f"{n:02}.md").unlink()
        write(bench.vault, {"Saturday.md": DAY + "A third heron came late.\n"})
        assert summary(bench.refresh())["added"] == ("Saturday.md",)
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
