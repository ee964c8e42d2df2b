"""A folder that is renamed, moved or copied, and what its new index starts with."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index.live_index import LiveIndex
from notesearch.index.vault_index import VaultIndex
from notesearch.messages import Sentence
from notesearch.status import Progress, Report
from notesearch.store import recovery
from notesearch.store.db import Connection
from notesearch.store.store import Store
from tests import index_contents
from tests.attack.killed_processes import KilledProcesses
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.indexing_listener import IndexingListener
from tests.watched_vault import digests, indexed_digests

NOTES = {f"{n % 3}/{n}.md": f"# Pond {n}\n\nHeron {n} wades.\n" for n in range(12)}
SETTINGS = Settings()


class Named:
    """A folder under one of its names, and the index for this name."""

    def __init__(self, vault: Path, indexes: Path | None = None) -> None:
        self.vault, self.model = vault, QuickModel()
        self.file = (indexes or vault.parent / "indexes") / f"{vault.name}.sqlite"
        self.index = VaultIndex(vault, SETTINGS, Store(self.file), lambda: self.model)

    def refresh(self) -> Report:
        try:
            return self.index.refresh(_silent)
        finally:
            self.index.close()

    def assert_like_new(self) -> None:
        scratch = index_contents.from_scratch(self.vault, SETTINGS, QuickModel())
        assert index_contents.of(self.file) == scratch
        assert recovery.check(self.file) == ()

    def assert_starts_anew(self) -> None:
        """Index the folder, and make sure that every note was read."""
        assert set(self.refresh().added) == set(digests(self.vault))
        assert self.model.embedded
        self.assert_like_new()


def _silent(_progress: Progress) -> None:
    """Ignore progress."""


@pytest.fixture
def old(vault: Path) -> Named:
    """A folder and its index."""
    write(vault, NOTES)
    named = Named(vault)
    named.refresh()
    return named


@pytest.fixture
def new(old: Named) -> Named:
    """The same folder under a new name, not opened yet."""
    return Named(old.vault.rename(old.vault.with_name("renamed")))


def test_nothing_is_read_or_embedded_again(old: Named, new: Named) -> None:
    before = index_contents.of(old.file)
    report = new.refresh()
    assert (report.added, report.changed, report.removed) == ((), (), ())
    assert new.model.embedded == []
    new.assert_like_new()
    assert index_contents.of(old.file) == before, "the former index stays as it is"


def test_a_folder_that_is_moved_and_then_changed(old: Named, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    moved = old.vault.rename(tmp_path / "deep/other")
    write(moved, {"0/0.md": "Written later.", "new.md": "New."})
    (moved / "1/1.md").unlink()
    new = Named(moved, old.file.parent)
    report = new.refresh()
    assert (report.added, report.changed, report.removed) == (("new.md",), ("0/0.md",), ("1/1.md",))
    assert len(new.model.embedded) < len(NOTES)
    new.assert_like_new()


def test_the_newest_index_of_a_folder_that_is_renamed_twice(old: Named, new: Named) -> None:
    write(new.vault, {"0/0.md": "Written under the second name."})
    new.refresh()
    third = Named(new.vault.rename(new.vault.with_name("again")))
    third.refresh()
    assert third.model.embedded == []
    third.assert_like_new()
    assert indexed_digests(old.file) != indexed_digests(third.file)


def test_a_copy_of_the_folder_starts_anew(old: Named) -> None:
    copy = shutil.copytree(old.vault, old.vault.with_name("copy"))
    Named(copy).assert_starts_anew()


def test_other_notes_in_a_folder_with_the_number_of_a_deleted_one(old: Named) -> None:
    """The system gives the number of a deleted folder to a new one, sometimes."""
    other = old.vault.with_name("other")
    write(other, {path: text.replace("Heron", "Otter") for path, text in NOTES.items()})
    status = other.stat()
    connection = Connection(old.file, writer=True)
    connection.set_meta("root", f"{status.st_dev}:{status.st_ino}")
    connection.close()
    Named(other).assert_starts_anew()


def test_a_former_index_of_another_version_stays(old: Named, new: Named) -> None:
    connection = Connection(old.file, writer=True)
    connection.sql.execute("pragma user_version = 1")
    connection.close()
    new.assert_starts_anew()
    assert old.file.exists()
    assert old.index.store.files_set_aside() == ()


@pytest.mark.parametrize("part", [0, 1, 2, 3, 4, 5, 6, 7])
def test_a_former_index_that_is_damaged(old: Named, new: Named, part: int) -> None:
    with old.file.open("r+b") as file:
        file.seek(old.file.stat().st_size * part // 8)
        file.write(os.urandom(5000))
    new.refresh()
    new.assert_like_new()
    assert old.file.exists()


def test_a_former_index_without_tables(old: Named, new: Named) -> None:
    connection = Connection(old.file, writer=True)
    connection.sql.execute("drop table meta")
    connection.close()
    new.assert_starts_anew()


def test_an_index_that_was_set_aside_is_made_anew(old: Named, new: Named) -> None:
    new.refresh()
    new.index.store.set_aside(Sentence("index_check_failed"))
    again = Named(new.vault)
    again.assert_starts_anew()
    assert old.file.exists()


def test_an_index_that_the_user_asked_for_is_made_anew(old: Named, new: Named) -> None:
    new.refresh()
    new.index.store.set_aside(Sentence(recovery.REBUILD_ASKED), keep=False)
    new.assert_starts_anew()
    assert old.file.exists()


@pytest.fixture
def followed(vault: Path) -> Iterator[Named]:
    """A folder that a thread follows."""
    write(vault, NOTES)
    named, listener = Named(vault), IndexingListener()
    LiveIndex.started(named.index, listener)
    listener.until(lambda: indexed_digests(named.file) == digests(vault))
    listener.until_idle()
    yield named
    named.index.close()


def test_a_former_index_that_is_still_open(followed: Named) -> None:
    new = Named(followed.vault.rename(followed.vault.with_name("renamed")))
    assert new.refresh().added == ()
    with new.index.reading() as reader:
        assert reader.watching() == "", "nobody follows the folder under its new name"
    new.index.close()
    new.assert_like_new()


@pytest.mark.skipif(sys.platform != "linux", reason="forks and kills as Linux does")
def test_killed_while_it_copies(old: Named, new: Named) -> None:
    """Whatever a killed process left, the next one completes the index."""
    processes = KilledProcesses(new.vault, new.file)
    try:
        ends = []
        for turn in range(15):
            new.index.store.delete()
            ends.append(processes.work_for(turn * 0.004, "index"))
            new.refresh()
            new.assert_like_new()
        assert "killed" in ends
    finally:
        processes.close()
    assert indexed_digests(old.file) == indexed_digests(new.file)
