"""Opens SQLite with everything that the index needs, and turns its failures into known errors.

All parts of a reader share one ``IndexState``: a connection, and when to empty their caches.
"""

import contextlib
import importlib.util
import json
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple, cast

import apsw

from notesearch import private_files
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    SearchCancelledError,
)
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.store.folding import folded_name
from notesearch.store.rows import decompress
from notesearch.store.tokenizer import Tokenizer, carry_on

APPLICATION_ID = 0x6E6F7465  # "note"
SCHEMA_VERSION = 13

CHECKSUM_BYTES = 8
"""Bytes at the end of each page that hold its checksum."""

_CHECKING_LAYER = "cksmvfs"
"""SQLite's file layer that writes a checksum with each page, and compares it on every read."""

_DAMAGED = (apsw.CorruptError, apsw.NotADBError)
_BUSY_MS = 5000
_LOG_BYTES = 16 * 1024 * 1024
"""The write-ahead log is cut to this size after it grew during a long read."""

_LOG_PAGES = 1000
_MOST_LOG_PAGES = 8000
"""A log with more pages than the first number is moved into the file as far as no reader needs it.
With more than the second, the writer waits for readers and moves all of it."""

_UNOPENABLE = (
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.IOError,
    apsw.PermissionsError,
    apsw.FullError,
)

_FULL_BYTES = 64 * 1024
"""A disk with less free space is full: SQLite needs some even to read."""

_STATEMENTS = 400
_TABLE = re.compile(r"^create (?:virtual )?table (\w+)", re.MULTILINE)

VECTORS_MISSING = Sentence("meaning_extension_missing")


class Connection:
    """One SQLite connection, used by one thread, with the tokenizer and sqlite-vec loaded.

    Attributes:
        vectors_problem: Why vectors cannot be searched; empty if they can.
        may_write: Called at the beginning of every transaction; raises if it must not begin.
    """

    def __init__(self, path: Path, *, writer: bool) -> None:
        """Open the file at ``path``; only a writer creates it.

        Raises:
            IndexFileError: The file cannot be opened.
            IndexDamagedError: It is not a database.
        """
        self.may_write: Callable[[], None] = carry_on
        self.path = path
        self._is_grouped = False
        self._unlocked: tuple[int, ...] | None = None
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if writer else 0)
        _require_ordinary(path)
        if writer:
            with contextlib.suppress(OSError):  # SQLite says why
                private_files.make_file(path)
        with translated(path):
            _load_checksums()
            try:
                self._connect(str(path), flags, writer=writer)
            except _UNOPENABLE:
                files = _file_states(path)
                if writer or files[-1]:
                    raise
                # On a full or read-only disk SQLite cannot make the files that coordinate readers
                # and writers. An index without a log can be read without them.
                address = f"{path.absolute().as_uri()}?immutable=1"
                flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
                self._connect(address, flags, writer=False)
                self._unlocked = files

    def _connect(self, address: str, flags: int, *, writer: bool) -> None:
        try:
            self.sql = apsw.Connection(
                address, flags, vfs=_CHECKING_LAYER, statementcachesize=_STATEMENTS
            )
        except UnicodeEncodeError as error:
            reason = "its path is not valid Unicode"
            folder = str(self.path.parent)
            raise IndexFileError("index_folder_unwritable", folder=folder, reason=reason) from error
        try:
            self._prepare(writer)
        except apsw.Error:
            self.sql.close()
            raise

    def is_outdated(self) -> bool:
        """Return whether the file was opened without locks, and somebody has written since."""
        return self._unlocked is not None and self._unlocked != _file_states(self.path)

    def _prepare(self, writer: bool) -> None:
        self.sql.set_busy_timeout(_BUSY_MS)
        # This comes first, so that a file that is not a database fails as such.
        self.sql.execute("select count(*) from sqlite_schema").fetchall()
        self.vectors_problem = self._load_vectors()
        self.tokenizer = Tokenizer(self.sql)
        self.add_function("decompressed", decompress, 1)
        self.add_function("folded", folded_name, 1)
        self.sql.execute("pragma synchronous = normal")
        self.sql.execute("pragma temp_store = memory")
        if writer:
            self._prepare_to_write()
        else:
            self.sql.execute("pragma query_only = on")

    def _prepare_to_write(self) -> None:
        # Takes effect only in a new file: free pages can be given back later.
        self.sql.execute("pragma auto_vacuum = incremental")
        self.sql.execute("pragma foreign_keys = on")
        # Overwrites deleted text.
        self.sql.execute("pragma secure_delete = on")
        # Otherwise SQLite plans a statement again for each value that is bound to it.
        self.sql.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        self.sql.execute(f"pragma journal_size_limit = {_LOG_BYTES}")
        self.sql.set_wal_hook(_move_log)

    def add_function(self, name: str, function: Callable[..., Any], arguments: int) -> None:
        """Let SQL call ``function``, which always returns the same for the same arguments."""
        self.sql.create_scalar_function(name, function, arguments, deterministic=True)

    def _load_vectors(self) -> Sentence:
        """Load sqlite-vec; return why it cannot be loaded, else ``NO_SENTENCE``."""
        self.sql.enable_load_extension(True)
        try:
            self.sql.load_extension(_vec0())
        except (apsw.ExtensionLoadingError, ImportError) as error:
            import logging

            logging.getLogger(__name__).info("sqlite-vec: %s", error)
            return VECTORS_MISSING
        finally:
            self.sql.enable_load_extension(False)
        return NO_SENTENCE

    def check_version(self) -> None:
        """Make sure that the file is an index of the present schema, else IndexDamagedError."""
        application = self.sql.execute("pragma application_id").get
        version = self.sql.execute("pragma user_version").get
        if not application and not version:  # such as an empty file
            raise IndexDamagedError("index_incomplete", file=self.path.name)
        if (application, version) != (APPLICATION_ID, SCHEMA_VERSION):
            raise IndexDamagedError("index_other_version", file=self.path.name)
        if self.sql.reserve_bytes() != CHECKSUM_BYTES:
            raise IndexDamagedError("index_damaged", file=self.path.name)

    def check_tables(self) -> None:
        """Make sure that no table is missing; raises IndexDamagedError otherwise."""
        names = {name for (name,) in self.sql.execute("select name from sqlite_schema")}
        if not names >= set(_TABLE.findall(schema())):
            raise IndexDamagedError("index_incomplete", file=self.path.name)

    def set_journal(self, *, wal: bool) -> None:
        """Use a write-ahead log, which needs memory that processes share, or a rollback journal."""
        mode = "wal" if wal else "delete"
        # Setting the mode that is set already would fail while another process reads.
        if self.sql.execute("pragma journal_mode").get != mode:
            self.sql.execute(f"pragma journal_mode = {mode}")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """Run the block in one immediate transaction, and roll it back if the block raises.

        Within ``grouped``, or within another such block, the block joins the open transaction.
        """
        begins = not self.sql.in_transaction
        if begins:
            self.sql.execute("begin immediate")
        try:
            if begins:
                self.may_write()
            yield self.sql
            if begins and not self._is_grouped:
                self.sql.execute("commit")
        except BaseException:
            self.roll_back()
            raise

    @contextlib.contextmanager
    def grouped(self) -> Iterator[Callable[[], bool]]:
        """Join the transactions of the block into one; yield a function that commits it.

        The first transaction after a commit begins another group. The function returns False if
        nothing was written, or if the transaction was rolled back.
        """
        self._is_grouped = True
        try:
            yield self._commit
            self._commit()
        except BaseException:
            self.roll_back()
            raise
        finally:
            self._is_grouped = False

    def _commit(self) -> bool:
        if not self.sql.in_transaction:
            return False
        self.sql.execute("commit")
        return True

    def roll_back(self) -> None:
        """End the transaction, if there is one, and undo it."""
        # After a full disk SQLite has rolled back already; a second rollback would hide the cause.
        if self.sql.in_transaction:
            self.sql.execute("rollback")

    @contextlib.contextmanager
    def checking(self, check: Callable[[], None]) -> Iterator[None]:
        """Call ``check`` from time to time while the block tokenizes a huge text."""
        self.tokenizer.check = check
        try:
            yield
        finally:
            self.tokenizer.check = carry_on

    def meta(self, key: str) -> str:
        """Return the value of ``key`` in the table ``meta``; empty if it has none."""
        value = self.sql.execute("select value from meta where key = ?", (key,)).get
        return str(value or "")

    def set_meta(self, key: str, value: str) -> None:
        """Set the value of ``key`` in the table ``meta``."""
        self.sql.execute("insert or replace into meta (key, value) values (?, ?)", (key, value))

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        self.sql.close()


def schema() -> str:
    """Return the statements that make the tables of an index."""
    from importlib import resources as package_files

    return package_files.files("notesearch.store").joinpath("schema.sql").read_text("utf-8")


def _require_ordinary(path: Path) -> None:
    """Make sure that the index and its logs are ordinary files, as far as they exist.

    SQLite would wait for a pipe forever, read a device without end, and fail to read a folder.
    """
    for ending in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(OSError):
            if not stat.S_ISREG(path.with_name(f"{path.name}{ending}").stat().st_mode):
                raise IndexDamagedError("index_damaged", file=path.name)


def _file_states(path: Path) -> tuple[int, ...]:
    """Return inode, size and date of the index, and the size of its logs: what a writer changes."""
    logs = [path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-journal")]
    try:
        file = path.stat()
        log_size = sum(log.stat().st_size for log in logs if log.exists())
    except OSError as error:
        raise IndexFileError(_why_unusable(path)) from error
    return file.st_ino, file.st_size, file.st_mtime_ns, log_size


def _move_log(sql: apsw.Connection, schema: str, pages: int) -> int:
    """Move the write-ahead log into the file if it is long; SQLite calls this after a commit.

    ``pages`` is the length of the log. SQLite's own way, which this replaces, cannot restart the
    log while there is always a reader. So when the log is too long, the writer waits for the
    present readers to finish; later readers do not need the log.
    """
    if pages >= _LOG_PAGES:
        too_long = pages >= _MOST_LOG_PAGES
        mode = apsw.SQLITE_CHECKPOINT_TRUNCATE if too_long else apsw.SQLITE_CHECKPOINT_PASSIVE
        # Somebody still reads from the log: the next commit tries again.
        with contextlib.suppress(apsw.BusyError, apsw.LockedError):
            sql.wal_checkpoint(schema, mode)
    return apsw.SQLITE_OK


def _why_unusable(path: Path) -> Sentence:
    folder = path.parent
    existing = path if path.exists() else folder
    with contextlib.suppress(OSError):
        if shutil.disk_usage(folder).free < _FULL_BYTES:
            return Sentence("index_disk_full", folder=str(folder))
        if hasattr(os, "statvfs") and os.statvfs(existing).f_flag & os.ST_RDONLY:
            return Sentence("index_disk_read_only", file=str(path))
    for needed, rights in ((existing, os.R_OK | os.W_OK), (folder, os.W_OK | os.X_OK)):
        if not os.access(needed, rights, effective_ids=os.access in os.supports_effective_ids):
            return Sentence("index_forbidden", file=str(path))
    return Sentence("index_unopenable", file=str(path))


@cache
def _load_checksums() -> None:
    """Load SQLite's file layer with checksums; only connections that ask for it use it."""
    from apsw import sqlite_extra

    usual_layer = next(name for name in apsw.vfs_names() if name != _CHECKING_LAYER)
    loader = apsw.Connection(":memory:")
    try:
        sqlite_extra.load(loader, "cksumvfs")
    except (apsw.ExtensionLoadingError, LookupError, sqlite_extra.NotAvailable) as error:
        raise IndexFileError("index_checksums_missing") from error
    finally:
        loader.close()
    apsw.set_default_vfs(usual_layer)


def _vec0() -> str:
    """Return the path of sqlite-vec's extension; importing its Python module would load numpy."""
    package = importlib.util.find_spec("sqlite_vec")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("sqlite_vec is not installed.")
    return str(Path(package.origin).with_name("vec0"))


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's failures in the block into known errors about the index file ``path``.

    Raises:
        SearchCancelledError: The query was interrupted.
        IndexBusyError: Another program has locked the file.
        IndexDamagedError: The file is damaged, or is not a database.
        IndexFileError: The file cannot be opened or written, or memory or the disk is full.
        apsw.Error: Anything else, such as a wrong statement. ``recovery.noticing_damage`` finds out
            whether the index or the program is at fault.
    """
    try:
        yield
    except apsw.InterruptError as error:
        raise SearchCancelledError("search_cancelled") from error
    except (*_DAMAGED, UnicodeDecodeError) as error:
        raise IndexDamagedError("index_damaged", file=path.name) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise IndexBusyError("index_in_use") from error
    except apsw.FullError as error:
        raise IndexFileError("index_disk_full", folder=str(path.parent)) from error
    except (MemoryError, apsw.NoMemError) as error:
        raise IndexFileError("index_memory_full") from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError, apsw.PermissionsError) as error:
        if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_DATA:  # by its checksum
            raise IndexDamagedError("index_damaged", file=path.name) from error
        raise IndexFileError(_why_unusable(path)) from error


_STEPS = 2000
"""A read asks whether to stop each time SQLite has taken this many steps, which takes 0.1 ms."""

Cancelled = Callable[[], bool] | None
"""Returns whether to stop reading; called from time to time. None never stops."""

Value = str | int | float | Iterable[object]
"""A parameter of a query; a list of ids or names is passed as JSON."""

_Arguments = TypeVarTuple("_Arguments")
_Result = TypeVar("_Result")


class IndexState:
    """A read connection that notices when the index changes.

    The parts of a reader cache what they read until then.

    Attributes:
        languages: Returns the number of notes in each language.
        vectors_problem: As in ``Connection``.
    """

    def __init__(self, connection: Connection) -> None:
        """Read over ``connection``."""
        self._path = connection.path
        self._connection = connection
        self.sql = connection.sql
        self.tokenizer = connection.tokenizer
        self.vectors_problem = connection.vectors_problem
        self._version = -1
        self._is_snapshot = False
        self._cancelled: Cancelled = None
        self._listeners: list[Callable[[], None]] = []
        self.languages = self.cached(self._read_languages, 1)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Translate SQLite's errors in a block of reads."""
        with translated(self._path):
            self.refresh()
            yield

    def rows(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        """Return all rows of ``query``; a list in ``values`` becomes JSON, a lone surrogate “?”."""
        with self.reading():
            return self.sql.execute(query, tuple(map(_bindable, values))).fetchall()

    def column(self, query: str, *values: Value) -> tuple[Any, ...]:
        """Return the only column of ``query``; ``values`` are as for ``rows``."""
        return tuple(value for (value,) in self.rows(query, *values))

    @contextlib.contextmanager
    def snapshot(self, cancelled: Cancelled = None) -> Iterator[None]:
        """Let the block read one state of the index, whatever other connections write.

        Inside another snapshot, the block reads the outer one's state: a caller may search again
        while it receives a first result.

        Raises:
            SearchCancelledError: ``cancelled()`` became true during a read; it is called from time
                to time.
        """
        if self._is_snapshot:
            with translated(self._path), self._stopping_when(cancelled):
                yield
            return
        with translated(self._path):
            try:
                self.sql.execute("begin")
                self.refresh()
                self._is_snapshot = True
                with self._stopping_when(cancelled):
                    yield
            finally:
                self._is_snapshot = False
                self._connection.roll_back()

    def stop_if_cancelled(self) -> None:
        """Stop a search that is no longer wanted, between two reads.

        Raises:
            SearchCancelledError: The condition of the snapshot is true.
        """
        if self._cancelled and self._cancelled():
            raise SearchCancelledError("search_cancelled")

    @contextlib.contextmanager
    def _stopping_when(self, cancelled: Cancelled) -> Iterator[None]:
        """Interrupt the reads of the block once ``cancelled()`` is true; None interrupts none.

        Inside another such block, the condition of the outer one is not asked until this one ends.
        """
        outer = self._cancelled
        self._cancelled = cancelled
        self.sql.set_progress_handler(cancelled, _STEPS)
        try:
            yield
        finally:
            self._cancelled = outer
            self.sql.set_progress_handler(outer, _STEPS)

    def version(self) -> int:
        """Return a number that changes whenever another connection writes."""
        if self._is_snapshot:
            return self._version
        with translated(self._path):
            # Asking begins to read.
            return cast("int", self.sql.execute("pragma data_version").get)

    def when_changed(self, forget: Callable[[], None]) -> None:
        """Call ``forget`` from now on whenever ``refresh`` finds that the index has changed."""
        self._listeners.append(forget)

    def cached(
        self, function: Callable[[*_Arguments], _Result], entries: int
    ) -> Callable[[*_Arguments], _Result]:
        """Return ``function`` with a cache of its last results, emptied when the index changes."""
        remembered = lru_cache(entries)(function)
        self.when_changed(remembered.cache_clear)

        def current(*arguments: *_Arguments) -> _Result:
            self.refresh()
            return remembered(*arguments)

        return current

    def refresh(self) -> None:
        """Empty all caches if the index has changed."""
        version = self.version()
        if version != self._version:
            self._version = version
            self.forget()

    def is_outdated(self) -> bool:
        """Return whether the file must be opened again to see new data."""
        return self._connection.is_outdated()

    def forget(self) -> None:
        """Empty all caches."""
        for forget in self._listeners:
            forget()

    def _read_languages(self) -> Mapping[str, int]:
        return dict(self.rows("select language, count(*) from note group by language"))

    def meta(self, key: str) -> str:
        """Return the value of ``key`` in the table ``meta``; empty if it has none."""
        with translated(self._path):
            return self._connection.meta(key)


def _bindable(value: Value) -> str | int | float:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    return value if isinstance(value, int | float) else json.dumps(list(value))
