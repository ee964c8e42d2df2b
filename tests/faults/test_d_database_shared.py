"""Faults D: several connections, threads and processes use one index."""

import ast
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import notesearch
from notesearch.config import Settings
from notesearch.errors import IndexBusyError, IndexDamagedError
from notesearch.index import live_index
from notesearch.index.indexer import Indexer
from notesearch.index.note_reader import NoteReader
from notesearch.library import NoteLibrary
from notesearch.store import db
from notesearch.store.db import Connection
from notesearch.store.lock import WriterLock
from tests import index_contents
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.indexing_listener import IndexingListener
from tests.limits import WAIT_S

SETTINGS = Settings()
NOTES = {f"{n}.md": f"# Note {n}\n\nOtters swim {n} times.\n" for n in range(20)}


@pytest.fixture
def library(vault: Path) -> Iterator[NoteLibrary]:
    write(vault, NOTES)
    with NoteLibrary.open(vault, settings=SETTINGS, embedder=QuickModel()) as library:
        yield library


@pytest.fixture
def short_turns(impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a watch that waits for another process check all the time whether that one ended."""
    monkeypatch.setattr(live_index, "_TURN_S", 0.05)


@pytest.fixture
def listener() -> IndexingListener:
    return IndexingListener()


@pytest.fixture
def index(library: NoteLibrary) -> Path:
    """The file of the index, which need not exist yet."""
    return library._index.store.path


def lock_of(index: Path) -> Path:
    return index.with_name(index.name + ".lock")


def until_an_error(listener: IndexingListener) -> None:
    listener.until(lambda: bool(listener.errors))


def until_found(library: NoteLibrary, listener: IndexingListener, query: str) -> None:
    """Wait until one section has the words of ``query``."""
    listener.until(lambda: library.search(query, mode="words").total == 1)


def write_and_wait(library: NoteLibrary, listener: IndexingListener, notes: dict[str, str]) -> None:
    """Write ``notes`` and wait until the watch has indexed them with their vectors."""
    listener.reports.clear()
    write(library.vault, notes)
    listener.until(lambda: any(report.embedded for report in listener.reports))
    listener.until_idle()


def assert_like_new(library: NoteLibrary, index: Path) -> None:
    """Close the library; check that its index equals one built from scratch."""
    library.close()
    scratch = index_contents.from_scratch(library.vault, SETTINGS, QuickModel())
    assert index_contents.of(index) == scratch


@pytest.mark.fault(
    "D6",
    row="D3, D6",
    fault="The file is empty, or deleted or replaced while open",
    outcome="Noticed within 5 s and rebuilt",
)
@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be deleted here")
@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_d06_the_file_vanishes_while_it_is_open(
    library: NoteLibrary, index: Path, listener: IndexingListener, short_turns: None, how: str
) -> None:
    library.watch(listener)
    listener.until_idle()
    if how == "deleted":
        index.unlink()
    else:
        (index.parent / "other").write_bytes(b"")
        (index.parent / "other").replace(index)
    until_an_error(listener)
    assert str(listener.errors[0]) == "The index file was deleted or replaced and is being rebuilt."
    listener.until(lambda: index.exists() and library.status().notes == len(NOTES))
    listener.until_idle()
    write_and_wait(library, listener, {"new.md": "Written into the new index."})
    assert_like_new(library, index)


@pytest.mark.fault(
    "D14",
    row="D14, D15",
    fault="Two writers; a read before a write",
    outcome="The first claims the index, the second waits",
)
def test_d14_a_writer_waits_for_another_instead_of_failing(library: NoteLibrary) -> None:
    library.refresh()
    store = library._index.store
    waits = threading.Event()
    with store.writing() as first, store.writing() as second:
        sql = second._db.sql
        sql.execute("select count(*) from note").fetchall()
        busy_since: list[int] = []

        def busy(tries: int) -> bool:
            busy_since.append(tries)
            waits.set()
            return True

        sql.set_busy_handler(busy)
        thread = threading.Thread(target=second.finish_scan, args=(2.0, (), ""))
        with first._db.transaction():
            thread.start()
            assert waits.wait(WAIT_S)
            first._db.set_meta("last_scan", "1.0")
        thread.join()
        assert busy_since
        assert first._db.meta("last_scan") == "2.0"


@pytest.mark.fault(
    "H15",
    fault="Window, command line and servers at once",
    outcome="One writes, the others search",
)
@pytest.mark.fault("D15")
def test_d15_a_second_writer_is_reported_and_outwaited(
    library: NoteLibrary,
    index: Path,
    listener: IndexingListener,
    short_turns: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(db, "_BUSY_MS", 20)
    library.refresh()
    foreign = Connection(index, writer=True)
    with foreign.transaction():
        write(library.vault, {"late.md": "Written while the index was held."})
        library.watch(listener)
        until_an_error(listener)
        assert isinstance(listener.errors[0], IndexBusyError)
        assert library.search("otters").total
    foreign.close()
    listener.until(lambda: "late.md" in listener.paths)
    listener.until_idle()
    assert len(listener.errors) == 1
    assert_like_new(library, index)


@pytest.mark.fault("D16", fault="A long reader", outcome="The log shrinks afterwards")
def test_d16_a_long_reader_does_not_keep_the_log_long(library: NoteLibrary, index: Path) -> None:
    library.refresh()
    log = index.with_name(index.name + "-wal")
    text = "\n\n".join(f"## Part {n}\n\n{'Many words here. ' * 60}" for n in range(150))
    reader = library._index.store.reader()
    with reader.snapshot():
        known = reader.counts().notes
        for version in range(4):
            write(library.vault, {f"big{n}.md": f"# V{version}\n\n{text}" for n in range(4)})
            with library._index.store.writing() as writer:
                notes = NoteReader(library.vault, SETTINGS)
                indexer = Indexer(library.vault, SETTINGS, writer, QuickModel(), notes)
                for n in range(4):
                    indexer.reconcile_paths([f"big{n}.md"], lambda _: None, lambda: False)
        assert reader.counts().notes == known
    library.refresh()
    assert not log.exists() or log.stat().st_size == 0


def _calls() -> Iterator[tuple[str, str]]:
    root = Path(notesearch.__file__).parent
    for file in root.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield file.relative_to(root).as_posix(), ast.unparse(node.func)


@pytest.mark.fault("E9")
@pytest.mark.fault("D18, D19")
def test_d17_d18_nothing_forks_or_opens_the_index_by_itself() -> None:
    calls = set(_calls())
    assert not [call for call in calls if call[1] in {"os.fork", "os.forkpty"}]
    assert {file for file, call in calls if call == "apsw.Connection"} == {"store/db.py"}
    opened = {call for file, call in calls if file.startswith("store/") and "open" in call.lower()}
    assert opened == {"self.reopen", "store.reopen"}, "they open no file: readers connect again"


HOLD = """
import sys
from notesearch.index import live_index
from notesearch.library import NoteLibrary
from tests.faults.quick_model import QuickModel
from tests.indexing_listener import IndexingListener
listener = IndexingListener()
live_index._CHECK_S = live_index._TURN_S = 0.05
with NoteLibrary.open(sys.argv[1], embedder=QuickModel()) as library:
    library.watch(listener)
    if sys.argv[2] == "busy":
        listener.until(lambda: bool(listener.errors))
        print("busy", flush=True)
    listener.until_idle()
    print("idle", flush=True)
    sys.stdin.readline()
"""


@contextlib.contextmanager
def another_process(vault: Path, until: str = "idle") -> "Iterator[subprocess.Popen[bytes]]":
    """Let another process watch ``vault``, and kill it at the end of the block.

    The block begins once the process is ``idle``, or ``busy``: not allowed to index.
    """
    command = [sys.executable, "-c", HOLD, str(vault), until]
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root
    ) as process:
        assert process.stdout
        assert process.stdout.readline().decode().strip() == until
        try:
            yield process
        finally:
            process.kill()


def test_one_indexes_and_the_others_say_so_and_take_over(
    library: NoteLibrary, index: Path, listener: IndexingListener, short_turns: None
) -> None:
    with another_process(library.vault) as process:
        library.watch(listener)
        until_an_error(listener)
        write(library.vault, {"theirs.md": "Indexed by the other process."})
        listener.until(lambda: any(report.elsewhere for report in listener.reports))
        until_found(library, listener, "indexed process")
        process.kill()
        process.wait()
        listener.until_idle()
        write_and_wait(library, listener, {"ours.md": "Indexed by this one."})
    assert [type(error) for error in listener.errors] == [IndexBusyError]
    assert_like_new(library, index)


BROKEN_WORDS = "delete from words where rowid = 2"


def assert_repaired(library: NoteLibrary) -> None:
    """Repair an index with ``BROKEN_WORDS``; check the report."""
    found = library.repair()
    assert found.repaired == ("The damaged index file was set aside and the index was rebuilt.",)
    assert not found.problems


def execute(index: Path, statement: str) -> None:
    connection = Connection(index, writer=True)
    connection.sql.execute(statement)
    connection.close()


def test_a_watch_stands_aside_for_a_repair(
    library: NoteLibrary, index: Path, listener: IndexingListener, short_turns: None
) -> None:
    """The watch continues after the repair; the user need not end it."""
    library.watch(listener)
    listener.until_idle()
    execute(index, BROKEN_WORDS)
    assert_repaired(library)
    write(library.vault, {"new.md": "Written after the repair."})
    until_found(library, listener, "written repair")
    assert "is updating the index" in str(listener.errors[0])
    listener.until_idle()
    assert_like_new(library, index)


def test_the_watch_of_another_process_stands_aside_for_a_repair(
    library: NoteLibrary, index: Path, listener: IndexingListener, short_turns: None
) -> None:
    with another_process(library.vault):
        library.watch(listener)
        until_an_error(listener)
        execute(index, BROKEN_WORDS)
        assert_repaired(library)
        write(library.vault, {"new.md": "Written after the repair."})
        until_found(library, listener, "written repair")
    listener.until_idle()
    assert_like_new(library, index)


def test_a_watch_stands_aside_for_an_update_that_the_user_asks_for(
    library: NoteLibrary, listener: IndexingListener, short_turns: None
) -> None:
    """A window that watches says “run notesearch index” if notes are missing."""
    with another_process(library.vault):
        with pytest.raises(IndexBusyError):
            library.refresh()
        write(library.vault, {"new.md": "Written before the update."})
        library.refresh(takes_over=True)
        assert library.search("written update", mode="words").total == 1
        write(library.vault, {"new.md": "Changed later."})
        library.watch(listener)
        until_found(library, listener, "changed later")


@pytest.mark.fault("D2")
@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be renamed here")
def test_d02_a_search_finds_damage_while_another_process_watches(
    library: NoteLibrary, index: Path, listener: IndexingListener
) -> None:
    """The idle watch does not read, so it would notice the damage only at the next change."""
    with another_process(library.vault):
        content = bytearray(index.read_bytes())
        content[3 * 4096 : -4096] = bytes(len(content) - 4 * 4096)
        index.write_bytes(content)
        with pytest.raises(IndexDamagedError):
            library.search("otters", mode="words")
        assert library._index.store.files_set_aside()
        library.watch(listener)
        listener.until(lambda: index.exists() and library.status().notes == len(NOTES))
        assert library.search("otters", mode="words").total == len(NOTES)


def test_one_repairs_at_a_time(library: NoteLibrary, index: Path) -> None:
    library.refresh()
    index.write_bytes(b"")
    with WriterLock(index).claimed(), pytest.raises(IndexBusyError):
        library.repair()
    assert not library.repair().problems


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be deleted here")
def test_the_lock_is_deleted_while_one_indexes(
    library: NoteLibrary,
    index: Path,
    listener: IndexingListener,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another process takes the new lock, and only that process writes from then on."""
    monkeypatch.setattr(live_index, "_CHECK_S", 600)  # however long the other one takes
    library.watch(listener)
    listener.until_idle()
    with another_process(library.vault, until="busy") as process:
        lock_of(index).unlink()
        assert process.stdout
        assert process.stdout.readline() == b"idle\n"
        write(library.vault, {"theirs.md": "Indexed by the other process."})
        listener.until(lambda: any(report.elsewhere for report in listener.reports))
        assert "theirs.md" not in listener.paths
        assert {type(error) for error in listener.errors} == {IndexBusyError}
        process.kill()
        process.wait()
        listener.until_idle()
        write_and_wait(library, listener, {"ours.md": "Indexed by this one."})
    assert_like_new(library, index)


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be deleted here")
def test_the_lock_is_deleted_while_no_other_indexes(
    library: NoteLibrary, index: Path, listener: IndexingListener
) -> None:
    """It continues with a new lock, and does not say that another process has indexed."""
    library.watch(listener)
    listener.until_idle()
    lock_of(index).unlink()
    write(library.vault, {"ours.md": "Indexed by this one."})
    listener.until(lambda: "ours.md" in listener.paths)
    assert [error.code for error in listener.errors] == ["index_lock_deleted"]
    assert not any(report.elsewhere for report in listener.reports)


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be deleted here")
def test_the_lock_is_deleted_in_the_midst_of_a_note(library: NoteLibrary, index: Path) -> None:
    """A note whose indexing began with the old lock is not written."""
    library.refresh()
    with library._index.writing() as indexer:
        write(library.vault, {"late.md": "Late."})
        lock_of(index).unlink()
        with pytest.raises(IndexBusyError, match="lock file was deleted"):
            indexer.reconcile_paths(["late.md"], lambda _: None, lambda: False)
    assert library.status().notes == len(NOTES)
    library.refresh()
    assert_like_new(library, index)


def test_the_same_failure_is_reported_once(
    library: NoteLibrary, listener: IndexingListener, short_turns: None
) -> None:
    with library._index._lock.held():
        watch = library.watch(listener)
        until_an_error(listener)
        tries = threading.Event()
        follow = watch._follow_other

        def following() -> None:
            tries.set()
            follow()

        watch._follow_other = following  # type: ignore[method-assign]
        assert tries.wait(WAIT_S)
        tries.clear()
        assert tries.wait(WAIT_S)
        assert len(listener.errors) == 1
    listener.until_idle()


def test_asking_whether_a_process_indexes_keeps_no_other_from_indexing(tmp_path: Path) -> None:
    """A process that asks takes the lock for a moment."""
    index = tmp_path / "index.db"
    with contextlib.ExitStack() as asking:
        asking.enter_context(WriterLock(index).held(patience=0))
        done = threading.Timer(0.02, asking.close)
        done.start()
        with WriterLock(index).held():
            done.join()
