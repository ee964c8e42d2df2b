"""Two kinds of threads: one answers the newest request of each kind, one makes a single call."""

import sys
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread, Signal, Slot

from notesearch.errors import NotesearchError

Request = TypeVar("Request")

_PATIENCE_MS = 1000


class NewestSlot(Generic[Request]):
    """Holds at most one request of each kind; a newer one replaces the older. Thread-safe."""

    def __init__(self, kind: Callable[[Request], object] = type) -> None:
        """Hold requests; ``kind`` returns the kind of a request."""
        self._kind = kind
        self._changed = threading.Condition()
        self._waiting: dict[object, Request] = {}
        self._closed = False

    def put(self, request: Request) -> None:
        """Store ``request``; drop a waiting request of the same kind."""
        with self._changed:
            self._waiting.pop(self._kind(request), None)
            self._waiting[self._kind(request)] = request
            self._changed.notify_all()

    def take(self) -> Request | None:
        """Wait for a request, remove it and return it; return None once the slot is closed."""
        with self._changed:
            self._changed.wait_for(self.outdated)
            if self._closed:
                return None
            return self._waiting.pop(next(iter(self._waiting)))

    def outdated(self) -> bool:
        """Return whether any request waits, or the slot is closed."""
        return self._closed or bool(self._waiting)

    def replaced(self, request: Request) -> bool:
        """Return whether a newer request of the same kind waits, or the slot is closed."""
        return self._closed or self._kind(request) in self._waiting

    def outdated_before(self, moment: float) -> bool:
        """Wait for a request, at most until ``moment`` (monotonic); return ``outdated()``."""
        with self._changed:
            left = max(0.0, moment - time.monotonic())
            return self._changed.wait_for(self.outdated, timeout=left)

    def close(self) -> None:
        """Let ``take`` return None from now on, and wake the thread that waits in it."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class NewestWorker(QThread, Generic[Request]):
    """A thread that answers one request at a time.

    A request is never answered if a newer one of its kind comes before the thread takes it. After a
    bug the thread continues; ``sys.excepthook`` logs the error and tells the user.

    Requests may come before the thread is started. Subclasses emit their signals in the thread:
    connect them only to methods of objects that live in the GUI thread.
    """

    def __init__(
        self, parent: QObject | None = None, *, kind: Callable[[Request], object] = type
    ) -> None:
        """Answer requests; ``kind`` returns the kind of a request."""
        super().__init__(parent)
        self.slot: NewestSlot[Request] = NewestSlot(kind)

    def ask(self, request: Request) -> None:
        """Pass a request to the thread. Call this in the GUI thread."""
        self.slot.put(request)

    def stop(self) -> None:
        """Let the thread end soon. Call ``wait`` to wait for it."""
        self.slot.close()

    def run(self) -> None:
        """Answer requests until stopped."""
        while (request := self.slot.take()) is not None:
            self.answer(request)

    def answer(self, request: Request) -> None:
        """Answer ``request``; report a bug."""
        try:
            self.work(request)
        except Exception as error:  # noqa: BLE001 - the hook reports it
            error.add_note(f"The request was {request!r}.")
            sys.excepthook(type(error), error, error.__traceback__)
            self.give_up(request)

    def give_up(self, request: Request) -> None:
        """Report that ``request`` failed because of a bug and gets no answer."""

    def work(self, request: Request) -> None:
        """Answer ``request`` with a signal. Subclasses implement this."""
        raise NotImplementedError


class FileCall(QThread):
    """Makes one call about files in a thread, because the disk may be slow or not respond.

    Call ``end``, ``end_all`` or ``finish_all`` before the parent is destroyed. After a bug there is
    no answer; ``sys.excepthook`` logs the error and tells the user.

    Signals:
        answered: What the call returned.
        failed: The ``NotesearchError`` that it raised.
    """

    answered = Signal(object)
    failed = Signal(object)

    def __init__(self, call: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._call = call
        self.finished.connect(self.deleteLater)

    @classmethod
    def end_all(cls, parent: QObject) -> None:
        """Drop the answers of all calls of ``parent``, and wait for their threads."""
        calls = parent.findChildren(cls)
        for call in calls:
            call.requestInterruption()
        for call in calls:
            call.end()

    @classmethod
    def finish_all(cls, parent: QObject) -> None:
        """Wait for all calls of ``parent`` and deliver the answers; ask slow calls to end."""
        for call in parent.findChildren(cls):
            if not call.wait(_PATIENCE_MS):
                call.requestInterruption()
                call.wait()
        QCoreApplication.sendPostedEvents(parent, QEvent.Type.MetaCall.value)

    @Slot()
    def end(self) -> None:
        """Drop the answer, and wait for the thread."""
        self.blockSignals(True)
        self.requestInterruption()
        self.wait()

    @staticmethod
    def is_ending() -> bool:
        """Return whether the call that runs in this thread should end soon."""
        return QThread.currentThread().isInterruptionRequested()

    def run(self) -> None:
        """Make the call; emit ``answered`` or ``failed``."""
        try:
            answer = self._call()
        except NotesearchError as error:
            self.failed.emit(error)
        else:
            self.answered.emit(answer)
