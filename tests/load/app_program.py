"""The program without its window: follows a folder and searches it at the same time.

    python -m tests.load.app_program '{"vault": …, "home": …, "model": …}'

It prints each event as a line of JSON with the time ``t`` of the clock that all processes share.
It obeys the lines of JSON on standard input (``App._obey``) until that ends.
"""

import json
import logging
import sys
import threading
import time
from dataclasses import asdict, dataclass, field
from itertools import cycle
from pathlib import Path

from notesearch.config import Settings
from notesearch.errors import NotesearchError
from notesearch.library import NoteLibrary
from notesearch.processes import tune_server_process
from notesearch.status import Phase, Progress, Report
from tests.load.hash_model import HashModel

_NAMED = 20


@dataclass(frozen=True, slots=True)
class Job:
    """What the process does.

    Attributes:
        vault: The folder.
        home: The folder with index and settings.
        model: ``made up``, ``built in`` or ``none``.
        searches: How many searches to make per second.
        queries: The queries, searched for in turn.
        mode: The mode of the searches.
        watch: Whether to follow the folder, not only search.
        count_opened: Whether to count how often each file of the folder is opened.
    """

    vault: str
    home: str
    model: str = "made up"
    searches: float = 0.0
    queries: tuple[str, ...] = ()
    mode: str = "hybrid"
    watch: bool = True
    count_opened: bool = False


class Reporter:
    """Prints events as lines; listens to the indexing thread."""

    def __init__(self) -> None:
        self.news = threading.Condition()
        self.updates = 0
        self._phase: Phase | None = None

    def say(self, **what: object) -> None:
        line = json.dumps({"t": time.monotonic(), **what}) + "\n"
        with self.news:
            sys.stdout.write(line)
            sys.stdout.flush()

    def changed(self) -> None:
        """Look again for the note that is awaited."""
        with self.news:
            self.updates += 1
            self.news.notify_all()

    def progressed(self, progress: Progress) -> None:
        if progress.phase is not self._phase:
            self._phase = progress.phase
            self.say(phase=progress.phase, total=progress.total)

    def updated(self, report: Report) -> None:
        parts = ("added", "changed", "moved", "removed")
        numbers = {part: len(getattr(report, part)) for part in parts}
        paths = [path for part in parts for path in getattr(report, part)][:_NAMED]
        gone = list(report.removed)[:_NAMED]
        self.changed()
        self.say(updated=numbers, paths=paths, gone=gone, embedded=report.embedded)

    def failed(self, error: NotesearchError) -> None:
        self.say(failed=str(error), kind=type(error).__name__)


class _Warnings(logging.Handler):
    def __init__(self, reporter: Reporter) -> None:
        super().__init__(logging.WARNING)
        self._reporter = reporter

    def emit(self, record: logging.LogRecord) -> None:
        self._reporter.say(log=record.getMessage()[:500])


@dataclass(slots=True)
class Searched:
    """The figures of the searches of a process.

    Attributes:
        milliseconds: How long each took.
        errors: The messages that came instead of an answer.
        empty: Queries that found nothing.
    """

    milliseconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)


class App:
    """One open library, its watch, and threads that search."""

    def __init__(self, job: Job, reporter: Reporter) -> None:
        settings = Settings(model="/no such model") if job.model == "none" else Settings()
        embedder = HashModel() if job.model == "made up" else None
        self._job = job
        self._reporter = reporter
        self._library = NoteLibrary.open(
            job.vault, home=job.home, settings=settings, embedder=embedder
        )
        self._searched = Searched()
        self._ending = threading.Event()
        self._awaited: dict[tuple[str, str], str] = {}
        self._opened: list[str] = []
        self._threads = [threading.Thread(target=self._find_awaited)]
        if job.searches:
            self._threads.append(threading.Thread(target=self._search_on))

    def run(self) -> None:
        """Work until standard input ends."""
        if self._job.count_opened:
            sys.addaudithook(self._audit)
        self._reporter.say(started=True)
        if self._job.watch:
            self._library.watch(self._reporter)
        for thread in self._threads:
            thread.start()
        for line in sys.stdin:
            self._obey(json.loads(line))
        self._ending.set()
        self._reporter.changed()
        for thread in self._threads:
            thread.join()
        self._library.close()

    def _obey(self, order: dict[str, str]) -> None:
        match order:
            case {"await": query, "mode": mode, "in": path}:
                with self._reporter.news:
                    self._awaited[query, mode] = path
                self._reporter.changed()
            case {"measure": _}:
                self._measure()

    def _measure(self) -> None:
        searched, self._searched = self._searched, Searched()
        self._reporter.say(
            measured=asdict(searched),
            opened=self._opened,
            peak=_peak_megabytes(),
            cpu=time.process_time(),
        )

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and str(arguments[0]).startswith(self._job.vault):
            path = str(arguments[0])
            if Path(path).is_file():  # rules for what is left out are looked for in vain
                self._opened.append(path)

    def _search_on(self) -> None:
        """Search again and again, as somebody who types does."""
        answered = False
        for query in cycle(self._job.queries):
            if self._ending.wait(1 / self._job.searches):
                return
            if not self._library.indexed:
                continue  # it is being made; the window says so
            started = time.monotonic()
            try:
                found = self._library.search(query, mode=self._job.mode)
            except NotesearchError as error:
                self._searched.errors.append(f"{type(error).__name__}: {error}")
                continue
            self._searched.milliseconds.append((time.monotonic() - started) * 1000)
            if not found.sections:
                self._searched.empty.append(query)
            if not answered:
                answered = True
                self._reporter.say(answered=query)

    def _find_awaited(self) -> None:
        """Look for the awaited note whenever the index changes, and report when it is found."""
        news, seen = self._reporter.news, 0
        while not self._ending.is_set():
            with news:
                while self._reporter.updates == seen:
                    news.wait()
                seen = self._reporter.updates
                awaited = list(self._awaited.items())
            for (query, mode), path in awaited:
                if self._is_found(query, mode, path):
                    with news:
                        del self._awaited[query, mode]
                    self._reporter.say(found=query, mode=mode)

    def _is_found(self, query: str, mode: str, path: str) -> bool:
        try:
            sections = self._library.search(query, mode=mode, limit=60).sections
        except NotesearchError as error:
            self._searched.errors.append(f"{type(error).__name__}: {error}")
            return False
        return any(one.path == path and query in one.passage for one in sections)


def _peak_megabytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) // 1024
    return 0


def main() -> None:
    """Do the job that the first argument describes."""
    # As the servers do; the window has its own, and a collector in its own thread.
    tune_server_process()
    described = json.loads(sys.argv[1])
    job = Job(**described | {"queries": tuple(described.get("queries", ()))})
    reporter = Reporter()
    logging.getLogger().addHandler(_Warnings(reporter))
    App(job, reporter).run()


if __name__ == "__main__":
    main()
