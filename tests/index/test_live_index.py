"""The indexing thread on a real folder: the index follows every change."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from notesearch.errors import IndexBusyError, IndexDamagedError, NotesearchError, VaultMissingError
from notesearch.index import live_index
from notesearch.index.note_files import NoteFile, read_file
from notesearch.index.vault_index import VaultIndex
from notesearch.index.watcher import FolderWatch
from notesearch.status import Phase, Progress, Report
from tests import index_contents
from tests.folders import write
from tests.index.stepwise_index import Counted
from tests.indexing_listener import IndexingListener
from tests.watched_vault import SETTINGS, WatchedVault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder

START = {
    "a.md": "# A\n\nFirst words.\n",
    "b.md": "# B\n\nSecond words.\n",
    "d/c.md": "# C\n\nThird words.\n",
    "d/e/f.md": "# F\n\nFourth words.\n",
}


def test_compares_first(watched: WatchedVault) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    assert watched.listener.reports[0].added == tuple(sorted(START))
    watched.assert_like_new()


def test_reports_progress_before_the_model_is_loaded(watched: WatchedVault) -> None:
    """Some models take seconds to load, and a window should not be without any news until then."""
    going = threading.Event()
    watched.index = VaultIndex(watched.vault, SETTINGS, watched.index.store, lambda: _late(going))
    watch = watched.start()
    try:
        watched.listener.until(lambda: Phase.SCAN in watched.listener.phases)
        assert watched.listener.reports == []
    finally:
        going.set()
        watched.listener.until_idle()
        watch.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread has no precedence")
def test_lowers_the_priority_of_its_thread(
    watched: WatchedVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[int] = []
    listener = watched.listener
    forward = listener.progressed

    def progressed(progress: Progress) -> None:
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        forward(progress)

    monkeypatch.setattr(listener, "progressed", progressed)
    write(watched.vault, START)
    watched.start_and_wait()
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert set(found) == {min(own + live_index._NICENESS, 19)}


def _late(going: threading.Event) -> None:
    going.wait()


# What programs do to notes, each by another program.


def edit(vault: Path) -> None:
    (vault / "a.md").write_text("# A\n\nOther words.\n")


def append(vault: Path) -> None:
    with (vault / "a.md").open("a") as file:
        file.write("## More\n\nWords.\n")


def create(vault: Path) -> None:
    write(vault, {"new.md": "New.", "d/new.md": "New too."})


def delete(vault: Path) -> None:
    (vault / "a.md").unlink()
    (vault / "d/c.md").unlink()


def rename(vault: Path) -> None:
    (vault / "a.md").rename(vault / "z.md")


def rename_case(vault: Path) -> None:
    (vault / "a.md").rename(vault / "A.md")


def swap(vault: Path) -> None:
    (vault / "a.md").rename(vault / "x.tmp")
    (vault / "b.md").rename(vault / "a.md")
    (vault / "x.tmp").rename(vault / "b.md")


def hide(vault: Path) -> None:
    (vault / "a.md").rename(vault / ".a.md")


def unhide(vault: Path) -> None:
    write(vault, {".hidden/x.md": "Shown."})
    (vault / ".hidden").rename(vault / "shown")


def new_folder_with_note(vault: Path) -> None:
    write(vault, {"x/y/z/deep.md": "Deep."})


def rename_folder(vault: Path) -> None:
    (vault / "d").rename(vault / "dd")
    (vault / "dd/c.md").write_text("Written after the move.")


def move_folder_in(vault: Path) -> None:
    outside = vault.parent / "outside"
    write(outside, {"in/one.md": "One.", "in/er/two.md": "Two."})
    (outside / "in").rename(vault / "in")
    (vault / "in/er/two.md").write_text("Written after the move.")


def move_folder_out(vault: Path) -> None:
    (vault / "d").rename(vault.parent / "out")
    (vault.parent / "out/c.md").write_text("Nobody's business.")


def delete_folder(vault: Path) -> None:
    shutil.rmtree(vault / "d")


def recreate_folder(vault: Path) -> None:
    for round_ in range(20):
        shutil.rmtree(vault / "d")
        write(vault, {"d/e/f.md": f"Round {round_}."})


def replace(vault: Path) -> None:
    """Save as most editors do."""
    write(vault, {".a.md.tmp": "# A\n\nReplaced.\n"})
    os.replace(vault / ".a.md.tmp", vault / "a.md")  # noqa: PTH105


def replace_from_elsewhere(vault: Path) -> None:
    write(vault.parent, {"draft": "# A\n\nReplaced.\n"})
    os.replace(vault.parent / "draft", vault / "a.md")  # noqa: PTH105


def back_up_and_write(vault: Path) -> None:
    """Save as vim does."""
    (vault / "a.md").rename(vault / "a.md~")
    (vault / "a.md").write_text("# A\n\nBy vim.\n")
    (vault / "a.md~").unlink()


def save_often(vault: Path) -> None:
    for version in range(50):
        (vault / "a.md").write_text(f"# A\n\nVersion {version}.\n")


def write_300(vault: Path) -> None:
    write(vault, {f"many/{n % 7}/{n}.md": f"# {n}\n\nNumber {n}.\n" for n in range(300)})


def strange_names(vault: Path) -> None:
    names = ["--dash.md", "100%#?.md", "line\nbreak.md", "日本語.md", "e\u0301.md", "é.md"]
    write(vault, dict.fromkeys(names, "Strange."))
    (vault / os.fsdecode(b"\xe9.txt")).touch()


@pytest.mark.fault("I7")
@pytest.mark.fault("A21")
@pytest.mark.fault("A7, A8")
@pytest.mark.parametrize(
    "change",
    [
        edit, append, create, delete, rename, rename_case, swap, hide, unhide,
        new_folder_with_note, rename_folder, move_folder_in, move_folder_out, delete_folder,
        recreate_folder, replace, replace_from_elsewhere, back_up_and_write, save_often,
        write_300, strange_names,
    ],
)  # fmt: skip
def test_follows(watched: WatchedVault, change: Callable[[Path], None]) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    change(watched.vault)
    watched.assert_like_new()
    assert not watched.listener.errors


def test_a_note_never_vanishes_while_it_is_saved(watched: WatchedVault) -> None:
    """The editor empties the file, waits, and writes it; another note is saved in between."""
    write(watched.vault, START)
    watched.start_and_wait()
    watched.listener.reports.clear()
    with (watched.vault / "a.md").open("w") as file:
        write(watched.vault, {"b.md": "# B\n\nSaved in between.\n"})
        watched.listener.until(lambda: "b.md" in watched.listener.paths)
        assert "a.md" not in watched.listener.paths
        file.write("# A\n\nSaved.\n")
    watched.assert_like_new()


def test_a_cleared_note_becomes_empty(watched: WatchedVault) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    write(watched.vault, {"a.md": ""})
    watched.assert_like_new()


def test_other_files_cause_no_comparison(watched: WatchedVault) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    watched.listener.reports.clear()
    write(
        watched.vault,
        {".obsidian/workspace.json": "{}", ".git/x/y": "", ".x.md": "", "a.png": "", "a.md~": ""},
    )
    edit(watched.vault)
    watched.assert_like_new()
    assert [report.changed for report in watched.listener.reports] == [("a.md",)]


def test_a_name_that_is_not_unicode_does_not_stop_the_thread(watched: WatchedVault) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    bad = watched.vault / os.fsdecode(b"caf\xe9.md")
    bad.write_text("one")
    edit(watched.vault)
    watched.listener.until(lambda: "a.md" in watched.listener.reports[-1].changed)
    bad.write_text("two")
    (watched.vault / "b.md").unlink()
    watched.listener.until(lambda: "b.md" in watched.listener.reports[-1].removed)
    assert not watched.listener.errors


@pytest.mark.writes_from_within
def test_a_file_that_changes_while_it_is_read_is_read_again(
    watched: WatchedVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(watched.vault, START)
    watched.start_and_wait()
    late = iter(["# A\n\nLast words.\n"])

    def read_late(vault: Path, path: str, limit: int, *, follow: bool = False) -> NoteFile:
        read = read_file(vault, path, limit, follow=follow)
        for text in late:
            write(vault, {path: text})
        return read

    monkeypatch.setattr("notesearch.index.note_files.read_file", read_late)
    edit(watched.vault)
    watched.assert_like_new()


@pytest.mark.fault("J11")
@pytest.mark.fault("A13")
@pytest.mark.fault("A11")
@pytest.mark.fault("A4 to A6")
@pytest.mark.fault("A2")
class TestTheFolder:
    @pytest.mark.fault("J11")
    def test_missing_at_first(self, watched: WatchedVault, impatient: None) -> None:
        watched.vault.rmdir()
        watched.start()
        watched.listener.until(lambda: bool(watched.listener.errors))
        assert isinstance(watched.listener.errors[0], VaultMissingError)
        write(watched.vault, START)
        watched.assert_like_new()

    @pytest.mark.fault("A13")
    @pytest.mark.fault("A11")
    @pytest.mark.parametrize("how", ["moved away", "deleted"])
    def test_gone_and_back(self, watched: WatchedVault, impatient: None, how: str) -> None:
        write(watched.vault, START)
        watched.start_and_wait()
        known = watched.indexed_digests()
        if how == "moved away":
            watched.vault.rename(watched.vault.with_name("away"))
        else:
            shutil.rmtree(watched.vault)
        watched.listener.until(lambda: bool(watched.listener.errors))
        assert watched.indexed_digests() == known
        write(watched.vault, {"other.md": "Another folder.", "a.md": "One is back."})
        watched.listener.until(watched.converged)
        edited = watched.vault / "other.md"
        edited.write_text("It is watched again.")
        watched.assert_like_new()

    @pytest.mark.fault("A4 to A6")
    def test_without_events(
        self, watched: WatchedVault, impatient: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_more_watches(_watch: FolderWatch) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(FolderWatch, "_observe", no_more_watches)
        write(watched.vault, START)
        watched.start_and_wait()
        create(watched.vault)
        watched.assert_like_new()

    @pytest.mark.fault("A2")
    def test_with_a_dead_watcher(self, watched: WatchedVault, impatient: None) -> None:
        write(watched.vault, START)
        watch = watched.start_and_wait()
        watch._watch._stop()
        create(watched.vault)
        watched.assert_like_new()


HOLD = """
import sys
from pathlib import Path
from notesearch.store.lock import WriterLock
with WriterLock(Path(sys.argv[1])).held():
    print("held", flush=True)
    sys.stdin.read()
"""


@contextlib.contextmanager
def another_process_indexing(index: Path) -> Iterator[None]:
    command = [sys.executable, "-c", HOLD, str(index)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdin
        assert process.stdout.readline() == b"held\n"
        yield
        process.stdin.close()
        process.wait()


def fail_once(listener: IndexingListener, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the listener fail at the first report."""
    forward, slips = listener.updated, [RuntimeError("a slip in the window")]

    def updated(report: Report) -> None:
        forward(report)
        while slips:
            raise slips.pop()

    monkeypatch.setattr(listener, "updated", updated)


class TestAnotherProcess:
    def test_that_indexes_is_waited_for(self, watched: WatchedVault) -> None:
        write(watched.vault, START)
        with another_process_indexing(watched.index.store.path):
            watch = watched.start()
            watched.listener.until(lambda: bool(watched.listener.errors))
            assert isinstance(watched.listener.errors[0], IndexBusyError)
        watch.refresh_now()
        watched.assert_like_new()

    def test_is_reported_in_spite_of_a_failing_listener(
        self, watched: WatchedVault, impatient: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fail_once(watched.listener, monkeypatch)
        monkeypatch.setattr(watched.index.store, "version", object)
        write(watched.vault, START)
        with another_process_indexing(watched.index.store.path):
            watched.start()
            watched.listener.until(lambda: sum(r.elsewhere for r in watched.listener.reports) > 1)
        watched.assert_like_new()

    def test_only_one_thread_here_indexes(self, watched: WatchedVault) -> None:
        watched.start_and_wait()
        with pytest.raises(IndexBusyError, match="already being indexed"):
            watched.index.refresh(lambda _: None)


@pytest.mark.fault("J3")
class TestFailures:
    def test_of_a_listener_do_not_stop_the_thread(
        self, watched: WatchedVault, impatient: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fail_once(watched.listener, monkeypatch)
        write(watched.vault, START)
        watched.start_and_wait()
        edit(watched.vault)
        watched.assert_like_new()

    @pytest.mark.parametrize("found_by", ["a search", "the thread"])
    def test_of_the_index_file_are_repaired(self, watched: WatchedVault, found_by: str) -> None:
        write(watched.vault, START)
        watched.start_and_wait()
        index = watched.index.store.path
        # By another process: SQLite loses its locks where its own opens the file as well.
        size = index.stat().st_size
        overwrite = "import sys; open(sys.argv[1], 'r+b').write(bytes(int(sys.argv[2])))"
        subprocess.run([sys.executable, "-c", overwrite, str(index), str(size)], check=True)
        if found_by == "a search":
            with pytest.raises(IndexDamagedError), watched.index.reading() as reader:
                reader.counts()
        else:
            edit(watched.vault)
        watched.listener.until(lambda: bool(watched.listener.errors))
        assert "damaged and is being rebuilt" in str(watched.listener.errors[0])
        watched.listener.until(lambda: watched.listener.reports[-1].added == tuple(sorted(START)))
        watched.assert_like_new()
        assert list(index.parent.glob("*.set-aside-*"))


class Halting(Counted):
    """An embedder whose first batch waits until the test continues."""

    def __init__(self, embedder: "Embedder") -> None:
        super().__init__(embedder)
        self.began = threading.Event()
        self.go_on = threading.Event()

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        self.began.set()
        assert self.go_on.wait(30)
        return super().embed_passages(texts)


def test_a_note_saved_meanwhile_waits_neither_for_words_nor_for_meaning(
    vault: Path, tmp_path: Path, embedder: "Embedder"
) -> None:
    halting = Halting(embedder)
    watched = WatchedVault(vault, tmp_path / "index.sqlite")
    watched.index = VaultIndex(vault, SETTINGS, watched.index.store, lambda: halting)
    write(vault, {f"{n}.md": f"# Number {n}\n\nWords of {n}.\n" for n in range(100)})
    watch = watched.start()
    assert halting.began.wait(30)
    watched.listener.until(watched.converged)
    write(vault, {"urgent.md": "It is found while the others wait."})
    assert watch._hints.ready.wait(30)
    halting.go_on.set()
    watched.listener.until(watched.converged)
    with watched.index.reading() as reader:
        assert reader.counts().pending > 0
    watched.listener.until(lambda: watched.listener.phases[-1] is Phase.IDLE)
    watched.index.close()
    order = [next(n for n, text in enumerate(halting.embedded) if part in text)
             for part in ("Words of 0", "while the others", "Words of 99")]  # fmt: skip
    assert order == sorted(order)
    scratch = index_contents.from_scratch(vault, SETTINGS, embedder)
    assert index_contents.of(watched.index.store.path) == scratch


class TestClosing:
    def test_at_once(self, watched: WatchedVault) -> None:
        write(watched.vault, START)
        watched.start().close()

    def test_twice(self, watched: WatchedVault) -> None:
        watch = watched.start_and_wait()
        watch.close()
        watch.close()

    def test_in_the_middle_leaves_whole_notes(self, watched: WatchedVault) -> None:
        write(watched.vault, {f"{n}.md": f"# {n}\n\nNumber {n}.\n" for n in range(200)})
        watch = watched.start()
        watched.listener.until(lambda: len(watched.listener.phases) > 20)
        watch.close()
        contents = index_contents.of(watched.index.store.path)
        notes = {row[1] for row in contents if row[0] == "note"}
        assert 0 < len(notes) < 200
        assert notes == {row[1] for row in contents if row[0] == "section"}
        watched.start()
        watched.assert_like_new()

    def test_while_nothing_works(self, watched: WatchedVault) -> None:
        watched.vault.rmdir()
        watch = watched.start()
        watched.listener.until(lambda: bool(watched.listener.errors))
        watch.close()

    @pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
    def test_leaves_no_file_open(self, watched: WatchedVault) -> None:
        """Earlier tests may leave files that are closed meanwhile; none may be new."""
        before = open_files()
        write(watched.vault, START)
        watched.start_and_wait()
        watched.index.close()
        assert open_files() - before == Counter()


def open_files() -> Counter[str]:
    """Return what this process has open: files by path, sockets and the like by kind."""
    names = Counter[str]()
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the listing itself
            names[re.sub(r":\[\d+\]", "", str(link.readlink()))] += 1
    return names


ABANDON = """
import sys
from notesearch.library import NoteLibrary
from tests.indexing_listener import IndexingListener

listener = IndexingListener()
watch = NoteLibrary.open(sys.argv[1]).watch(listener)
if sys.argv[2] == "paused":
    watch.pause()
if sys.argv[2] == "idle":
    listener.until_idle()
"""


@pytest.mark.parametrize("when", ["starting", "paused", "idle"])
def test_a_program_that_closes_nothing_ends(vault: Path, when: str) -> None:
    write(vault, START)
    root = str(Path(__file__).resolve().parents[2])
    run = subprocess.run(
        [sys.executable, "-c", ABANDON, str(vault), when],
        capture_output=True, check=True, env={**os.environ, "PYTHONPATH": root}, timeout=60,
    )  # fmt: skip
    assert run.stderr == b""


def test_errors_are_sentences_for_the_user(watched: WatchedVault) -> None:
    watched.vault.rmdir()
    watched.start()
    watched.listener.until(lambda: bool(watched.listener.errors))
    error: NotesearchError = watched.listener.errors[0]
    expected = f"The notes folder {watched.vault} is missing. Check its path, or connect its drive."
    assert str(error) == expected
