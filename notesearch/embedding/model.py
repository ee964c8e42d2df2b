"""What turns text into vectors: the protocol every engine fulfils, and the choice of one."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from notesearch.embedding import torch_runtime
from notesearch.embedding.files import find_graph, find_weights, is_ours
from notesearch.embedding.folder import ModelFolder, Step, read_steps
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """A loaded embedding model; any thread may use it at any time.

    Attributes:
        fingerprint: Changes when vectors are no longer comparable.
        dimensions: Numbers in a vector.
        window: Word pieces a passage may have, special pieces included; what lies beyond is not
            embedded.
    """

    fingerprint: str
    dimensions: int
    window: int

    def count_pieces(self, text: str) -> int:
        """Return how many word pieces ``text`` has, however long it is, without special pieces."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one vector of unit length per text, shape ``(len(texts), dimensions)``."""
        ...

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the vector of a search text, shape ``(dimensions,)``, unit length."""
        ...


BATCH = 32
"""Passages that are embedded in one call where an embedder does not say ``batch``."""


def batch_of(embedder: Embedder) -> int:
    """Return how many passages are worth embedding in one call."""
    return int(getattr(embedder, "batch", BATCH))


def engine_of(embedder: Embedder) -> str:
    """Return what runs the model, and on which device, for people to read; empty if unknown."""
    return str(getattr(embedder, "engine", ""))


def model_path(name_or_folder: str, *places: Path) -> Path:
    """Return the folder of a model: of its name in one of ``places``, or itself a folder."""
    names = {name_or_folder, folder_name(name_or_folder)}
    here = (place / name for place in places for name in sorted(names) if name)
    folder = Path(name_or_folder).expanduser()
    return next((path for path in here if path.is_dir()), folder)


def folder_name(name: str) -> str:
    """Return the name of the folder that the model ``owner/name`` is kept in."""
    return name.replace("/", "--")


def load_embedder(name_or_folder: str, *places: Path) -> Embedder:
    """Load the model of a name in ``places``, or of a folder anywhere; never uses a network.

    Raises:
        ModelError: It is not there, damaged, or of a kind that cannot be used.
    """
    from concurrent.futures import ThreadPoolExecutor

    from notesearch.embedding.onnx_session import import_runtime

    path = model_path(name_or_folder, *places)
    with ThreadPoolExecutor(1) as beside:
        reading = beside.submit(ModelFolder.read, path)  # its files are hashed: no work of Python's
        if find_graph(path) is not None:
            import_runtime()
        folder = reading.result()
    return load_folder(folder)


def load_folder(folder: ModelFolder) -> Embedder:
    """Load the model in a folder that was read.

    ONNX Runtime runs what it can: it starts at once and is quicker on a processor. What it cannot
    run needs sentence-transformers, which also embeds many passages where there is a GPU.

    Raises:
        ModelError: It is damaged, or of a kind that cannot be used.
    """
    from notesearch.embedding.onnx_engine import OnnxEmbedder

    if _needs_torch(folder.graph, folder.weights, folder.steps):
        from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

        return TorchEmbedder(folder)
    if _can_use_gpu(folder.graph, folder.weights):
        from notesearch.embedding.both_engines import BothEngines

        both = folder
        if not is_ours(folder.graph):
            both = replace(folder, graph=find_graph(folder.path, exact=True, ours=False))
        return BothEngines(OnnxEmbedder(both), both)
    return OnnxEmbedder(folder)


def engine_ahead(name_or_folder: str, *places: Path) -> str:
    """Return what would run a model, for people to read; empty where nothing can.

    Its files are looked for and not read, so that asking costs nothing.
    """
    from notesearch.embedding.onnx_engine import OnnxEmbedder, runs_here

    path = model_path(name_or_folder, *places)
    try:
        steps, graph, weights = read_steps(path), find_graph(path), find_weights(path)
    except (ModelError, OSError, ValueError, TypeError, LookupError):
        return ""
    if _needs_torch(graph, weights, steps):
        return "sentence-transformers"
    if not runs_here(graph, steps):
        return ""
    more = ", many passages by sentence-transformers" * _can_use_gpu(graph, weights)
    return f"{OnnxEmbedder.engine}{more}"


def _needs_torch(graph: Path | None, weights: Path | None, steps: Sequence[Step]) -> bool:
    from notesearch.embedding.onnx_engine import runs_here

    return not runs_here(graph, steps) and weights is not None and torch_runtime.is_installed()


def _can_use_gpu(graph: Path | None, weights: Path | None) -> bool:
    return (weights is not None or is_ours(graph)) and torch_runtime.may_have_gpu()
