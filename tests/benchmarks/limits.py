"""Measures our program beside limits of the machine: bare loops, exact scans, empty programs."""

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from notesearch.config import BUILTIN_MODEL, Settings, resources
from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_folder import ModelFolder, ModelTokenizer, model_path
from notesearch.embedding.model_loader import load_embedder
from notesearch.embedding.onnx_engine import OnnxModel
from notesearch.library import NoteLibrary
from notesearch.store import vectors
from notesearch.store.db import Connection
from notesearch.store.store import Store
from tests.benchmarks import vaults
from tests.benchmarks.embedding import real_passages
from tests.benchmarks.measured import Figure, spread
from tests.benchmarks.searching import distinct_queries
from tests.benchmarks.starting import first_by_both, first_paints

ROUNDS = 5
TEN = 10
_MANY = 38_000
_QUERIES = 100
_LABELLED = 2_000
"""If there are more passages than this, only every twentieth is embedded."""
_OVERLAP, _EMBEDDING, _PAINT_MS, _RESTART_S, _HYBRID_MS = 0.97, 0.9, 350, 1.5, 800

_WINDOW = """
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.time(), flush=True)
        QTimer.singleShot(0, QApplication.quit)
app = QApplication([])
window = Window()
window.show()
app.exec()
"""


def of_the_machine(work: Path, *, small: bool = False) -> Iterator[Figure]:
    """Measure our program and each limit in turn; ``small`` leaves out 20,000 real passages."""
    embedder = load_embedder(BUILTIN_MODEL, resources() / "models")
    english, others = (_passages(embedder, some) for some in (vaults.english(), vaults.others()))
    yield _bare_loop(embedder, english[::20] if len(english) > _LABELLED else english)
    rows = _kept(work / "real-passages.npy", embedder, english)
    yield from _exact_scan(work, embedder, rows)
    if others and not small:
        more = _kept(work / "more-passages.npy", embedder, others)
        yield from _exact_scan(work, embedder, np.concatenate([rows, more]))
    yield _nothing_changed(work)


def _passages(embedder: Embedder, some: Sequence[Path]) -> list[str]:
    return list(dict.fromkeys(real_passages(embedder, some)))


def _bare_loop(embedder: Embedder, texts: Sequence[str]) -> Figure:
    """Embed passages; beside that, run the ONNX graph alone, with tokens made before."""
    folder = ModelFolder.read(model_path(BUILTIN_MODEL, resources() / "models"))
    assert folder.graph is not None
    graph = OnnxModel(folder.graph)
    tokenizer = ModelTokenizer.of_folder(folder)
    pieces = [tokenizer.encoding(folder.passage_prompt + text).ids for text in texts]
    ours, bare = turns(
        lambda: embedder.embed_passages(texts), lambda: [graph.run(one) for one in pieces]
    )
    share = statistics.median(bare) / statistics.median(ours)
    return Figure(
        "embedding, of a bare loop's speed", f"{share:.2f}", f">= {_EMBEDDING}",
        f"{len(texts)} passages", share >= _EMBEDDING,
        "ONNX Runtime alone", spread(bare, "s", 2), 1 / share,
    )  # fmt: skip


def _exact_scan(work: Path, embedder: Embedder, rows: NDArray[np.float32]) -> Iterator[Figure]:
    """Find the ten nearest passages; beside that, compare all passages in float32."""
    queries = [embedder.embed_query(query) for query in distinct_queries()[:_QUERIES]]
    shutil.rmtree(work / "scanned", ignore_errors=True)
    store = Store(work / "scanned" / "index.sqlite")
    store.prepare()
    store.close()
    connection = Connection(store.path, writer=True)
    vectors.create(connection.sql, rows.shape[1])
    with connection.transaction() as sql:
        vectors.insert(sql, range(1, len(rows) + 1), rows)
    shared, ours, exactly = [], [], []
    for query in queries:
        began = time.perf_counter()
        near = vectors.nearest(connection.sql, query, TEN)
        found = time.perf_counter()
        exact = np.argpartition(-(rows @ query), TEN)[:TEN]
        exactly.append((time.perf_counter() - found) * 1000)
        ours.append((found - began) * 1000)
        shared.append(len({id_ - 1 for id_, _ in near} & set(exact.tolist())) / TEN)
    connection.close()
    share = float(np.mean(shared))
    where = f"{len(rows):,} real passages, {len(queries)} real queries"
    yield Figure(
        "top ten as the exact scan's", f"{share:.3f}", f">= {_OVERLAP}", where, share >= _OVERLAP
    )
    yield Figure(
        "nearest passages", spread(ours, "ms", 1), note=where,
        peer="NumPy, float32, all of them", peers=spread(exactly, "ms", 1),
        ratio=statistics.median(ours) / statistics.median(exactly),
    )  # fmt: skip


def _kept(file: Path, embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the vectors of ``texts``; they are made once, in minutes, and kept in ``file``."""
    if file.exists():
        kept: NDArray[np.float32] = np.load(file)
        if len(kept) == len(texts):
            return kept
    rows = embedder.embed_passages(texts)
    np.save(file, rows)
    return rows


def _nothing_changed(work: Path) -> Figure:
    """Compare a folder in which nothing changed; beside that, run ``find`` with ``stat``."""
    vault, home = vaults.many(work, _MANY), work / "unchanged"
    settings = Settings(vault=str(vault), meaning=False)
    with NoteLibrary.open(vault, home=home, settings=settings) as library:
        library.refresh()
        notes = library.status().notes

    def compared() -> None:
        with NoteLibrary.open(vault, home=home, settings=settings) as library:
            library.refresh()

    find = ("find", str(vault), "-type", "f", "-printf", "%s %T@ %i\n")
    ours, floor = turns(
        compared, lambda: subprocess.run(find, stdout=subprocess.DEVNULL, check=True)
    )
    middle = statistics.median(ours)
    return Figure(
        "nothing changed, compared", spread(ours, "s", 2), f"<= {_RESTART_S} s",
        f"{notes:,} notes, words alone, the index opened each time", middle <= _RESTART_S,
        "find with stat", spread(floor, "s", 2), middle / statistics.median(floor),
    )  # fmt: skip


def paint(work: Path) -> Iterator[Figure]:
    """Start the window; beside that, an empty main window."""
    empty = []
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    for _ in range(ROUNDS):
        started = time.time()
        shown = subprocess.run(
            [sys.executable, "-c", _WINDOW], env=environment, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        empty.append((float(shown.stdout.split()[0]) - started) * 1000)
    ours = first_paints(work)
    middle = statistics.median(ours)
    yield Figure(
        "exec to first paint", spread(ours, "ms"), f"<= {_PAINT_MS} ms", "offscreen",
        middle <= _PAINT_MS, "an empty window", spread(empty, "ms"),
        middle / statistics.median(empty),
    )  # fmt: skip
    listed = first_by_both(work)
    yield Figure(
        "exec to first list by words and meaning", spread(listed, "ms"), f"<= {_HYBRID_MS} ms",
        "offscreen, the sample notes", statistics.median(listed) <= _HYBRID_MS,
    )  # fmt: skip


def turns(*tasks: Callable[[], object], rounds: int = ROUNDS) -> list[list[float]]:
    """Do the tasks in turn; return the seconds of each round but the first, for each task."""
    took: list[list[float]] = [[] for _ in tasks]
    for number in range(rounds + 1):
        for task, seconds in zip(tasks, took, strict=True):
            began = time.perf_counter()
            task()
            if number:
                seconds.append(time.perf_counter() - began)
    return took
