"""Group A, moved folders: in, out, the whole vault; and files that are not notes."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from notesearch.index import live_index
from tests.file_permissions import denied, modes_count
from tests.folders import write
from tests.watched_vault import WatchedVault

NOTES = {"keep.md": "# Keep\n\nOtters.\n", "d/one.md": "# One\n", "d/e/two.md": "# Two\n"}


@pytest.fixture
def watched(watched: WatchedVault, monkeypatch: pytest.MonkeyPatch) -> WatchedVault:
    """A followed folder with indexed notes."""
    monkeypatch.setattr(live_index, "_CHECK_S", 0.1)
    write(watched.vault, NOTES)
    watched.start_and_wait()
    return watched


@pytest.mark.fault(
    "A7, A8",
    row="A7 to A10",
    fault="Folders are moved, filled, deleted and recreated, 200 times",
    outcome="The last state is indexed",
)
def test_a07_a_folder_is_moved_in(watched: WatchedVault, tmp_path: Path) -> None:
    write(tmp_path / "out", {"new/a.md": "One.", "new/deep/b.md": "Two."})
    (tmp_path / "out/new").rename(watched.vault / "new")
    watched.listener.until(watched.converged)
    write(watched.vault, {"new/deep/b.md": "Written later.", "new/deep/c.md": "And this."})
    watched.assert_like_new()


@pytest.mark.fault("A7, A8")
def test_a08_a_folder_is_moved_out(watched: WatchedVault, tmp_path: Path) -> None:
    """Events still come from its new place, under its old path."""
    (watched.vault / "d").rename(tmp_path / "out")
    watched.listener.until(watched.converged)
    watched.listener.reports.clear()
    write(tmp_path / "out", {"one.md": "Nobody's business.", "e/new.md": "Nor this."})
    write(watched.vault, {"keep.md": "Our business."})
    watched.assert_like_new()
    assert watched.listener.paths == {"keep.md"}


@pytest.mark.fault("J11", fault="The vault does not exist yet", outcome="Indexed when it appears")
@pytest.mark.fault("A11")
@pytest.mark.parametrize("there", ["at first", "later"])
def test_a11_j11_the_vault_appears_later(watched: WatchedVault, tmp_path: Path, there: str) -> None:
    """A drive that is not mounted yet, or was removed; its index stays."""
    known = watched.indexed_digests()
    if there == "later":
        watched.index.close()
        watched.listener.errors.clear()
    watched.vault.rename(tmp_path / "drive")
    if there == "later":
        watched.start()
    watched.listener.until(lambda: bool(watched.listener.errors))
    assert "is missing" in str(watched.listener.errors[-1])
    assert watched.indexed_digests() == known
    (tmp_path / "drive").rename(watched.vault)
    write(watched.vault, {"d/one.md": "Written elsewhere."})
    watched.listener.until(watched.converged)
    write(watched.vault, {"new.md": "It is watched again."})
    watched.assert_like_new()
    assert len(watched.listener.errors) == 1, "it is told once"


@pytest.mark.fault(
    "A11",
    row="A11 to A13",
    fault="The vault disappears and returns, is renamed or mounted over",
    outcome="A message; the index stays, and watching restarts",
)
def test_a11_the_vault_is_deleted_and_created_again(watched: WatchedVault) -> None:
    known = watched.indexed_digests()
    shutil.rmtree(watched.vault)
    watched.listener.until(lambda: bool(watched.listener.errors))
    assert watched.indexed_digests() == known
    write(watched.vault, {"keep.md": "# Keep\n\nOtters.\n", "new.md": "New."})
    watched.listener.until(watched.converged)
    write(watched.vault, {"new.md": "It is watched again."})
    watched.assert_like_new()


@pytest.mark.fault("A13")
def test_a13_the_vault_is_renamed(watched: WatchedVault, tmp_path: Path) -> None:
    """No event reports this; events under the old name belong to another folder."""
    moved = tmp_path / "moved"
    watched.vault.rename(moved)
    write(moved, {"keep.md": "Written after it was renamed."})
    watched.listener.until(lambda: bool(watched.listener.errors))
    assert set(watched.indexed_digests()) == set(NOTES)
    moved.rename(watched.vault)
    watched.assert_like_new()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    # Its address would be too long: it is bound where it is short, then moved.
    bind = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
    subprocess.run([sys.executable, "-c", bind, path.name], cwd=path.parent, check=True)


def a_device(path: Path) -> None:
    try:
        os.mknod(path, 0o20666, os.makedev(1, 5))  # endless zeros
    except PermissionError:
        pytest.skip("no right to make a device (CAP_MKNOD)")


@pytest.mark.fault("A28")
@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="such files are POSIX's")
@pytest.mark.parametrize("make", [a_pipe, a_socket, a_device])
def test_a28_other_things_named_like_a_note(
    watched: WatchedVault, make: Callable[[Path], None]
) -> None:
    make(watched.vault / "x.md")
    (watched.vault / "keep.md").unlink()
    make(watched.vault / "keep.md")
    write(watched.vault, {"after.md": "It goes on."})
    watched.listener.until(
        lambda: set(watched.indexed_digests()) == {"d/one.md", "d/e/two.md", "after.md"}
    )
    watched.watch.refresh_now()
    watched.listener.until(lambda: bool(watched.listener.reports[-1].unread))
    unread = {note.path: note.reason for note in watched.listener.reports[-1].unread}
    assert unread == dict.fromkeys(["x.md", "keep.md"], "It is not a regular file.")


@pytest.mark.fault(
    "A29",
    fault="Permissions are lost",
    outcome="Indexed text stays, with a mark",
)
@pytest.mark.parametrize("closed", ["d/one.md", "d"])
def test_a29_a_permission_is_lost(watched: WatchedVault, closed: str) -> None:
    """A new thread has the rights of the thread that starts it."""
    watched.index.close()
    known = watched.indexed_digests()
    with denied(watched.vault / closed):
        watched.listener.phases.clear()
        watch = watched.start()
        watched.listener.until_idle()
        os.utime(watched.vault / "keep.md")
        watch.refresh_now()
        watched.listener.until(lambda: bool(watched.listener.reports[-1].unread))
        assert set(watched.indexed_digests()) == set(known)
        reason = watched.listener.reports[-1].unread[0].reason
        assert "ermission denied" in reason
        watched.index.close()
    watched.listener.phases.clear()
    watched.start()
    watched.assert_like_new()


@pytest.mark.fault("A29")
@pytest.mark.parametrize("closed", ["d/one.md", "d"])
def test_a29_a_permission_is_lost_while_watching(watched: WatchedVault, closed: str) -> None:
    watched.index.close()
    known = watched.indexed_digests()
    with modes_count():
        watched.start_and_wait()
        (watched.vault / closed).chmod(0)
        watched.listener.until(lambda: bool(watched.listener.reports[-1].unread))
        assert watched.listener.reports[-1].unread[0].path == closed
        assert watched.indexed_digests() == known
        (watched.vault / closed).chmod(0o755)
        watched.listener.until(lambda: not watched.listener.reports[-1].unread)
        watched.assert_like_new()


@pytest.mark.fault("A29")
@pytest.mark.parametrize("mode", [0, 0o444])
def test_a29_the_folder_itself_is_closed_while_watching(watched: WatchedVault, mode: int) -> None:
    """Nobody can see then whether it is a Dendron vault, whose notes are read in another way."""
    watched.index.close()
    write(watched.vault, {"dendron.yml": "version: 5\n"})
    with modes_count():
        watched.listener.phases.clear()
        watched.start_and_wait()
        watched.vault.chmod(mode)
        watched.listener.until(lambda: bool(watched.listener.errors))
        assert {error.code for error in watched.listener.errors} == {"vault_unopenable"}
        watched.listener.reports.clear()
        watched.vault.chmod(0o755)
        watched.listener.until(lambda: bool(watched.listener.reports))
        watched.assert_like_new()
    assert watched.listener.paths == set()


@pytest.mark.fault("A35")
def test_a35_a_file_of_a_terabyte(watched: WatchedVault) -> None:
    try:
        with (watched.vault / "huge.md").open("wb") as file:
            file.truncate(10**12)
    except OSError:
        pytest.skip("the file system has no sparse files")
    watched.listener.until(lambda: "huge.md" in watched.indexed_digests())
    watched.watch.refresh_now()
    watched.listener.until(lambda: bool(watched.listener.reports[-1].unread))
    (unread,) = watched.listener.reports[-1].unread
    assert (unread.path, unread.reason[:36]) == ("huge.md", "It is too large (1,000,000 MB; the l")
    (watched.vault / "huge.md").unlink()
    watched.assert_like_new()
