"""Measures how long a search takes in many passages, while typing and for whole questions."""

import hashlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.embedder import Embedder, piece_embedding
from notesearch.embedding.model_loader import load_embedder
from notesearch.library import NoteLibrary
from notesearch.processes import tune_server_process
from notesearch.results import Mode
from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure, percentile
from tests.quality import labels

QUERIES = (
    "extract an archive", "list open network connections", "how do I find large files",
    "docker remove all stopped containers", "compress", "git undo last commit", "convert video",
    "show disk usage of a folder", "password", "search text in files recursively", "mount",
    "resize an image", "kubernetes logs of a pod", "watch a log file", "ssh tunnel",
    "benchmark", "print the first lines", "schedule a job", "change owner of files", "xyzzy",
)  # fmt: skip


GOALS = {(100_000, Mode.WORDS): 20, (100_000, Mode.HYBRID): 40}
"""Milliseconds for 95 searches of 100, by the approximate number of passages."""


class QuickPassages:
    """The real model for queries, and made-up vectors for passages, because these are faster made.

    The values of the vectors do not change the time of a search.
    """

    fingerprint = "made up"

    def __init__(self, real: Embedder) -> None:
        self.real, self.dimensions, self.window = real, real.dimensions, real.window
        self.count_tokens, self.embed_query = real.count_tokens, real.embed_query

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector for each text, which depends only on the text."""
        rows = []
        for text in texts:
            seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
            row = np.random.default_rng(seed).standard_normal(self.dimensions)
            rows.append(row / np.linalg.norm(row))
        return np.array(rows, dtype=np.float32)


class WithPieces(QuickPassages):
    """``QuickPassages`` that also compares the best sections by word pieces, as the real model."""

    gives_pieces = True

    def __init__(self, real: Embedder) -> None:
        super().__init__(real)
        self.embed_pieces = piece_embedding(real)


class AsIfReal(QuickPassages):
    """Made-up vectors that another process takes for those of its own model."""

    def __init__(self, real: Embedder) -> None:
        super().__init__(real)
        self.fingerprint = real.fingerprint


def latency(work: Path, sizes: Sequence[int]) -> Iterator[Figure]:
    """Search for queries typed letter by letter (by words), and for whole queries (in all modes).

    Hybrid searches are also measured with word pieces of the best sections, which the built-in
    model compares. The garbage collector runs as seldom as in the window and the servers.
    """
    tune_server_process()
    embedder = QuickPassages(load_embedder(BUILTIN_MODEL, resources() / "models"))
    for passages in sizes:
        vault = vaults.large(work, passages)
        with NoteLibrary.open(vault, home=work / "home", embedder=embedder) as library:
            library.refresh()
            status = library.status()
            where = f"{status.notes:,} notes, {status.passages:,} passages"
            library.search("warm up")
            typed = [query[:end] for query in QUERIES for end in range(1, len(query) + 1)]
            name = "search while typing, words"
            yield _figure(library, name, typed, Mode.WORDS, where, 60, 50)
            for mode in Mode:
                most = GOALS.get((passages, mode))
                yield _figure(library, f"search, {mode}", distinct_queries(), mode, where, 10, most)
        pieces = WithPieces(embedder.real)
        with NoteLibrary.open(vault, home=work / "home", embedder=pieces) as library:
            library.search("warm up")
            name = "search, hybrid, word pieces compared"
            yield _figure(library, name, distinct_queries(), Mode.HYBRID, where, 10, _COMPARED)


def distinct_queries() -> list[str]:
    """Return different queries: ``QUERIES``, and some labelled ones of the English vaults."""
    found = [
        query.text
        for vault in vaults.english()
        for task in labels.tasks(vault.name, (labels.SECTIONS,))
        for query in task.queries
    ]
    return list(dict.fromkeys([*QUERIES, *found[:: max(1, len(found) // _ASKED)]]))


_ASKED = 180
_COMPARED = 300
"""Milliseconds for 95 of 100 hybrid searches that also compare word pieces."""


def _figure(
    library: NoteLibrary,
    name: str,
    queries: list[str],
    mode: Mode,
    where: str,
    limit: int,
    most: float | None,
) -> Figure:
    times = []
    for query in queries:
        started = time.perf_counter()
        library.search(query, mode=mode, limit=limit, per_note=limit)
        times.append((time.perf_counter() - started) * 1000)
    p95 = percentile(times, 0.95)
    return Figure(
        name, f"p50 {percentile(times, 0.5):.1f} ms, p95 {p95:.1f} ms",
        f"p95 <= {most} ms" if most else "", f"{where}, {len(queries)} queries, {limit} sections",
        p95 <= most if most else None,
    )  # fmt: skip
