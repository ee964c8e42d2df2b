"""The built-in model reads English notes, the one beside it all others, in one space."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from notesearch.config import (
    BUILTIN_DIMENSIONS,
    BUILTIN_FINGERPRINT,
    BUILTIN_MODEL,
    PAIR_PREFIX,
    resources,
)
from notesearch.embedding.embedder import (
    Embedder,
    TwoModels,
    is_weaker_in_english,
    marked,
    model_of,
    query_vectors,
)
from notesearch.embedding.model_folder import folder_name
from notesearch.embedding.model_loader import ModelLoader, load_embedder
from notesearch.models import MULTILINGUAL as OFFERED
from tests.embedding import tiny_model

MULTILINGUAL = folder_name(OFFERED)


@pytest.fixture
def loader(tmp_path: Path) -> ModelLoader:
    described = {"word_embedding_dimension": len(tiny_model.COLOURS[0])}
    tiny_model.write(tmp_path / MULTILINGUAL, config=described)
    return ModelLoader(MULTILINGUAL, (resources() / "models", tmp_path))


def test_each_text_is_read_by_the_model_of_its_language(
    loader: ModelLoader, embedder: Embedder
) -> None:
    both = loader.get()
    assert isinstance(both, TwoModels)
    texts = ["red", marked(both, "en", "red"), marked(both, "de", "green")]
    first, english, other = both.embed_passages(texts)
    assert both.dimensions == BUILTIN_DIMENSIONS + both.other.dimensions == len(english)
    assert english[:BUILTIN_DIMENSIONS] == pytest.approx(embedder.embed_passages(["red"])[0])
    assert not english[BUILTIN_DIMENSIONS:].any()
    for vector, text in ((first, "red"), (other, "green")):
        assert not vector[:BUILTIN_DIMENSIONS].any()
        alone = both.other.embed_passages([text])[0]
        assert vector[BUILTIN_DIMENSIONS:] == pytest.approx(alone)


@pytest.mark.parametrize(
    ("languages", "only_english", "asked"),
    [
        (["en"], False, [True, True]),
        (["en", ""], True, [True, False]),
        (["de", ""], False, [False, True]),
        (["en", "ja"], False, [True, True]),
    ],
)
def test_only_models_that_made_vectors_are_asked_and_loaded(
    loader: ModelLoader, languages: list[str], only_english: bool, asked: list[bool]
) -> None:
    both = loader.get()
    assert isinstance(both, TwoModels)
    assert not both.has_other
    vectors = query_vectors(both, "red green", languages, only_english=only_english)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.array(asked, float), abs=1e-5)
    assert ["builtin" in vars(both), both.has_other] == asked, "a model is loaded for nothing"


def test_a_damaged_model_beside_the_built_in_one_says_why(
    loader: ModelLoader, tmp_path: Path
) -> None:
    model = tmp_path / MULTILINGUAL / "model.onnx"
    whole = model.read_bytes()
    model.write_bytes(b"no model")
    both = loader.get()
    assert isinstance(both, TwoModels)
    english = both.embed_passages([marked(both, "en", "red")])
    assert english.any()
    assert not loader.problem
    alone = both.fingerprint.removeprefix(PAIR_PREFIX)
    assert loader.by_fingerprint(alone, MULTILINGUAL) is None
    assert loader.problem
    model.write_bytes(whole)
    assert loader.get() is None, "loading is not tried again at each search"


def test_other_models_read_all_notes(tmp_path: Path, embedder: Embedder) -> None:
    tiny_model.write(tmp_path / "owner--better")
    alone = ModelLoader("owner--better", (resources() / "models", tmp_path)).get()
    assert alone is not None
    assert not isinstance(alone, TwoModels)
    assert model_of(alone, "en") is alone
    assert marked(alone, "en", "red") == "red"
    assert query_vectors(embedder, "red", ["en"]).shape == (1, BUILTIN_DIMENSIONS)


def test_the_engine_names_both_models_once_they_are_loaded(loader: ModelLoader) -> None:
    assert is_weaker_in_english(OFFERED)
    assert loader.engine == "", "nobody knows what can be loaded"
    both = loader.get()
    assert loader.engine == f"English notes: {BUILTIN_MODEL}"
    assert isinstance(both, TwoModels)
    assert both.other.dimensions
    assert loader.engine == f"ONNX Runtime on the processor; English notes: {BUILTIN_MODEL}"


def test_the_model_is_known_by_its_card_under_another_name(tmp_path: Path) -> None:
    card = tiny_model.write(tmp_path / "mine") / "README.md"
    card.write_text(f"---\nmodel-index:\n- name: {OFFERED}\n---\n", "utf-8")
    renamed = ModelLoader("mine", (resources() / "models", tmp_path))
    assert isinstance(renamed.get(), TwoModels)


def test_the_pair_is_found_again_after_another_model_was_chosen(
    loader: ModelLoader, tmp_path: Path
) -> None:
    both = loader.get()
    assert both is not None
    later = ModelLoader(BUILTIN_MODEL, (resources() / "models", tmp_path))
    former = later.by_fingerprint(both.fingerprint, MULTILINGUAL)
    assert isinstance(former, TwoModels)
    assert former.fingerprint == both.fingerprint
    alone = later.by_fingerprint(former.other.fingerprint, MULTILINGUAL)
    assert not isinstance(alone, TwoModels)


def test_an_index_of_the_other_model_alone_loads_it_only_once(loader: ModelLoader) -> None:
    both = loader.get()
    assert isinstance(both, TwoModels)
    assert loader.by_fingerprint(both.other.fingerprint, MULTILINGUAL) is both.other


def test_the_built_in_model_is_as_recorded(embedder: Embedder, tmp_path: Path) -> None:
    assert (embedder.fingerprint, embedder.dimensions) == (BUILTIN_FINGERPRINT, BUILTIN_DIMENSIONS)
    copied = shutil.copytree(resources() / "models" / BUILTIN_MODEL, tmp_path / MULTILINGUAL)
    assert load_embedder(str(copied)).dimensions == BUILTIN_DIMENSIONS
