"""Work that a search has done beside it, by a thread that ends with it: vector and signs."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

_Found = TypeVar("_Found")


class Beside(Generic[_Found]):
    """A thread for one call; leaving the block waits for it. A pool takes twice as long to make."""

    def __init__(self, work: Callable[[], _Found]) -> None:
        """Begin ``work``."""
        self._work = work
        self._found: list[_Found] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="query")
        self._thread.start()

    def _run(self) -> None:
        try:
            self._found.append(self._work())
        except BaseException as error:  # noqa: BLE001 - whoever asks for the result gets it
            self._error = error

    def result(self) -> _Found:
        """Return what the work returned, or raise what it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._found[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._thread.join()
