"""L1, L3, L4: ten thousand notes indexed at once, and then changed all at once."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.measured import percentile
from tests.load import made_up_vaults
from tests.load.conftest import Record
from tests.load.running_app import Running, assert_like_new, running, time_of
from tests.store import invariants
from tests.watched_vault import digests

pytestmark = [pytest.mark.load, pytest.mark.timeout(1800)]

NOTES = 10_000
SWITCHES = 5
QUERIES = ["note 4711", "roten kabone", "mila", "the dor", "urfen gliseum hos", "tango"]
_PATIENCE_S = 600
"""A busy machine takes long; processor time says what was the program's."""


@pytest.fixture(scope="module")
def vault(ground: Path) -> Path:
    vault = ground / "vault"
    vault.mkdir()
    made_up_vaults.two_branches(vault, NOTES)
    return vault


@contextlib.contextmanager
def following(vault: Path, ground: Path) -> Iterator[Running]:
    with running(vault, ground / "home", searches=5, queries=QUERIES) as app:
        yield app


@pytest.fixture
def indexed(vault: Path, ground: Path) -> Iterator[Running]:
    """The program on the large folder, once it is up to date."""
    with following(vault, ground) as app:
        app.until_like(digests(vault), _PATIENCE_S)
        yield app


def test_l1_a_large_folder_for_the_first_time(vault: Path, ground: Path, record: Record) -> None:
    notes = digests(vault)
    size = sum((vault / path).stat().st_size for path in notes) / 1e6
    with following(vault, ground) as app:
        done = app.until_like(notes, _PATIENCE_S)
        meaning = time_of(app.wait_for("phase", phase="meaning"))
        measured = app.measure()
    words = meaning - app.started
    what = f"{NOTES:,} notes, {size:.0f} MB, made-up vectors"
    record("L1 words searchable, from nothing", f"{words:.1f} s", "< 60 s", what)
    with_vectors = f"{done - app.started:.1f} s, {measured.cpu:.1f} s of processor time"
    record("L1 the same with vectors", with_vectors, "", what)
    record("L1 memory at most", f"{measured.peak:.0f} MB", "< 300 MB", what)
    record("L1 searches meanwhile", measured.searches, "", what)
    assert measured.errors == []
    assert measured.cpu < 3 * 60
    assert measured.peak < 2 * 300


def test_l3_branches_are_switched(
    indexed: Running, vault: Path, ground: Path, record: Record
) -> None:
    before = indexed.measure()
    began = time.monotonic()
    for _ in range(SWITCHES):
        made_up_vaults.switch(vault)
    last = time.monotonic()
    converged = indexed.until_like(digests(vault), _PATIENCE_S, last) - last
    measured = indexed.measure()
    indexed.close()
    what = f"{NOTES:,} notes changed {SWITCHES} times in {last - began:.0f} s"
    record("L3 converged after the last event", f"{converged:.1f} s", "<= 60 s", what)
    record("L3 processor time from the first", f"{measured.cpu - before.cpu:.1f} s", "", what)
    record("L3 searches meanwhile", measured.searches, "p95 < 150 ms", what)
    record("L3 search errors", str(len(measured.errors)), "0", what)
    assert measured.errors == []
    assert indexed.failures() == []
    assert_like_new(vault, indexed.index, "made up")
    assert measured.cpu - before.cpu < 5 * 60
    assert percentile(measured.milliseconds, 0.95) < 30 * 150


def test_l4_branches_are_switched_while_it_sleeps(
    indexed: Running, vault: Path, record: Record
) -> None:
    with indexed.stopped():
        made_up_vaults.switch(vault)
    woken = time.monotonic()
    converged = indexed.until_like(digests(vault), _PATIENCE_S, woken) - woken
    overflows = [
        event["log"] for event in indexed.events if "overflow" in str(event.get("log", ""))
    ]
    indexed.close()
    record("L4 converged after lost events", f"{converged:.1f} s", "< 90 s", f"{NOTES:,} notes")
    assert overflows
    assert indexed.failures() == []
    invariants.check(indexed.index, swept=True)
