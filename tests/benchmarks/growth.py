"""What indexing, starting and searching cost as a folder grows; the figures of the plots."""

import json
import math
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.model import load_embedder
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from tests.benchmarks import synthetic, vaults
from tests.benchmarks.measured import Figure, percentile
from tests.benchmarks.searching import GOALS, QuickPassages, asked

RESULTS = "growth.json"
_RESTARTS = 3
_LINEAR = 1.1
"""A power of the number of passages: some cost hardly grows at first."""


@dataclass(frozen=True, slots=True)
class Size:
    """What a folder of one size cost.

    Attributes:
        notes, passages: What is in it.
        megabytes: Its notes.
        index_s: Processor time to index it from nothing, made-up vectors included.
        per_byte: Bytes of the index for a byte of notes.
        restart_s: Wall time to open and compare it when nothing changed.
        search_ms: By mode, median and 95th percentile of wall time.
    """

    notes: int
    passages: int
    megabytes: float
    index_s: float
    per_byte: float
    restart_s: float
    search_ms: dict[str, tuple[float, float]]


def measured(work: Path, sizes: Sequence[int]) -> Iterator[Figure]:
    """Measure folders of so many passages each; an index made by an earlier run is used again."""
    kept = work / RESULTS
    known = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    for passages in sizes:
        size = _one(work, passages, known.get(str(passages), {}).get("index_s", 0.0))
        known[str(passages)] = asdict(size)
        kept.write_text(json.dumps(known, indent=1), encoding="utf-8")
        where = f"{size.notes:,} made-up notes, {size.passages:,} passages, {size.megabytes:.0f} MB"
        yield Figure("indexed from nothing, processor time", f"{size.index_s:.1f} s", note=where)
        yield Figure("index bytes per byte of notes", f"{size.per_byte:.2f}", "<= 1.5", where,
                     size.per_byte <= 1.5)  # fmt: skip
        yield Figure("opened and compared, nothing changed", f"{size.restart_s:.2f} s", note=where)
        for mode, (p50, p95) in size.search_ms.items():
            goal = GOALS.get((passages, Mode(mode)))
            yield Figure(
                f"search, {mode}", f"p50 {p50:.1f} ms, p95 {p95:.1f} ms",
                f"p95 <= {goal} ms" if goal else "", where, p95 <= goal if goal else None,
            )  # fmt: skip
    yield from slopes([Size(**known[str(passages)]) for passages in sorted(sizes)])


def slopes(sizes: Sequence[Size]) -> Iterator[Figure]:
    """Say with which power of the number of passages each cost grew, from least to greatest."""
    if len(sizes) < 2:
        return
    least, most = sizes[0], sizes[-1]
    passages = math.log(most.passages / least.passages)
    where = f"from {least.passages:,} to {most.passages:,} passages"
    for name, limit, costs in (
        ("words and vectors, from nothing", _LINEAR, (least.index_s, most.index_s)),
        ("nothing changed", _LINEAR, (least.restart_s, most.restart_s)),
        ("search, words", 1, (least.search_ms["words"][1], most.search_ms["words"][1])),
        ("search, hybrid", 1, (least.search_ms["hybrid"][1], most.search_ms["hybrid"][1])),
    ):
        if all(costs):
            power = math.log(costs[1] / costs[0]) / passages
            yield Figure(
                f"cost growth: {name}", f"passages to the power of {power:.2f}", f"<= {limit}",
                where, power <= limit,
            )  # fmt: skip


def _one(work: Path, passages: int, indexed_before: float) -> Size:
    vault = synthetic.fill(work / f"made-up-{passages}", passages * vaults.CHARACTERS / 1e6)
    home = work / f"home of made-up-{passages}"
    embedder = QuickPassages(load_embedder(BUILTIN_MODEL, resources() / "models"))
    with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
        began = _processor_s()
        fresh = bool(library.refresh().added)
        index_s = _processor_s() - began if fresh else indexed_before
    restarts = []
    for _ in range(_RESTARTS):
        began = time.perf_counter()
        with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
            library.refresh()
            restarts.append(time.perf_counter() - began)
    with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
        status = library.status()
        library.search("warm up")
        took = {str(mode): _searches(library, mode) for mode in Mode}
    return Size(
        status.notes, status.passages, status.note_bytes / 1e6, index_s,
        status.index_bytes / status.note_bytes, statistics.median(restarts), took,
    )  # fmt: skip


def _processor_s() -> float:
    """Return the processor time of this process and of those it started that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _searches(library: NoteLibrary, mode: Mode) -> tuple[float, float]:
    times = []
    for query in asked():
        began = time.perf_counter()
        library.search(query, mode=mode, limit=10, per_note=10)
        times.append((time.perf_counter() - began) * 1000)
    return percentile(times, 0.5), percentile(times, 0.95)
