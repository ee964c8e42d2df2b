"""The indexing thread: compares the whole folder first, then what the watcher reports."""

import contextlib
import logging
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexingError,
    NotesearchError,
    WatchingError,
)
from notesearch.index.scheduling import Hints, SaveThrottle, TypingPause
from notesearch.index.watcher import FolderWatch
from notesearch.status import Phase, Progress, Report
from notesearch.store.recovery import REBUILD_ASKED

if TYPE_CHECKING:  # imported by the thread, so that no window waits for it
    from notesearch.index.indexer import Comparison, Indexer
    from notesearch.index.vault_index import VaultIndex

log = logging.getLogger(__name__)

_QUIET_S = 0.08
"""Changes are indexed once nothing more has happened for this long."""

_PATIENCE_S = 0.4
"""Changes are indexed after this long, even if more happens."""

_TURN_S = 1.0
"""How often a process that may not index checks whether it may now, and what the other one did."""

_CHECK_S = 5.0
"""How often watcher and folder are checked while nothing happens."""

_RESCAN_S = 900.0
_NICENESS = 5
"""How much the priority of indexing is lowered on Linux, where each thread has its own."""

_GAP_S = 30.0
"""If a wait takes this much longer than it should, the computer has been asleep."""


class Listener(Protocol):
    """Receives progress, changes and failures in the indexing thread."""

    def progressed(self, progress: Progress) -> None:
        """Called from time to time during the work."""

    def updated(self, report: Report) -> None:
        """Called when the index has changed, so that searches may have other results."""

    def failed(self, error: NotesearchError) -> None:
        """Called for a known failure; indexing tries again by itself."""


_POLL_S = 0.004
"""How often a thread that waits for the indexing thread looks."""

_UNSEEN = object()
_OWN_VERSION = object()
"""Stands for a version of the index that this process, and maybe another one since, wrote."""


class Freshness:
    """Knows whether the indexing thread has indexed all changes; other threads wait for that."""

    def __init__(self, hints: Hints, throttle: SaveThrottle) -> None:
        self._hints = hints
        self._throttle = throttle
        self._done = threading.Event()
        self._urgent = threading.Event()
        self._closed = threading.Event()
        self._is_hurrying = False
        self.turns = 0
        """How many times the indexing thread has looked at changes."""

    def begin(self) -> None:
        """Record that the indexing thread now takes the hints; ``wait`` waits until ``done``."""
        self._done.clear()

    def done(self, *, looked: bool = False) -> None:
        """Record that all hints are indexed by words, or cannot be.

        ``looked`` says that the indexing thread has looked at changes.
        """
        self.turns += looked
        self._done.set()

    def ask_again(self) -> None:
        """Make the indexing thread retry what failed; ``wait`` then waits for the result."""
        self._done.clear()
        self._hints.ready.set()

    def _hurry(self) -> None:
        self._urgent.set()
        self._hints.ready.set()

    def take_urgency(self) -> bool:
        """Return whether somebody waits for a delayed note, and reset that."""
        self._is_hurrying = self._urgent.is_set()
        self._urgent.clear()
        return self._is_hurrying

    def keep_urgency(self) -> None:
        """If the last turn was urgent, make the next one urgent, too: it takes the same notes."""
        if self._is_hurrying:
            self._hurry()

    def wait(self, seconds: float) -> bool:
        """Wait until a search by words finds all changes so far; return whether it does.

        Returns at once if another process indexes, if indexing fails, or after ``close``.
        """
        deadline = time.monotonic() + seconds
        while not self._closed.is_set():
            if self._throttle.is_holding_back:
                self._hurry()
            elif self._done.is_set() and not self._hints.ready.is_set():
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
        return False

    def close(self) -> None:
        """Wake all threads that wait."""
        self._closed.set()


class LiveIndex:
    """Keeps the index up to date with the folder until closed, in a thread of its own."""

    def __init__(self, index: "VaultIndex", listener: Listener) -> None:
        self._index = index
        self._listener = listener
        self._reported = ""
        self._last_scan = 0.0
        self._seen: object = _UNSEEN
        self._hints = Hints()
        self._watch = FolderWatch(index.vault, index.settings, self._hints)
        self._throttle = SaveThrottle(lambda path: os.path.lexists(index.vault / path))
        self._postponed: frozenset[str] = frozenset()
        self._damage: IndexDamagedError | None = None
        self._stopping = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self._typing_pause = TypingPause(self._stopping.wait)
        self.freshness = Freshness(self._hints, self._throttle)
        self._thread = threading.Thread(target=self._run, name="notesearch-index")

    @classmethod
    def started(
        cls, index: "VaultIndex", listener: Listener, *, paused: bool = False
    ) -> "LiveIndex":
        """Start a thread that keeps ``index`` up to date until closed; it may begin ``paused``."""
        watch = cls(index, listener)
        if paused:
            watch.pause()
        index.add_watch(watch)
        watch._thread.start()
        return watch

    @property
    def watching(self) -> str:
        """How changes are noticed: ``live`` or ``comparing every n s``; empty if they are not."""
        return str(self._watch)

    def refresh_now(self) -> None:
        """Compare the whole folder soon, and report failures again."""
        self._reported = ""
        self._hints.add_everything()

    def start_over(self, error: IndexDamagedError) -> None:
        """Make the indexing thread recover the index, because a reader found it damaged."""
        self._damage = error
        self._hints.add_everything()

    def pause_briefly(self) -> None:
        """Pause indexing for a moment, so that a request gets the processor."""
        self._typing_pause.record_keystroke()

    def rebuild(self) -> None:
        """Make the indexing thread delete the index and build it again, as the user asked."""
        self.start_over(IndexDamagedError(REBUILD_ASKED))

    def pause(self) -> None:
        """Stop after the current note; another process may index then."""
        self._going.clear()
        self._hints.ready.set()

    def resume(self) -> None:
        """Continue, with a comparison of the whole folder."""
        self._reported = ""
        self._going.set()

    def close(self) -> None:
        """Stop after the current note and wait for the thread."""
        self._stopping.set()
        self._going.set()
        self._hints.ready.set()
        self._index.end_conversion()
        self._thread.join()

    def _run(self) -> None:
        _lower_priority()
        if self._going.is_set():
            self._listener.progressed(Progress(Phase.SCAN))  # early: the model has to load first
        while not self._is_ending():
            try:
                self._take_turn()
            except Exception as error:
                if not threading.main_thread().is_alive():
                    break  # Python is ending: no module can be imported any more
                log.exception("the indexing thread starts again")
                self._report_failure(IndexingError("indexing_failed", error=type(error).__name__))
                self._wait(_CHECK_S)
        self._watch.close()

    def _take_turn(self) -> None:
        if not self._going.is_set():
            self._rest()
            return
        try:
            with self._index.writing() as indexer:
                self._keep_up_to_date(indexer)
        except IndexDamagedError as error:
            log.info("the index is rebuilt: %s", error)
            self._reported = ""
            self._report_failure(error)
        except IndexBusyError as error:
            self._report_failure(error)
            if error.code == "index_lock_deleted":
                self._seen = self._index.store.version()  # nobody else has indexed yet
            self._follow_other()
        except NotesearchError as error:
            self._report_failure(error)
            self._wait(_CHECK_S)

    def _rest(self) -> None:
        self._watch.close()
        self._listener.progressed(Progress(Phase.IDLE))
        while not (self._going.wait(_CHECK_S) or self._is_ending()):
            pass

    def _is_ending(self) -> bool:
        """Whether this was closed, or the main thread has ended: Python waits for this thread."""
        return self._stopping.is_set() or not threading.main_thread().is_alive()

    def _is_halted(self) -> bool:
        self._typing_pause.pause()
        return self._is_ending() or not self._going.is_set()

    def _report_failure(self, error: NotesearchError) -> None:
        if str(error) == self._reported:
            return
        self._reported = str(error)
        try:
            self._listener.failed(error)
        except Exception:
            log.exception("a listener failed")

    def _follow_other(self) -> None:
        """Report changes made by the process that indexes, until this one may index."""
        self._watch.close()
        self._wait(_TURN_S)
        before = self._seen
        self._seen = self._index.store.version()
        if before not in {_UNSEEN, self._seen}:
            self._listener.updated(Report(elsewhere=True))

    def _wait(self, seconds: float) -> None:
        self._hints.take()
        self.freshness.done()
        self._hints.ready.wait(0 if self._stopping.is_set() else seconds)

    def _keep_up_to_date(self, indexer: "Indexer") -> None:
        self._seen = _OWN_VERSION
        self._last_scan = -math.inf  # unlike after a hint, there is nothing to wait for
        while not self._is_halted():
            self.freshness.begin()
            paths, everything = self._settled_hints()
            damage = self._damage
            if damage:
                self._damage = None
                raise damage
            indexer.writer.check_file()
            everything = everything or self._is_overdue()
            is_urgent = self.freshness.take_urgency()
            paths = self._throttle.admit_all(paths) if is_urgent else self._throttle.admit(paths)
            if everything:
                self._compare_all(indexer)
            elif paths:
                self._compare(indexer, paths, lambda _: None)  # a few notes take only a moment
            elif not self._postponed:
                self.freshness.done()
                self._idle()
                continue
            self.freshness.done(looked=True)
            self._compare_postponed(indexer)
            self._embed(indexer)
        with contextlib.suppress(NotesearchError):
            indexer.writer.set_watching("")  # saves searching processes from testing the lock

    def _idle(self) -> None:
        """Wait for hints; compare the whole folder if none can come, or if the computer slept."""
        if self._is_halted():
            return  # the event that says so may have been cleared together with the hints
        pause = self._throttle.seconds_until_due(_CHECK_S)
        before = time.time()
        hinted = self._hints.ready.wait(pause)
        if time.time() - before > pause + _GAP_S:
            log.info("the computer slept: the folder is compared")
            self._hints.add_everything()
        elif not hinted and not self._watch.is_alive:
            self._hints.add_everything()

    def _settled_hints(self) -> tuple[frozenset[str], bool]:
        """Take the hints once no more arrive: paths, and whether to compare the whole folder."""
        paths, everything = self._hints.take()
        deadline = time.monotonic() + _PATIENCE_S
        while (paths or everything) and time.monotonic() < deadline:
            if not self._hints.ready.wait(_QUIET_S) or self._is_halted():
                break
            more, all_of_it = self._hints.take()
            paths |= more
            everything = everything or all_of_it
        return paths, everything

    def _is_overdue(self) -> bool:
        interval = self._watch.interval
        return time.monotonic() - self._last_scan > (_RESCAN_S if interval is None else interval)

    def _compare_all(self, indexer: "Indexer") -> None:
        self._throttle.clear()
        self._watch.ensure()
        started = time.monotonic()
        result = indexer.reconcile_all(self._listener.progressed, self._is_halted, repeats=True)
        self._last_scan = time.monotonic()
        self._postponed = frozenset(result.postponed)
        self._schedule_another_look(result)
        if self._watch.follow(result.links):
            self._hints.add_everything()  # something may have changed before it was watched
        self._reported = ""
        self._listener.updated(result.report)
        self._check_watch(indexer, self._last_scan - started)

    def _check_watch(self, indexer: "Indexer", scan_seconds: float) -> None:
        """Tell the listener when the watcher begins to miss changes, and when it no longer does."""
        known = self._watch.problem
        self._watch.check(self._stopping, scan_seconds)
        indexer.writer.set_watching(self.watching)
        if self._watch.problem and not known:
            log.info("%s", self._watch.problem)
            self._listener.failed(WatchingError(self._watch.problem))
        elif known and not self._watch.problem:
            self._listener.updated(Report())

    def _compare(
        self, indexer: "Indexer", paths: frozenset[str], progressed: Callable[[Progress], None]
    ) -> None:
        result = indexer.reconcile_paths(paths, progressed, self._is_halted, postpones=True)
        self._postponed = self._postponed - paths | {*result.postponed}
        self._schedule_another_look(result)
        self._throttle.indexed((*result.report.added, *result.report.changed))
        if result.report or result.report.unread:
            self._listener.updated(result.report)

    def _compare_postponed(self, indexer: "Indexer") -> None:
        """Index at least one of the notes that take long, and more until something else changes."""
        while self._postponed:
            self._compare(indexer, self._postponed, self._listener.progressed)
            if self._is_halted() or self._hints.ready.is_set():
                break

    def _schedule_another_look(self, result: "Comparison") -> None:
        for path in result.unsettled:
            self._hints.add(path)
        if result.unsettled:
            self.freshness.keep_urgency()
        if result.incomplete:
            self._hints.add_everything()

    def _embed(self, indexer: "Indexer") -> None:
        embedded = indexer.embed_pending(self._listener.progressed, self._is_interrupted)
        if embedded or indexer.has_switched:
            self._listener.updated(replace(Report(), embedded=embedded))
        if not self._is_interrupted():
            indexer.finish()
            self._listener.progressed(Progress(Phase.IDLE))

    def _is_interrupted(self) -> bool:
        return self._is_halted() or self._hints.ready.is_set() or bool(self._postponed)


def _lower_priority() -> None:
    """Lower this thread's priority, so that the window and searches get a core at once.

    Lowering it by more than ``_NICENESS`` would do harm: all threads wait while this one holds
    Python's lock and waits for a core.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            own = threading.get_native_id()
            niceness = os.getpriority(os.PRIO_PROCESS, own) + _NICENESS
            os.setpriority(os.PRIO_PROCESS, own, niceness)
