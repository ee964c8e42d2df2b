"""Group A, the folder as a whole: missing, empty, replaced, or changed in many places at once."""

import itertools
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from notesearch.config import Settings
from notesearch.index import live_index
from notesearch.library import NoteLibrary
from notesearch.status import Phase
from tests.faults.follower import following, in_namespace
from tests.folders import write
from tests.watched_vault import WatchedVault, indexed_digests

NOTES = {f"{n % 5}/{n}.md": f"# Number {n}\n\nWords of {n}.\n" for n in range(20)}


@pytest.mark.fault("A12")
def test_a12_an_empty_folder_is_mounted_over_it(vault: Path, tmp_path: Path) -> None:
    prefix = in_namespace("-m")
    if not shutil.which("nsenter"):
        pytest.skip("nsenter is missing")
    write(vault, NOTES)
    (tmp_path / "empty").mkdir()
    index = tmp_path / "index.sqlite"
    with following(vault, index, prefix, check_s=0.2) as follower:
        follower.until_converged()
        inside = ["nsenter", f"--mount=/proc/{follower.process.pid}/ns/mnt"]
        mount = [*inside, "mount", "--bind", str(tmp_path / "empty"), str(vault)]
        subprocess.run(mount, check=True)
        follower.until(lambda: bool(follower.failures()))
        assert "is empty, but it held 20 notes before" in follower.failures()[0]
        assert follower.converged(), "no note was deleted"
        subprocess.run([*inside, "umount", str(vault)], check=True)
        write(vault, {"0/0.md": "Back again."})
        follower.assert_like_new()


@pytest.mark.fault("A12")
def test_a12_a_drive_inside_the_vault_is_unmounted(vault: Path, tmp_path: Path) -> None:
    """Its notes stay in the index until the empty folder is deleted, or has other notes."""
    (vault / "drive").mkdir()
    prefix = in_namespace("-m", setup=f"mount -t tmpfs none {vault}/drive")
    if not shutil.which("nsenter"):
        pytest.skip("nsenter is missing")
    write(vault, {"own.md": "Own."})
    index = tmp_path / "index.sqlite"
    with following(vault, index, prefix) as follower:
        follower.until(lambda: {"phase": "idle"} in follower.events)
        write(Path(f"/proc/{follower.process.pid}/root{vault}/drive"), NOTES)
        follower.until(lambda: len(indexed_digests(index)) == 21)
        follower.until(lambda: follower.events[-1:] == [{"phase": "idle"}])
        inside = ["nsenter", f"--mount=/proc/{follower.process.pid}/ns/mnt"]
        subprocess.run([*inside, "umount", str(vault / "drive")], check=True)
        write(vault, {".notesearchignore": "x", "new.md": "New."})  # compares the whole folder
        follower.until(lambda: "new.md" in indexed_digests(index))
        follower.until(lambda: follower.events[-1:] == [{"phase": "idle"}])
        assert len(indexed_digests(index)) == 22
        (vault / "drive").rmdir()
        follower.assert_like_new()


@pytest.mark.fault("A12")
@pytest.mark.parametrize("notes", [NOTES, {"a.md": "One.", "b.md": "Two."}], ids=["20", "2"])
@pytest.mark.parametrize("inside", [{}, {"README.md": "Other."}, {"x.js": ""}], ids=str)
def test_a12_the_status_reports_it(
    vault: Path, words_only: Settings, notes: dict[str, str], inside: dict[str, str]
) -> None:
    write(vault, notes)
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        assert not library.status().vault_missing
        vault.rename(vault.with_name("the drive"))
        vault.mkdir()
        write(vault, inside)
        assert library.status().vault_missing
        assert library.status().notes == len(notes)
        path, text = next(iter(notes.items()))
        write(vault, {path: text})
        assert not library.status().vault_missing, "another folder, but a note is back"


@pytest.mark.fault(
    "A30",
    fault="Many notes are deleted at once",
    outcome="One transaction; searches answer meanwhile",
)
def test_a30_many_notes_are_deleted_at_once(watched: WatchedVault) -> None:
    vault = watched.vault
    write(vault, {"keep.md": "Kept words.", **{f"d/{n}.md": f"Words {n}." for n in range(2000)}})
    watched.start()
    watched.listener.until(lambda: Phase.IDLE in watched.listener.phases)
    shutil.rmtree(vault / "d")
    asked = 0
    while len(watched.indexed_digests()) > 1:  # searching goes on meanwhile
        with watched.index.reading() as reader:
            assert reader.words.scored('"kept"', (1,) * 7, 10)
        asked += 1
    assert asked > 0
    watched.assert_like_new()


@pytest.mark.fault("A25, A26")
def test_a26_a_link_to_the_folder_itself(watched: WatchedVault) -> None:
    write(watched.vault, NOTES)
    (watched.vault / "loop").symlink_to(".")
    watched.start_and_wait()
    write(watched.vault, {"0/0.md": "Once."})
    watched.listener.until(watched.converged)
    assert not any(path.startswith("loop") for path in watched.indexed_digests())


@pytest.mark.fault("J9")
def test_j09_the_computer_slept(
    watched: WatchedVault, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a gap in the clock the folder is compared, even if events have come."""
    write(watched.vault, NOTES)
    watched.start_and_wait()
    scans = watched.listener.phases.count(Phase.SCAN)
    hours = itertools.count()
    clock = SimpleNamespace(monotonic=time.monotonic, time=lambda: time.time() + 3600 * next(hours))
    monkeypatch.setattr(live_index, "time", clock)
    watched.listener.until(lambda: watched.listener.phases.count(Phase.SCAN) > scans)


@pytest.mark.fault(
    "I8",
    fault="An editor that saves all the time",
    outcome="Indexed at most every 2 s, its last state within 4 s",
)
def test_i08_an_editor_that_saves_all_the_time(watched: WatchedVault) -> None:
    write(watched.vault, NOTES)
    watched.start_and_wait()
    watched.listener.reports.clear()
    ends = time.monotonic() + 3
    version = 0
    while time.monotonic() < ends:
        version += 1
        (watched.vault / "0/0.md").write_text(f"Version {version}.")
        os.sched_yield()
    watched.listener.until(watched.converged, seconds=6)
    times = [report for report in watched.listener.reports if "0/0.md" in report.changed]
    assert 1 <= len(times) <= 4
    watched.assert_like_new()
