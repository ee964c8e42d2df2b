"""Measures what a person waits for, on this machine, and prints it as a table.

    python -m tests.benchmarks [--only search,paint] [--passages 20000,100000] [--torch-python P]

Figures of the labelled vaults need ``../shared/eval``; without it the sample vault stands in. What
is indexed for the search figures is kept under ``build/bench`` for the next run.
"""

import argparse
import os
import platform
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks import agents, embedding, indexing, preview, quick, searching, starting, using
from tests.benchmarks.measured import Figure, table

WORK = Path("build") / "bench"


def figures(chosen: argparse.Namespace) -> Iterator[Figure]:
    """Run the chosen benchmarks, one after the other."""
    parts: dict[str, Callable[[], Iterator[Figure]]] = {
        "paint": lambda: starting.first_paint(WORK),
        "quick": lambda: quick.shown(WORK),
        "use": lambda: using.felt(WORK),
        "preview": lambda: preview.shown(chosen.sections),
        "memory": lambda: starting.memory(WORK),
        "index": lambda: indexing.words_and_size(WORK),
        "embed": lambda: embedding.passages_per_second(chosen.torch_python),
        "agents": lambda: agents.serving(WORK, chosen.passages[0]),
        "tokens": lambda: agents.tokens(WORK),
        "search": lambda: searching.latency(WORK, chosen.passages),
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
        help="paint, quick, use, preview, memory, index, embed, agents, tokens, search",
    )
    parser.add_argument("--sections", type=int, default=0, help="of each vault shown; 0: all")
    chosen = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}\n")
    print(table(figures(chosen)))


if __name__ == "__main__":
    main()
