"""The index file: created when missing, set aside when unusable, shared by threads."""

import contextlib
import random
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    SearchCancelledError,
)
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.messages import Sentence
from notesearch.notes import Passage
from notesearch.status import Part
from notesearch.store import db, recovery
from notesearch.store.store import Store
from notesearch.store.writer import Writer
from tests.file_permissions import denied
from tests.store.note_writing import digest, file_state, put
from tests.unreadable_files import endless, folder, pipe

NOTE = "# Trip\n\nNishiki market\n\n## Packing\n\nsocks"
BIG_NOTE = "\n\n".join(f"## Day {n}\n\n" + "food market river " * 20 for n in range(400))


def _sql(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


def _overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def _truncate(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def _garbage(path: Path) -> None:
    path.write_bytes(b"This is no database. " * 1000)


def _foreign(path: Path) -> None:
    path.unlink()
    _sql(path, "create table somebody_elses (x)")


def _newer(path: Path) -> None:
    _sql(path, "pragma user_version = 99")


def _other_program(path: Path) -> None:
    _sql(path, "pragma application_id = 7")


def _no_tables(path: Path) -> None:
    path.unlink()
    version = f"pragma user_version = {db.SCHEMA_VERSION}"
    _sql(path, f"pragma application_id = {db.APPLICATION_ID}", version)


def _zero_header(path: Path) -> None:
    _overwrite(path, 0, bytes(100))


UNUSABLE: dict[str, Callable[[Path], None]] = {
    "garbage": _garbage,
    "foreign": _foreign,
    "newer version": _newer,
    "other program": _other_program,
    "no tables": _no_tables,
    "header zeroed": _zero_header,
    "truncated": _truncate,
}


def _fill(store: Store) -> None:
    with store.writing() as writer:
        put(writer, "trip.md", NOTE)
        writer.checkpoint()


def _fill_a_small_disk(store: Store) -> None:
    with store.writing() as writer:
        writer._db.sql.execute("pragma max_page_count = 40")
        put(writer, "big.md", BIG_NOTE)


def test_a_new_index_is_empty_and_can_be_read(store: Store) -> None:
    counts = store.reader().counts()
    assert (counts.notes, counts.sections, counts.pending) == (0, 0, 0)
    assert store.reader().vectors.model() == ""
    assert not store.reader().vectors.has_any()
    assert store.bytes_on_disk() > 0
    assert store.rebuilt == ""


def test_preparing_again_keeps_the_notes(store: Store) -> None:
    _fill(store)
    store.prepare()
    assert store.reader().counts().notes == 1


@pytest.mark.parametrize("spoil", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_file_is_set_aside_with_a_message(
    store: Store, spoil: Callable[[Path], None]
) -> None:
    _fill(store)
    spoil(store.path)
    size = store.path.stat().st_size
    store.prepare()
    assert "is being rebuilt" in store.rebuilt
    assert store.reader().counts().notes == 0
    _fill(store)
    assert store.reader().words.known('"nishiki"')
    aside = [p for p in store.path.parent.iterdir() if "set-aside" in p.name]
    assert size in [p.stat().st_size for p in aside]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
@pytest.mark.fault("D1")
@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
@pytest.mark.parametrize("make", [folder, pipe, endless])
def test_anything_else_in_the_place_of_the_index_is_set_aside(
    store: Store, make: Callable[[Path], None], ending: str
) -> None:
    """The program once waited for a pipe without end, and could not replace a folder."""
    _fill(store)
    store.close()
    place = store.path.with_name(store.path.name + ending)
    place.unlink(missing_ok=True)
    make(place)
    with pytest.raises(IndexDamagedError):
        store.reader()
    store.prepare()
    _fill(store)
    assert store.reader().words.known('"nishiki"')
    aside = [p for p in store.path.parent.iterdir() if "set-aside" in p.name]
    assert aside or make is not folder


@pytest.mark.fault("D3")
def test_an_empty_file_becomes_an_index(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    path.touch()
    store = Store(path)
    with pytest.raises(IndexDamagedError, match="was incomplete and is being rebuilt"):
        store.reader()
    store.prepare()
    _fill(store)
    assert store.reader().counts().notes == 1
    store.close()


def test_a_log_without_its_index_does_no_harm(store: Store) -> None:
    _fill(store)
    store.path.with_name(store.path.name + "-wal").write_bytes(b"left over " * 1000)
    store.prepare()
    assert store.reader().counts().notes == 1


@pytest.mark.parametrize("pages", [(3, 40), (10, 400)])
def test_damage_is_reported_when_a_read_meets_it(store: Store, pages: tuple[int, int]) -> None:
    with store.writing() as writer:
        put(writer, "big.md", BIG_NOTE)
        writer.checkpoint()
    size = store.path.stat().st_size
    _overwrite(store.path, pages[0] * 4096, b"\xa5" * (min(pages[1] * 4096, size) - 3 * 4096))
    with pytest.raises(IndexDamagedError, match="Your notes are not affected"):
        store.reader().words.scored('"market"', [1.0] * 7, 10)
    with pytest.raises(IndexDamagedError), store.writing() as writer:
        writer.delete_notes(["big.md"])


def _used_pages(store: Store) -> list[int]:
    connection = db.Connection(store.path, writer=False)
    try:
        return [page for (page,) in connection.sql.execute("select pageno from dbstat order by 1")]
    finally:
        connection.close()


@pytest.mark.fault("D25")
def test_d25_a_flipped_bit_in_any_page_is_found(store: Store) -> None:
    """This includes a bit that leaves the page readable, but would change an answer."""
    with store.writing() as writer:
        put(writer, "big.md", BIG_NOTE)
        writer.checkpoint()
    store.close()
    whole = store.path.read_bytes()
    random.seed(25)
    for page in random.sample(_used_pages(store), 25):
        at = random.randrange((page - 1) * 4096, page * 4096)
        _overwrite(store.path, at, bytes([whole[at] ^ 1 << random.randrange(8)]))
        assert [problem.part for problem in recovery.check(store.path)] == [Part.FILE], at
        _overwrite(store.path, at, whole[at : at + 1])
    assert recovery.check(store.path) == ()


@pytest.mark.fault("D25")
def test_d25_rows_that_another_program_changed_are_found(store: Store) -> None:
    """Its SQLite writes pages without a checksum."""
    _fill(store)
    _sql(store.path, "update section set end_line = 99")
    assert [problem.part for problem in recovery.check(store.path)] == [Part.FILE]
    with pytest.raises(IndexDamagedError, match="Your notes are not affected"):
        store.reader().rows.note_sections("trip.md")


def test_other_users_of_sqlite_in_this_process_keep_their_files_as_they_were(
    store: Store, tmp_path: Path
) -> None:
    assert apsw.vfs_names()[0] != "cksmvfs"
    other = apsw.Connection(str(tmp_path / "other.sqlite"))
    other.execute("create table theirs (x)")
    assert other.reserve_bytes() == 0
    other.close()


def test_reading_a_missing_index_is_an_error(tmp_path: Path) -> None:
    store = Store(tmp_path / "none.sqlite")
    assert not store.exists
    with pytest.raises(IndexFileError, match=r"none\.sqlite"):
        store.reader()
    assert not store.exists


def test_a_folder_in_the_place_of_a_draft_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "vault.sqlite.new").mkdir()
    with pytest.raises(IndexFileError, match="cannot be deleted"):
        Store(tmp_path / "vault.sqlite").prepare()


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "indexes").touch()
    with pytest.raises(IndexFileError, match="cannot be created"):
        Store(tmp_path / "indexes" / "vault.sqlite").prepare()


@pytest.mark.fault("I3")
def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with denied(tmp_path, 0o500), pytest.raises(IndexFileError, match="permissions of its folder"):
        Store(tmp_path / "vault.sqlite").prepare()
    with denied(tmp_path, 0o500), pytest.raises(IndexFileError, match="cannot be created"):
        Store(tmp_path / "indexes" / "vault.sqlite").prepare()


@pytest.mark.fault("I3")
def test_an_index_that_cannot_be_read_is_an_error(store: Store) -> None:
    for mode in (0, 0o400):
        with (
            denied(store.path, mode),
            pytest.raises(IndexFileError, match="do not have permission"),
        ):
            store.prepare()
    with denied(store.path), pytest.raises(IndexFileError, match="cannot be opened"):
        store.reader()


@pytest.mark.fault("I1, I2, I4")
def test_a_full_disk_is_reported_and_loses_nothing(store: Store) -> None:
    _fill(store)
    with pytest.raises(IndexFileError, match="no space left"):
        _fill_a_small_disk(store)
    assert store.reader().counts().notes == 1
    with store.writing() as writer:
        put(writer, "big.md", BIG_NOTE)
    assert store.reader().counts().notes == 2


@pytest.mark.fault("D15")
def test_two_writers_wait_for_each_other(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db, "_BUSY_MS", 20)
    with (
        pytest.raises(IndexBusyError, match="Another program is using"),
        store.writing() as first,
        store.writing() as second,
        first._db.transaction(),
    ):
        put(second, "a.md", NOTE)
    with store.writing() as writer:
        put(writer, "a.md", NOTE)


def test_readers_read_on_while_a_note_is_written(store: Store) -> None:
    _fill(store)
    with store.writing() as writer, writer._db.transaction() as sql:
        sql.execute("delete from note")
        assert store.reader().counts().notes == 1


def test_a_snapshot_shows_one_state(store: Store) -> None:
    _fill(store)
    reader = store.reader()
    with store.writing() as writer:
        with reader.snapshot():
            assert reader.words.known('"nishiki"')
            writer.delete_notes(["trip.md"])
            assert reader.words.known('"nishiki"')
            assert reader.counts().notes == 1
        assert not reader.words.known('"nishiki"')


def test_caches_are_emptied_after_a_change(store: Store) -> None:
    _fill(store)
    reader = store.reader()

    def answers() -> tuple[bool, int, int]:
        scored = reader.words.scored('"nishiki"', (1.0,) * 7, 10)
        return reader.words.known('"nishiki"'), reader.words.count('"nishiki"', 10), len(scored)

    assert answers() == answers() == (True, 1, 1)
    with store.writing() as writer:
        put(writer, "again.md", "Nishiki once more.")
        with reader.snapshot():
            assert answers() == (True, 2, 2)
        writer.delete_notes(["trip.md", "again.md"])
        assert answers() == (False, 0, 0)


def test_a_sample_returns_texts_of_passages(store: Store) -> None:
    with store.writing() as writer:
        put(writer, "trip.md", "# Kyoto\n\nNishiki market, " + "stall after stall, " * 20)
    texts = store.reader().vectors.sample(5)
    assert texts
    assert all("stall after stall" in text for text in texts)


def test_a_snapshot_ends_when_its_block_fails(store: Store) -> None:
    reader = store.reader()
    with pytest.raises(KeyError), reader.snapshot():
        raise KeyError
    with reader.snapshot():
        assert reader.counts().notes == 0


def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(apsw.ReadOnlyError):
        store.reader().state.sql.execute("delete from note")


@pytest.mark.fault(
    "D17",
    row="D17 to D19",
    fault="A connection in two threads; two SQLite libraries; a fork",
    outcome="Each thread has its own; one module opens the file; nothing forks",
)
def test_each_thread_has_its_own_reader_until_it_ends(store: Store) -> None:
    mine = store.reader()
    assert store.reader() is mine
    seen = []
    for _ in range(5):
        thread = threading.Thread(target=lambda: seen.append(store.reader()))
        thread.start()
        thread.join()
    assert len({id(reader) for reader in [mine, *seen]}) == 6
    assert len(store._connections) == 2  # of the last thread, until another one comes


def test_no_reader_has_the_file_open_while_it_moves(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows moves no open file."""
    events: list[str] = []
    is_reading = threading.Event()
    may_end = threading.Event()

    def read() -> None:
        with store.reading() as reader:
            is_reading.set()
            assert may_end.wait(30)
            reader.counts()
            events.append("read")

    replace = Path.replace

    def moved(path: Path, target: Path) -> Path:
        assert not store._connections
        events.append("moved")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", moved)
    with ThreadPoolExecutor(2) as threads:
        reading = threads.submit(read)
        assert is_reading.wait(30)
        moving = threads.submit(store.set_aside, Sentence("index_check_failed"))
        may_end.set()
        reading.result()
        moving.result()
    assert events[:2] == ["read", "moved"]
    assert not store.exists


def test_readers_open_the_file_that_replaces_a_damaged_one(store: Store) -> None:
    _fill(store)
    assert store.reader().counts().notes == 1
    store.set_aside(Sentence("index_check_failed"))
    store.prepare()
    assert store.reader().counts().notes == 0
    assert store.rebuilt == Sentence("index_check_failed")


def test_readers_open_a_file_that_another_process_put_there(store: Store) -> None:
    _fill(store)
    elsewhere = Store(store.path)
    assert elsewhere.reader().counts().notes == 1
    store.set_aside(Sentence("index_check_failed"))
    store.prepare()
    assert elsewhere.reader().counts().notes == 0
    elsewhere.close()


@pytest.mark.fault("I3")
def test_readers_without_locks_see_what_is_written_later(store: Store) -> None:
    _fill(store)
    with denied(store.path.parent, 0o500), denied(store.path, 0o400):
        assert store.reader().counts().notes == 1
        assert store.reader() is store.reader()
    with store.writing() as writer:
        put(writer, "again.md", "Nishiki once more.")
        assert store.reader().counts().notes == 2


@pytest.mark.fault("I3")
@pytest.mark.fault("I10")
def test_what_was_read_without_locks_does_not_count_if_somebody_wrote(store: Store) -> None:
    _fill(store)
    reading = contextlib.ExitStack()
    with denied(store.path.parent, 0o500), denied(store.path, 0o400):
        assert reading.enter_context(store.reading()).counts().notes == 1
    with store.writing() as writer:
        put(writer, "again.md", "Nishiki once more.")
    with pytest.raises(IndexBusyError, match="Try again"):
        reading.close()
    with store.reading() as reader:
        assert reader.counts().notes == 2


@pytest.mark.fault(
    "I11", fault="Readers that never rest", outcome="The write-ahead log stays below 40 MB"
)
def test_the_log_is_bounded_under_readers_that_never_rest(store: Store) -> None:
    log = store.path.with_name(f"{store.path.name}-wal")
    done = threading.Event()

    def read_on() -> None:
        reader = store.reader()
        while not done.is_set():
            with reader.snapshot():
                reader.counts()

    with ThreadPoolExecutor(3) as readers, store.writing() as writer:
        reading = [readers.submit(read_on) for _ in range(3)]
        sizes = []
        for number in range(160):
            with writer._db.transaction():
                writer._db.set_meta("large", str(number) * 300_000)
            sizes.append(log.stat().st_size)
        done.set()
        for reader in reading:
            reader.result()
    assert max(sizes) < 40_000_000


@pytest.mark.fault("F8")
def test_a_cancelled_search_stops_and_the_next_one_works(store: Store) -> None:
    with store.writing() as writer:
        put(writer, "big.md", BIG_NOTE)
    reader = store.reader()
    with pytest.raises(SearchCancelledError), reader.snapshot(lambda: True):
        reader.words.scored('"food" OR "market" OR "river"', [1.0] * 7, 300)
    with reader.snapshot(lambda: False):
        assert len(reader.words.scored('"food"', [1.0] * 7, 300)) == 300
    with reader.snapshot():
        with pytest.raises(SearchCancelledError), reader.snapshot(lambda: True):
            reader.words.scored('"food" OR "market" OR "river"', [1.0] * 7, 300)
        assert len(reader.words.scored('"food"', [1.0] * 7, 300)) == 300
    assert len(reader.words.scored('"food"', [1.0] * 7, 300)) == 300


def test_a_failed_write_leaves_no_trace(writer: Writer, store: Store) -> None:
    put(writer, "trip.md", NOTE)
    note = parse_note(NOTE.replace("Nishiki", "Other"), "trip.md")
    stray = Passage(7, 0, (0, 0), "of a section that is not there")
    with pytest.raises(IndexError):
        writer.put_note(note, [stray], file_state(NOTE), digest(NOTE))
    assert store.reader().words.known('"nishiki"')
    assert not store.reader().words.known('"other"')
