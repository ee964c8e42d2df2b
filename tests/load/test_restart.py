"""L2: the program is started again and nothing has changed."""

from pathlib import Path

import pytest

from tests.benchmarks.vaults import EVAL, many
from tests.load.conftest import Record
from tests.load.running_app import assert_like_new, running, time_of
from tests.watched_vault import digests

pytestmark = [pytest.mark.load, pytest.mark.timeout(900)]

PACKED = EVAL / "vaults" / "tldr.tar.xz"
NOTES, STARTS = 38_000, 5


@pytest.mark.skipif(not PACKED.is_file(), reason="the 38,000 notes of tldr are not here")
def test_l2_nothing_changed(ground: Path, record: Record) -> None:
    vault, home = many(ground, NOTES), ground / "home"
    notes = digests(vault)
    with running(vault, home, model="none") as app:
        first = app.until_like(notes, 300) - app.started
    whole, compared, opened = [], [], []
    for _ in range(STARTS):
        with running(
            vault, home, model="none", count_opened=True, searches=5, queries=["tar"]
        ) as app:
            idle = time_of(app.wait_for("phase", phase="idle"))
            app.wait_for("answered")
            opened += app.measure().opened
        whole.append(idle - app.started)
        compared.append(idle - time_of(app.wait_for("started")))
        assert [event["updated"] for event in app.events if "updated" in event] == [
            {"added": 0, "changed": 0, "moved": 0, "removed": 0}
        ]
    what = f"{len(notes):,} unchanged notes, words alone, {STARTS} starts"
    record("L2 indexed from nothing", f"{first:.1f} s", "", f"{len(notes):,} notes, words alone")
    record("L2 restart until compared", worst(compared), "<= 2 s", what)
    record("L2 the same since exec", worst(whole), "< 3 s", what)
    record("L2 files opened", str(len(opened)), "0", what)
    assert opened == []
    assert_like_new(vault, app.index, "none")
    assert min(compared) < 3 * 2


def worst(seconds: list[float]) -> str:
    return f"{sorted(seconds)[len(seconds) // 2]:.2f} s, at most {max(seconds):.2f} s"
