"""What a comparison of the folder with the store found; which missing notes count as deleted."""

import time
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field

from notesearch.index.scan import LinkTarget
from notesearch.index.scheduling import HUGE, Postpones
from notesearch.status import Report, Unread
from notesearch.store.note_states import NoteState

Stopped = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The result of a comparison.

    Attributes:
        report: What happened to which note.
        unsettled: Paths that need another look soon.
        postponed: Huge notes that let others go first.
        incomplete: The whole folder has to be compared to learn about the rest.
        links: As ``Listing.links``, if the whole folder was compared.
    """

    report: Report
    unsettled: tuple[str, ...] = ()
    postponed: tuple[str, ...] = ()
    incomplete: bool = False
    links: Mapping[str, LinkTarget | None] = field(default_factory=dict)


@dataclass(slots=True)
class ChangeLog:
    """The record of a comparison that is under way.

    Attributes:
        stopped: Returns whether to stop.
        patient: Another comparison follows soon, so a note that has just gone can wait for it.
        postpones: Returns whether to postpone a huge note; None if that never happens.
    """

    stopped: Stopped
    patient: bool = False
    postpones: Postpones | None = None
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)
    postponed: list[str] = field(default_factory=list)
    incomplete: bool = False
    links: Mapping[str, LinkTarget | None] = field(default_factory=dict)

    def begin_note(self, *, is_huge: bool, is_first: bool) -> None:
        """Check whether to continue with another note.

        Raises:
            StoppedError: Indexing has to stop.
            PostponedError: The note is huge, and the changes so far have to be reported first.
        """
        if self.stopped():
            raise StoppedError
        if self.postpones and is_huge and not is_first:
            raise PostponedError

    def check(self, path: str) -> None:
        """Check whether to give up the huge note at ``path`` half-way.

        Raises:
            StoppedError: Indexing has to stop.
            PostponedError: Other notes wait.
        """
        if self.stopped():
            raise StoppedError
        if self.postpones and self.postpones(path):
            raise PostponedError

    def postpone(self, paths: Iterable[str], vanished: dict[str, NoteState]) -> None:
        """Postpone ``paths``, together with vanished huge notes that they may have been before."""
        former = [path for path, note in vanished.items() if note.file.size >= HUGE]
        for path in former:
            del vanished[path]
        self.postponed += [*paths, *former]

    def result(self, started: float) -> Reconciliation:
        """Return the result of the comparison that ``started`` at a monotonic time."""
        report = Report(
            tuple(self.added),
            tuple(self.changed),
            tuple(self.moved),
            tuple(self.removed),
            unread=tuple(self.unread),
            seconds=time.monotonic() - started,
        )
        return Reconciliation(
            report, tuple(self.unsettled), tuple(self.postponed), self.incomplete, self.links
        )


class StoppedError(Exception):
    """Indexing stops in the middle of a huge note; nothing of it was written."""


class PostponedError(Exception):
    """A huge note is postponed; nothing of it was written."""


_SAVING_S = 0.3
_MAX_SAVED_AT_ONCE = 10
"""No program saves more notes at once; if more are missing, they were deleted."""


class PendingDeletions:
    """Remembers since when notes have been missing."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def seen(self, paths: Container[str]) -> None:
        """Record that ``paths`` exist."""
        self._since = {path: since for path, since in self._since.items() if path not in paths}

    def still_pending(self, missing: Collection[str], now: float | None = None) -> tuple[str, ...]:
        """Return those of the ``missing`` notes that need another look before they are deleted."""
        now = time.monotonic() if now is None else now
        if len(missing) > _MAX_SAVED_AT_ONCE:
            return ()
        since = {path: self._since.get(path, now) for path in missing}
        self._since |= since
        pending = tuple(path for path in missing if now - since[path] < _SAVING_S)
        for path in missing:
            if path not in pending:
                del self._since[path]
        return pending
