"""A model of PyTorch is exported to an 8-bit ONNX file with nearly the same vectors."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from notesearch.config import Paths, Settings
from notesearch.embedding.model_folder import Engine, ModelFolder, find_graph
from notesearch.embedding.onnx_embedder import OnnxEmbedder
from notesearch.errors import ModelError
from notesearch.library import NoteLibrary
from notesearch.models import export
from tests.embedding.extra import needs_extra

pytestmark = needs_extra

TEXTS = [f"{a} {b} {c}" for a in ("red", "otter") for b in ("swim", "a", "the") for c in ("s", ":")]


def test_an_exported_model_makes_nearly_the_same_vectors(tmp_path: Path) -> None:
    from notesearch.embedding.torch_embedder import TorchEmbedder
    from tests.embedding import random_model

    paths = Paths.choose(tmp_path / "home")
    source = random_model.write(tmp_path / "elsewhere" / "some", graph=False, size=32)
    (source / "pytorch_model.bin").write_bytes(b"a pickle")
    made = export(paths, str(source), TEXTS)
    assert made.path == paths.models / "some"
    assert not (made.path / "pytorch_model.bin").exists()
    assert made.cosine > 0.98
    assert 0 < made.agreement <= 1
    assert made.size == (made.path / "onnx" / "model_qint8.onnx").stat().st_size
    quick = OnnxEmbedder(ModelFolder.read(made.path, Engine.ONNX))
    whole = TorchEmbedder(ModelFolder.read(source, Engine.TORCH), "cpu")
    assert quick.fingerprint != whole.fingerprint
    cosines = (quick.embed_passages(TEXTS) * whole.embed_passages(TEXTS)).sum(axis=1)
    assert np.mean(cosines) > 0.98
    assert find_graph(source) is None, "the original stays as it is"


def test_an_older_index_is_searched_with_the_weights_until_it_is_new(
    tmp_path: Path,
) -> None:
    """Vectors of the weights are never mixed with vectors of the 8-bit graph."""
    from tests.embedding import random_model

    paths = Paths.choose(tmp_path / "home")
    random_model.write(paths.models / "some", graph=False, size=32)
    vault = tmp_path / "notes"
    vault.mkdir()
    for number, text in enumerate(TEXTS):
        (vault / f"{number}.md").write_text(f"# {text}\n\n{text}\n", encoding="utf-8")

    def opened() -> NoteLibrary:
        return NoteLibrary.open(vault, home=paths, settings=Settings(model="some"))

    with opened() as library:
        assert library.refresh().embedded == len(TEXTS)
        before = [(s.path, s.score) for s in library.search(TEXTS[0], mode="meaning").sections]
    export(paths, "some", TEXTS)
    with opened() as library:
        now = library.search(TEXTS[0], mode="meaning")
        assert [(s.path, s.score) for s in now.sections] == before, "queries use the weights, too"
        assert library.refresh().embedded == len(TEXTS)
        assert library.status().former_model == ""
        assert library.search(TEXTS[0], mode="meaning").meaning
        assert library.refresh().embedded == 0


def test_exporting_reports_nothing(tmp_path: Path) -> None:
    """ONNX Runtime would write a file with a name for the computer as soon as it is loaded."""
    from tests.embedding import random_model

    source = random_model.write(tmp_path / "models" / "some", graph=False)
    (tmp_path / "tmp").mkdir()
    code = (
        "from pathlib import Path; from notesearch.embedding.export import export_model;"
        f" export_model(Path({str(source)!r}), {TEXTS!r})"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    environment = {name: environment[name] for name in environment if "TELEMETRY" not in name}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert not [file for file in (tmp_path / "tmp").rglob("*") if file.is_file()]


def test_an_inexact_export_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.embedding import random_model

    paths = Paths.choose(tmp_path / "home")
    source = random_model.write(paths.models / "some", graph=False)
    other = random_model.write(tmp_path / "other", graph=False)
    monkeypatch.setattr("notesearch.embedding.export._LEAST_COSINE", 1.1)
    for name in ("some", str(other)):
        with pytest.raises(ModelError, match="differs too much"):
            export(paths, name, TEXTS)
    assert ModelFolder.read(source).graph is None
    assert [path.name for path in paths.models.iterdir()] == ["some"]
