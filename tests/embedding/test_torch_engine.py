"""Both engines make the same vectors of a model with float files."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_folder import Engine, ModelFolder
from notesearch.embedding.model_loader import load_embedder
from notesearch.embedding.onnx_engine import OnnxEmbedder
from notesearch.errors import ModelError
from tests.embedding.extra import needs_extra
from tests.embedding.tiny_model import put

if TYPE_CHECKING:
    from notesearch.embedding.torch_engine import TorchEmbedder

pytestmark = needs_extra

TEXTS = [
    "otters swim", "the beaver builds", "red", "", "green blue red " * 30, "swim: a query",
    "\ud83d",
]  # fmt: skip
PROMPTS = {"prompts": {"query": "query: ", "document": "the otter "}}


def on_torch(folder: Path) -> "TorchEmbedder":
    from notesearch.embedding.torch_engine import TorchEmbedder

    return TorchEmbedder(ModelFolder.read(folder, Engine.TORCH), "cpu")


def on_onnx(folder: Path) -> OnnxEmbedder:
    return OnnxEmbedder(ModelFolder.read(folder, Engine.ONNX))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model with random weights and an ONNX file."""
    from tests.embedding import random_model

    return random_model.write(tmp_path_factory.mktemp("models") / "plain")


@pytest.mark.parametrize(
    ("pooling", "described"),
    [
        ({"pooling_mode": "mean"}, {}),
        ({"pooling_mode": "cls"}, PROMPTS),
        ({"pooling_mode": "max"}, {}),
        ({"pooling_mode": "mean_sqrt_len_tokens"}, {}),
        ({"pooling_mode": "weightedmean"}, PROMPTS),
        ({"pooling_mode": "lasttoken"}, {}),
        ({"pooling_mode": ["cls", "max"]}, {"truncate_dim": 20}),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}, {}),
        ({"pooling_mode": "mean", "include_prompt": False}, PROMPTS),
        ({"pooling_mode": "weightedmean", "include_prompt": False}, PROMPTS),
        ({"pooling_mode": "mean"}, {"truncate_dim": 6}),
        ({"pooling_mode": "mean"}, {"prompts": {"q": "query: "}, "default_prompt_name": "q"}),
        ({"pooling_mode": "mean"}, {"prompts": {"query": "", "passage": "the red "}}),
        ({"pooling_mode": "mean"}, {"prompts": {"corpus": "the red "}}),
    ],
)
def test_both_engines_make_the_same_vectors(
    plain: Path, tmp_path: Path, pooling: dict[str, object], described: dict[str, object]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(plain, folder, ignore=shutil.ignore_patterns("1_Pooling"))
    put(folder, "1_Pooling/config.json", {"word_embedding_dimension": 16, **pooling})
    (folder / "config_sentence_transformers.json").unlink()
    put(folder, "config_sentence_transformers.json", {"prompts": {}, **described})
    assert_same(on_torch(folder), on_onnx(folder))


def test_with_a_dense_layer(tmp_path: Path) -> None:
    from tests.embedding import random_model

    folder = random_model.write(tmp_path / "dense", seed=2)
    random_model.add_dense(folder, 5)
    made = on_torch(folder)
    assert made.dimensions == 5
    assert_same(made, on_onnx(folder))


def assert_same(one: Embedder, other: Embedder) -> None:
    assert one.fingerprint != other.fingerprint, "an index belongs to its engine"
    assert (one.dimensions, one.window) == (other.dimensions, other.window)
    assert [one.count_tokens(t) for t in TEXTS] == [other.count_tokens(t) for t in TEXTS]
    assert np.allclose(one.embed_passages(TEXTS), other.embed_passages(TEXTS), atol=2e-5)
    for text in TEXTS:
        made = one.embed_query(text)
        assert abs(np.linalg.norm(made) - 1) < 1e-5
        assert np.allclose(made, other.embed_query(text), atol=2e-5)


def test_torch_runs_models_without_a_graph(tmp_path: Path) -> None:
    from tests.embedding import random_model

    folder = random_model.write(tmp_path / "weights", graph=False)
    made = load_embedder("weights", tmp_path)
    assert getattr(made, "engine", "") in {
        f"sentence-transformers on {d}" for d in ("cpu", "cuda", "mps")
    }
    assert made.fingerprint == ModelFolder.read(folder).fingerprint


def test_no_text_no_vector(plain: Path) -> None:
    assert on_torch(plain).embed_passages([]).shape == (0, 16)


@pytest.mark.fault("E8")
def test_threads_share_a_model(plain: Path) -> None:
    """Eight threads embed at once; each gets the same vectors as alone."""
    made = on_torch(plain)
    alone = made.embed_passages(TEXTS)
    asked = np.stack([made.embed_query(text) for text in TEXTS])
    with ThreadPoolExecutor(8) as pool:
        passages = [pool.submit(made.embed_passages, TEXTS) for _ in range(12)]
        queries = [pool.submit(made.embed_query, text) for text in TEXTS * 12]
        for number, found in enumerate(queries):
            assert np.allclose(found.result(), asked[number % len(TEXTS)], atol=1e-5)
        assert all(np.allclose(found.result(), alone, atol=1e-5) for found in passages)


def has_only_a_pickle(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def has_a_pickle_that_runs(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"cos\nsystem\n(S'touch ran'\ntR.")
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'touch ran'\ntR.")


def is_cut_short(folder: Path) -> None:
    os.truncate(folder / "model.safetensors", 4000)


def is_a_page(folder: Path) -> None:
    (folder / "model.safetensors").write_text("<!doctype html><title>404</title>")


def brings_steps(folder: Path) -> None:
    (folder / "evil.py").write_text("open('ran', 'w')")
    put(folder, "modules.json", [{"idx": 0, "name": "0", "path": "", "type": "evil.Step"}])


def brings_a_model(folder: Path) -> None:
    (folder / "evil.py").write_text("open('ran', 'w')")
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "evil",
        "auto_map": {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"},
    }
    put(folder, "config.json", config)


def says_other_dimensions(folder: Path) -> None:
    put(folder, "1_Pooling/config.json", {"word_embedding_dimension": 384})


def has_weights_of_another_size(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    put(folder, "config.json", config | {"hidden_size": 32})


@pytest.mark.fault("E3, E4")
@pytest.mark.fault("E2")
@pytest.mark.parametrize(
    "damage",
    [
        has_only_a_pickle, has_a_pickle_that_runs, is_cut_short, is_a_page, brings_steps,
        brings_a_model, says_other_dimensions, has_weights_of_another_size,
    ],
)  # fmt: skip
def test_hostile_and_damaged_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]
) -> None:
    """No code in a folder is run; one sentence names the problem."""
    from tests.embedding import random_model

    monkeypatch.chdir(tmp_path)
    folder = random_model.write(tmp_path / "model", graph=False)
    damage(folder)
    with pytest.raises(ModelError) as caught:
        on_torch(folder)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.rglob("ran"))


def test_no_network_is_touched(plain: Path, tmp_path: Path) -> None:
    """A new process opens no socket, whatever its environment says."""
    code = f"""
import sys
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        print(event, arguments)
sys.addaudithook(watch)
from pathlib import Path
from notesearch.embedding.model_folder import Engine, ModelFolder
from notesearch.embedding.torch_engine import TorchEmbedder
made = TorchEmbedder(ModelFolder.read(Path({str(plain)!r})), "cpu")
made.embed_passages(["otters"]), made.embed_query("otters")
"""
    environment = {**os.environ, "HF_HOME": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "0"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True,
        env=environment,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("", "")
