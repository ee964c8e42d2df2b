"""The disk becomes full at any write to the index: nothing is lost, and one sentence says so.

``make attack`` tries every number of free pages, the suite every twentieth.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.follower import ROOT, in_namespace

SHORT_STEP, PARTS = 20, 4


def times_full(folder: Path, first: int, step: int) -> int:
    """Index with room for ``first`` pages, then ``step`` more; return how often that failed."""
    disk = folder / "disk"
    disk.mkdir()
    prefix = in_namespace("-m", setup=f"mount -t tmpfs none {disk}")
    program = [sys.executable, "-m", "tests.attack.small_disk", str(disk), str(first), str(step)]
    done = subprocess.run(
        [*prefix, *program], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return int(done.stdout)


@pytest.mark.fault(
    "K4",
    fault="A disk fills while notes, a repair or another model are written",
    tries="room for 1 to 128 pages",
    outcome="One sentence; with room, the index equals a new one",
)
def test_k04_a_disk_that_is_full(tmp_path: Path) -> None:
    assert times_full(tmp_path, 1, SHORT_STEP) > 5


@pytest.mark.attack
@pytest.mark.fault("K4")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("first", range(1, PARTS + 1))
def test_k04_full_after_any_number_of_pages(tmp_path: Path, first: int) -> None:
    assert times_full(tmp_path, first, PARTS) > 30
