"""The bridge from the indexing thread: its reports arrive in the GUI thread as signals."""

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
    from notesearch.library import NoteLibrary, Watch

log = logging.getLogger(__name__)

_PROGRESS_S = 0.2


class IndexBridge(QObject):
    """The listener that ``NoteLibrary.watch`` reports to.

    The object lives in the GUI thread. The indexing thread calls its methods.

    Attributes:
        library: The library whose status is reported; None until it is watched.

    Signals:
        progress_made: A ``Progress``, at most five times a second.
        index_updated: A ``Report``: the index changed.
        index_failed: A ``NotesearchError``. The indexer tries again by itself.
        status_changed: A ``Status``.
    """

    progress_made = Signal(object)
    index_updated = Signal(object)
    index_failed = Signal(object)
    status_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.library: NoteLibrary | None = None
        self._emitted_at = 0.0
        self._phase = Phase.IDLE

    def watch(self, library: "NoteLibrary", *, paused: bool) -> "Watch":
        """Start to index ``library`` and report on it."""
        self.library = library
        return library.watch(self, paused=paused)

    def progressed(self, progress: Progress) -> None:
        """Emit progress, but no more often than a person can follow. Emit each change of phase."""
        now = time.monotonic()
        counting = progress.phase is self._phase and progress.phase is not Phase.IDLE
        if counting and now - self._emitted_at < _PROGRESS_S:
            return
        if progress.phase is not self._phase:
            self._emit_status()
        if progress.phase is Phase.IDLE:  # notes were read, or at least the model was loaded
            trim_memory()
        self._emitted_at, self._phase = now, progress.phase
        self.progress_made.emit(progress)

    def updated(self, report: Report) -> None:
        """Emit the new status and what changed in the index."""
        self._emit_status()
        self.index_updated.emit(report)

    def failed(self, error: NotesearchError) -> None:
        """Emit the status and the error."""
        self._emit_status()
        self.index_failed.emit(error)

    def _emit_status(self) -> None:
        if self.library is None:
            return
        try:
            self.status_changed.emit(self.library.status())
        except NotesearchError as error:
            log.info("no status: %s", error)


def trim_memory() -> None:
    """Return freed memory to the system: glibc keeps some 20 MB after the model was loaded."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another C library keeps less
            ctypes.CDLL(None).malloc_trim(0)
