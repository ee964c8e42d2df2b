"""The state of the index that one thread reads, shared by all parts of its reader."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from notesearch.sentences import Sentence
from notesearch.store.db import Connection, translated

if TYPE_CHECKING:
    import apsw

    from notesearch.store.tokenizer import Tokenizer

Cancelled = Callable[[], bool] | None
"""Returns whether to stop reading; called from time to time. None never stops."""


class IndexState:
    """A read connection that notices when the index changes.

    The parts of a reader cache what they read. Each registers a function with ``when_changed`` that
    empties its caches.
    """

    def __init__(self, connection: Connection, path: Path) -> None:
        """Read the index at ``path`` over ``connection``."""
        self.path = path
        self._connection = connection
        self._languages: Mapping[str, int] = {}
        self._languages_version = -1
        self._snapshot_version: int | None = None
        self._listeners: list[Callable[[], None]] = []

    @property
    def sql(self) -> "apsw.Connection":
        """The connection; use it within ``reading``."""
        return self._connection.sql

    @property
    def tokenizer(self) -> "Tokenizer":
        """The tokenizer of this connection."""
        return self._connection.tokenizer

    @property
    def vectors_problem(self) -> Sentence:
        """Why vectors cannot be searched, as a sentence; empty when they can."""
        return self._connection.vectors_problem

    @contextlib.contextmanager
    def reading(self, cancelled: Cancelled = None) -> Iterator[None]:
        """Translate SQLite's errors in a block of reads; stop it once ``cancelled()`` is true."""
        with translated(self.path), self._connection.stopping_when(cancelled):
            yield

    def rows(self, query: str, *values: str | int | float) -> list[tuple[Any, ...]]:
        """Return all rows of ``query``, whose parameters are ``values``.

        No text in the index has a lone surrogate; one in ``values`` counts as a question mark.
        """
        with self.reading():
            try:
                return self.sql.execute(query, values).fetchall()
            except UnicodeEncodeError:
                return self.sql.execute(query, tuple(map(_encodable, values))).fetchall()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let the block read one state of the index, whatever other connections write.

        Within another snapshot, as in a search that a caller makes while it gets a first result,
        the block reads the state of that one.
        """
        if self._snapshot_version is not None:
            yield
            return
        with translated(self.path):
            try:
                self.sql.execute("begin")
                self.refresh()
                self._snapshot_version = self._languages_version
                yield
            finally:
                self._snapshot_version = None
                self._connection.roll_back()

    def version(self) -> int:
        """Return a number that changes whenever another connection writes."""
        if self._snapshot_version is not None:
            return self._snapshot_version
        with translated(self.path):
            return _data_version(self.sql)

    def when_changed(self, forget: Callable[[], None]) -> None:
        """Call ``forget`` whenever ``refresh`` finds that the index has changed."""
        self._listeners.append(forget)

    def refresh(self) -> None:
        """Empty all caches if the index has changed; call it before reading from a cache."""
        if self._snapshot_version is not None:
            return
        version = self.version()
        if version == self._languages_version:
            return
        with translated(self.path):
            query = "select language, count(*) from note group by language"
            rows = cast("Iterable[tuple[str, int]]", self.sql.execute(query))
            self._languages = dict(rows)
        self._languages_version = version
        self.forget()

    def is_outdated(self) -> bool:
        """Return whether the file has to be opened again to see what was written."""
        return self._connection.is_outdated()

    def forget(self) -> None:
        """Empty all caches."""
        for forget in self._listeners:
            forget()

    def languages(self) -> Mapping[str, int]:
        """Return the number of notes in each language."""
        self.refresh()
        return self._languages

    def meta(self, key: str) -> str:
        """Return the value of ``key`` in the table ``meta``; empty if it has none."""
        with translated(self.path):
            return self._connection.meta(key)


def _encodable(value: str | int | float) -> str | int | float:
    """Return a text with a question mark for each lone surrogate; any other value unchanged."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _data_version(sql: "apsw.Connection") -> int:
    """Return a number that changes whenever another connection writes; asking begins to read."""
    return cast("int", sql.execute("pragma data_version").fetchall()[0][0])
