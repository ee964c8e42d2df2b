"""The index file of one vault: opens it, sets a damaged one aside, hands out connections."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import IndexDamagedError, IndexFileError
from notesearch.sentences import NO_SENTENCE, Sentence
from notesearch.store.db import APPLICATION_ID, SCHEMA_VERSION, Connection, translated
from notesearch.store.lock import file_identity
from notesearch.store.reader import Reader
from notesearch.store.tokenizer import carry_on

if TYPE_CHECKING:
    from notesearch.store.writer import Writer

_WORDS_OF_NO_SECTION = (
    "select 1 from words_docsize where id not in (select id from section) limit 1"
)

_LOGS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside the file while it is written: it must never meet another file."""


class Store:
    """One index file; safe to share between threads, each gets its own connection."""

    def __init__(self, path: Path, *, shares_memory: bool = True) -> None:
        """Remember ``path``; nothing is opened or created yet.

        Unless its file system ``shares_memory`` between processes, the file is written with a
        rollback journal: over a network a write-ahead log would lose commits.
        """
        self.path = path
        self._shares_memory = shares_memory
        self.rebuilt = NO_SENTENCE
        self._local = threading.local()
        self._open: dict[threading.Thread, Connection] = {}
        self._lock = threading.Lock()
        self.epoch = 0

    def prepare(self) -> None:
        """Make sure that a usable index file is there, setting aside one that is not ours.

        Raises:
            IndexFileError: The folder cannot be written, or no space is left.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise IndexFileError(
                "index_folder_uncreatable",
                folder=str(self.path.parent),
                reason=error.strerror or str(error),
            ) from error
        try:
            self._check_or_create()
        except IndexDamagedError as error:
            self.set_aside(error.sentence)
            self._check_or_create()

    def _check_or_create(self) -> None:
        """Make one where there is none; raises ``IndexDamagedError`` where it is not ours."""
        if not self.exists or not self.path.stat().st_size:
            self._create()
        with self._writing(self.path) as connection:
            connection.keep_log(ahead=self._shares_memory)
            self._check(connection)

    def _create(self) -> None:
        """Make an empty index under another name, then move it: no reader meets half of one.

        It gets its write-ahead log last: until then the file itself holds all that is committed.
        """
        draft = self._part(".new")
        for suffix in (".new", *(f".new{log}" for log in _LOGS), *_LOGS):
            self._part(suffix).unlink(missing_ok=True)
        with self._writing(draft) as connection:
            _make_tables(connection)
            connection.keep_log(ahead=self._shares_memory)
        draft.replace(self.path)

    @contextlib.contextmanager
    def _writing(self, path: Path) -> Iterator[Connection]:
        connection = Connection(path, writer=True)
        try:
            with translated(self.path):
                yield connection
        finally:
            connection.close()

    def _part(self, suffix: str) -> Path:
        return self.path.with_name(self.path.name + suffix)

    def _check(self, connection: Connection) -> None:
        connection.check_version(self.path)
        connection.sql.execute("select key from meta limit 1").fetchall()

    def set_aside(self, why: Sentence) -> Path:
        """Move the index file away, so that the next ``prepare`` starts a new one.

        Returns where to.

        Raises:
            IndexFileError: It cannot be moved.
        """
        self.open_anew()
        stamp = time.strftime("%Y%m%d-%H%M%S")
        older = self.files_set_aside() if self.exists else ()
        for suffix in ("", *_LOGS):
            part = self._part(suffix)
            aside = self._part(f".set-aside-{stamp}{suffix}")
            try:
                part.replace(aside)
            except FileNotFoundError:
                continue
            except OSError as error:
                reason = error.strerror or str(error)
                raise IndexFileError("index_immovable", file=str(part), reason=reason) from error
        for file in older:  # one is enough to find out what went wrong
            if f".set-aside-{stamp}" not in file.name:
                with contextlib.suppress(OSError):
                    file.unlink()
        self.rebuilt = why
        return self._part(f".set-aside-{stamp}")

    def delete(self) -> None:
        """Delete the file, its logs, and what was set aside of earlier ones.

        Raises:
            IndexFileError: It cannot be deleted.
        """
        self.close()
        parts = (self._part(suffix) for suffix in ("", *_LOGS))
        for file in (*parts, *self.files_set_aside()):
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                reason = error.strerror or str(error)
                raise IndexFileError("index_undeletable", file=str(file), reason=reason) from error

    def open_anew(self) -> None:
        """Have every reader open the file anew before it reads on."""
        with self._lock:
            self.epoch += 1

    def files_set_aside(self) -> tuple[Path, ...]:
        """Return what is kept beside of earlier, unusable index files."""
        prefix = f"{self.path.name}.set-aside-"
        with contextlib.suppress(OSError):
            return tuple(
                sorted(file for file in self.path.parent.iterdir() if file.name.startswith(prefix))
            )
        return ()

    @contextlib.contextmanager
    def writing(
        self, may_write: Callable[[], None] = carry_on, clock: Callable[[], float] = time.time
    ) -> "Iterator[Writer]":
        """Give the thread that indexes its writer; one at a time.

        ``may_write`` is called at the beginning of every transaction and raises if another process
        is to write. ``clock`` returns seconds since the epoch.

        Raises:
            IndexFileError: The index cannot be opened or written.
        """
        from notesearch.store.writer import Writer

        connection = Connection(self.path, writer=True)
        connection.may_write = may_write
        try:
            with translated(self.path):
                yield Writer(connection, self._same_file(), clock)
        finally:
            connection.close()

    def _same_file(self) -> Callable[[], bool]:
        """Return what tells whether the file that is open now is still the one at its path."""
        opened = file_identity(self.path)
        return lambda: file_identity(self.path) == opened

    def version(self) -> object:
        """Return what differs between two states of the index, for this thread; None without one.

        It tells of what other connections wrote, in this process or another.
        """
        try:
            return self.state, self.reader().version()
        except IndexFileError:
            return None

    @property
    def state(self) -> tuple[int, object]:
        """Which file lies at the path: another one after each that was set aside."""
        return self.epoch, file_identity(self.path)

    @property
    def exists(self) -> bool:
        """Whether the index file is there."""
        return self.path.exists()

    def reader(self) -> Reader:
        """Return this thread's reader.

        Raises:
            IndexFileError: There is no index yet, or it cannot be opened.
        """
        state = self.state
        found: tuple[tuple[int, object], Reader] | None = getattr(self._local, "reader", None)
        if found and found[0] == state:
            return found[1]
        reader = Reader(self._connect_for_reading(), self.path)
        self._local.reader = state, reader
        return reader

    def _connect_for_reading(self) -> Connection:
        """Open the file for this thread, and close what it and ended threads had open."""
        me = threading.current_thread()
        with self._lock:
            for thread in [t for t in self._open if t is me or not t.is_alive()]:
                self._open.pop(thread).close()
        connection = Connection(self.path, writer=False)
        try:
            with translated(self.path):
                connection.check_version(self.path)
        except IndexFileError:
            connection.close()
            raise
        with self._lock:
            self._open[me] = connection
        return connection

    def is_sound(self) -> bool:
        """Return whether the index file is whole and its tables agree; reads all of it."""
        try:
            connection = Connection(self.path, writer=False)
        except IndexFileError:
            return False
        try:
            with translated(self.path):
                sql = connection.sql
                if sql.execute("pragma quick_check(1)").fetchall() != [("ok",)]:
                    return False
                return not sql.execute(_WORDS_OF_NO_SECTION).fetchall()
        except IndexFileError:
            return False
        finally:
            connection.close()

    def bytes_on_disk(self) -> int:
        """Return the size of the index file and its write-ahead log."""
        parts = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())

    def close(self) -> None:
        """Close all readers; no thread may be reading."""
        with self._lock:
            for connection in self._open.values():
                connection.close()
            self._open.clear()
            self.epoch += 1


def _make_tables(connection: Connection) -> None:
    """Make the tables of an index in a file that has none."""
    from importlib import resources as package_files

    schema = package_files.files("notesearch.store").joinpath("schema.sql").read_text("utf-8")
    connection.sql.execute("vacuum")  # makes auto_vacuum take effect, before the first table
    with connection.transaction() as sql:
        sql.execute(schema)
        sql.execute(f"pragma application_id = {APPLICATION_ID}")
        sql.execute(f"pragma user_version = {SCHEMA_VERSION}")
