"""A paused thread indexes nothing, lets others index, and misses no change."""

from pathlib import Path

import pytest

from notesearch.errors import IndexDamagedError
from notesearch.index.live_index import LiveIndex
from notesearch.status import Phase
from tests.folders import write
from tests.watched_vault import WatchedVault, indexed_digests


def test_changes_during_a_pause_are_indexed_afterwards(watched: WatchedVault) -> None:
    write(watched.vault, {"a.md": "One.", "b.md": "Two."})
    watch = watched.start_and_wait()
    before = watched.indexed_digests()
    watch.pause()
    watched.listener.until(lambda: not watch.watching)
    write(watched.vault, {"a.md": "Changed."})
    (watched.vault / "b.md").unlink()
    assert watched.indexed_digests() == before
    watch.resume()
    watched.assert_like_new()


def test_another_process_can_index_during_a_pause(watched: WatchedVault) -> None:
    write(watched.vault, {"a.md": "One."})
    watch = watched.start_and_wait()
    watch.pause()
    watched.listener.until(lambda: not watch.watching)
    write(watched.vault, {"a.md": "Changed."})
    assert watched.index.refresh(lambda _: None).changed == ("a.md",)
    watch.resume()
    watched.assert_like_new()


def test_a_watch_that_starts_paused_makes_no_index(watched: WatchedVault) -> None:
    write(watched.vault, {"a.md": "One."})
    watch = LiveIndex.started(watched.index, watched.listener, paused=True)
    watched.listener.until_idle()
    assert indexed_digests(watched.index.store.path) == {}
    watch.resume()
    watched.assert_like_new()


def test_stops_after_the_current_note(watched: WatchedVault) -> None:
    write(watched.vault, {f"{n:03}.md": f"Note {n}." for n in range(300)})
    watch = watched.start()
    watched.listener.until(lambda: Phase.WORDS in watched.listener.phases)
    watch.pause()
    watched.listener.until_idle()
    assert len(watched.indexed_digests()) < 300
    watch.resume()
    watched.assert_like_new()


def test_ends_while_paused(watched: WatchedVault, vault: Path) -> None:
    watched.start_and_wait().pause()
    watched.index.close()


def test_an_index_rebuilt_during_a_pause_is_not_rebuilt_again(watched: WatchedVault) -> None:
    """A reader sets a damaged index aside while nobody writes; the next index is whole."""
    write(watched.vault, {"a.md": "One."})
    watch = watched.start_and_wait()
    watch.pause()
    watched.listener.until(lambda: not watch.watching)
    with pytest.raises(IndexDamagedError), watched.index.reading():
        raise IndexDamagedError("index_check_failed")
    assert watched.index.refresh(lambda _: None).added == ("a.md",)
    inode, reports = watched.index.store.path.stat().st_ino, len(watched.listener.reports)
    watch.resume()
    watched.listener.until(lambda: len(watched.listener.reports) > reports)
    watched.assert_like_new()
    assert watched.index.store.path.stat().st_ino == inode
    assert watched.listener.errors == []
