"""Which searches are the slowest hundredth, and on what they spend their time."""

import cProfile
import pstats
import time
from collections.abc import Iterator
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.model import load_embedder
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure, percentile
from tests.benchmarks.searching import QuickPassages, asked

_SHARE = 0.01
_SHOWN = 5


def explained(work: Path, passages: int) -> Iterator[Figure]:
    """Search a large folder, and profile the slowest once more."""
    vault = vaults.large(work, passages)
    embedder = QuickPassages(load_embedder(BUILTIN_MODEL, resources() / "models"))
    with NoteLibrary.open(vault, home=work / "home", embedder=embedder) as library:
        library.refresh()
        library.search("warm up")
        where = f"{library.status().passages:,} passages"
        for mode in (Mode.WORDS, Mode.HYBRID):
            took = {query: _seconds(library, query, mode) for query in asked()}
            middle = percentile(list(took.values()), 0.5)
            slowest = sorted(took, key=lambda query: -took[query])
            for query in slowest[: max(1, round(_SHARE * len(slowest)))]:
                value = f"{took[query] * 1000:.0f} ms; the median is {middle * 1000:.0f} ms"
                told = f"{where}; {_spent(library, query, mode)}"
                yield Figure(f"slow, {mode}: {query.replace('|', ' ')}", value, note=told)


def _seconds(library: NoteLibrary, query: str, mode: Mode) -> float:
    """Return the least of three: what a query costs by itself, not by what else went on."""
    took = []
    for _ in range(3):
        began = time.perf_counter()
        library.search(query, mode=mode, limit=10, per_note=10)
        took.append(time.perf_counter() - began)
    return min(took)


def _spent(library: NoteLibrary, query: str, mode: Mode) -> str:
    """Return the functions of ours in which a search spends most of its own time."""
    profile = cProfile.Profile()
    profile.runcall(library.search, query, mode=mode, limit=10, per_note=10)
    stats = pstats.Stats(profile)
    whole = sum(row[2] for row in stats.stats.values())  # type: ignore[attr-defined]
    own = sorted(
        ((row[2], row[0], file, name) for (file, _, name), row in stats.stats.items()),  # type: ignore[attr-defined]
        reverse=True,
    )
    return ", ".join(
        f"{own_s / whole:.0%} {name.strip('<>')} of {Path(file).name} ({calls} times)"
        for own_s, calls, file, name in own[:_SHOWN]
    )
