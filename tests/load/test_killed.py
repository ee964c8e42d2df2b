"""L8: the program is killed a hundred times while branches are switched."""

import contextlib
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.benchmarks.measured import percentile
from tests.load import made_up_vaults
from tests.load.conftest import Record
from tests.load.running_app import Event, Running, assert_like_new, running, time_of
from tests.store import invariants
from tests.watched_vault import digests

pytestmark = [
    pytest.mark.load,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(sys.platform == "win32", reason="kills as POSIX does"),
]

NOTES = 1_000
KILLS = 100


def test_l8_killed_while_branches_are_switched(ground: Path, record: Record) -> None:
    vault, home, chance = ground / "vault", ground / "home", random.Random(8)
    vault.mkdir()
    made_up_vaults.two_branches(vault, NOTES)
    job = {"searches": 50, "queries": ["note 711"]}
    with running(vault, home, **job) as app:
        app.until_like(digests(vault), 300)
    ready: list[float] = []
    unfinished = 0
    for number in range(KILLS):
        with running(vault, home, **job) as app:
            switching = threading.Thread(target=made_up_vaults.switch, args=(vault,))
            switching.start()
            if number % 4:
                ready.append(max(map(time_of, ready_with(app))) - app.started)
            with contextlib.suppress(subprocess.TimeoutExpired):
                app.process.wait(chance.uniform(0, 0.8))
            unfinished += "idle" not in [event.get("phase") for event in app.events]
            app.process.kill()
            switching.join()
        invariants.check(app.index)
    with running(vault, home, **job) as app:
        app.until_like(digests(vault), 300)
    what = f"{NOTES:,} notes, {unfinished} of {KILLS} amid work"
    record("L8 invariants broken by kill -9", "0", "0", what)
    shares = (percentile(ready, 0.5), percentile(ready, 0.95), max(ready))
    times = "p50 {:.2f}, p95 {:.2f}, max {:.2f} s".format(*shares)
    record("L8 restart until it answers and compared", times, "p95 < 3 s", what)
    assert_like_new(vault, app.index, "made up")
    assert unfinished > KILLS / 4
    assert percentile(ready, 0.95) < 4 * 3


def ready_with(app: Running) -> tuple[Event, Event]:
    """Wait until the program has answered, and has compared the folder."""
    return app.wait_for("answered"), app.wait_for("phase", phase=("words", "idle"))
