"""Embedders turn text into vectors: their protocol, their optional abilities, and two as one."""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from notesearch.config import BUILTIN_DIMENSIONS, BUILTIN_MODEL, PAIR_PREFIX

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """A loaded embedding model. Any thread may use it at any time.

    Only vectors with the same ``fingerprint``, of the model and its engine, can be compared.
    """

    fingerprint: str
    dimensions: int

    @property
    def window(self) -> int:
        """How many tokens of a passage are embedded at most, including the special tokens."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text of any length has, without special tokens."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one unit vector per text, shape ``(len(texts), dimensions)``."""
        ...

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the unit vector of a query, shape ``(dimensions,)``."""
        ...


DEFAULT_BATCH = 32
"""Passages per call of ``embed_passages`` for an embedder without an attribute ``batch``."""


def batch_size(embedder: Embedder) -> int:
    """Return how many passages one call of ``embed_passages`` should get."""
    return int(getattr(embedder, "batch", DEFAULT_BATCH))


PieceEmbedding = Callable[[Sequence[str]], "list[NDArray[np.float32]]"]
"""Returns the unit vectors of the word pieces of each text, shape ``(pieces, dimensions)``."""


def piece_embedding(embedder: Embedder) -> PieceEmbedding | None:
    """Return the function that embeds each word piece (token) of a text; None if there is none."""
    has_them = getattr(embedder, "gives_pieces", False)
    return getattr(embedder, "embed_pieces", None) if has_them else None


def unit_rows(rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Return ``rows`` with the length 1; an unusable row becomes zeros."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    usable = np.isfinite(lengths) & (lengths > 0)
    units: NDArray[np.float32] = np.divide(rows, lengths, out=np.zeros_like(rows), where=usable)
    return units


UNRELATED = (
    "The train to the coast leaves at seven.",
    "My grandmother baked bread with rye flour.",
    "The database index was rebuilt last night.",
    "He planted tomatoes behind the garage.",
    "Taxes are due at the end of April.",
    "The guitar needs new strings before the concert.",
)
"""Texts about different things, by which ``unrelated_pieces`` and the center are measured."""

USUALLY_UNRELATED = 0.1127
"""What ``unrelated_pieces`` returns for the built-in model."""

_LEAST_COSINE = 0.05
"""Lower cosines of word pieces count as this one, because a geometric mean needs positive ones."""


def nearest_pieces(one: "NDArray[np.float32]", other: "NDArray[np.float32]") -> float:
    """Return how near the word pieces of ``one`` are to their nearest pieces of ``other``.

    Both are the unit vectors of the word pieces of a text, shape (pieces, dimensions).

    This is late interaction (Khattab and Zaharia, ColBERT, 2020), with the geometric mean in place
    of the sum. So a piece that resembles nothing in ``other`` counts more.
    """
    import numpy as np

    if not one.size or not other.size:
        return 0.0
    # A matrix product would wake the threads of BLAS, which wait busily.
    nearest = np.einsum("ij,kj->ik", one, other).max(axis=1)
    return float(np.exp(np.log(np.maximum(nearest, _LEAST_COSINE)).mean()))


def unrelated_pieces(embedder: Embedder) -> float:
    """Return the typical result of ``nearest_pieces`` for texts about different subjects."""
    return float(getattr(embedder, "unrelated_pieces", USUALLY_UNRELATED))


def engine_name(embedder: Embedder) -> str:
    """Return the engine and the device of ``embedder`` in words; empty if unknown."""
    return str(getattr(embedder, "engine", ""))


_ENGLISH = "en"
_MARK = "en\n"
"""Begins each English text that is to be embedded."""

_WEAKER_IN_ENGLISH = re.compile(r"\bmultilingual-e5-small\b")
"""Names and fingerprints of models that read English notes worse than the built-in one, as
measured (docs/models.md)."""


class TwoModels:
    """The built-in model for English text, and another one for all other text; an ``Embedder``.

    The vectors of both have a common form: a part for each model. In the vector of an English text,
    the part of the other model is zero; in any other vector, the part of the built-in model is
    zero. So each vector is compared only with the query vector of its own model.

    ``embed_query`` asks only ``other``; ``query_vectors`` asks both. Each model is loaded when it
    is needed.
    """

    def __init__(
        self,
        fingerprint: str,
        dimensions: int,
        load_other: Callable[[], Embedder],
        load_builtin: Callable[[], Embedder],
    ) -> None:
        """Combine the built-in model with another one; the functions load each when it is needed.

        ``fingerprint`` and ``dimensions`` are those of the other model. ``load_other`` may raise
        ModelError.
        """
        self.fingerprint = PAIR_PREFIX + fingerprint
        self.dimensions = BUILTIN_DIMENSIONS + dimensions
        self._load_other = load_other
        self._load_builtin = load_builtin
        self._lock = Lock()

    @property
    def other(self) -> Embedder:
        """The other model; raises ModelError if it cannot be loaded."""
        with self._lock:
            return self._loaded_other

    @cached_property
    def _loaded_other(self) -> Embedder:
        return self._load_other()

    @cached_property
    def builtin(self) -> Embedder:
        """The built-in model."""
        return self._load_builtin()

    @property
    def window(self) -> int:
        """The maximum number of tokens that the other model reads."""
        return self.other.window

    @property
    def has_other(self) -> bool:
        """Whether the other model is loaded."""
        return "_loaded_other" in vars(self)

    @property
    def batch(self) -> int:
        """Passages per call of ``embed_passages``."""
        return batch_size(self.other) if self.has_other else DEFAULT_BATCH

    @property
    def engine(self) -> str:
        """The engines of the loaded models in words."""
        builtin = f"English notes: {BUILTIN_MODEL}"
        return f"{engine_name(self.other)}; {builtin}" if self.has_other else builtin

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has by the other model."""
        return self.other.count_tokens(text)

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one unit vector per text, shape ``(len(texts), dimensions)``."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        english = [n for n, text in enumerate(texts) if text.startswith(_MARK)]
        others = [n for n, text in enumerate(texts) if not text.startswith(_MARK)]
        if english:
            plain = [texts[n].removeprefix(_MARK) for n in english]
            vectors[english, :BUILTIN_DIMENSIONS] = self.builtin.embed_passages(plain)
        if others:
            plain = [texts[n] for n in others]
            vectors[others, BUILTIN_DIMENSIONS:] = self.other.embed_passages(plain)
        return vectors

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the unit vector of a query for notes that are not English."""
        import numpy as np

        vector = np.zeros(self.dimensions, np.float32)
        vector[BUILTIN_DIMENSIONS:] = self.other.embed_query(text)
        return vector


def is_weaker_in_english(name: str) -> bool:
    """Return whether the built-in model embeds English text better than the model ``name``."""
    return bool(_WEAKER_IN_ENGLISH.search(name))


def model_of(model: Embedder, language: str) -> Embedder:
    """Return the model that embeds text in ``language``: ``model``, or one of its two."""
    if not isinstance(model, TwoModels):
        return model
    return model.builtin if language == _ENGLISH else model.other


def marked(model: Embedder, language: str, text: str) -> str:
    """Return ``text``, marked if ``model`` needs to know that its ``language`` is English."""
    is_english = isinstance(model, TwoModels) and language == _ENGLISH
    return f"{_MARK}{text}" if is_english else text


def query_vectors(
    model: Embedder, text: str, languages: Collection[str], *, only_english: bool = False
) -> "NDArray[np.float32]":
    """Return the vectors of a query, one for each model, shape ``(models, dimensions)``.

    If a model made no vectors of the index, its vector is zero. That is the built-in model if
    English is not in ``languages``, and the other model if ``only_english``.
    """
    import numpy as np

    if not isinstance(model, TwoModels):
        return model.embed_query(text)[None]
    vectors = np.zeros((2, model.dimensions), np.float32)
    if _ENGLISH in languages:
        vectors[0, :BUILTIN_DIMENSIONS] = model.builtin.embed_query(text)
    if not only_english:  # an English note may have sections in other languages
        vectors[1] = model.embed_query(text)
    return vectors


def main_model(model: Embedder, *, only_english: bool) -> Embedder:
    """Return the model that embeds most notes: ``model``, or one of its two.

    Of two models, that is the built-in one if it made all vectors of the index (``only_english``);
    else the other one.
    """
    return model_of(model, _ENGLISH if only_english else "")
