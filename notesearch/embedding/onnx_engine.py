"""The built-in engine: ONNX Runtime on the processor, with the tokenizer of the model's folder."""

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.embedding.folder import ModelFolder, Step
from notesearch.embedding.onnx_session import Graph, cores, import_runtime
from notesearch.embedding.passages import passage_window
from notesearch.embedding.pieces import Pieces
from notesearch.embedding.pooling import Dense, pooled
from notesearch.embedding.torch_runtime import EXTRA
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEPS = ("Transformer", "Pooling", "Dense", "Normalize")


class OnnxEmbedder:
    """An embedding model in ONNX form; fulfils ``Embedder``.

    Texts are embedded each by itself, as many at once as there are cores. Batches bring a processor
    no speed here, cost memory, and make a text's vector depend on its neighbours; alone it has the
    same vector for ever, and a query waits for no batch. Nothing changes after loading, so that
    threads need no lock.
    """

    engine = "ONNX Runtime on the processor"

    def __init__(self, folder: ModelFolder, threads: int | None = None) -> None:
        """Load a model.

        Args:
            folder: Where it lies and how it is to be used.
            threads: How many texts at once, each on one core; by default as many as there are
                cores, four at most.

        Raises:
            ModelError: Its files are damaged or hold something else.
        """
        _check_steps(folder)
        if folder.graph is None:
            raise ModelError("model_needs_extra", folder=str(folder.path), extra=EXTRA)
        self.fingerprint = folder.fingerprint
        self._folder = folder
        self._threads = threads or cores()
        self._pieces, self._graph = _loaded(folder, folder.graph)
        self.window = passage_window(folder, self._pieces)
        self.dimensions = len(self.embed_query("a"))

    def close(self) -> None:
        """Let go of the model; whoever is embedding may finish."""
        self._graph.close()

    def count_pieces(self, text: str) -> int:
        """Return how many word pieces ``text`` has, without special pieces."""
        return self._pieces.count(text)

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one vector of unit length per text, shape ``(len(texts), dimensions)``.

        For a text of which the model makes none it is zero: the others must not wait for it.
        """
        from concurrent.futures import ThreadPoolExecutor

        import numpy as np

        vectors = np.empty((len(texts), self.dimensions), np.float32)

        def embed(row: int) -> None:
            vectors[row] = self._made(self._folder.passage_prompt, texts[row])

        # Threads that share a text wait for each other after each step of the graph.
        with ThreadPoolExecutor(self._threads) as pool:
            deque(pool.map(embed, range(len(texts))), maxlen=0)
        return vectors

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the vector of a search text, shape ``(dimensions,)``, unit length.

        Raises:
            ModelError: The model makes none of it.
        """
        vector = self._made(self._folder.query_prompt, text)
        if not vector.any():
            raise ModelError("model_without_vectors", folder=str(self._folder.path))
        return vector

    def _made(self, prompt: str, text: str) -> "NDArray[np.float32]":
        """Return the vector of a text, of unit length; zero where it points nowhere."""
        import numpy as np

        vector = self._graph.run(self._pieces.of(prompt + text))
        if vector.ndim == 2:
            ignored = bool(prompt) and not self._folder.pools_prompt
            leading = self._pieces.leading(prompt) if ignored else 0
            vector = pooled(vector, self._folder.pooling, leading)
            for layer in self._layers:
                vector = layer.of(vector)
        said = self._folder.dimensions
        if vector.ndim != 1 or (said and len(vector) != said):
            raise ModelError(
                "model_other_dimensions", folder=str(self._folder.path), dimensions=said
            )
        vector = vector[: self._folder.truncated or None]
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length == 0:
            return np.zeros_like(vector)
        return vector / np.float32(length)

    @cached_property
    def _layers(self) -> tuple[Dense, ...]:
        return tuple(Dense.read(s.folder) for s in self._folder.steps if s.kind == "Dense")


def _loaded(folder: ModelFolder, graph: Path) -> tuple[Pieces, Graph]:
    """Load tokenizer and graph at once: Python's lock is held for the one, not for the other."""
    from concurrent.futures import ThreadPoolExecutor

    import_runtime()
    with ThreadPoolExecutor(1) as beside:
        loading = beside.submit(Graph, graph, threads=1)
        pieces = Pieces(folder.tokenizer, folder.window, lower_case=folder.lower_case)
        return pieces, loading.result()


def runs_here(graph: Path | None, steps: Sequence[Step]) -> bool:
    """Return whether this engine can run a model."""
    return graph is not None and all(step.kind in STEPS for step in steps)


def _check_steps(folder: ModelFolder) -> None:
    """Refuse a model that is put together from anything but the usual steps."""
    for step in folder.steps:
        if step.kind not in STEPS:
            raise ModelError(
                "model_step_needs_extra", folder=str(folder.path), step=step.kind, extra=EXTRA
            )
