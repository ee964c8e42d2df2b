"""A model without a model: vectors that depend on nothing but the text, and cost nothing."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class QuickModel:
    """An embedder that counts the texts that it embeds."""

    fingerprint, salt = "quick", ""
    dimensions = 64
    window = 60

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def count_tokens(self, text: str) -> int:
        """Count every word as one piece."""
        return len(text.split())

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a unit vector for each text."""
        self.embedded += texts
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of ``text``."""
        text = f"{text}{self.salt}"
        seed = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
        made = np.random.default_rng(list(seed)).standard_normal(self.dimensions)
        return np.asarray(made / np.linalg.norm(made), dtype=np.float32)


class OtherModel(QuickModel):
    """Gives other vectors."""

    fingerprint, salt = "other", "."
