"""The engine for models without an ONNX file and for GPUs: sentence-transformers on PyTorch."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from notesearch.embedding import torch_runtime
from notesearch.embedding.embedder import DEFAULT_BATCH
from notesearch.embedding.model_folder import Engine, ModelFolder
from notesearch.embedding.model_tokenizer import LONGEST_TOKEN, ModelTokenizer, passage_window
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH_ON_GPU = 256
_BATCH_ON_PROCESSOR = 1
"""In a larger batch, a query would have to wait longer for its turn."""


class TorchEmbedder:
    """An embedding model run by sentence-transformers; implements ``Embedder``.

    Embeds one batch at a time, because two threads may not use the library at once.
    """

    def __init__(self, folder: ModelFolder, device: str | None = None) -> None:
        """Load the model in ``folder`` on ``device``: ``cuda``, ``mps`` or ``cpu``.

        Without a ``device``, the fastest one of this computer is chosen.

        Raises:
            ModelError: The extra is not installed, or the files are damaged or hold something
                else.
        """
        if folder.weights is None:
            raise ModelError("model_without_safetensors", folder=str(folder.path))
        self._device = device or torch_runtime.device()
        self.fingerprint = folder.fingerprint
        self.engine = f"{Engine.TORCH} on {self._device}"
        self._batch_size = _BATCH_ON_PROCESSOR if self._device == "cpu" else _BATCH_ON_GPU
        self.batch = max(DEFAULT_BATCH, self._batch_size)
        self._folder = folder
        self._tokenizer = ModelTokenizer.of_folder(folder)
        self.window = passage_window(folder, self._tokenizer)
        self._queue = threading.Lock()
        self._in_use = threading.Lock()
        self._model: Any = torch_runtime.load("SentenceTransformer", folder.path, self._device)
        self.dimensions = len(self.embed_query("a"))
        self._check_dimensions()

    def count_tokens(self, text: str) -> int:
        """Return how many tokens ``text`` has, without special tokens."""
        return self._tokenizer.count(text)

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one unit vector per text, shape (texts, dimensions); zeros if unusable."""
        import numpy as np

        batches = [
            self._embed_batch(texts[start : start + self._batch_size])
            for start in range(0, len(texts), self._batch_size)
        ]
        return np.concatenate(batches) if batches else np.empty((0, self.dimensions), np.float32)

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the unit vector of a query, shape ``(dimensions,)``.

        Raises:
            ModelError: The model makes no usable vector of the query.
        """
        with self._turn():
            encoded = self._encode("encode_query", self._folder.query_prompt, [text])
            vector: NDArray[np.float32] = _normalised(encoded)[0]
        if not vector.any():
            raise ModelError("model_without_vectors", folder=str(self._folder.path))
        return vector

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Use the model alone during the block.

        A thread that embeds batches queues again for each one, so that a query in
        another thread comes before the next batch.
        """
        with self._queue:
            self._in_use.acquire()
        try:
            yield
        finally:
            self._in_use.release()

    def _embed_batch(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Embed passages together; in two halves if the GPU has too little memory."""
        import numpy as np
        import torch

        try:
            with self._turn():
                encoded = self._encode("encode_document", self._folder.passage_prompt, texts)
                return _normalised(encoded)
        except torch.OutOfMemoryError as error:
            if len(texts) < 2:
                raise ModelError("model_memory_full") from error
        half = len(texts) // 2
        return np.concatenate([self._embed_batch(texts[:half]), self._embed_batch(texts[half:])])

    def _encode(self, method: str, prompt: str, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np
        import torch

        longest = LONGEST_TOKEN * self._folder.window
        clean = [text[:longest].encode("utf-8", "replace").decode() for text in texts]
        try:
            encoded = getattr(self._model, method)(
                clean, prompt=prompt, batch_size=self._batch_size, show_progress_bar=False
            )
        except torch.OutOfMemoryError:
            raise
        except (RuntimeError, ValueError, IndexError) as error:
            reason = " ".join(str(error).split())[:200]
            folder = str(self._folder.path)
            raise ModelError("model_failed", folder=folder, error=reason) from error
        return np.asarray(encoded, np.float32)

    def _check_dimensions(self) -> None:
        expected = self._folder.dimensions
        kept_dimensions = self._folder.kept_dimensions
        if expected and self.dimensions != min(expected, kept_dimensions or expected):
            raise ModelError(
                "model_other_dimensions", folder=str(self._folder.path), dimensions=expected
            )


def _normalised(vectors: "NDArray[np.float32]") -> "NDArray[np.float32]":
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    usable = np.isfinite(lengths) & (lengths > 0)
    vectors[~usable[:, 0]] = 0
    lengths[~usable] = 1
    vectors /= lengths
    return vectors
