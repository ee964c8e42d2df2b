"""The bridge from the indexing thread: what it reports arrives in the GUI thread as signals."""

import contextlib
import ctypes
import logging
import sys
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from notesearch.errors import NotesearchError
from notesearch.status import Phase, Progress, Report

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

log = logging.getLogger(__name__)

_PROGRESS_S = 0.2


class IndexBridge(QObject):
    """A listener of ``NoteLibrary.watch``; it lives in the GUI thread, its methods do not.

    Signals:
        progress_made: A ``Progress``, at most five a second.
        index_updated: A ``Report``: the index changed.
        index_failed: A ``NotesearchError``; the indexer tries again by itself.
        status_changed: A ``Status``.
    """

    progress_made = Signal(object)
    index_updated = Signal(object)
    index_failed = Signal(object)
    status_changed = Signal(object)

    def __init__(self, library: "NoteLibrary", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._told = 0.0
        self._phase = Phase.IDLE

    def progressed(self, progress: Progress) -> None:
        """Pass progress on, but not more often than it can be seen; each end is told."""
        now = time.monotonic()
        counting = progress.phase is self._phase and progress.phase is not Phase.IDLE
        if counting and now - self._told < _PROGRESS_S:
            return
        if progress.phase is not self._phase:
            self._tell_status()
        if progress.phase is Phase.IDLE:  # notes were read, or the model was loaded at least
            trim_memory()
        self._told, self._phase = now, progress.phase
        self.progress_made.emit(progress)

    def updated(self, report: Report) -> None:
        """Pass on that the index changed, with its state."""
        self._tell_status()
        self.index_updated.emit(report)

    def failed(self, error: NotesearchError) -> None:
        """Pass a known failure on."""
        self._tell_status()
        self.index_failed.emit(error)

    def _tell_status(self) -> None:
        try:
            self.status_changed.emit(self._library.status())
        except NotesearchError as error:
            log.info("no status: %s", error)


def trim_memory() -> None:
    """Return freed memory to the system: glibc keeps some 20 MB after the model was loaded."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another C library keeps less
            ctypes.CDLL(None).malloc_trim(0)
