"""Embedders turn text into vectors: their protocol, and their optional abilities."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

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
