"""The built-in model is as good as the float model, for any text."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding import onnx_engine
from notesearch.embedding.embedder import Embedder, piece_embedding
from notesearch.embedding.model_folder import ModelFolder
from notesearch.embedding.onnx_engine import OnnxEmbedder

REFERENCE = json.loads((Path(__file__).parent / "reference.json").read_text(encoding="utf-8"))
TEXTS: list[str] = REFERENCE["texts"]

STRANGE = {
    "nothing": "",
    "blanks": " \t\n\u3000\u200b",
    "control characters": "\x00\x01\x7f",
    "half an emoji": "\ud83d",
    "emoji": "👩‍👩‍👧‍👦🚲🏳️‍🌈",
    "one long word": "x" * 5000,
    "a megabyte": "lorem ipsum dolor " * 60_000,
    "a megabyte of blanks": " " * 1_000_000,
    "other scripts": "日本語 ไทย العربية हिन्दी",
    "special pieces": "[CLS] [SEP] [PAD] [MASK]",
}


def floats() -> NDArray[np.float32]:
    """Return the float model's vectors of ``TEXTS``."""
    packed = np.frombuffer(base64.b64decode(REFERENCE["float16"]), "<f2")
    return packed.astype(np.float32).reshape(len(TEXTS), REFERENCE["dimensions"])


def assert_unit(vectors: NDArray[np.float32]) -> None:
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=-1), 1, atol=1e-5)


def test_its_properties(embedder: Embedder) -> None:
    assert embedder.dimensions == 384
    assert embedder.window == 256
    assert embedder.fingerprint.startswith(BUILTIN_MODEL)


def test_it_gives_a_vector_for_each_word_piece_as_well(embedder: Embedder) -> None:
    embed = piece_embedding(embedder)
    assert embed is not None
    texts = ["otter", "The river otter eats fish.", "", "日本語"]
    found = embed(texts)
    assert [len(vectors) for vectors in found] == [embedder.count_tokens(t) for t in texts]
    for vectors in found:
        assert vectors.shape[1] == 384
        assert_unit(vectors)
    otter, river, *_ = found
    assert (otter @ river.T).argmax(axis=1).tolist() == [2], "the third word is the otter"


def test_vectors_are_those_of_the_float_model(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert_unit(vectors)
    cosines = (vectors * floats()).sum(axis=1)
    assert cosines.mean() >= 0.995
    assert cosines.min() >= 0.985


def test_similarities_are_those_of_the_float_model(embedder: Embedder) -> None:
    ours, theirs = embedder.embed_passages(TEXTS), floats()
    assert np.abs(ours @ ours.T - theirs @ theirs.T).max() < 0.06


def test_similar_meaning_without_a_common_word(embedder: Embedder) -> None:
    answers = [
        "Feed the sourdough with flour and water before every journey.",
        "The boiler is replaced in March; the rent stays the same.",
        "We took the early train to Arashiyama.",
    ]
    vectors = embedder.embed_passages(answers)
    for number, query in enumerate(("bread baking", "landlord and heating", "a trip in Japan")):
        assert np.argmax(vectors @ embedder.embed_query(query)) == number


def test_a_text_has_the_same_vector_in_any_batch(embedder: Embedder) -> None:
    together = embedder.embed_passages(TEXTS)
    turned = embedder.embed_passages(TEXTS[::-1])[::-1]
    alone = np.stack([embedder.embed_query(text) for text in TEXTS])
    assert np.array_equal(together, turned)
    assert np.array_equal(together, alone)


def test_no_text_no_vector(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, 384)


@pytest.mark.fault("E12")
@pytest.mark.parametrize("text", STRANGE.values(), ids=list(STRANGE))
def test_strange_text_has_a_vector(embedder: Embedder, text: str) -> None:
    assert_unit(embedder.embed_query(text))
    assert embedder.count_tokens(text) >= 0


@pytest.mark.fault("E12")
@given(text=st.text(st.characters(), max_size=400))
@settings(max_examples=60)
def test_any_text_has_a_vector(embedder: Embedder, text: str) -> None:
    assert_unit(embedder.embed_query(text))
    assert embedder.count_tokens(text) <= 2 * len(text.encode("utf-8", "replace"))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", 0),
        ("sleep", 1),
        ("sleep early", 2),
        ("unbelievably", 5),
        ("well-known", 3),
        ("Café", 1),
        ("京都", 2),
        ("x" * 101, 1),
    ],
)
def test_tokens_are_counted(embedder: Embedder, text: str, pieces: int) -> None:
    assert embedder.count_tokens(text) == pieces


def test_tokens_of_words_add_up(embedder: Embedder) -> None:
    for text in TEXTS:
        assert embedder.count_tokens(text) == sum(map(embedder.count_tokens, text.split()))


@pytest.mark.fault(
    "E11",
    row="E11, E12",
    fault="No text, one character, a million, more than the model's window",
    outcome="Passages fit; vectors are finite unit vectors",
)
def test_the_window_is_used_to_its_end_and_no_further(embedder: Embedder) -> None:
    room = embedder.window - 2
    full = "tea " * room
    assert embedder.count_tokens(full) == room
    vector = embedder.embed_query(full)
    assert np.array_equal(vector, embedder.embed_query(full + "and what comes after"))
    assert not np.array_equal(vector, embedder.embed_query("tea " * (room - 1) + "storm"))


@pytest.mark.fault(
    "E14",
    fault="A query while notes are indexed",
    outcome="Its vector does not wait",
)
@pytest.mark.fault(
    "E8",
    row="E8, E10",
    fault="Many threads at once",
    outcome="The same results; four threads at most",
)
def test_threads_do_not_change_the_result(embedder: Embedder) -> None:
    alone = embedder.embed_passages(TEXTS)
    counts = [embedder.count_tokens(text) for text in TEXTS]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(embedder.embed_passages, [TEXTS] * 8))
        counted = list(pool.map(embedder.count_tokens, TEXTS * 8))
    assert all(np.array_equal(alone, vectors) for vectors in together)
    assert counted == counts * 8


@pytest.mark.fault("E10")
def test_cores_change_the_time_not_the_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    folder, vectors = ModelFolder.read(resources() / "models" / BUILTIN_MODEL), []
    for cores in (1, 2):
        monkeypatch.setattr(onnx_engine, "core_count", partial(int, cores))
        vectors.append(OnnxEmbedder(folder).embed_passages(TEXTS[:6]))
    assert np.array_equal(vectors[0], vectors[1])
