"""Measures what a person waits for, on this machine, and prints it as a table.

    python -m tests.benchmarks [--only search,paint] [--passages 20000,100000] [--torch-python P]

Rows that have somebody beside them, who does the same or cannot be beaten, are held to the ratios
that were kept (``ratios.json``): one that grew by half ends the run as a failure. Times are not.

Figures of the labelled vaults need ``../shared/eval``; without it the sample vault stands in. What
is indexed for the search figures is kept under ``build/bench`` for the next run.
"""

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tests.benchmarks import (
    agents,
    desktop,
    embedding,
    growth,
    hostile,
    indexing,
    limits,
    peers,
    preview,
    quick,
    ratios,
    saving,
    searching,
    slowest,
    starting,
    using,
)
from tests.benchmarks.measured import Figure, table

WORK = Path("build") / "bench"


def figures(chosen: argparse.Namespace) -> Iterator[Figure]:
    """Run the chosen benchmarks, one after the other."""
    parts: dict[str, Callable[[], Iterator[Figure]]] = {
        "paint": lambda: limits.paint(WORK),
        "quick": lambda: quick.shown(WORK),
        "desktop": lambda: desktop.shown(WORK),
        "use": lambda: using.felt(WORK),
        "preview": lambda: preview.shown(chosen.sections),
        "hostile": hostile.held,
        "memory": lambda: starting.memory(WORK),
        "index": lambda: indexing.words_and_size(WORK),
        "embed": lambda: embedding.passages_per_second(chosen.torch_python),
        "agents": lambda: agents.serving(WORK, chosen.passages[0]),
        "tokens": lambda: agents.tokens(WORK),
        "save": saving.found,
        "search": lambda: searching.latency(WORK, chosen.passages),
        "peers": lambda: peers.beside(WORK),
        "limits": lambda: limits.of_the_machine(WORK),
        "growth": lambda: growth.measured(WORK, chosen.sizes),
        "slowest": lambda: slowest.explained(WORK, chosen.passages[-1]),
    }
    for name in chosen.only.split(",") if chosen.only else parts:
        yield from parts[name]()


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def main() -> None:
    """Print the table, with the machine it was measured on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=_sizes, default=(20_000,), help="of folders searched")
    parser.add_argument("--torch-python", default="", help="an interpreter with torch installed")
    parser.add_argument(
        "--only",
        default="",
        help="paint, quick, desktop, use, preview, hostile, memory, index, embed, agents, tokens,"
        " search, peers, limits, growth, slowest",
    )
    parser.add_argument("--sizes", type=_sizes, default=(1_000, 10_000), help="growth, passages")
    parser.add_argument("--keep-ratios", action="store_true", help="as what later runs are held to")
    parser.add_argument("--sections", type=int, default=0, help="of each vault shown; 0: all")
    chosen = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    print(
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()},"
        f" {platform.platform(terse=True)}, commit {_commit()}, load average {_load()}\n"
    )
    found = list(_told(figures(chosen)))
    print(table(found))
    if chosen.keep_ratios:
        ratios.keep(found)
    if worse := ratios.worse(found):
        sys.exit("\n".join(["", "Worse than it was:", *worse]))


def _commit() -> str:
    """Return which commit is measured, with a plus where files differ from it."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"], capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "unknown"


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _told(found: Iterable[Figure]) -> Iterator[Figure]:
    """Tell each figure as it comes, on standard error: the whole takes long."""
    for figure in found:
        print(
            f"{figure.name}: {figure.value}  {figure.peer} {figure.peers}",
            file=sys.stderr,
            flush=True,
        )
        yield figure


if __name__ == "__main__":
    main()
