"""Opens SQLite with everything the index needs and names its failures; nothing else opens it."""

import contextlib
import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import apsw

from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexFileError,
    SearchCancelledError,
)
from notesearch.sentences import NO_SENTENCE, Sentence
from notesearch.store import relevance
from notesearch.store.compression import decompress
from notesearch.store.link_addresses import leads_to
from notesearch.store.tokenizer import Tokenizer, carry_on
from notesearch.store.versions import versioned

APPLICATION_ID = 0x6E6F7465  # "note"
SCHEMA_VERSION = 1

_DAMAGED = (apsw.CorruptError, apsw.NotADBError, apsw.SchemaChangeError)
_BUSY_MS = 5000
_LOG_BYTES = 16 * 1024 * 1024
"""What the write-ahead log is cut to once a long reader let it grow beyond."""

_STATEMENTS = 400
"""Kept prepared. apsw goes around: one is dropped once so many others were used since."""

VECTORS_MISSING = Sentence("meaning_extension_missing")


class Connection:
    """One SQLite connection, used by one thread, with the tokenizer and vectors loaded.

    Attributes:
        vectors_problem: Why no table of vectors can be used; empty when they can.
        may_write: Asked at the beginning of every transaction; raises where it must not be.
    """

    def __init__(self, path: Path, *, writer: bool) -> None:
        """Open ``path``; only a writer creates it.

        Raises:
            IndexFileError: It cannot be opened; ``IndexDamagedError`` when it is not an index.
        """
        self.may_write: Callable[[], None] = carry_on
        self._is_together = False
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if writer else 0)
        with translated(path):
            self.sql = apsw.Connection(str(path), flags, statementcachesize=_STATEMENTS)
            try:
                self._prepare(writer)
            except apsw.Error:
                self.sql.close()
                raise

    def _prepare(self, writer: bool) -> None:
        self.sql.set_busy_timeout(_BUSY_MS)
        # First of all: what no database is fails here, by its right name.
        self.sql.execute("select count(*) from sqlite_schema").fetchall()
        self.vectors_problem = self._load_vectors()
        self.tokenizer = Tokenizer(self.sql)
        self.sql.create_scalar_function("unpacked", _unpacked, 1, deterministic=True)
        self.sql.create_scalar_function("versioned", _versioned, 1, deterministic=True)
        self.sql.create_scalar_function("leads_to", _leads_to, 3, deterministic=True)
        self.sql.register_fts5_function(relevance.NAME, relevance.of_row)
        self.sql.register_fts5_function(relevance.SIZES, relevance.sizes)
        self.sql.register_fts5_function(relevance.SCORE, relevance.of_words)
        if writer:
            # Only a new file takes this up: room of what is deleted can be given back.
            self.sql.execute("pragma auto_vacuum = incremental")
            self.sql.execute("pragma foreign_keys = on")
            self.sql.execute("pragma secure_delete = on")
            # Else a statement is planned again for each value that it is given.
            self.sql.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self.sql.execute(f"pragma journal_size_limit = {_LOG_BYTES}")
        else:
            self.sql.execute("pragma query_only = on")
        self.sql.execute("pragma synchronous = normal")
        self.sql.execute("pragma temp_store = memory")

    def _load_vectors(self) -> Sentence:
        """Load sqlite-vec, or return why it cannot be: words do not need it."""
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

    def check_version(self, path: Path) -> None:
        """Make sure that ``path`` holds an index as this version makes it.

        Raises:
            IndexDamagedError: It is of another version, or no index.
        """
        application = self.sql.execute("pragma application_id").fetchall()[0][0]
        version = self.sql.execute("pragma user_version").fetchall()[0][0]
        if (application, version) != (APPLICATION_ID, SCHEMA_VERSION):
            raise IndexDamagedError("index_other_version", file=path.name)

    def keep_log(self, *, ahead: bool) -> None:
        """Write changes ahead into a log, which every process maps, or into a rollback journal."""
        mode = "wal" if ahead else "delete"
        # Another that reads now must not make it fail where it is so already.
        if self.sql.execute("pragma journal_mode").fetchall() != [(mode,)]:
            self.sql.execute(f"pragma journal_mode = {mode}")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """Run the block in one immediate transaction, rolled back when it raises.

        Within ``together`` it is a part of a larger one, which is rolled back as a whole.
        """
        begins = not self.sql.in_transaction
        if begins:
            self.sql.execute("begin immediate")
        try:
            if begins:
                self.may_write()
            yield self.sql
            if not self._is_together:
                self.sql.execute("commit")
        except BaseException:
            self._roll_back()
            raise

    @contextlib.contextmanager
    def together(self) -> Iterator[Callable[[], bool]]:
        """Make one transaction of all those of the block, or several: what is yielded ends one.

        It returns whether there was one; not so where it was rolled back, or nothing was written.
        """
        self._is_together = True
        try:
            yield self._commit
            self._commit()
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._is_together = False

    def _commit(self) -> bool:
        if not self.sql.in_transaction:
            return False
        self.sql.execute("commit")
        return True

    def _roll_back(self) -> None:
        # A full disk has rolled back already, and a second rollback would hide the cause.
        if self.sql.in_transaction:
            self.sql.execute("rollback")

    @contextlib.contextmanager
    def asking(self, check: Callable[[], None]) -> Iterator[None]:
        """Call ``check`` now and then while the block puts a huge text into the index."""
        self.tokenizer.check = check
        try:
            yield
        finally:
            self.tokenizer.check = carry_on

    @contextlib.contextmanager
    def stopping_when(self, cancelled: Callable[[], bool] | None) -> Iterator[None]:
        """Stop statements of the block with ``SearchCancelledError`` once ``cancelled()``."""
        if cancelled is None:
            yield
            return
        self.sql.set_progress_handler(cancelled, 2000)
        try:
            yield
        finally:
            self.sql.set_progress_handler(None)

    def close(self) -> None:
        """Close it; safe to call twice."""
        self.sql.close()


def _unpacked(*stored: "apsw.SQLiteValue") -> str | None:
    return decompress(cast("str | bytes | None", stored[0]))


def _versioned(*stored: "apsw.SQLiteValue") -> str | None:
    return versioned(str(stored[0]))


def _leads_to(*values: "apsw.SQLiteValue") -> bool:
    address, asked, begun = values
    return leads_to(str(address), str(asked), begun=bool(begun))


def _vec0() -> str:
    """Return sqlite-vec's extension; its own module would load numpy, which words do not need."""
    found = importlib.util.find_spec("sqlite_vec")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("sqlite_vec is not installed.")
    return str(Path(found.origin).with_name("vec0"))


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's failures into known errors about the index file ``path``.

    Raises:
        SearchCancelledError: The query was interrupted.
        IndexBusyError: Another program holds the file.
        IndexDamagedError: It is damaged, foreign or half made.
        IndexFileError: It cannot be opened or written; memory or the disk is full.
    """
    try:
        yield
    except apsw.InterruptError as error:
        raise SearchCancelledError("search_cancelled") from error
    except _DAMAGED as error:
        raise IndexDamagedError("index_damaged", file=path.name) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise IndexBusyError("index_in_use") from error
    except apsw.FullError as error:
        raise IndexFileError("index_disk_full", folder=str(path.parent)) from error
    except (MemoryError, apsw.NoMemError) as error:
        raise IndexFileError("index_memory_full") from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError, apsw.PermissionsError) as error:
        raise IndexFileError("index_unopenable", file=str(path)) from error
    except apsw.SQLError as error:
        # Our statements are constant: an unknown table means a foreign or half-made file.
        raise IndexDamagedError("index_incomplete", file=path.name) from error
