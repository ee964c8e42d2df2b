"""Renamed, moved and deleted notes."""

from notesearch.index.renamed_notes import PendingDeletions
from tests.folders import write
from tests.index.stepwise_index import Bench, rename, summary


def test_a_note_that_leaves_the_folder_of_logseq_is_read_in_another_way(bench: Bench) -> None:
    write(bench.vault, {"pages/herons.md": "- Herons\n  - stand in the river\n  - eat fish\n"})
    bench.refresh()
    rename(bench.vault, "pages/herons.md", "archive/herons.md")
    assert summary(bench.refresh()) == {"moved": ("archive/herons.md",)}
    bench.assert_like_new()


def test_a_missing_note_is_pending_for_a_moment() -> None:
    deletions = PendingDeletions()
    assert deletions.still_pending(["a.md"], 10.0) == ("a.md",)
    assert deletions.still_pending(["a.md", "b.md"], 10.2) == ("a.md", "b.md")
    assert deletions.still_pending(["a.md", "b.md"], 10.4) == ("b.md",)


def test_a_note_that_came_back_can_be_missing_again() -> None:
    deletions = PendingDeletions()
    deletions.still_pending(["a.md"], 10.0)
    deletions.seen({"a.md", "b.md"})
    assert deletions.still_pending(["a.md"], 11.0) == ("a.md",)


def test_a_deleted_note_is_forgotten() -> None:
    deletions = PendingDeletions()
    deletions.still_pending(["a.md"], 10.0)
    assert deletions.still_pending(["a.md"], 11.0) == ()
    assert deletions.still_pending(["a.md"], 12.0) == ("a.md",)


def test_many_missing_notes_are_deleted_at_once() -> None:
    assert PendingDeletions().still_pending([f"{n}.md" for n in range(11)]) == ()
