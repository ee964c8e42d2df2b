"""How changes are noticed, as the watching process and others report it."""

import logging
import shutil
from pathlib import Path

import pytest
from watchdog.events import (
    DirDeletedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileSystemEvent,
)

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.index import watcher
from notesearch.index.scheduling import Hints
from notesearch.index.watcher import path_below
from notesearch.library import NoteLibrary
from tests.file_permissions import denied
from tests.folders import write
from tests.indexing_listener import IndexingListener


@pytest.fixture
def no_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the folder seem to be on a file system that reports no changes."""
    monkeypatch.setattr(watcher, "silent_file_system", lambda _folder: "cifs")


def opened(vault: Path, settings: Settings) -> NoteLibrary:
    return NoteLibrary.open(vault, settings=settings)


def test_without_a_watch(vault: Path, words_only: Settings) -> None:
    write(vault, {"a.md": "Words."})
    with opened(vault, words_only) as library:
        library.refresh()
        assert library.status().watching == ""


def test_with_events(vault: Path, words_only: Settings) -> None:
    write(vault, {"a.md": "Words."})
    listener = IndexingListener()
    with opened(vault, words_only) as library, opened(vault, words_only) as other:
        watch = library.watch(listener)
        listener.until_idle()
        assert library.status().watching == other.status().watching == "live"
        watch.close()
        assert library.status().watching == other.status().watching == ""


def test_python_prints_nothing_of_watchdog(vault: Path, words_only: Settings) -> None:
    write(vault, {"a.md": "Words."})
    listener = IndexingListener()
    with opened(vault, words_only) as library:
        watch = library.watch(listener)
        listener.until_idle()
        assert logging.getLogger("watchdog").handlers  # Python prints what no handler takes
        watch.close()
    assert not logging.getLogger("watchdog").handlers


def test_without_events_by_comparing(vault: Path, words_only: Settings, no_events: None) -> None:
    write(vault, {"a.md": "Words."})
    listener = IndexingListener()
    with opened(vault, words_only) as library:
        watch = library.watch(listener)
        listener.until_idle()
        assert library.status().watching == "comparing every 5 s"
        watch.close()
        assert library.status().watching == ""


def test_a_folder_that_is_gone_is_not_compared(
    vault: Path, words_only: Settings, no_events: None
) -> None:
    write(vault, {"a.md": "Words."})
    listener = IndexingListener()
    with opened(vault, words_only) as library:
        watch = library.watch(listener)
        listener.until_idle()
        shutil.rmtree(vault)
        watch.refresh_now()
        listener.until(
            lambda: any(isinstance(error, VaultMissingError) for error in listener.errors)
        )
        assert library.status().watching == ""


def test_a_folder_that_becomes_readable_is_watched(vault: Path, words_only: Settings) -> None:
    write(vault, {"a.md": "Words.", "closed/b.md": "More."})
    listener = IndexingListener()
    with opened(vault, words_only) as library:
        with denied(vault / "closed"):
            watch = library.watch(listener)
            listener.until_idle()
        watch.refresh_now()
        listener.until(lambda: bool(library.search("more").sections))
        listener.until_idle()
        assert library.status().watching == "live"
        assert listener.errors == []
        write(vault, {"closed/b.md": "IndexingListener of."})
        listener.until(lambda: bool(library.search("listener").sections))


@pytest.mark.parametrize(
    ("folder", "name", "path"),
    [
        ("/home/me/notes", "/home/me/notes/a/b.md", "a/b.md"),
        ("/home/me/notes", "/home/me/notes", ""),
        ("/home/me/notes", "/home/me/notes 2/b.md", None),
        ("/home/me/notes", "/home/me", None),
        ("/", "/a.md", "a.md"),
        ("/Users/me/notes", "/Users/me/Notes/A.md", "A.md"),  # a disk that ignores case
        ("/Users/me/B\u00fccher", "/Users/me/Bu\u0308cher/a.md", "a.md"),  # as macOS spells it
    ],
)
def test_where_an_event_is_in_the_vault(folder: str, name: str, path: str | None) -> None:
    assert path_below(folder, name) == path


@pytest.mark.parametrize(
    ("event", "hides_kind", "hints"),
    [
        (FileDeletedEvent("pond"), False, ([], False)),
        (FileDeletedEvent("pond"), True, ([], True)),
        (FileDeletedEvent("pond.md"), True, (["pond.md"], False)),
        (FileDeletedEvent(".git"), True, ([], False)),
        (FileModifiedEvent("pond.png"), True, ([], False)),
        (DirDeletedEvent("pond.md"), False, ([], True)),
        (DirDeletedEvent(".git"), False, ([], False)),
    ],
)
def test_what_an_event_asks_for(
    vault: Path,
    monkeypatch: pytest.MonkeyPatch,
    event: FileSystemEvent,
    hides_kind: bool,
    hints: tuple[list[str], bool],
) -> None:
    monkeypatch.setattr(watcher, "_HIDES_KIND", hides_kind)  # as on Windows
    given = Hints()
    watch = watcher.FolderWatch(vault, Settings(), given)
    watch.ensure()
    given.take()
    watch._take(str(vault / str(event.src_path)), event)
    watch.close()
    paths, everything = given.take()
    assert (sorted(paths), everything) == hints


@pytest.mark.fault(
    "I7", fault="A flood of events", outcome="Above 512 paths the folder is compared once"
)
def test_very_many_paths_become_one_comparison() -> None:
    hints = Hints()
    for number in range(5000):
        hints.add(f"{number}.md")
    paths, everything = hints.take()
    assert everything
    assert len(paths) < 600
    hints.add("a.md")
    assert hints.take() == (frozenset(["a.md"]), False)
