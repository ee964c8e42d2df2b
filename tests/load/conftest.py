"""What every stage gets: room on the disk that is given back, and a place for its figures."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.benchmarks.measured import Figure, table

Record = Callable[..., None]
_FIGURES = pytest.StashKey[list[Figure]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="L5 and L9 for five minutes, L11 with 100,000 vectors"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_FIGURES] = []


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    figures = config.stash.get(_FIGURES, [])
    if figures:
        terminalreporter.section("figures")
        terminalreporter.write_line(table(figures))


@pytest.fixture
def record(pytestconfig: pytest.Config) -> Record:
    """Keep a figure for the report: its name, its value, its goal, and what it was measured on."""

    def keep(name: str, value: str, goal: str = "", note: str = "") -> None:
        load = f"load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
        shown = "; ".join(part for part in (note, load) if part)
        pytestconfig.stash[_FIGURES].append(Figure(name, value, goal, shown))

    return keep


@pytest.fixture
def full(pytestconfig: pytest.Config) -> bool:
    """Whether there is time for the long stages in full."""
    return bool(pytestconfig.getoption("--full"))


@pytest.fixture
def seconds(full: bool) -> float:
    """How long a long stage runs."""
    return 300 if full else 60


@pytest.fixture(scope="module")
def ground() -> Iterator[Path]:
    """A folder for large vaults and indexes; nothing of it is kept."""
    folder = Path(tempfile.mkdtemp(prefix="notesearch-load-"))
    yield folder
    shutil.rmtree(folder)
