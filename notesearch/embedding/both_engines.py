"""One model under both engines: queries on the processor at once, many passages on the GPU."""

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from notesearch.embedding import torch_runtime
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.onnx_engine import OnnxEmbedder
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

log = logging.getLogger(__name__)

MANY = 128
"""Passages at once that are worth the seconds in which PyTorch is loaded."""


class BothEngines:
    """A model that has an ONNX file, and safetensors or none needed; fulfils ``Embedder``.

    Both engines give nearly the same vectors, so that one index serves both.
    """

    batch = 256

    def __init__(self, quick: OnnxEmbedder, folder: ModelFolder) -> None:
        """Take the loaded quick engine; the other one is loaded for the first many passages."""
        self.fingerprint = quick.fingerprint
        self.dimensions = quick.dimensions
        self.window = quick.window
        self.count_pieces = quick.count_pieces
        self.embed_query = quick.embed_query
        self._quick = quick
        self._folder = folder
        self._lock = threading.Lock()
        self._bulk: TorchEmbedder | None = None
        self._asked = False

    @property
    def engine(self) -> str:
        """What runs it now."""
        if self._bulk is None:
            return self._quick.engine
        return f"{self._quick.engine}, many passages by {self._bulk.engine}"

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one vector of unit length per text, shape ``(len(texts), dimensions)``."""
        bulk = self._for_many() if len(texts) >= MANY else self._bulk
        return (bulk or self._quick).embed_passages(texts)

    def _for_many(self) -> "TorchEmbedder | None":
        with self._lock:
            if not self._asked:
                self._asked = True
                self._bulk = self._load()
            return self._bulk

    def _load(self) -> "TorchEmbedder | None":
        from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

        try:
            device = torch_runtime.device()
            return None if device == "cpu" else TorchEmbedder(self._folder, device)
        except ModelError as error:
            log.warning("the GPU is not used: %s", error)
            return None
