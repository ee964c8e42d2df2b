"""A paused thread indexes nothing and stands in nobody's way; it misses nothing either."""

from pathlib import Path

import pytest

from notesearch.errors import IndexDamagedError
from notesearch.status import Phase
from tests.folders import write
from tests.watched import Watched, known


def test_what_changes_meanwhile_is_indexed_after(watched: Watched) -> None:
    write(watched.vault, {"a.md": "One.", "b.md": "Two."})
    watch = watched.start_and_wait()
    before = watched.known()
    watch.pause()
    watched.heard.until(lambda: not watch.watching)
    write(watched.vault, {"a.md": "Changed."})
    (watched.vault / "b.md").unlink()
    assert watched.known() == before
    watch.resume()
    watched.assert_like_new()


def test_another_process_may_index_meanwhile(watched: Watched) -> None:
    write(watched.vault, {"a.md": "One."})
    watch = watched.start_and_wait()
    watch.pause()
    watched.heard.until(lambda: not watch.watching)
    write(watched.vault, {"a.md": "Changed."})
    assert watched.index.refresh(lambda _: None).changed == ("a.md",)
    watch.resume()
    watched.assert_like_new()


def test_one_that_starts_paused_makes_no_index(watched: Watched) -> None:
    write(watched.vault, {"a.md": "One."})
    watch = watched.index.watch(watched.heard, paused=True)
    watched.heard.until_idle()
    assert known(watched.index.store.path) == {}
    watch.resume()
    watched.assert_like_new()


def test_stops_after_the_note_at_hand(watched: Watched) -> None:
    write(watched.vault, {f"{n:03}.md": f"Note {n}." for n in range(300)})
    watch = watched.start()
    watched.heard.until(lambda: Phase.WORDS in watched.heard.phases)
    watch.pause()
    watched.heard.until_idle()
    assert len(watched.known()) < 300
    watch.resume()
    watched.assert_like_new()


def test_ends_while_paused(watched: Watched, vault: Path) -> None:
    watched.start_and_wait().pause()
    watched.index.close()


def test_what_was_made_again_meanwhile_is_not_made_once_more(watched: Watched) -> None:
    """Who reads a damaged index sets it aside while nobody writes; the next one is a good one."""
    write(watched.vault, {"a.md": "One."})
    watch = watched.start_and_wait()
    watch.pause()
    watched.heard.until(lambda: not watch.watching)
    with pytest.raises(IndexDamagedError), watched.index.reading():
        raise IndexDamagedError("index_check_failed")
    assert watched.index.refresh(lambda _: None).added == ("a.md",)
    made, told = watched.index.store.path.stat().st_ino, len(watched.heard.reports)
    watch.resume()
    watched.heard.until(lambda: len(watched.heard.reports) > told)
    watched.assert_like_new()
    assert watched.index.store.path.stat().st_ino == made
    assert watched.heard.errors == []
