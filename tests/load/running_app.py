"""Runs the program without its window for the stages, and reads the events that it prints."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, Paths, Settings, resources
from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_loader import load_embedder
from notesearch.store.db import Connection
from tests import index_contents
from tests.benchmarks.measured import percentile
from tests.faults.follower import ROOT, Follower
from tests.load.hash_model import HashModel
from tests.store import invariants
from tests.watched_vault import digests, indexed_digests

Event = dict[str, object]
"""One line that the program printed; its key ``t`` holds the time."""


class Running(Follower):
    """A running process of the program, and all events that it printed."""

    def __init__(
        self, vault: Path, index: Path, process: "subprocess.Popen[str]", started: float
    ) -> None:
        super().__init__(vault, index, process)
        self.started = started

    def first(self, key: str, since: float = 0.0, **like: object) -> Event | None:
        """Return the first event after ``since`` that has ``key`` and all values of ``like``.

        A tuple in ``like`` lists the allowed values.
        """
        for event in list(self.events):
            if key in event and time_of(event) > since and _is_like(event, like):
                return event
        return None

    def wait_for(self, key: str, since: float = 0.0, within: float = 60, **like: object) -> Event:
        """Wait for the event that ``first`` looks for, and return it."""
        self.until(lambda: self.first(key, since, **like) is not None, within)
        event = self.first(key, since, **like)
        assert event
        return event

    def order(self, **what: object) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def measure(self) -> "Measured":
        """Ask the process for the figures of its searches since the last call."""
        since = time.monotonic()
        self.order(measure="")
        return Measured(self.wait_for("measured", since))

    def until_like(self, notes: Mapping[str, str], within: float, since: float = 0.0) -> float:
        """Wait until the index holds ``notes`` and all their vectors; return the time.

        The process must have become idle after ``since``.
        """

        reached = 0.0

        def converged() -> bool:
            nonlocal reached
            phases = [
                event["phase"]
                for event in self.events
                if "phase" in event and time_of(event) > since
            ]
            if phases[-1:] != ["idle"]:
                return False
            reached = time_of(self.events[-1])
            return indexed_digests(self.index) == notes and not waiting(self.index)

        self.until(converged, within)
        return reached

    def removed(self) -> list[object]:
        """Return the notes that the process reported as deleted."""
        return [path for event in list(self.events) for path in as_list(event.get("gone", []))]


class Measured:
    """The searches, opened files, peak memory (MB) and processor time (s) of a process."""

    def __init__(self, event: Event) -> None:
        searched = event["measured"]
        assert isinstance(searched, dict)
        self.milliseconds: list[float] = searched["milliseconds"]
        self.errors: list[str] = searched["errors"]
        self.empty: list[str] = searched["empty"]
        self.opened = as_list(event["opened"])
        self.peak = float(str(event["peak"]))
        self.cpu = float(str(event["cpu"]))

    @property
    def searches(self) -> str:
        """The number of searches and how long they took."""
        times = self.milliseconds
        return f"{len(times)} searches, {spread(times)}"


def _is_like(event: Event, expected: Mapping[str, object]) -> bool:
    return all(
        event[key] in value if isinstance(value, tuple) else event[key] == value
        for key, value in expected.items()
    )


def waiting(index: Path) -> int:
    """Return the number of passages in an index that have no vector yet."""
    connection = Connection(index, writer=False)
    try:
        rows = connection.sql.execute("select count(*) from pending").fetchall()
        return int(str(rows[0][0]))
    finally:
        connection.close()


def time_of(event: Event) -> float:
    """Return when the process printed ``event``, in seconds of the monotonic clock."""
    return float(str(event["t"]))


def as_list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def spread(milliseconds: list[float]) -> str:
    """Return the median, the 95th percentile and the maximum."""
    shares = (percentile(milliseconds, 0.5), percentile(milliseconds, 0.95), max(milliseconds))
    return "p50 {:.0f}, p95 {:.0f}, max {:.0f} ms".format(*shares)


def index_file(vault: Path, home: Path) -> Path:
    return Paths.choose(home).index_file(vault)


@contextlib.contextmanager
def running(vault: Path, home: Path, **job: object) -> Iterator[Running]:
    """Run the program on ``vault`` until the block ends; ``job`` holds the fields of a ``Job``."""
    described = {"vault": str(vault), "home": str(home), **job}
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.load.app_program", json.dumps(described)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    running = Running(vault, index_file(vault, home), process, started)
    try:
        yield running
    finally:
        running.close()


def model_of(name: str) -> Embedder | None:
    """Return the model that a ``Job`` names."""
    if name == "built in":
        return load_embedder(BUILTIN_MODEL, resources() / "models")
    return HashModel() if name == "made up" else None


def assert_like_new(vault: Path, index: Path, model: str) -> None:
    """Check that the index is sound and equals one built from scratch; nobody may write to it."""
    invariants.check(index, swept=True)
    assert indexed_digests(index) == digests(vault)
    held = index_contents.of(index)
    new = index_contents.from_scratch(vault, Settings(), model_of(model))
    assert held == new, index_contents.differences(held, new)
