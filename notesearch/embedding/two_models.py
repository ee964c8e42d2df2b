"""Two models side by side: the built-in one embeds English text, a multilingual one all other text.

The vectors of both have a common form: a part for each model. In the vector of an English text, the
part of the multilingual model is zero; in any other vector, that of the built-in model is zero. So
each vector is compared only with the query vector of its own model.
"""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from notesearch.config import BUILTIN_DIMENSIONS, BUILTIN_MODEL, PAIR
from notesearch.embedding.embedder import Embedder, batch_size, engine_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ENGLISH = "en"
_MARK = "en\n"
"""Begins each English text that is to be embedded."""

_WEAKER_IN_ENGLISH = re.compile(r"\bmultilingual-e5-small\b")
"""Names and fingerprints of models that read English notes worse than the built-in one, as
measured (docs/models.md)."""


class TwoModels:
    """The built-in model for English text, and another one for all other text; an ``Embedder``.

    The module describes the form of the vectors. ``marked`` marks the English passages.
    ``embed_query`` asks only ``other``; ``embed_english_query`` asks only the built-in model.

    Attributes:
        other: The other model.
    """

    def __init__(self, other: Embedder, load_builtin: Callable[[], Embedder]) -> None:
        """Combine ``other`` with the built-in model, which ``load_builtin`` loads if needed."""
        self.other = other
        self._load_builtin = load_builtin
        self.fingerprint = PAIR + other.fingerprint
        self.dimensions = BUILTIN_DIMENSIONS + other.dimensions
        self.window = other.window
        self.batch = batch_size(other)
        self.engine = engine_of_both(engine_name(other))
        self.count_tokens = other.count_tokens

    @cached_property
    def builtin(self) -> Embedder:
        """The built-in model."""
        return self._load_builtin()

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
        return self._in_parts(other=self.other.embed_query(text))

    def embed_english_query(self, text: str) -> "NDArray[np.float32]":
        """Return the unit vector of a query for English notes."""
        return self._in_parts(english=self.builtin.embed_query(text))

    def _in_parts(
        self,
        english: "NDArray[np.float32] | None" = None,
        other: "NDArray[np.float32] | None" = None,
    ) -> "NDArray[np.float32]":
        import numpy as np

        vector = np.zeros(self.dimensions, np.float32)
        if english is not None:
            vector[:BUILTIN_DIMENSIONS] = english
        if other is not None:
            vector[BUILTIN_DIMENSIONS:] = other
        return vector


def is_weaker_in_english(name: str) -> bool:
    """Return whether the built-in model embeds English text better than the model ``name``."""
    return bool(_WEAKER_IN_ENGLISH.search(name))


def engine_of_both(engine: str) -> str:
    """Return a text that names the built-in model, and the ``engine`` of the model beside it."""
    return f"{engine}; English notes: {BUILTIN_MODEL}"


def beside_builtin(model: Embedder, load_builtin: Callable[[], Embedder]) -> Embedder:
    """Return ``model``, combined with the built-in model if that is better at English."""
    is_weaker = is_weaker_in_english(model.fingerprint)
    return TwoModels(model, load_builtin) if is_weaker else model


def reader_of(model: Embedder, language: str) -> Embedder:
    """Return the model that embeds text in ``language``: ``model``, or one of its two."""
    if not isinstance(model, TwoModels):
        return model
    return model.builtin if language == _ENGLISH else model.other


def marked(model: Embedder, language: str, text: str) -> str:
    """Return ``text``, marked if ``model`` needs to know that its ``language`` is English."""
    is_english = isinstance(model, TwoModels) and language == _ENGLISH
    return f"{_MARK}{text}" if is_english else text


def query_vectors(model: Embedder, text: str, languages: Collection[str]) -> "NDArray[np.float32]":
    """Return the vectors of a query, one for each model, shape ``(models, dimensions)``.

    ``languages`` are the languages of the notes. If there are two models but English is not among
    ``languages``, the vector of the built-in model is zero.
    """
    import numpy as np

    if not isinstance(model, TwoModels):
        return model.embed_query(text)[None]
    vectors = np.zeros((2, model.dimensions), np.float32)
    if _ENGLISH in languages:
        vectors[0] = model.embed_english_query(text)
    vectors[1] = model.embed_query(text)  # an English note may have sections in other languages
    return vectors
