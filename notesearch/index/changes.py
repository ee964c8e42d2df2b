"""What one comparison of the folder with the store did, and when it gives up."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from notesearch.index.links import Place
from notesearch.index.turns import HUGE, GivesWay
from notesearch.status import Report, Unread
from notesearch.store.note_states import NoteState

Stopped = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What a reconciliation did.

    Attributes:
        report: What became of which note.
        unsettled: Files that have to be looked at again soon.
        incomplete: Only a comparison of the whole folder can tell what became of the rest.
        put_off: Huge notes that gave way to others and have to be looked at again.
        links: As ``Listing.links``, if the whole folder was compared.
    """

    report: Report
    unsettled: tuple[str, ...] = ()
    put_off: tuple[str, ...] = ()
    incomplete: bool = False
    links: Mapping[str, Place | None] = field(default_factory=dict)


@dataclass(slots=True)
class Changes:
    """What one reconciliation did, while it is under way.

    Attributes:
        stopped: Asked whether it has to end.
        patient: It is soon repeated: a note that is gone only just now can wait.
        gives_way: Asked whether a huge note is given up for others; None where it never is.
    """

    stopped: Stopped
    patient: bool = False
    gives_way: GivesWay | None = None
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    incomplete: bool = False
    links: Mapping[str, Place | None] = field(default_factory=dict)

    def begin(self, *, is_huge: bool, is_first: bool) -> None:
        """Go on with another note, unless what was done so far is to be told first.

        Raises:
            StoppedError: Indexing is to end.
            GivenWayError: The note is huge and others wait; what was done is to be told first.
        """
        if self.stopped():
            raise StoppedError
        if self.gives_way and is_huge and not is_first:
            raise GivenWayError

    def ask(self, path: str) -> None:
        """Give up the huge note at ``path`` half way where that is wanted.

        Raises:
            StoppedError: Indexing is to end.
            GivenWayError: Others wait, for which it is put off.
        """
        if self.stopped():
            raise StoppedError
        if self.gives_way and self.gives_way(path):
            raise GivenWayError

    def put_off(self, paths: Iterable[str], vanished: dict[str, NoteState]) -> None:
        """Leave ``paths`` for later, and what they may have been before they were moved."""
        before = [path for path, note in vanished.items() if note.file.size >= HUGE]
        for path in before:
            del vanished[path]
        self.later += [*paths, *before]

    def done(self, started: float) -> Reconciled:
        """Return what was done since ``started``."""
        report = Report(
            tuple(self.added), tuple(self.changed), tuple(self.moved), tuple(self.removed), 0,
            tuple(self.unread), time.monotonic() - started,
        )  # fmt: skip
        return Reconciled(
            report, tuple(self.unsettled), tuple(self.later), self.incomplete, self.links
        )


class StoppedError(Exception):
    """A huge note is given up half way: nothing of it was written."""


class GivenWayError(Exception):
    """The same, and it is taken up again when others had their turn."""
