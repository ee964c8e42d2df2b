"""The connection that all parts of a reader share, and their caches."""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar, TypeVarTuple, cast

from notesearch.errors import SearchCancelledError
from notesearch.store.db import Connection, translated

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
