"""Group A, watching: lost events, dead threads and the system's limits do no harm."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from watchdog.observers import inotify_c
from watchdog.utils import BaseThread

from notesearch.errors import WatchingError
from notesearch.index import vault_folder, watcher
from notesearch.index.ignore_rules import IgnoreRules
from notesearch.index.scheduling import Hints
from tests.faults.follower import following, in_namespace
from tests.folders import write
from tests.limits import WAIT_S
from tests.watched_vault import WatchedVault

START = {"a.md": "# A\n\nWords.\n", "d/b.md": "# B\n\nWords.\n"}
QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")


@pytest.mark.fault("I7")
@pytest.mark.fault(
    "A1",
    row="A1 to A3",
    fault="The event queue overflows; a watcher's thread or handler fails",
    outcome="Watching restarts within 5 s; the folder is compared",
)
def test_a01_event_queue_overflow(vault: Path, tmp_path: Path) -> None:
    if not QUEUE.exists() or int(QUEUE.read_text()) > 50_000:
        pytest.skip("the queue of events is too long to be filled here")
    write(vault, START)
    with following(vault, tmp_path / "index.sqlite") as follower:
        follower.until_converged()
        before = len(follower.events)
        with follower.stopped():
            busy = vault / "busy.log"
            for _ in range(int(QUEUE.read_text()) // 3):
                busy.write_text("x")
                busy.unlink()
            write(vault, {"late/er/c.md": "Nobody told."})
        follower.until(lambda: {"phase": "scan"} in follower.events[before:])
        follower.until_converged()
        (vault / "late/er/c.md").write_text("The new folder is watched.")
        follower.assert_like_new()


@pytest.mark.fault("A2")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a02_a_thread_of_the_watcher_dies(
    watched: WatchedVault, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    reader = next(t for t in threading.enumerate() if isinstance(t, inotify_c.InotifyFD))
    real = inotify_c.InotifyFD.read_events

    def fail(self: inotify_c.InotifyFD) -> object:
        if self is reader:
            raise RuntimeError("a slip in the reader")
        return real(self)

    monkeypatch.setattr(inotify_c.InotifyFD, "read_events", fail)
    for number in range(3):
        (watched.vault / "a.md").write_text(f"Its thread dies of this {number}.")
    reader.join(WAIT_S)
    watched.listener.until(lambda: any(thread_is_new(reader) for _ in "x"))
    write(watched.vault, {"new.md": "It is heard again."})
    watched.assert_like_new()


def thread_is_new(dead: BaseThread) -> bool:
    """Return whether another reader has replaced ``dead``."""
    return any(
        isinstance(thread, inotify_c.InotifyFD) and thread is not dead
        for thread in threading.enumerate()
    )


@pytest.mark.fault("A3")
def test_a03_a_note_that_makes_the_handler_raise(
    watched: WatchedVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(watched.vault, START)
    watch = watched.start_and_wait()
    real, slips = IgnoreRules.is_note, iter([RuntimeError("a slip")])

    def fail_once(rules: IgnoreRules, path: str) -> bool:
        if path == "cursed.md" and threading.current_thread().name != "notesearch-index":
            for slip in slips:
                raise slip
        return real(rules, path)

    monkeypatch.setattr(IgnoreRules, "is_note", fail_once)
    write(watched.vault, {"cursed.md": "Words."})
    watched.listener.until(watched.converged)
    assert watch._watch.is_alive
    write(watched.vault, {"cursed.md": "Other words."})
    watched.assert_like_new()


def few_watches(kind: str, count: int) -> list[str]:
    return in_namespace("-Ur", setup=f"echo {count} > /proc/sys/user/max_inotify_{kind}")


@pytest.mark.fault(
    "A4 to A6",
    row="A4, A5, A6, A31",
    fault="A folder cannot be watched, or is on a network",
    outcome="Compared every few seconds; a message names the setting",
)
@pytest.mark.parametrize("when", ["a04 at the start", "a05 later"])
def test_a04_a05_no_more_watches(vault: Path, tmp_path: Path, when: str) -> None:
    prefix = few_watches("watches", 20)
    folders = {f"{n}/note.md": f"Number {n}." for n in range(60)}
    write(vault, folders if "start" in when else START)
    with following(vault, tmp_path / "index.sqlite", prefix, check_s=0.2) as follower:
        follower.until_converged()
        write(vault, folders)
        follower.until(lambda: bool(follower.failures()))
        assert "the system allows no more" in follower.failures()[0]
        assert "fs.inotify.max_user_watches" in follower.failures()[0]
        follower.until_converged()
        assert follower.watching().startswith("comparing every")
        for n in range(60):
            (vault / f"{n}/note.md").write_text("Where nobody listens.")
        follower.until_converged()
        assert len(follower.failures()) == 1, "it is said once"
        follower.assert_like_new()


@pytest.mark.fault("A4 to A6")
def test_a06_no_watching_at_all(vault: Path, tmp_path: Path) -> None:
    write(vault, START)
    prefix = few_watches("instances", 0)
    with following(vault, tmp_path / "index.sqlite", prefix, check_s=0.2) as follower:
        follower.until(lambda: bool(follower.failures()))
        assert "cannot be watched" in follower.failures()[0]
        assert "fs.inotify.max_user_instances" in follower.failures()[0]
        follower.until_converged()
        write(vault, {"new.md": "Found by comparing."})
        follower.until_converged()
        assert len(follower.failures()) == 1
        follower.assert_like_new()


@pytest.mark.fault("A9, A10")
def test_a09_folders_made_and_filled_at_once(watched: WatchedVault) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    for n in range(80):
        write(watched.vault, {f"{n}/b/c/note.md": f"Number {n}."})
    watched.assert_like_new()


@pytest.mark.fault("A9, A10")
def test_a10_a_folder_deleted_and_made_again(watched: WatchedVault) -> None:
    write(watched.vault, START)
    watch = watched.start_and_wait()
    for n in range(300):
        shutil.rmtree(watched.vault / "d")
        write(watched.vault, {"d/b.md": f"Round {n}."})
    watched.listener.until(watched.converged)
    assert watch._watch.is_alive
    watched.assert_like_new()


@pytest.mark.fault("A31")
class TestA31:
    def test_no_event_comes(
        self, watched: WatchedVault, impatient: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Hints, "add", lambda _hints, _path: None)
        monkeypatch.setattr(watcher, "silent_file_system", lambda _folder: "nfs4")
        write(watched.vault, START)
        watch = watched.start_and_wait()
        watched.listener.until(lambda: bool(watched.listener.errors))
        assert isinstance(watched.listener.errors[0], WatchingError)
        assert "(nfs4)" in str(watched.listener.errors[0])
        assert watch.watching.startswith("comparing every")
        (watched.vault / "a.md").write_text("Written by another computer.")
        watched.assert_like_new()
        assert len(watched.listener.errors) == 1

    @pytest.mark.parametrize(
        ("folder", "type_"),
        [
            ("/home/me/notes", ""),
            ("/mnt/nas/notes", "nfs4"),
            ("/mnt/nas", "nfs4"),
            ("/mnt/nasty", ""),
            ("/mnt/my phone/notes", "fuse.sshfs"),
            ("/mnt/disk", ""),
            ("/mnt/over", "cifs"),
        ],
    )
    def test_the_table_of_mounts_is_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, type_: str
    ) -> None:
        table = tmp_path / "mountinfo"
        table.write_text(
            "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
            "2 1 0:5 / /mnt/nas rw shared:1 - nfs4 nas:/ rw\n"
            "3 1 0:6 / /mnt/my\\040phone rw - fuse.sshfs phone:/ rw\n"
            "4 1 8:2 / /mnt/disk rw - fuseblk /dev/sdb rw\n"
            "5 1 8:3 / /mnt/over rw - ext4 /dev/sdc rw\n"
            "6 5 0:7 / /mnt/over rw - cifs //nas/x rw\n"
            "nonsense\n"
        )
        monkeypatch.setattr(vault_folder, "_MOUNTS", table)
        assert vault_folder.silent_file_system(Path(folder)) == type_

    def test_without_a_table_of_mounts(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vault_folder, "_MOUNTS", tmp_path / "no table")
        assert vault_folder.silent_file_system(tmp_path) == ""


@pytest.mark.fault("A32", fault="The program reads notes", outcome="No events")
def test_a32_reading_causes_no_events(watched: WatchedVault) -> None:
    write(watched.vault, START)
    watch = watched.start_and_wait()
    watched.listener.reports.clear()
    for _ in range(50):
        (watched.vault / "a.md").read_bytes()
    assert watch._hints.take() == (frozenset(), False)
    write(watched.vault, {"new.md": "This does."})
    watched.assert_like_new()
    assert [report.added for report in watched.listener.reports] == [("new.md",)]


def checkout(vault: Path) -> None:
    write(vault, {f".git/objects/{n:02x}/{n}": "x" for n in range(100)})


def packages(vault: Path) -> None:
    write(vault, {f"node_modules/{n}/README.md": "# Package" for n in range(100)})


def workspace(vault: Path) -> None:
    write(vault, {".obsidian/workspace.json": "{}", ".obsidian/plugins/x/README.md": "# Plugin"})


@pytest.mark.fault("A33", fault=".git, .obsidian, node_modules", outcome="Ignored unread")
@pytest.mark.parametrize("change", [checkout, packages, workspace])
def test_a33_ignored_folders_are_never_read(
    watched: WatchedVault, change: Callable[[Path], None]
) -> None:
    write(watched.vault, {**START, ".obsidian/app.json": "{}"})
    watch = watched.start_and_wait()
    watched.listener.phases.clear()
    change(watched.vault)
    write(watched.vault, {"new.md": "This is."})
    watched.listener.until(lambda: "new.md" in watched.listener.paths)
    assert watched.indexed_digests().keys() == {*START, "new.md"}
    assert watch._hints.take() == (frozenset(), False)
