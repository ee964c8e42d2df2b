"""Measures the time from saving a note to finding it, by a test in ``tests/load``."""

import re
import subprocess
import sys
from collections.abc import Iterator

from tests.benchmarks.measured import Figure

_MOST = {"save to found by words": 150, "save to found by meaning": 600}
_ROW = re.compile(r"^\| (save to found by \w+) \| ([^|]*p95 (\d+)[^|]*) \|.*\| ([^|]*) \|$", re.M)


def found() -> Iterator[Figure]:
    """Save sixty notes in turn; searches by words and by meaning wait until they find each."""
    command = [sys.executable, "-m", "pytest", "-m", "load", "tests/load", "-k", "save_to_found"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    yield from figures_in(done.stdout)


def figures_in(printed: str) -> Iterator[Figure]:
    """Return the figures in the table that was ``printed``."""
    for name, value, p95, where in _ROW.findall(printed):
        most = _MOST[name]
        yield Figure(name, value, f"p95 <= {most} ms", where, int(p95) <= most)
