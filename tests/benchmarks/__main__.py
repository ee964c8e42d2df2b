"""Measures what a person waits for, on this machine, and prints it as a table.

    python -m tests.benchmarks [--only search,paint] [--passages 20000,100000] [--torch-python P]

A whole run takes half an hour the first time, because it makes and indexes folders of up to
100,000 passages. They stay in ``--work`` for the next run. ``--guard`` takes a few minutes: it
measures only ratios to something that every machine has, compares them with ``ratios.json``, and
fails if one grew by half. It does not compare times.

The labelled vaults are read from ``../shared/eval``. Without them it uses the sample vault.
"""

import argparse
import os
import platform
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.benchmarks import (
    agents,
    desktop,
    embedding,
    floors,
    goals,
    hostile,
    indexing,
    limits,
    peers,
    preview,
    quick,
    ratios,
    saving,
    searching,
    starting,
    using,
)
from tests.benchmarks.parts import Part, PartRunner

WORK = Path("build") / "bench"
GUARD = ("paint", "limits", "floors")


def parts(chosen: argparse.Namespace) -> dict[str, Part]:
    """Return all parts by name, in the order in which they run."""
    work: Path = chosen.work
    small = bool(chosen.guard)
    return {
        "paint": Part(1, partial(limits.paint, work)),
        "quick": Part(1, partial(quick.opening_times, work)),
        "desktop": Part(1, partial(desktop.opening_times, work)),
        "use": Part(3, partial(using.latencies, work)),
        "preview": Part(2, partial(preview.painting_times, chosen.sections)),
        "hostile": Part(4, hostile.costs),
        "memory": Part(1, partial(starting.memory, work)),
        "index": Part(2, partial(indexing.words_and_size, work)),
        "embed": Part(2, partial(embedding.passages_per_second, chosen.torch_python)),
        "agents": Part(1, partial(agents.serving, work, chosen.passages[0])),
        "questions": Part(1, partial(agents.questions, work)),
        "tokens": Part(1, partial(agents.tokens, work)),
        "save": Part(1, saving.found),
        "search": Part(5, partial(searching.latency, work, chosen.passages)),
        "peers": Part(8, partial(peers.compare, work)),
        "limits": Part(5, partial(limits.of_the_machine, work, small=small)),
        "floors": Part(2, partial(floors.measure, work, small=small)),
    }


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _chosen() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--passages", type=_numbers, default=(20_000, 100_000), help="in the folders to search"
    )
    parser.add_argument("--torch-python", default="", help="an interpreter with torch installed")
    parser.add_argument("--only", default="", help="names of parts, with commas between them")
    parser.add_argument("--keep-ratios", action="store_true", help="to compare later runs")
    parser.add_argument("--guard", action="store_true", help="compare ratios only")
    parser.add_argument("--sections", type=int, default=0, help="of each vault; 0: all")
    parser.add_argument("--work", type=Path, default=WORK, help="the folder for what is kept")
    return parser.parse_args()


def main() -> None:
    """Print the table, with the machine it was measured on."""
    # Qt would print a hundred lines about characters that fonts lack.
    os.environ.setdefault("QT_LOGGING_RULES", "qt.text.font.db=false")
    chosen = _chosen()
    chosen.work.mkdir(parents=True, exist_ok=True)
    print(
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()},"
        f" {platform.platform(terse=True)}, commit {_commit()}, load average {_load()}\n",
        flush=True,
    )
    known = parts(chosen)
    names = GUARD if chosen.guard else tuple(filter(None, chosen.only.split(","))) or tuple(known)
    run = PartRunner(known, chosen.work)
    found = list(run.run(names))
    print(goals.first(found, whole=len(names) == len(known)))
    if chosen.keep_ratios:
        ratios.keep(found)
    ends = [
        *(["", "Goals that are missed:", *told] if (told := goals.missed(found)) else ()),
        *(["", "Failed:", *run.failed] if run.failed else ()),
        *(["", "Worse than it was:", *worse] if (worse := ratios.worse(found)) else ()),
    ]
    print("\n".join(ends))
    sys.exit(1 if worse or run.failed else 0)


def _commit() -> str:
    """Return the commit that is measured, with a plus if files differ from it."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"], capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "unknown"


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


if __name__ == "__main__":
    main()
