"""The index file of one vault: creates it, opens it, and renames a damaged one."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch import private_files
from notesearch.errors import IndexBusyError, IndexDamagedError, IndexFileError
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.store.db import (
    APPLICATION_ID,
    CHECKSUM_BYTES,
    SCHEMA_VERSION,
    Connection,
    schema,
    translated,
)
from notesearch.store.lock import file_identity
from notesearch.store.reader import Reader
from notesearch.store.tokenizer import carry_on

if TYPE_CHECKING:
    from notesearch.store.writer import Writer

_PATIENCE_S = 2.0
"""How long the renaming of an index waits for threads that read it."""

_LOGS = ("-wal", "-shm", "-journal")
"""Files that SQLite keeps beside an index; they must never be used with another one."""

_DRAFTS = (".new", *(f".new{log}" for log in _LOGS))
"""Files of an index that is being made."""


class Store:
    """One index file. Threads may share it: each gets a connection of its own.

    ``rebuilt`` says why the last index was replaced; empty if it was not.
    """

    def __init__(self, path: Path, *, shares_memory: bool = True) -> None:
        """Remember ``path``; open and create nothing yet.

        Without ``shares_memory`` the file has a rollback journal, because processes that share a
        network file system would lose commits of a write-ahead log.
        """
        self.path = path
        self._shares_memory = shares_memory
        self.rebuilt = NO_SENTENCE
        self._local = threading.local()
        self._connections: dict[threading.Thread, Connection] = {}
        self._lock = threading.Lock()
        self._epoch = 0
        self._reading = threading.Condition()
        self._readings = 0

    def prepare(self) -> None:
        """Make sure that there is a usable index file; rename an unusable one.

        Raises IndexFileError if the folder cannot be written, or no space is left.
        """
        try:
            private_files.make_folder(self.path.parent)
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
        if not self.exists or not self.path.stat().st_size:
            self._create()
        with self._writing(self.path) as connection:
            connection.set_journal(wal=self._shares_memory)
            connection.check_version()
            connection.check_tables()

    def _create(self) -> None:
        """Make an index under another name, then rename it: no reader sees half an index."""
        draft = self._part(".new")
        for suffix in (*_DRAFTS, *_LOGS):
            _delete(self._part(suffix))
        with self._writing(draft) as connection:
            _make_tables(connection)
            connection.set_journal(wal=self._shares_memory)
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

    def set_aside(self, why: Sentence, *, keep: bool = True) -> None:
        """Rename the index file because of ``why``, so that the next ``prepare`` starts a new one.

        Without ``keep``, all renamed files are deleted. Raises IndexFileError if the file cannot be
        moved.
        """
        with self._reading:  # no thread begins to read while the file moves
            if self._reading.wait_for(lambda: not self._readings, _PATIENCE_S):
                self.close()  # Windows moves no open file
            else:
                self.reopen()
            self._move_aside(why, keep=keep)

    def _move_aside(self, why: Sentence, *, keep: bool) -> None:
        ending = f".set-aside-{time.strftime('%Y%m%d-%H%M%S')}"
        is_newest = self.exists
        for suffix in ("", *_LOGS):
            part = self._part(suffix)
            aside = self._part(f"{ending}{suffix}")
            try:
                part.replace(aside)
            except FileNotFoundError:
                continue
            except OSError as error:
                reason = error.strerror or str(error)
                raise IndexFileError("index_immovable", file=str(part), reason=reason) from error
        for file in self.files_set_aside():
            is_kept = ending in file.name or not is_newest  # one file is enough to find out why
            if not (keep and is_kept):
                with contextlib.suppress(OSError):
                    file.unlink()
        self.rebuilt = why

    def delete(self) -> None:
        """Delete the file, its logs, unfinished new files and renamed files."""
        self.close()
        parts = (self._part(suffix) for suffix in ("", *_LOGS, *_DRAFTS))
        for file in (*parts, *self.files_set_aside()):
            _delete(file)

    def reopen(self) -> None:
        """Make every reader open the file again before it reads on."""
        with self._lock:
            self._epoch += 1

    def files_set_aside(self) -> tuple[Path, ...]:
        """Return the index files that were renamed and kept."""
        prefix = f"{self.path.name}.set-aside-"
        with contextlib.suppress(OSError):
            return tuple(
                sorted(file for file in self.path.parent.iterdir() if file.name.startswith(prefix))
            )
        return ()

    @contextlib.contextmanager
    def writing(self, may_write: Callable[[], None] = carry_on) -> "Iterator[Writer]":
        """Yield the writer of the thread that indexes; ``may_write`` is as in ``Connection``."""
        from notesearch.store.writer import Writer

        with self._writing(self.path) as connection:
            connection.may_write = may_write
            yield Writer(connection)

    def version(self) -> object:
        """Return a value that changes when another connection writes; None without an index.

        Only values of the same thread can be compared.
        """
        try:
            return self.state, self.reader().state.version()
        except IndexFileError:
            return None

    @property
    def state(self) -> tuple[int, object]:
        """A value that changes when another file takes the place of the index."""
        return self._epoch, file_identity(self.path)

    @property
    def exists(self) -> bool:
        """Whether there is an index file."""
        return self.path.exists()

    def reader(self) -> Reader:
        """Return this thread's reader; raises IndexFileError if there is no index."""
        state = self.state
        cached: tuple[tuple[int, object], Reader] | None = getattr(self._local, "reader", None)
        if cached and cached[0] == state and not cached[1].state.is_outdated():
            return cached[1]
        self._close_unused()
        reader = Reader(self._connect())
        self._local.reader = state, reader
        return reader

    @contextlib.contextmanager
    def reading(self) -> "Iterator[Reader]":
        """Yield the reader of this thread.

        Raises IndexBusyError if the file could only be opened without locks, and somebody wrote
        meanwhile.
        """
        with self._reading:
            self._readings += 1
        try:
            reader = self.reader()
            try:
                yield reader
            finally:
                if reader.state.is_outdated():
                    raise IndexBusyError("index_in_use")
        finally:
            with self._reading:
                self._readings -= 1
                self._reading.notify_all()

    def _close_unused(self) -> None:
        me = threading.current_thread()
        with self._lock:
            for thread in [t for t in self._connections if t is me or not t.is_alive()]:
                self._connections.pop(thread).close()

    def _connect(self) -> Connection:
        connection = Connection(self.path, writer=False)
        try:
            with translated(self.path):
                connection.check_version()
        except IndexFileError:
            connection.close()
            raise
        with self._lock:
            self._connections[threading.current_thread()] = connection
        return connection

    def bytes_on_disk(self) -> int:
        """Return the size of the index file and its write-ahead log."""
        parts = (self.path, self._part("-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())

    def close(self) -> None:
        """Close all readers; no thread may be reading now."""
        with self._lock:
            for connection in self._connections.values():
                connection.close()
            self._connections.clear()
            self._epoch += 1


def _delete(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise IndexFileError("index_undeletable", file=str(file), reason=reason) from error


def _make_tables(connection: Connection) -> None:
    connection.sql.reserve_bytes(reserve=CHECKSUM_BYTES)
    # Makes auto_vacuum and the room for checksums take effect, before the first table.
    connection.sql.execute("vacuum")
    with connection.transaction() as sql:
        sql.execute(schema())
        sql.execute(f"pragma application_id = {APPLICATION_ID}")
        sql.execute(f"pragma user_version = {SCHEMA_VERSION}")
