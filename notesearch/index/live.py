"""The indexing thread: a first full comparison, then whatever the watcher hints at."""

import contextlib
import logging
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from notesearch.config import Settings
from notesearch.errors import (
    IndexBusyError,
    IndexDamagedError,
    IndexingError,
    NotesearchError,
    WatchingError,
)
from notesearch.index.current import Current
from notesearch.index.hints import Hints
from notesearch.index.pacing import Pacing
from notesearch.index.standstill import Standstill
from notesearch.index.turns import Turns
from notesearch.index.watching import Watching
from notesearch.status import Phase, Progress, Report

if TYPE_CHECKING:  # what indexes is imported where it does
    from notesearch.index.changes import Reconciled
    from notesearch.index.indexer import Indexer

log = logging.getLogger(__name__)

_QUIET_S = 0.08
"""Changes are taken up once nothing more happened for so long ..."""

_PATIENCE_S = 0.4
"""... or after so long in any case."""

_TURN_S = 1.0
"""How often a process that only searches looks whether it may index, or what another did."""

_CHECK_S = 5.0
"""How often watcher and folder are checked while nothing happens."""

_RESCAN_S = 900.0
"""How often the whole folder is compared without any hint."""

_NICE = 5
"""How far indexing stands back on Linux, where each thread has a precedence of its own."""

_GAP_S = 30.0
"""A wait that took so much longer than it should: the computer slept."""


class Listener(Protocol):
    """Is told what happens; called in the indexing thread."""

    def progressed(self, progress: Progress) -> None:
        """Work goes on."""

    def updated(self, report: Report) -> None:
        """The index changed: a search may now answer otherwise."""

    def failed(self, error: NotesearchError) -> None:
        """Something known went wrong; it is tried again by itself."""


_UNSEEN = object()
"""No version of the index: it was not looked at yet."""

_OURS = object()
"""Nor is this: whoever indexes after us may have changed something already."""

OpenIndexer = Callable[[], "contextlib.AbstractContextManager[Indexer]"]
GetVersion = Callable[[], object]


class LiveIndex:
    """Keeps the index in line with the folder until closed; one thread of its own."""

    def __init__(
        self,
        vault: Path,
        settings: Settings,
        open_indexer: OpenIndexer,
        version: GetVersion,
        asked: Callable[[], bool],
        listener: Listener,
    ) -> None:
        """Take the folder, what opens an indexer in the thread, and who is told.

        ``version`` tells two states of the index apart, whoever wrote them; ``asked`` whether
        another process waits for what is held back.
        """
        self._vault = vault
        self._settings = settings
        self._open_indexer = open_indexer
        self._version = version
        self._listener = listener
        self._told, self._last_scan = "", 0.0
        self._seen: object = _UNSEEN
        self._hints = Hints()
        self._watching = Watching(vault, settings, self._hints)
        self._pacing = Pacing()
        self._turns = Turns(self._hints.hold_besides)
        self._damage: IndexDamagedError | None = None
        self._stopping = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self.standstill = Standstill(self._stopping.wait)
        self.current = Current(self._hints, self._pacing, asked)
        self._thread = threading.Thread(target=self._run, name="notesearch-index")

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def watching(self) -> str:
        """How changes are noticed: ``live``, ``comparing every n s``; empty while they are not."""
        return str(self._watching)

    def refresh_now(self) -> None:
        """Compare the whole folder soon, and say anew what stands in the way."""
        self._told = ""
        self._hints.add_everything()

    def start_over(self, error: IndexDamagedError) -> None:
        """Make the index again: somebody who read it found it damaged."""
        self._damage = error
        self._hints.add_everything()

    def pause(self) -> None:
        """Stop after the note at hand, and let another process index if it wants to."""
        self._going.clear()
        self._hints.ready.set()

    def resume(self) -> None:
        """Go on, with a look at the whole folder."""
        self._told = ""
        self._going.set()

    def close(self) -> None:
        """Stop after the note at hand and wait for the thread."""
        self._stopping.set()
        self._going.set()
        self._hints.ready.set()
        self._thread.join()

    def _run(self) -> None:
        _stand_back()
        if self._going.is_set():
            self._listener.progressed(Progress(Phase.SCAN))  # it waits for the model first
        while not self._stopping.is_set():
            try:
                self._take_turn()
            except Exception as error:
                log.exception("the indexing thread starts again")
                self._tell(IndexingError("indexing_failed", error=type(error).__name__))
                self._pause(_CHECK_S)
        self._watching.close()

    def _take_turn(self) -> None:
        """Index until something stands in the way; else rest, follow who does, or wait."""
        if not self._going.is_set():
            self._rest()
            return
        try:
            with self._open_indexer() as indexer:
                self._live(indexer)
        except IndexDamagedError as error:
            log.warning("the index is made again: %s", error)
            self._told = ""
            self._tell(error)
        except IndexBusyError as error:
            self._tell(error)
            self._follow()
        except NotesearchError as error:
            self._tell(error)
            self._pause(_CHECK_S)

    def _rest(self) -> None:
        """Hold no lock and watch nothing while paused."""
        self._watching.close()
        self._listener.progressed(Progress(Phase.IDLE))
        self._going.wait()

    def _halted(self) -> bool:
        self.standstill.keep()
        return self._stopping.is_set() or not self._going.is_set()

    def _tell(self, error: NotesearchError) -> None:
        """Tell what went wrong, but not again at every try."""
        if str(error) == self._told:
            return
        self._told = str(error)
        try:
            self._listener.failed(error)
        except Exception:
            log.exception("a listener failed")

    def _follow(self) -> None:
        """Tell when the process that indexes changed something, until it may be our turn."""
        self._watching.close()
        self._pause(_TURN_S)
        before, self._seen = self._seen, self._version()
        if before not in {_UNSEEN, self._seen}:
            self._listener.updated(Report(elsewhere=True))

    def _pause(self, seconds: float) -> None:
        """Wait before another try, unless somebody asks for one."""
        self._hints.take()
        self.current.done()
        self._hints.ready.wait(0 if self._stopping.is_set() else seconds)

    def _live(self, indexer: "Indexer") -> None:
        self._seen = _OURS
        self._hints.add_everything()
        while not self._halted():
            self.current.begin()
            paths, everything = self._settled()
            damage, self._damage = self._damage, None
            if damage:
                raise damage
            indexer.check_file()
            everything = everything or self._is_overdue()
            paths = self._pacing.admit(paths, math.inf if self.current.take_hurry() else None)
            if everything:
                self._compare_all(indexer)
            elif paths:
                self._compare(indexer, paths, _silent)
            elif not self._turns.later:
                self.current.done()
                self._idle()
                continue
            self.current.done(looked=True)
            while later := self._turns.due():
                self._compare(indexer, later, self._listener.progressed)
            self._embed(indexer)
        with contextlib.suppress(NotesearchError):
            indexer.set_watching("")  # else whoever searches has to find out that the lock is free

    def _idle(self) -> None:
        """Wait for hints; where they cannot come, or were slept through, compare everything."""
        if self._halted():
            return  # its signal may have been taken together with the hints
        pause = self._pacing.wait(_CHECK_S)
        before = time.time()
        hinted = self.current.idle(pause)
        if time.time() - before > pause + _GAP_S:
            log.info("the computer slept: the folder is compared")
            self._hints.add_everything()
        elif not hinted and not self._watching.is_alive:
            self._hints.add_everything()

    def _settled(self) -> tuple[frozenset[str], bool]:
        """Take the hints once they have stopped coming."""
        paths, everything = self._hints.take()
        deadline = time.monotonic() + _PATIENCE_S
        while (paths or everything) and time.monotonic() < deadline:
            if not self._hints.ready.wait(_QUIET_S) or self._halted():
                break
            more, all_of_it = self._hints.take()
            paths, everything = paths | more, everything or all_of_it
        return paths, everything

    def _is_overdue(self) -> bool:
        every = self._watching.every
        return time.monotonic() - self._last_scan > (_RESCAN_S if every is None else every)

    def _compare_all(self, indexer: "Indexer") -> None:
        self._pacing.forget()
        self._watching.ensure()
        started = time.monotonic()
        done = indexer.reconcile_all(
            self._listener.progressed,
            self._halted,
            patient=True,
            gives_way=self._turns.gives_way,
        )
        self._last_scan = time.monotonic()
        self._turns.compared(self._turns.later, done.put_off)
        self._look_again(done)
        if self._watching.follow(done.links):
            self._hints.add_everything()  # something may have changed before it was watched
        self._told = ""
        self._listener.updated(done.report)
        self._judge_watching(indexer, self._last_scan - started)

    def _judge_watching(self, indexer: "Indexer", seconds: float) -> None:
        """Say once when changes cannot be noticed as they happen."""
        known = self._watching.problem
        self._watching.judge(self._stopping, seconds)
        indexer.set_watching(self.watching)
        if self._watching.problem and not known:
            log.warning("%s", self._watching.problem)
            self._listener.failed(WatchingError(self._watching.problem))

    def _compare(
        self, indexer: "Indexer", paths: frozenset[str], progressed: Callable[[Progress], None]
    ) -> None:
        done = indexer.reconcile_paths(paths, progressed, self._halted, self._turns.gives_way)
        self._turns.compared(paths, done.put_off)
        self._look_again(done)
        self._pacing.indexed((*done.report.added, *done.report.changed))
        if done.report or done.report.unread:
            self._listener.updated(done.report)

    def _look_again(self, done: "Reconciled") -> None:
        for path in done.unsettled:
            self._hints.add(path)
        if done.unsettled:
            self.current.stay_hurried()
        if done.incomplete:
            self._hints.add_everything()

    def _embed(self, indexer: "Indexer") -> None:
        embedded = indexer.embed_pending(self._listener.progressed, self._interrupted)
        if embedded or indexer.has_switched:
            self._listener.updated(replace(Report(), embedded=embedded))
        if not self._interrupted():
            indexer.finish()
            self._listener.progressed(Progress(Phase.IDLE))

    def _interrupted(self) -> bool:
        return self._halted() or self._hints.ready.is_set() or bool(self._turns.later)


def _silent(_progress: Progress) -> None:
    """A few notes changed: that is told when it is done."""


def _stand_back() -> None:
    """Let the window and searches have a core as soon as they want one.

    What the thread starts inherits it: the model's threads, and the process that reads ahead, which
    stands back further. Not further itself: while it waits for a core with Python's lock, all wait.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            own = threading.get_native_id()
            nice = os.getpriority(os.PRIO_PROCESS, own) + _NICE
            os.setpriority(os.PRIO_PROCESS, own, nice)
