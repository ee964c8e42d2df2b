"""A listener for the indexing thread that tests wait on, instead of sleeping."""

import threading
from collections.abc import Callable

from notesearch.errors import NotesearchError
from notesearch.status import Phase, Progress, Report
from tests.limits import WAIT_S


class IndexingListener:
    """Collects the reports of the indexing thread."""

    def __init__(self) -> None:
        self.reports: list[Report] = []
        self.errors: list[NotesearchError] = []
        self.phases: list[Phase] = []
        self._news = threading.Condition()

    def progressed(self, progress: Progress) -> None:
        with self._news:
            self.phases.append(progress.phase)
            self._news.notify_all()

    def updated(self, report: Report) -> None:
        with self._news:
            self.reports.append(report)
            self._news.notify_all()

    def failed(self, error: NotesearchError) -> None:
        with self._news:
            self.errors.append(error)
            self._news.notify_all()

    def until(self, condition: Callable[[], bool], seconds: float = WAIT_S) -> None:
        """Wait until ``condition()`` holds; it is called after each report."""
        with self._news:
            met = self._news.wait_for(condition, seconds)
        assert met, f"told {self.reports[-5:]} {self.errors[-5:]} {self.phases[-5:]}"

    def until_idle(self) -> None:
        """Wait until all changes noticed so far are in the index."""
        self.until(lambda: self.is_idle)

    @property
    def is_idle(self) -> bool:
        """Whether the thread has nothing left to do."""
        return self.phases[-1:] == [Phase.IDLE]

    @property
    def paths(self) -> set[str]:
        """Every note that any report names as written or removed."""
        parts = ("added", "changed", "moved", "removed")
        return {path for report in self.reports for part in parts for path in getattr(report, part)}
