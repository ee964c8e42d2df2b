"""Loading models from folders, and errors for damaged ones."""

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding import onnx_engine, torch_engine
from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_folder import Engine, ModelFolder
from notesearch.embedding.model_loader import load_embedder
from notesearch.embedding.onnx_engine import OnnxEmbedder
from notesearch.errors import ModelError
from tests.embedding.tiny_model import COLOURS, write


def fingerprint(folder: Path) -> str:
    return ModelFolder.read(folder).fingerprint


def test_a_model_is_found_by_name_or_folder(embedder: Embedder, copied: Path) -> None:
    named = load_embedder(copied.name, copied.parent)
    placed = load_embedder(str(copied), Path("nowhere"))
    assert named.fingerprint == placed.fingerprint
    assert np.array_equal(named.embed_query("tea"), embedder.embed_query("tea"))


def test_the_built_in_model_needs_no_gpu(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no weights for PyTorch."""
    monkeypatch.setattr(torch_engine, "has_gpu", lambda: True)
    assert isinstance(load_embedder(str(copied)), OnnxEmbedder)


@pytest.mark.parametrize(("gpu", "engine"), [(False, Engine.ONNX), (True, Engine.TORCH)])
def test_a_gpu_runs_a_model_with_weights(
    copied: Path, monkeypatch: pytest.MonkeyPatch, gpu: bool, engine: Engine
) -> None:
    (copied / "model.safetensors").write_bytes(b"weights")
    monkeypatch.setattr(torch_engine, "has_gpu", lambda: gpu)
    assert ModelFolder.read(copied).engine is engine


def test_an_index_belongs_to_the_engine_that_made_it(copied: Path) -> None:
    """The vectors of an 8-bit ONNX file differ slightly from those of the weights."""
    (copied / "model.safetensors").write_bytes(b"weights")
    by_onnx, by_torch = (ModelFolder.read(copied, engine) for engine in Engine)
    assert by_onnx.fingerprint != by_torch.fingerprint


@pytest.mark.fault("E1")
def test_a_missing_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no-such-model"):
        load_embedder("no-such-model", tmp_path)


@pytest.mark.fault("E2")
@pytest.mark.parametrize("name", ["onnx/model_qint8.onnx", "tokenizer.json", "modules.json"])
@pytest.mark.parametrize(
    "content", [b"", b"<!doctype html><title>404</title>", b"[1, 2", b"null", b"\xff\xfe\x00"]
)
def test_damaged_files(copied: Path, name: str, content: bytes) -> None:
    (copied / name).write_bytes(content)
    with pytest.raises(ModelError, match="copied"):
        load_embedder(str(copied), Path())


@pytest.mark.fault("E2")
@pytest.mark.parametrize("name", ["onnx/model_qint8.onnx", "tokenizer.json", "modules.json"])
def test_missing_and_truncated_files(copied: Path, name: str) -> None:
    file = copied / name
    os.truncate(file, file.stat().st_size // 2)
    with pytest.raises(ModelError, match="copied"):
        load_embedder(str(copied), Path())
    file.unlink()
    with pytest.raises(ModelError, match="copied"):
        load_embedder(str(copied), Path())


@pytest.mark.fault("E1")
def test_a_model_with_its_own_code(copied: Path) -> None:
    steps = [{"type": "evil.module.Transformer"}]
    (copied / "modules.json").write_text(json.dumps(steps))
    with pytest.raises(ModelError, match=r"evil\.module\.Transformer"):
        load_embedder(str(copied), Path())


@pytest.mark.fault("E3, E4")
def test_weights_without_a_graph(copied: Path) -> None:
    (copied / "onnx" / "model_qint8.onnx").rename(copied / "pytorch_model.bin")
    with pytest.raises(ModelError, match="no safetensors file"):
        load_embedder(str(copied), Path())


def test_the_fingerprint_depends_on_content_alone(copied: Path) -> None:
    before = fingerprint(copied)
    for file in copied.rglob("*.json"):
        os.utime(file, (0, 0))
    (copied / "README.md").write_text("Read me differently.")
    assert fingerprint(copied) == before


@pytest.mark.fault("E13")
@pytest.mark.parametrize(
    "name", ["onnx/model_qint8.onnx", "tokenizer.json", "config_sentence_transformers.json"]
)
def test_the_fingerprint_changes_with_any_byte(copied: Path, name: str) -> None:
    before = fingerprint(copied)
    content = bytearray((copied / name).read_bytes())
    at = content.rindex(b"e")
    content[at : at + 1] = b"E"
    (copied / name).write_bytes(content)
    assert fingerprint(copied) != before


def test_a_large_file_is_hashed_in_parts(tmp_path: Path) -> None:
    folder = write(tmp_path / "large")
    with (folder / "model.onnx").open("r+b") as graph:
        graph.truncate(600 << 20)  # a sparse file
    before = fingerprint(folder)
    with (folder / "model.onnx").open("r+b") as graph:
        graph.seek(300 << 20)
        graph.write(b"another model")
    assert fingerprint(folder) != before


def test_prompts_come_from_the_folder(embedder: Embedder, copied: Path) -> None:
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    (copied / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    prompted = load_embedder(str(copied), Path())
    assert prompted.fingerprint != embedder.fingerprint
    assert np.array_equal(prompted.embed_query("tea"), embedder.embed_query("query: tea"))
    assert np.array_equal(
        prompted.embed_passages(["tea"]), embedder.embed_passages(["passage: tea"])
    )


def test_the_window_comes_from_the_folder(embedder: Embedder, copied: Path) -> None:
    (copied / "sentence_bert_config.json").write_text('{"max_seq_length": 12}')
    short = load_embedder(str(copied), Path())
    assert short.window == 12
    assert np.array_equal(short.embed_query("tea " * 99), embedder.embed_query("tea " * 10))


@pytest.mark.parametrize(
    ("pooling", "vector"), [("mean", [10, 1, 1]), ("cls", [1, 1, 1])], ids=["mean", "cls"]
)
def test_a_graph_without_pooling(tmp_path: Path, pooling: str, vector: list[float]) -> None:
    tiny = load_embedder(str(write(tmp_path / "tiny", pooling=pooling)), Path())
    assert (tiny.dimensions, tiny.window) == (3, 256)
    assert np.allclose(tiny.embed_query("red"), np.array(vector) / np.linalg.norm(vector))


def test_lower_case_if_the_folder_asks_for_it(tmp_path: Path) -> None:
    as_is = load_embedder(str(write(tmp_path / "as-is")), Path())
    lowered = load_embedder(str(write(tmp_path / "lowered", do_lower_case=True)), Path())
    assert not np.array_equal(as_is.embed_query("RED"), as_is.embed_query("red"))
    assert np.array_equal(lowered.embed_query("RED"), as_is.embed_query("red"))


def test_pooling_of_an_unknown_kind(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny")
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode": "nearest"}')
    with pytest.raises(ModelError, match="nearest"):
        load_embedder(str(folder), Path())


def test_a_graph_with_other_inputs(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="pixels"):
        load_embedder(str(write(tmp_path / "tiny", pieces="pixels")), Path())


@pytest.mark.parametrize("number", [float("nan"), 0.0])
def test_a_graph_without_usable_vectors(tmp_path: Path, number: float) -> None:
    table = [[number] * 3 for _ in COLOURS]
    with pytest.raises(ModelError, match="returned no usable vector"):
        load_embedder(str(write(tmp_path / "tiny", table=table)), Path())


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_passage_without_a_vector_does_not_hold_up_others(tmp_path: Path, number: float) -> None:
    table = [*COLOURS[:5], (number,) * 3, COLOURS[6]]
    tiny = load_embedder(str(write(tmp_path / "tiny", table=table)), Path())
    made = tiny.embed_passages(["red", "green", "blue"])
    assert made.any(axis=1).tolist() == [True, False, True]
    assert np.array_equal(made[2], tiny.embed_query("blue"))
    with pytest.raises(ModelError, match="returned no usable vector"):
        tiny.embed_query("green")


def test_a_graph_smaller_than_the_vocabulary(tmp_path: Path) -> None:
    tiny = load_embedder(str(write(tmp_path / "tiny", table=COLOURS[:5])), Path())
    with pytest.raises(ModelError, match="failed"):
        tiny.embed_query("blue")


@pytest.mark.fault("E1")
def test_the_runtime_reports_nothing_and_writes_no_file(tmp_path: Path) -> None:
    code = f"""
import os
from pathlib import Path
from notesearch.embedding.model_loader import load_embedder
load_embedder({BUILTIN_MODEL!r}, Path({str(resources() / "models")!r})).embed_passages(["tea"])
for descriptor in Path("/proc/self/fd").glob("*"):
    if descriptor.is_symlink() and "socket:" in os.readlink(descriptor):
        print(descriptor)
"""
    folders = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    # In a test run it would report nothing anyway.
    known = {"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT"}
    environment = {name: value for name, value in os.environ.items() if name in known}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=environment | folders,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("", "")
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.fault(
    "E5",
    fault="Network access while offline",
    outcome="No socket; no telemetry of ONNX Runtime",
)
def test_no_network_is_touched() -> None:
    code = f"""
import sys
def watch(event, arguments):
    if event.startswith("socket."):
        print(event, arguments)
sys.addaudithook(watch)
from pathlib import Path
from notesearch.embedding.model_loader import load_embedder
load_embedder({BUILTIN_MODEL!r}, Path({str(resources() / "models")!r})).embed_passages(["tea"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("chosen", [None, "3"])
def test_numpy_gets_one_thread_but_programs_that_are_started_later_do_not(
    chosen: str | None,
) -> None:
    """The thread that NumPy has beside it waited busily: a tenth of a search by meaning."""
    code = """
import os
os.environ.pop("OPENBLAS_NUM_THREADS", None)
if CHOSEN: os.environ["OPENBLAS_NUM_THREADS"] = CHOSEN
from notesearch.embedding.onnx_engine import import_runtime
import_runtime()
threads = "/proc/self/task"
alone = len(os.listdir(threads)) == 1 if os.path.isdir(threads) else True
print(os.environ.get("OPENBLAS_NUM_THREADS"), CHOSEN or alone)
""".replace("CHOSEN", repr(chosen))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(chosen), chosen or "True"]


def test_only_one_thread_at_a_time_limits_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one could take the limit for the user's own, and keep it for good."""
    both, met = threading.Barrier(2), list[str]()

    def import_module(name: str) -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.3)
            met.append(name)

    monkeypatch.setattr(onnx_engine, "import_module", import_module)
    with ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(onnx_engine.import_runtime) for _ in range(2)]:
            done.result()
    assert not met
