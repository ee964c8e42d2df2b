"""The engine for every other model and for GPUs: sentence-transformers with PyTorch."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from notesearch.embedding import rounded, torch_runtime
from notesearch.embedding.files import is_ours
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.model import BATCH
from notesearch.embedding.passages import passage_window
from notesearch.embedding.pieces import LONGEST_PIECE, Pieces
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ON_GPU, ON_PROCESSOR = 256, 1
"""Passages embedded in one go; on a processor a query would wait for more."""


class TorchEmbedder:
    """An embedding model under sentence-transformers; fulfils ``Embedder``.

    One text or batch at a time: neither the library nor its tokenizers may be used by two threads
    at once. A query goes before the passages that wait. Where the folder's graph is one that this
    program rounded to eight bits, it rounds likewise, and no weights are needed beside that.
    """

    def __init__(self, folder: ModelFolder, device: str | None = None) -> None:
        """Load a model.

        Args:
            folder: Where it lies and how it is to be used.
            device: ``cuda``, ``mps`` or ``cpu``; by default the quickest there is.

        Raises:
            ModelError: The extra is not installed, or the files are damaged or hold something else.
        """
        rounds = is_ours(folder.graph)
        if folder.weights is None and not rounds:
            raise ModelError("model_without_safetensors", folder=str(folder.path))
        self._device = device or torch_runtime.device()
        self.fingerprint = folder.fingerprint
        self.engine = f"sentence-transformers on {self._device}"
        self._at_once = ON_PROCESSOR if self._device == "cpu" else ON_GPU
        self.batch = max(BATCH, self._at_once)
        self._folder = folder
        self._pieces = Pieces(folder.tokenizer, folder.window, lower_case=folder.lower_case)
        self.window = passage_window(folder, self._pieces)
        self._turns = Turns()
        self._model: Any = (
            rounded.load(folder, self._device)
            if rounds
            else torch_runtime.load("SentenceTransformer", folder.path, self._device)
        )
        self.dimensions = len(self.embed_query("a"))
        self._check()

    def close(self) -> None:
        """Let go of the model; whoever is embedding may finish."""
        self._model = None

    def count_pieces(self, text: str) -> int:
        """Return how many word pieces ``text`` has, without special pieces."""
        return self._pieces.count(text)

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one vector of unit length per text, shape ``(len(texts), dimensions)``.

        For a text of which the model makes none it is zero: the others must not wait for it.
        """
        import numpy as np

        made = [
            self._batch(texts[start : start + self._at_once])
            for start in range(0, len(texts), self._at_once)
        ]
        return np.concatenate(made) if made else np.empty((0, self.dimensions), np.float32)

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the vector of a search text, shape ``(dimensions,)``, unit length.

        Raises:
            ModelError: The model makes none of it.
        """
        with self._turns.first():
            made: NDArray[np.float32] = self._unit(
                self._encode("encode_query", self._folder.query_prompt, [text])
            )[0]
        if not made.any():
            raise ModelError("model_without_vectors", folder=str(self._folder.path))
        return made

    def _batch(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Embed passages together; where that asks too much of the GPU, by halves."""
        import numpy as np
        import torch

        made: NDArray[np.float32]
        try:
            with self._turns.later():
                made = self._unit(
                    self._encode("encode_document", self._folder.passage_prompt, texts)
                )
        except torch.OutOfMemoryError as error:
            if len(texts) < 2:
                raise ModelError("model_memory_full") from error
        else:
            return made
        half = len(texts) // 2
        return np.concatenate([self._batch(texts[:half]), self._batch(texts[half:])])

    def _encode(self, way: str, prompt: str, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np
        import torch

        model = self._model
        if model is None:
            raise ModelError("model_closed")
        longest = LONGEST_PIECE * self._folder.window
        clean = [text[:longest].encode("utf-8", "replace").decode() for text in texts]
        try:
            made = getattr(model, way)(
                clean, prompt=prompt, batch_size=self._at_once, show_progress_bar=False
            )
        except torch.OutOfMemoryError:
            raise
        except (RuntimeError, ValueError, IndexError) as error:
            reason = " ".join(str(error).split())[:200]
            folder = str(self._folder.path)
            raise ModelError("model_failed", folder=folder, error=reason) from error
        return np.asarray(made, np.float32)

    def _unit(self, made: "NDArray[np.float32]") -> "NDArray[np.float32]":
        import numpy as np

        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        usable = np.isfinite(lengths) & (lengths > 0)
        made[~usable[:, 0]], lengths[~usable] = 0, 1
        made /= lengths
        return made

    def _check(self) -> None:
        """Refuse vectors of another length than the folder says."""
        said, cut = self._folder.dimensions, self._folder.truncated
        if said and self.dimensions != min(said, cut or said):
            raise ModelError(
                "model_other_dimensions", folder=str(self._folder.path), dimensions=said
            )


class Turns:
    """Lets one thread at a time work, and those that ask to be first before the others."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy = False
        self._first = 0

    @contextmanager
    def first(self) -> Iterator[None]:
        """Wait only for who is working now."""
        with self._changed:
            self._first += 1
            self._changed.wait_for(lambda: not self._busy)
            self._first -= 1
            self._busy = True
        yield from self._working()

    @contextmanager
    def later(self) -> Iterator[None]:
        """Wait for everybody who asks to be first, too."""
        with self._changed:
            self._changed.wait_for(lambda: not self._busy and not self._first)
            self._busy = True
        yield from self._working()

    def _working(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
