"""Latest wins: a slot where newer requests replace older ones, and its thread."""

import logging
import threading
import time
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QThread

log = logging.getLogger(__name__)

Request = TypeVar("Request")
Kind = TypeVar("Kind")


class NewestSlot(Generic[Request]):
    """Holds one request of each kind; a newer one replaces it. Safe to use from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[type[object], Request] = {}
        self._closed = False

    def put(self, request: Request) -> None:
        """Leave ``request``; one of its kind that was still waiting is forgotten."""
        with self._changed:
            self._waiting.pop(type(request), None)
            self._waiting[type(request)] = request
            self._changed.notify_all()

    def put_back(self, request: Request, unless: type[object]) -> None:
        """Leave ``request`` again, after what waits; not if a newer one or one of a kind waits."""
        with self._changed:
            if not self._closed and not {type(request), unless} & self._waiting.keys():
                self._waiting[type(request)] = request

    def take(self) -> Request | None:
        """Wait for a request and take it; None once the slot is closed."""
        with self._changed:
            self._changed.wait_for(self.outdated)
            if self._closed:
                return None
            return self._waiting.pop(next(iter(self._waiting)))

    def take_one(self, kind: type[Kind], seconds: float) -> Kind | None:
        """Take a request of ``kind`` out of turn; wait some ``seconds`` for one if there is none.

        None where there is none then, or another request came in between.
        """
        with self._changed:
            self._changed.wait_for(self.outdated, timeout=seconds)
            taken = self._waiting.pop(kind, None)
            return taken if isinstance(taken, kind) else None

    def outdated(self) -> bool:
        """Whether a newer request waits, or nobody waits for the one taken last."""
        return self._closed or bool(self._waiting)

    def replaced(self, request: Request) -> bool:
        """Whether a newer request of the kind of ``request`` waits, or nobody waits any more."""
        return self._closed or type(request) in self._waiting

    def outdated_before(self, moment: float) -> bool:
        """Wait until ``moment`` (``time.monotonic``) and return whether it is outdated by then."""
        with self._changed:
            left = max(0.0, moment - time.monotonic())
            return self._changed.wait_for(self.outdated, timeout=left)

    def close(self) -> None:
        """Wake the thread that waits in ``take``, for good."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class NewestWorker(QThread, Generic[Request]):
    """A thread that answers the newest request; the ones that it never saw are not missed.

    Signals of this object are emitted in the thread: connect them to methods of objects that
    live in the GUI thread.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.slot: NewestSlot[Request] = NewestSlot()

    def ask(self, request: Request) -> None:
        """Leave a request; called in the GUI thread."""
        self.slot.put(request)

    def stop(self) -> None:
        """Let the thread end soon; ``wait`` for it."""
        self.slot.close()

    def run(self) -> None:
        """Work until stopped."""
        while (request := self.slot.take()) is not None:
            try:
                self.work(request)
            except Exception:
                log.exception("a request could not be answered: %r", request)
                self.give_up(request)

    def give_up(self, request: Request) -> None:
        """Tell whoever waits that ``request`` met a bug and will not be answered."""

    def work(self, request: Request) -> None:
        """Answer ``request`` by a signal."""
        raise NotImplementedError
