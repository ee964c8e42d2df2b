"""How long a search takes on many passages, as one types and with whole questions."""

import time
from collections.abc import Iterator
from pathlib import Path

from notesearch.library import NoteLibrary
from notesearch.notes import Mode
from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure, percentile

QUERIES = (
    "extract an archive", "list open network connections", "how do I find large files",
    "docker remove all stopped containers", "compress", "git undo last commit", "convert video",
    "show disk usage of a folder", "password", "search text in files recursively", "mount",
    "resize an image", "kubernetes logs of a pod", "watch a log file", "ssh tunnel",
    "benchmark", "print the first lines", "schedule a job", "change owner of files", "xyzzy",
)  # fmt: skip


def latency(work: Path, passages: int) -> Iterator[Figure]:
    """Search with each query typed letter by letter (words) and whole (all modes)."""
    with NoteLibrary.open(vaults.many(work, passages), home=work / "home") as library:
        library.refresh()
        status = library.status()
        where = f"{status.notes:,} notes, {status.passages:,} passages"
        library.search("warm up")
        typed = [query[:end] for query in QUERIES for end in range(1, len(query) + 1)]
        yield _figure(library, "search while typing, words", typed, Mode.WORDS, where)
        for mode in Mode:
            yield _figure(library, f"search, {mode}", list(QUERIES) * 5, mode, where)


def _figure(library: NoteLibrary, name: str, queries: list[str], mode: Mode, where: str) -> Figure:
    times = []
    for query in queries:
        started = time.perf_counter()
        library.search(query, mode=mode, limit=200, per_note=200)
        times.append((time.perf_counter() - started) * 1000)
    value = f"p50 {percentile(times, 0.5):.1f} ms, p95 {percentile(times, 0.95):.1f} ms"
    return Figure(name, value, "p95 <= 50 ms", f"{where}, 200 sections")
