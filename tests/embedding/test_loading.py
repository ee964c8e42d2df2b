"""Models are folders: what is read from them, and what is said of damaged ones."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding import torch_runtime
from notesearch.embedding.both_engines import BothEngines
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.model import Embedder, engine_ahead, load_embedder
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


def test_beside_a_gpu_the_built_in_model_has_both_engines(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs no weights for that; without a GPU nothing asks for PyTorch."""
    monkeypatch.setattr(torch_runtime, "may_have_gpu", lambda: True)
    assert isinstance(load_embedder(str(copied)), BothEngines)
    graph = copied / "onnx" / "model_qint8.onnx"
    graph.write_bytes(graph.read_bytes().replace(b"notesearch", b"somebodies", 1))
    assert isinstance(load_embedder(str(copied)), OnnxEmbedder), "rounded by who knows whom"


def test_what_was_embedded_before_exporting_is_told_from_what_is_after(copied: Path) -> None:
    """The eight-bit graph makes slightly other vectors than the weights it was made of."""
    graph = copied / "onnx" / "model_qint8.onnx"
    content = graph.read_bytes()
    graph.unlink()
    (copied / "model.safetensors").write_bytes(b"weights")
    weights = ModelFolder.read(copied)
    assert weights.before_export() is weights
    graph.write_bytes(content)
    exported = ModelFolder.read(copied)
    assert exported.fingerprint != weights.fingerprint
    assert exported.before_export() == weights
    graph.write_bytes(content.replace(b"notesearch", b"somebodies", 1))
    assert fingerprint(copied) == weights.fingerprint, "said to be the model's by its makers"


@pytest.mark.parametrize(
    ("gpu", "told"),
    [
        (False, "ONNX Runtime on the processor"),
        (True, "ONNX Runtime on the processor, many passages by sentence-transformers"),
    ],
)
def test_what_will_run_the_built_in_model(
    copied: Path, monkeypatch: pytest.MonkeyPatch, gpu: bool, told: str
) -> None:
    monkeypatch.setattr(torch_runtime, "may_have_gpu", lambda: gpu)
    assert engine_ahead(copied.name, copied.parent) == told


def test_what_will_run_weights_alone(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (copied / "onnx" / "model_qint8.onnx").rename(copied / "model.safetensors")
    for installed, told in ((True, "sentence-transformers"), (False, "")):
        monkeypatch.setattr(torch_runtime, "is_installed", lambda here=installed: here)
        assert engine_ahead(str(copied)) == told
    (copied / "modules.json").write_bytes(b"[1")
    assert engine_ahead(str(copied)) == ""
    assert engine_ahead("nowhere") == ""


@pytest.mark.fault("E1")
def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no-such-model"):
        load_embedder("no-such-model", tmp_path)


@pytest.mark.fault("E2")
@pytest.mark.parametrize("name", ["onnx/model_qint8.onnx", "tokenizer.json", "modules.json"])
@pytest.mark.parametrize(
    "content", [b"", b"<!doctype html><title>404</title>", b"[1, 2", b"null", b"\xff\xfe\x00"]
)
def test_files_with_other_content(copied: Path, name: str, content: bytes) -> None:
    (copied / name).write_bytes(content)
    with pytest.raises(ModelError, match="copied"):
        load_embedder(str(copied), Path())


@pytest.mark.fault("E2")
@pytest.mark.parametrize("name", ["onnx/model_qint8.onnx", "tokenizer.json", "modules.json"])
def test_files_that_are_missing_or_cut_short(copied: Path, name: str) -> None:
    file = copied / name
    os.truncate(file, file.stat().st_size // 2)
    with pytest.raises(ModelError, match="copied"):
        load_embedder(str(copied), Path())
    file.unlink()
    with pytest.raises(ModelError, match="copied"):
        load_embedder(str(copied), Path())


@pytest.mark.fault("E4")
def test_a_model_that_brings_its_own_code(copied: Path) -> None:
    steps = [{"type": "evil.module.Transformer"}]
    (copied / "modules.json").write_text(json.dumps(steps))
    with pytest.raises(ModelError, match=r"evil\.module\.Transformer"):
        load_embedder(str(copied), Path())


@pytest.mark.fault("E3")
def test_weights_without_a_graph(copied: Path) -> None:
    (copied / "onnx" / "model_qint8.onnx").rename(copied / "pytorch_model.bin")
    with pytest.raises(ModelError, match="no safetensors file"):
        load_embedder(str(copied), Path())


def test_the_fingerprint_stays_while_the_files_do(copied: Path) -> None:
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
        graph.truncate(600 << 20)  # takes no room on the disk
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


def test_lower_case_where_the_folder_asks_for_it(tmp_path: Path) -> None:
    as_is = load_embedder(str(write(tmp_path / "as-is")), Path())
    lowered = load_embedder(str(write(tmp_path / "lowered", do_lower_case=True)), Path())
    assert not np.array_equal(as_is.embed_query("RED"), as_is.embed_query("red"))
    assert np.array_equal(lowered.embed_query("RED"), as_is.embed_query("red"))


def test_pooling_of_an_unknown_kind(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny")
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode": "nearest"}')
    with pytest.raises(ModelError, match="nearest"):
        load_embedder(str(folder), Path())


def test_a_graph_that_wants_something_else(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="pixels"):
        load_embedder(str(write(tmp_path / "tiny", pieces="pixels")), Path())


@pytest.mark.parametrize("number", [float("nan"), 0.0])
def test_a_graph_that_gives_no_vectors(tmp_path: Path, number: float) -> None:
    table = [[number] * 3 for _ in COLOURS]
    with pytest.raises(ModelError, match="returned no usable vector"):
        load_embedder(str(write(tmp_path / "tiny", table=table)), Path())


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_passage_without_a_vector_holds_up_no_other(tmp_path: Path, number: float) -> None:
    table = [*COLOURS[:5], (number,) * 3, COLOURS[6]]
    tiny = load_embedder(str(write(tmp_path / "tiny", table=table)), Path())
    made = tiny.embed_passages(["red", "green", "blue"])
    assert made.any(axis=1).tolist() == [True, False, True]
    assert np.array_equal(made[2], tiny.embed_query("blue"))
    with pytest.raises(ModelError, match="returned no usable vector"):
        tiny.embed_query("green")


def test_a_graph_that_is_smaller_than_the_vocabulary(tmp_path: Path) -> None:
    tiny = load_embedder(str(write(tmp_path / "tiny", table=COLOURS[:5])), Path())
    with pytest.raises(ModelError, match="failed"):
        tiny.embed_query("blue")


def test_a_closed_model_says_so(tmp_path: Path) -> None:
    tiny = OnnxEmbedder(ModelFolder.read(write(tmp_path / "tiny")))
    tiny.close()
    tiny.close()
    with pytest.raises(ModelError, match="closed"):
        tiny.embed_query("red")


@pytest.mark.fault("E5")
def test_the_runtime_reports_to_nobody_and_gives_this_computer_no_name(tmp_path: Path) -> None:
    code = f"""
import os
from pathlib import Path
from notesearch.embedding.model import load_embedder
load_embedder({BUILTIN_MODEL!r}, Path({str(resources() / "models")!r})).embed_passages(["tea"])
for descriptor in Path("/proc/self/fd").glob("*"):
    if descriptor.is_symlink() and "socket:" in os.readlink(descriptor):
        print(descriptor)
"""
    folders = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    # It keeps silent by itself where it finds that it is being tested.
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
    outcome="No socket is opened; ONNX Runtime's telemetry is off",
)
def test_no_network_is_touched() -> None:
    code = f"""
import sys
def watch(event, arguments):
    if event.startswith("socket."):
        print(event, arguments)
sys.addaudithook(watch)
from pathlib import Path
from notesearch.embedding.model import load_embedder
load_embedder({BUILTIN_MODEL!r}, Path({str(resources() / "models")!r})).embed_passages(["tea"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
