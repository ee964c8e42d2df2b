"""Of a model's table only the rows in use are read, and nothing comes out otherwise than before."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding import tables as module
from notesearch.embedding.onnx_session import Graph
from notesearch.embedding.tables import Table, tables
from notesearch.errors import ModelError
from tests.embedding.tiny_model import field, graph

BUILTIN = resources() / "models" / BUILTIN_MODEL / "onnx" / "model_qint8.onnx"
ROWS, COLUMNS = 3000, 128
NUMBERS = np.random.default_rng(1).random((ROWS, COLUMNS), np.float32)


@pytest.fixture(scope="module")
def content() -> bytes:
    return graph(NUMBERS.tolist())


@pytest.fixture
def file(tmp_path: Path, content: bytes) -> Path:
    (tmp_path / "model.onnx").write_bytes(content)
    return tmp_path / "model.onnx"


def whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> Graph:
    with monkeypatch.context() as patched:
        patched.setattr(module, "tables", lambda _: ())
        return Graph(file, threads=1)


def read(table: Table) -> int:
    """Return how many rows are no longer zero."""
    return int(table.rows.any(axis=1).sum())


def test_rows_are_read_once_a_text_has_their_piece(file: Path) -> None:
    (table,) = tables(file)
    assert (table.name, table.rows.shape, read(table)) == ("table", (ROWS, COLUMNS), 0)
    for pieces in ([5, 7, 5], [7, 9], [ROWS, 9]):
        table.read(np.array(pieces, np.int64))
    assert np.array_equal(table.rows[[5, 7, 9]], NUMBERS[[5, 7, 9]])
    assert read(table) == 3


def test_the_built_in_model_gives_what_it_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    (table,) = tables(BUILTIN)
    assert table.rows.nbytes > 11_000_000
    before, now = whole(BUILTIN, monkeypatch), Graph(BUILTIN, threads=1)
    drawn = np.random.default_rng(2)
    texts = [drawn.integers(0, len(table.rows), 1 + n % 60).tolist() for n in range(80)]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(now.run, texts))
    for text, vector in zip(texts, made, strict=True):
        assert np.array_equal(vector, before.run(text))


def test_it_takes_the_memory_of_what_was_asked() -> None:
    (table,) = tables(BUILTIN)
    common = np.arange(2000, 2100)
    table.read(common)
    assert read(table) == len(common)


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda content: content.replace(old, new, 1)


AXIS = field(5, field(1, "axis") + field(3, 1) + field(20, 2))
NODE = field(1, "table") + field(1, "input_ids") + field(2, "states") + field(4, "Gather")
ALSO = field(1, field(1, "table") + field(2, "shape") + field(4, "Shape"))
HOLDING = field(1, field(2, "any") + field(4, "If") + field(5, field(6, ALSO)))


@pytest.mark.parametrize(
    "change",
    [
        lambda _: b"no graph at all",
        lambda _: b"",
        lambda content: content[:-400_000],
        lambda content: content[:60],
        replaced(b"Gather", b"Gothic"),
        replaced(b"input_ids", b"input_odd"),
    ],
)  # fmt: skip
def test_any_other_graph_has_none(
    file: Path, content: bytes, change: Callable[[bytes], bytes]
) -> None:
    file.write_bytes(change(content))
    assert tables(file) == ()


@pytest.mark.parametrize("more", [AXIS, field(7, "of.somebody")])
def test_what_is_looked_up_otherwise_is_none(file: Path, content: bytes, more: bytes) -> None:
    file.write_bytes(rebuilt(content, field(1, NODE + more)))
    assert tables(file) == ()


@pytest.mark.parametrize("more", [ALSO, HOLDING, field(12, field(1, "table"))])
def test_what_may_be_used_otherwise_is_none(file: Path, content: bytes, more: bytes) -> None:
    file.write_bytes(rebuilt(content, field(1, NODE) + more))
    assert tables(file) == ()
    file.write_bytes(rebuilt(content, field(1, NODE)))
    assert len(tables(file)) == 1


def rebuilt(content: bytes, nodes: bytes) -> bytes:
    """Return a graph with other ``nodes`` beside its table, and nothing else."""
    start = content.index(field(2, "tiny"))
    return field(7, nodes + content[start:])


def test_another_file_in_its_place_does_not_count(file: Path, tmp_path: Path) -> None:
    made = Graph(file, threads=1)
    other = tmp_path / "other"
    other.write_bytes(b"another model")
    other.replace(file)
    assert np.array_equal(made.run([11]), NUMBERS[[11]])


def test_a_file_that_was_cut_short_is_named(file: Path) -> None:
    made = Graph(file, threads=1)
    os.truncate(file, 1000)
    with pytest.raises(ModelError, match="was changed"):
        made.run([ROWS - 1])


def test_a_runtime_that_does_not_look_into_it_has_all(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Table, "read", lambda *_: None)  # as if it had its own copy
    assert np.array_equal(Graph(file, threads=1).run([3, 4]), NUMBERS[[3, 4]])
