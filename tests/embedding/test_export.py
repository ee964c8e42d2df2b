"""A model of PyTorch becomes an ONNX file of eight bits that says nearly the same."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from notesearch.config import Paths, Settings
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.onnx_engine import OnnxEmbedder
from notesearch.errors import ModelError
from notesearch.library import NoteLibrary
from tests.embedding.extra import needs_extra

pytestmark = needs_extra

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [f"{a} {b} {c}" for a in ("red", "otter") for b in ("swim", "a", "the") for c in ("s", ":")]


def test_an_exported_model_says_nearly_the_same(tmp_path: Path) -> None:
    from notesearch.embedding.export import export_model
    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder
    from tests.embedding import random_model

    source = random_model.write(tmp_path / "elsewhere" / "some", graph=False, size=32)
    (source / "pytorch_model.bin").write_bytes(b"a pickle")
    made = export_model(source, tmp_path / "models", "some", TEXTS)
    assert made.path == tmp_path / "models" / "some"
    assert not (made.path / "pytorch_model.bin").exists()
    assert made.cosine > 0.98
    assert 0 < made.agreement <= 1
    assert made.size == (made.path / "onnx" / "model_qint8.onnx").stat().st_size
    quick = OnnxEmbedder(ModelFolder.read(made.path))
    whole = TorchEmbedder(ModelFolder.read(source), "cpu")
    assert quick.fingerprint != whole.fingerprint, "nearly is not the same: see below"
    cosines = (quick.embed_passages(TEXTS) * whole.embed_passages(TEXTS)).sum(axis=1)
    assert np.mean(cosines) > 0.98


def test_pytorch_rounds_an_exported_model_likewise(tmp_path: Path) -> None:
    """On a GPU it makes the vectors of the exported file, and no others to one index."""
    from notesearch.embedding.export import export_model
    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder
    from tests.embedding import random_model

    source = random_model.write(tmp_path / "models" / "some", graph=False, size=32)
    made = export_model(source, tmp_path / "models", "some", TEXTS)
    folder = ModelFolder.read(source)
    rounded, exact = (TorchEmbedder(f, "cpu") for f in (folder, replace(folder, graph=None)))
    quick = OnnxEmbedder(folder).embed_passages(TEXTS)
    far = [1 - (quick * e.embed_passages(TEXTS)).sum(axis=1).mean() for e in (rounded, exact)]
    assert far[0] < 2e-7 < 1e-6 < far[1]
    again = export_model(source, tmp_path / "models", "some", TEXTS)
    assert again.cosine == pytest.approx(made.cosine, abs=2e-7), "compared as it was at first"


def test_an_index_from_before_is_searched_as_it_is_and_then_made_anew(tmp_path: Path) -> None:
    """No vector of the weights stands beside one of the eight-bit graph."""
    from notesearch.embedding.export import export_model
    from tests.embedding import random_model

    paths = Paths.choose(tmp_path / "home")
    source = random_model.write(paths.models / "some", graph=False, size=32)
    vault = tmp_path / "notes"
    vault.mkdir()
    for number, text in enumerate(TEXTS):
        (vault / f"{number}.md").write_text(f"# {text}\n\n{text}\n", encoding="utf-8")

    def opened() -> NoteLibrary:
        return NoteLibrary.open(vault, home=paths, settings=Settings(model="some"))

    with opened() as library:
        assert library.refresh().embedded == len(TEXTS)
        before = [(s.path, s.score) for s in library.search(TEXTS[0], mode="meaning").sections]
    export_model(source, paths.models, "some", TEXTS)
    with opened() as library:
        now = library.search(TEXTS[0], mode="meaning")
        assert [(s.path, s.score) for s in now.sections] == before, "asked with the weights, too"
        assert library.refresh().embedded == len(TEXTS)
        assert library.status().former_model == ""
        assert library.search(TEXTS[0], mode="meaning").meaning
        assert library.refresh().embedded == 0


def test_nothing_is_reported_to_the_makers_of_what_exports(tmp_path: Path) -> None:
    """ONNX Runtime would give the computer a name, in a file, as soon as it is loaded."""
    from tests.embedding import random_model

    source = random_model.write(tmp_path / "models" / "some", graph=False)
    (tmp_path / "tmp").mkdir()
    code = (
        "from pathlib import Path; from notesearch.embedding.export import export_model;"
        f" export_model(Path({str(source)!r}), Path({str(source.parent)!r}), 'some', {TEXTS!r})"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    environment = {name: environment[name] for name in environment if "TELEMETRY" not in name}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=ROOT)
    assert not [file for file in (tmp_path / "tmp").rglob("*") if file.is_file()]


def test_one_that_is_too_far_off_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from notesearch.embedding import export
    from tests.embedding import random_model

    source = random_model.write(tmp_path / "models" / "some", graph=False)
    monkeypatch.setattr(export, "_LEAST_COSINE", 1.1)
    with pytest.raises(ModelError, match="too far"):
        export.export_model(source, tmp_path / "models", "some", TEXTS)
    assert ModelFolder.read(source).graph is None
    with pytest.raises(ModelError, match="too far"):
        export.export_model(source, tmp_path / "elsewhere", "other", TEXTS)
    assert not (tmp_path / "elsewhere" / "other").exists(), "it would be listed as installed"
    assert ModelFolder.read(source)
