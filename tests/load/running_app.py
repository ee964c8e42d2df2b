"""Starts ``tests.load.app_program`` and asks it what it did, for all stages."""

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

Told = dict[str, object]


class Running(Follower):
    """A process of the program, and all lines that it printed."""

    def __init__(
        self, vault: Path, index: Path, process: "subprocess.Popen[str]", started: float
    ) -> None:
        super().__init__(vault, index, process)
        self.started = started

    def first(self, key: str, since: float = 0.0, **like: object) -> Told | None:
        """Return the first line with ``key`` after ``since``; a tuple lists the allowed values."""
        for told in list(self.told):
            if key in told and when(told) > since and _is_like(told, like):
                return told
        return None

    def wait_for(self, key: str, since: float = 0.0, within: float = 60, **like: object) -> Told:
        """Wait until the process prints a line with ``key``."""
        self.until(lambda: self.first(key, since, **like) is not None, within)
        told = self.first(key, since, **like)
        assert told
        return told

    def order(self, **what: object) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def measure(self) -> "Measured":
        """Return the figures since the last call."""
        since = time.monotonic()
        self.order(measure="")
        return Measured(self.wait_for("measured", since))

    def until_like(self, notes: Mapping[str, str], within: float, since: float = 0.0) -> float:
        """Wait until the index holds ``notes`` and all their vectors; return when that was.

        It must have found that out by work begun after ``since``.
        """

        reached = 0.0

        def converged() -> bool:
            nonlocal reached
            phases = [told["phase"] for told in self.told if "phase" in told and when(told) > since]
            if (
                phases[-1:] != ["idle"]
                or indexed_digests(self.index) != notes
                or waiting(self.index)
            ):
                return False
            reached = when(self.told[-1])
            return True

        self.until(converged, within)
        return reached

    def removed(self) -> list[object]:
        """Return the notes that the process counted as deleted."""
        return [path for told in list(self.told) for path in as_list(told.get("gone", []))]


class Measured:
    """The figures of a process: its searches, memory and the like."""

    def __init__(self, told: Told) -> None:
        searched = told["measured"]
        assert isinstance(searched, dict)
        self.milliseconds: list[float] = searched["milliseconds"]
        self.errors: list[str] = searched["errors"]
        self.empty: list[str] = searched["empty"]
        self.opened = as_list(told["opened"])
        self.peak = float(str(told["peak"]))
        self.cpu = float(str(told["cpu"]))

    @property
    def searches(self) -> str:
        """How many searches there were, and how long they took."""
        times = self.milliseconds
        return f"{len(times)} searches, {spread(times)}"


def _is_like(told: Told, expected: Mapping[str, object]) -> bool:
    return all(
        told[key] in value if isinstance(value, tuple) else told[key] == value
        for key, value in expected.items()
    )


def waiting(index: Path) -> int:
    """Return how many passages of an index wait for their vector."""
    connection = Connection(index, writer=False)
    try:
        rows = connection.sql.execute("select count(*) from pending").fetchall()
        return int(str(rows[0][0]))
    finally:
        connection.close()


def when(told: Told) -> float:
    return float(str(told["t"]))


def as_list(told: object) -> list[object]:
    assert isinstance(told, list)
    return told


def spread(milliseconds: list[float]) -> str:
    """Return the median, the 95th percentile and the maximum."""
    shares = (percentile(milliseconds, 0.5), percentile(milliseconds, 0.95), max(milliseconds))
    return "p50 {:.0f}, p95 {:.0f}, max {:.0f} ms".format(*shares)


def index_file(vault: Path, home: Path) -> Path:
    return Paths.choose(home).index_file(vault)


@contextlib.contextmanager
def running(vault: Path, home: Path, **job: object) -> Iterator[Running]:
    """Run the program on ``vault``; the rest is a ``Job``'s."""
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
    """Check that an index that nobody writes is sound, and equals one built from scratch."""
    invariants.check(index, swept=True)
    assert indexed_digests(index) == digests(vault)
    assert index_contents.of(index) == index_contents.from_scratch(
        vault, Settings(), model_of(model)
    )
