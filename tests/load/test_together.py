"""L9: a window, the command line and two more programs share one index while notes change."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from notesearch.config import Paths
from tests.benchmarks import vaults as real
from tests.faults.follower import ROOT
from tests.load.conftest import Record
from tests.load.editor import SAVE
from tests.load.running_app import assert_like_new, index_file, running, spread, waiting
from tests.watched_vault import digests, indexed_digests

pytestmark = [pytest.mark.load, pytest.mark.timeout(1800)]

NOTES = 400
QUERIES = ["git log", "resize an image", "ssh tunnel", "what uses the disk", "kubectl"]
ONLY_READS = (
    "Another notesearch is indexing this folder. This one only searches until you quit that one."
)
JOB = {"model": "built in", "searches": 2, "queries": QUERIES}
_EDIT_S = 0.25
_LOOK_S = 0.05


class CommandLine:
    """Runs ``notesearch search`` in a thread, one query after the other, until the block ends.

    Attributes:
        complaints: Exit status and standard error of each run that failed.
        milliseconds: How long each run took.
    """

    def __init__(self, vault: Path, environment: dict[str, str]) -> None:
        self.complaints: list[str] = []
        self.milliseconds: list[float] = []
        self._command = [sys.executable, "-m", "notesearch", "search", "--json", "--vault"]
        self._command.append(str(vault))
        self._environment = environment
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "CommandLine":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        for query in cycle(QUERIES):
            if self._ending.wait(0.5):
                return
            began = time.monotonic()
            done = subprocess.run(
                [*self._command, query], capture_output=True, text=True, check=False,
                cwd=ROOT, env=self._environment,
            )  # fmt: skip
            self.milliseconds.append((time.monotonic() - began) * 1000)
            if done.returncode not in {0, 1} or done.stderr or not done.stdout.startswith("{"):
                self.complaints.append(f"{done.returncode} {done.stderr}")


@contextlib.contextmanager
def window(vault: Path, environment: dict[str, str]) -> "Iterator[subprocess.Popen[str]]":
    """Open the window of ``tests.load.window_program``; wait until its index is up to date."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.load.window_program", str(vault)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment,
    )  # fmt: skip
    try:
        assert process.stdout
        assert process.stdout.readline() == "idle\n"
        yield process
    finally:
        process.kill()
        process.communicate()


class Editing:
    """Edits, adds, renames and deletes notes, and watches the write-ahead log.

    Attributes:
        edits: The number of edits.
        largest: The largest size of the log, in bytes.
    """

    def __init__(self, vault: Path, index: Path) -> None:
        self._vault = vault
        self._log = index.with_name(index.name + "-wal")
        self._chance = random.Random(9)
        self.edits = 0
        self.largest = 0

    def run(self, seconds: float) -> None:
        tick = threading.Event()
        until = time.monotonic() + seconds
        next_edit = 0.0
        while time.monotonic() < until:
            with contextlib.suppress(FileNotFoundError):
                self.largest = max(self.largest, self._log.stat().st_size)
            if time.monotonic() > next_edit:
                next_edit = time.monotonic() + _EDIT_S
                self._edit()
            tick.wait(_LOOK_S)

    def _edit(self) -> None:
        chance = self._chance
        self.edits += 1
        note = chance.choice(sorted(self._vault.rglob("*.md")))
        text = f"{note.read_text('utf-8')[:4000]}\n## Edit {self.edits}\n\nThe disk log is tar.\n"
        match chance.randrange(10):
            case 0:
                note.unlink()
            case 1:
                note.rename(note.with_name(f"renamed {self.edits}.md"))
            case 2 | 3:
                note.with_name(f"new {self.edits}.md").write_text(text, encoding="utf-8")
            case _:
                chance.choice(SAVE)(note, text)


@pytest.fixture
def vault(ground: Path) -> Path:
    return real.many(ground / "notes", NOTES)


@pytest.fixture
def home(ground: Path, vault: Path) -> Path:
    """The folder with the index of ``vault``, which holds all notes and vectors."""
    home = ground / "home"
    with running(vault, home, **JOB) as app:
        app.until_like(digests(vault), 300)
    return home


def test_l9_many_programs_on_one_index(
    vault: Path, home: Path, record: Record, seconds: float
) -> None:
    index, environment = index_file(vault, home), {**os.environ, "NOTESEARCH_HOME": str(home)}
    with (
        window(vault, environment) as shown,
        running(vault, home, **JOB, watch=False) as reading,
        running(vault, home, **JOB) as second,
        CommandLine(vault, environment) as command,
    ):
        refused = second.wait_for("failed")
        editing = Editing(vault, index)
        editing.run(seconds)
        notes = digests(vault)
        second.until(lambda: indexed_digests(index) == notes and not waiting(index), 120)
        measured = [reader.measure() for reader in (reading, second)]
        second.close()  # or it would take over from the window
        shown.send_signal(signal.SIGTERM)
        out, err = shown.communicate(timeout=30)
    assert err == ""
    seen = json.loads(out)
    errors = [error for figures in measured for error in figures.errors]
    problems = [*seen["problems"], *command.complaints, *errors]
    what = f"{editing.edits} edits in {seconds:.0f} s, {len(notes)} notes, the real model"
    record("L9 problems that users of a busy index see", str(len(problems)), "0", what)
    record("L9 largest write-ahead log", f"{editing.largest / 1e6:.1f} MB", "< 64 MB", what)
    record("L9 answers in the window", spread(seen["milliseconds"]), "", "since the keystroke")
    record("L9 the window's event loop late by", spread(seen["late"]), "< 100 ms", "offscreen")
    record("L9 searches of the readers", measured[0].searches, "", "both: words and meaning")
    record("L9 the command line", spread(command.milliseconds), "", "start to end of the process")
    assert (refused["kind"], refused["failed"]) == ("IndexBusyError", ONLY_READS)
    assert [event for event in second.events if "failed" in event] == [refused], "said once"
    assert problems == []
    written = log_of(home)
    assert "ERROR" not in written
    assert "CRITICAL" not in written
    assert editing.largest < 64e6
    assert_like_new(vault, index, "built in")


def log_of(home: Path) -> str:
    log = Paths.choose(home).log_file
    return log.read_text("utf-8") if log.exists() else ""
