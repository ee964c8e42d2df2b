"""Hooks of the whole process: uncaught errors, Qt's messages, Ctrl+C, log, garbage collection."""

import contextlib
import gc
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    QTimer,
    QTimerEvent,
    QtMsgType,
    Slot,
    qInstallMessageHandler,
)

from notesearch import private_files

log = logging.getLogger("notesearch")
qt_log = logging.getLogger("notesearch.qt")

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}

_LOG_BYTES = 1_000_000


def start_log(file: Path) -> None:
    """Log to ``file``, which is rotated at ``_LOG_BYTES``; if that is impossible, only warn."""
    from logging.handlers import RotatingFileHandler

    class PrivateFileHandler(RotatingFileHandler):
        def _open(self) -> TextIOWrapper:
            return TextIOWrapper(private_files.opened(file, "ab"), "utf-8", errors=self.errors)

        def handleError(self, record: logging.LogRecord) -> None:
            """Drop ``record``, which cannot be written: by default, Python prints a traceback."""

    try:
        private_files.make_folder(file.parent)
        handler = PrivateFileHandler(file, maxBytes=_LOG_BYTES, backupCount=1, delay=True)
    except OSError as error:
        log.warning("no log file: %s", error)
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    # If a library logs to the root logger, as ziamath does, Python adds a handler there that prints
    # everything to the terminal. A silent handler prevents that.
    logging.getLogger().addHandler(logging.NullHandler())


def log_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
    """Log a message of Qt."""
    qt_log.log(_LEVELS.get(kind, logging.WARNING), "%s: %s", context.category, message)


@contextlib.contextmanager
def installed(report: Callable[[], None], leave: Callable[[], None]) -> Iterator[None]:
    """During the block, log uncaught errors and Qt's messages; call ``leave`` on SIGINT or SIGTERM.

    ``report`` must tell the user that an error occurred. The GUI thread or a ``QThread`` calls it.
    Errors in other threads are only logged, because the library restarts those threads.
    """

    def uncaught(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            leave()
            return
        _log_uncaught(kind, error, trace)
        report()

    def uncaught_in_thread(caught: threading.ExceptHookArgs) -> None:
        error = caught.exc_value or caught.exc_type()
        _log_uncaught(caught.exc_type, error, caught.exc_traceback)

    before = sys.excepthook, threading.excepthook
    sys.excepthook, threading.excepthook = uncaught, uncaught_in_thread
    qInstallMessageHandler(log_qt_message)
    try:
        with _signals(leave):
            yield
    finally:
        qInstallMessageHandler(None)
        sys.excepthook, threading.excepthook = before


def _log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    log.critical("uncaught", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)
    # Python keeps the error for a debugger, and with it every part of the program that it passed.
    for name in ("last_exc", "last_value", "last_traceback"):  # the first since Python 3.12
        setattr(sys, name, None)


@contextlib.contextmanager
def _signals(leave: Callable[[], None]) -> Iterator[None]:
    """Call ``leave`` on SIGINT and SIGTERM during the block."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)

    def leave_once() -> None:
        with contextlib.suppress(BlockingIOError):
            ours.recv(16)
        leave()

    notifier.activated.connect(leave_once)
    # The handler does nothing: the byte that Python writes to the socket is enough.
    previous = {n: signal.signal(n, lambda *_: None) for n in (signal.SIGINT, signal.SIGTERM)}
    wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in previous.items():
            signal.signal(number, handler)
        notifier.setEnabled(False)
        ours.close()
        theirs.close()


_PAUSE_MS = 100
"""Time between two collections; it is short, so that each one has little to do."""

_START_MS = 10_000


class GarbageCollector(QObject):
    """Runs Python's garbage collection in the GUI thread only, by a timer, until ``stop``.

    The objects that exist after ``_START_MS`` are the program itself. They are frozen: searching
    them takes 40 ms each time and finds no garbage.
    """

    def __init__(self) -> None:
        super().__init__()
        gc.disable()
        self._timer = 0
        QTimer.singleShot(_START_MS, self, self._begin)

    @Slot()
    def _begin(self) -> None:
        gc.freeze()
        self._timer = self.startTimer(_PAUSE_MS)

    def timerEvent(self, event: QTimerEvent) -> None:
        """Collect the oldest generation whose threshold is exceeded, and the younger ones."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [n for n, count in enumerate(counts) if count > thresholds[n]]
        if 0 in due:  # Python, too, waits for enough new objects
            gc.collect(due[-1])

    def stop(self) -> None:
        """Let Python collect garbage in any thread again."""
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        gc.enable()
