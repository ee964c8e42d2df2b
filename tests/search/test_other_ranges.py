"""A model whose cosines are all high finds the same as the built-in one, and no nonsense."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from notesearch.config import BUILTIN_FINGERPRINT, resources
from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from tests.quality import labels

SHARED = 0.75
"""The common part of all vectors: two distant ones have this cosine."""

NONSENSE = ("tzzk ppoo", "xqzt vbnm", "snarfle wug")


class Narrow:
    """The built-in model with its cosines squeezed between 0.75 and 1: an ``Embedder``.

    As in real models, the common part is spread over all components.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.fingerprint = "narrow"
        self.dimensions = 2 * embedder.dimensions
        self.window = embedder.window
        self.count_tokens = embedder.count_tokens
        self._embedder = embedder
        random = np.random.default_rng(1).standard_normal((self.dimensions, self.dimensions))
        self._rotation = np.linalg.qr(random)[0].astype(np.float32)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._squeezed(self._embedder.embed_passages(texts))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._squeezed(self._embedder.embed_query(text)[None])[0]
        return vector

    def _squeezed(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        same = np.full_like(vectors, np.sqrt(SHARED / vectors.shape[1]))
        squeezed = np.hstack([same, vectors * np.float32(np.sqrt(1 - SHARED))])
        return np.asarray(squeezed @ self._rotation)


class Whole:
    """The built-in model without its word pieces, which the other one does not give either."""

    def __init__(self, embedder: Embedder) -> None:
        self.fingerprint, self.dimensions = embedder.fingerprint, embedder.dimensions
        self.window, self.count_tokens = embedder.window, embedder.count_tokens
        self.embed_query, self.embed_passages = embedder.embed_query, embedder.embed_passages


@pytest.fixture(scope="module")
def both(
    embedder: Embedder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[NoteLibrary, NoteLibrary]]:
    """The sample notes indexed by the built-in model, and by the same model in another range."""
    vault, home = resources() / "sample-vault", tmp_path_factory.mktemp("ranges")
    with (
        NoteLibrary.open(vault, home=home / "usual", embedder=Whole(embedder)) as usual,
        NoteLibrary.open(vault, home=home / "narrow", embedder=Narrow(embedder)) as narrow,
    ):
        usual.refresh()
        narrow.refresh()
        yield usual, narrow


def test_the_usual_range_is_that_of_the_built_in_model(embedder: Embedder) -> None:
    assert embedder.fingerprint == BUILTIN_FINGERPRINT


def found(library: NoteLibrary, text: str, mode: Mode) -> list[tuple[str, int]]:
    return [(s.path, s.line) for s in library.search(text, limit=10, mode=mode).sections]


@pytest.mark.parametrize("mode", [Mode.MEANING, Mode.HYBRID])
def test_the_same_sections_are_found(both: tuple[NoteLibrary, NoteLibrary], mode: Mode) -> None:
    texts = [asked.text for asked in labels.sample()[::4]]
    pairs = [[found(library, text, mode) for library in both] for text in texts]
    assert all(one for one, _ in pairs)
    shared = [len({*one[:5]} & {*other[:5]}) / min(5, len(one)) for one, other in pairs]
    assert np.mean(shared) >= 0.78
    counts = [sum(map(len, of_one)) for of_one in zip(*pairs, strict=True)]
    assert counts[1] == pytest.approx(counts[0], rel=0.25)
    assert np.mean([one[0] == other[0] for one, other in pairs if other]) >= 0.85


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_finds_nothing(both: tuple[NoteLibrary, NoteLibrary], text: str) -> None:
    assert [found(library, text, Mode.HYBRID) for library in both] == [[], []]


def test_the_same_number_of_sections_is_related(both: tuple[NoteLibrary, NoteLibrary]) -> None:
    usual, _ = both
    notes = [path for path, _ in usual.note_names()]
    counts = [[len(library.related(note, limit=50)) for note in notes] for library in both]
    assert sum(counts[1]) == pytest.approx(sum(counts[0]), rel=0.25)


def test_a_small_vault_keeps_the_usual_range(
    embedder: Embedder, vault: Path, tmp_path: Path
) -> None:
    (vault / "tea.md").write_text("# Tea\n\nSteep the leaves for three minutes.\n")
    (vault / "car.md").write_text("# Car\n\nThe brakes were replaced in March.\n")
    with NoteLibrary.open(vault, home=tmp_path / "home", embedder=Narrow(embedder)) as library:
        library.refresh()
        assert found(library, "a hot drink", Mode.MEANING)[0][0] == "tea.md"
