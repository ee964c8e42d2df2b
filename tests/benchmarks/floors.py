"""Measures floors: what the same work costs the bare libraries, without our program.

They are FTS5 without Markdown, a query in it without our ranking, a program that only imports, and
a file that is noticed and read. Limits that are goals are in ``limits``.
"""

import contextlib
import os
import queue
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from notesearch.config import BUILTIN_MODEL, Paths, Settings, resources
from notesearch.embedding.model_folder import ModelFolder, ModelTokenizer, model_path
from notesearch.embedding.model_loader import load_embedder
from notesearch.embedding.onnx_engine import OnnxModel
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from tests.benchmarks import synthetic
from tests.benchmarks.limits import turns
from tests.benchmarks.measured import Figure, spread
from tests.benchmarks.searching import QuickPassages, distinct_queries

_MEGABYTES, _FEW = 15, 2
_PART = 1_700
_QUERIES = 60
_SAVES = 30
_LETTERS = re.compile(r"\w+")

_SDK = "import notesearch.serving.mcp_server"
_BARE_RSS = """
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.show()
app.processEvents()
import numpy, onnxruntime, tokenizers, apsw
onnxruntime.InferenceSession(sys.argv[1])
app.processEvents()
from pathlib import Path
lines = Path("/proc/self/status").read_text().splitlines()
print(next(line.split()[1] for line in lines if line.startswith("VmRSS")))
"""


def measure(work: Path, *, small: bool = False) -> Iterator[Figure]:
    """Measure our program beside each floor; ``small`` uses a folder that is made quickly."""
    work = work.resolve()
    name = "floor-small" if small else "obsidian-like"
    vault = synthetic.fill(work / name, _FEW if small else _MEGABYTES, _PART)
    yield _indexed(work, vault)
    yield from _searched(work, vault)
    yield _asked_model()
    yield from _started(work, vault)
    yield _noticed()
    yield from _window_memory()


def _indexed(work: Path, vault: Path) -> Figure:
    """Index the words of a folder; beside that, insert the same texts into FTS5."""
    texts = [file.read_text("utf-8") for file in sorted(vault.rglob("*.md"))]
    home, bare = work / "floor ours", work / "floor.sqlite"
    settings = Settings(vault=str(vault), meaning=False)

    def ours() -> None:
        shutil.rmtree(home, ignore_errors=True)
        with NoteLibrary.open(vault, home=home, settings=settings) as library:
            library.refresh()

    took, floor = turns(ours, lambda: _filled(bare, texts).close(), rounds=2)
    size = sum(len(text.encode()) for text in texts) / 1e6
    return _compared(
        "words indexed from nothing", took, "FTS5 alone, the same texts, unicode61", floor, "s", 2,
        f"{len(texts):,} notes, {size:.0f} MB",
    )  # fmt: skip


def _filled(file: Path, texts: Sequence[str]) -> apsw.Connection:
    """Return a new database that has only a table of FTS5 with ``texts``."""
    file.unlink(missing_ok=True)
    sql = apsw.Connection(str(file))
    sql.execute("pragma synchronous = off; create virtual table words using fts5(text)")
    with sql:
        sql.executemany("insert into words values (?)", [(text,) for text in texts])
    return sql


def _searched(work: Path, vault: Path) -> Iterator[Figure]:
    """Search by words, beside FTS5's own best ten for any of the words; and compare the sizes."""
    embedder = QuickPassages(load_embedder(BUILTIN_MODEL, resources() / "models"))
    queries = distinct_queries()[:_QUERIES]
    texts = [file.read_text("utf-8") for file in sorted(vault.rglob("*.md"))]
    bare = _filled(work / "floor.sqlite", texts)
    plain = [" OR ".join(f'"{word}"' for word in _LETTERS.findall(query)) for query in queries]
    best = "select rowid from words where words match ? order by rank limit 10"
    with NoteLibrary.open(vault, home=work / "floor home", embedder=embedder) as library:
        library.refresh()
        status = library.status()
        took = _milliseconds(
            [lambda q=query: library.search(q, mode=Mode.WORDS, limit=10) for query in queries]  # type: ignore[misc]
        )
        floor = _milliseconds(
            [lambda q=query: bare.execute(best, (q,)).fetchall() for query in plain]  # type: ignore[misc]
        )
    bare.close()
    where = f"{status.notes:,} notes, {status.passages:,} passages, {len(queries)} queries"
    yield _compared(
        "a search by words", took, "FTS5 alone, any of the words, best ten by BM25", floor, "ms", 1,
        where,
    )  # fmt: skip
    vectors = status.passages * embedder.dimensions
    packed = len(zlib.compress("\n".join(texts).encode(), 9))
    per = status.note_bytes
    yield Figure(
        "index, of bytes that hold the same", f"{status.index_bytes / per:.2f} of the notes",
        note=where, peer="int8 vectors and all text packed as one",
        peers=f"{(vectors + packed) / per:.2f} ({vectors / per:.2f} + {packed / per:.2f})",
        ratio=status.index_bytes / (vectors + packed),
    )  # fmt: skip


def _asked_model() -> Figure:
    """Embed queries; beside that, run the ONNX graph alone, with tokens made before."""
    embedder = load_embedder(BUILTIN_MODEL, resources() / "models")
    folder = ModelFolder.read(model_path(BUILTIN_MODEL, resources() / "models"))
    assert folder.graph is not None
    graph = OnnxModel(folder.graph)
    tokenizer = ModelTokenizer.of_folder(folder)
    queries = distinct_queries()[:_QUERIES]
    pieces = [tokenizer.encoding(folder.query_prompt + query).ids for query in queries]
    took = _milliseconds([lambda q=query: embedder.embed_query(q) for query in queries])  # type: ignore[misc]
    floor = _milliseconds([lambda p=piece: graph.run(p) for piece in pieces])  # type: ignore[misc]
    return _compared(
        "a query's vector", took, "ONNX Runtime alone", floor, "ms", 1, f"{len(queries)} queries"
    )


def _started(work: Path, vault: Path) -> Iterator[Figure]:
    """Start the command line and answer; beside that, an interpreter that does nothing."""
    home = work / "floor ours"
    Settings(vault=str(vault), meaning=False).save(Paths.choose(home))
    environment = {**os.environ, "NOTESEARCH_HOME": str(home)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(*command: str) -> Callable[[], object]:
        return lambda: subprocess.run(
            [sys.executable, *command], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
        )  # fmt: skip

    folder = ("--vault", str(vault))
    query, *_ = distinct_queries()
    search = ("-m", "notesearch", "search", query, "--json", "--mode", "words", *folder)
    server = ("-m", "notesearch", "mcp", *folder)
    words, mcp, sdk, nothing = turns(
        run(*search), run(*server), run("-c", _SDK), run("-c", "pass"), rounds=5
    )
    for name, took, peer, floor in (
        ("a cold search by words, exec to end", words, "python -c pass", nothing),
        ("an MCP server that nobody asks, exec to end", mcp, "its modules imported", sdk),
        ("its modules imported", sdk, "python -c pass", nothing),
    ):
        yield _compared(name, took, peer, floor, "s", 3, f"{vault.name}: words alone")


class _Heard(FileSystemEventHandler):
    def __init__(self) -> None:
        self.paths: queue.SimpleQueue[str] = queue.SimpleQueue()

    def on_closed(self, event: FileSystemEvent) -> None:
        """Queue the path of a file that was written."""
        self.paths.put(str(event.src_path))


def _noticed() -> Figure:
    """Save a file, and read it when watchdog reports it: no index can be faster than that."""
    heard, took = _Heard(), []
    with tempfile.TemporaryDirectory() as folder:
        observer = Observer()
        observer.schedule(heard, folder)
        observer.start()
        for number in range(_SAVES):
            note = Path(folder, f"{number}.md")
            note.write_text("# Heron\n\nReeds.\n", encoding="utf-8")
            closed = time.perf_counter()
            with contextlib.suppress(queue.Empty):
                Path(heard.paths.get(timeout=5)).read_bytes()
                took.append((time.perf_counter() - closed) * 1000)
        observer.stop()
        observer.join()
    name, note_ = "a file saved, told of and read: the floor of save to found", f"{len(took)} saves"
    return Figure(name, spread(took, "ms", 1) if took else "not told here", note=note_)


def _window_memory() -> Iterator[Figure]:
    """Measure the memory of an empty window with the libraries and the model of a search."""
    if not sys.platform.startswith("linux"):
        return
    graph = ModelFolder.read(model_path(BUILTIN_MODEL, resources() / "models")).graph
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", _BARE_RSS, str(graph)], env=environment, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    megabytes = int(done.stdout) / 1024
    yield Figure(
        "an empty window, NumPy, SQLite and the model loaded: the floor of memory",
        f"{megabytes:.0f} MB", note="offscreen",
    )  # fmt: skip


def _milliseconds(tasks: Sequence[Callable[[], object]]) -> list[float]:
    """Do each task twice; return the milliseconds of the second times."""
    for task in tasks:
        task()
    took = []
    for task in tasks:
        began = time.perf_counter()
        task()
        took.append((time.perf_counter() - began) * 1000)
    return took


def _compared(
    name: str, ours: Sequence[float], peer: str, floor: Sequence[float], unit: str, digits: int,
    where: str,
) -> Figure:  # fmt: skip
    ratio = statistics.median(ours) / statistics.median(floor)
    return Figure(
        name, spread(ours, unit, digits), note=where, peer=peer, peers=spread(floor, unit, digits),
        ratio=ratio,
    )  # fmt: skip
