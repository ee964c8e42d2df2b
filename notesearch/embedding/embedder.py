"""Embedders turn text into vectors: their protocol, and the choice of an engine for a model."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from notesearch.embedding import torch_runtime
from notesearch.embedding.model_folder import (
    MISREAD,
    Engine,
    ModelFolder,
    choose_engine,
    find_graph,
    find_weights,
    read_steps,
)
from notesearch.errors import ModelError
from notesearch.files import expanded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """A loaded embedding model. Any thread may use it at any time.

    Attributes:
        fingerprint: Names the model and its engine; vectors of two fingerprints cannot be compared.
        dimensions: Numbers in a vector.
        window: Most tokens of a passage, with the special tokens. The rest is not embedded.
    """

    fingerprint: str
    dimensions: int
    window: int

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text of any length has, without special tokens."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one unit vector per text, shape ``(len(texts), dimensions)``."""
        ...

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the unit vector of a query, shape ``(dimensions,)``."""
        ...


_LEAST_MEMORY = 1 << 30
"""Bytes of address space that a process needs to load a model; a tenth of them is used."""

DEFAULT_BATCH = 32
"""Passages per call of ``embed_passages`` for an embedder without an attribute ``batch``."""


def batch_size(embedder: Embedder) -> int:
    """Return how many passages one call of ``embed_passages`` should get."""
    return int(getattr(embedder, "batch", DEFAULT_BATCH))


PieceEmbedding = Callable[[Sequence[str]], "list[NDArray[np.float32]]"]
"""Returns the unit vectors of the word pieces of each text, shape ``(pieces, dimensions)``."""


def piece_embedding(embedder: Embedder) -> PieceEmbedding | None:
    """Return the function that embeds single word pieces; None if the model has none."""
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

USUALLY_UNRELATED = 0.121
"""What ``unrelated_pieces`` returns for the built-in model."""


def nearest_pieces(one: "NDArray[np.float32]", other: "NDArray[np.float32]") -> float:
    """Return the mean cosine of each word piece of ``one`` with the nearest piece of ``other``.

    That is late interaction: Khattab and Zaharia, ColBERT, 2020.
    """
    import numpy as np

    if not one.size or not other.size:
        return 0.0
    # A matrix product would wake the threads of BLAS, which wait busily.
    return float(np.einsum("ij,kj->ik", one, other).max(axis=1).mean())


def unrelated_pieces(embedder: Embedder) -> float:
    """Return what ``nearest_pieces`` returns for two texts about different things.

    It is 0.1 with some models and 0.7 with others.
    """
    return float(getattr(embedder, "unrelated_pieces", USUALLY_UNRELATED))


def engine_name(embedder: Embedder) -> str:
    """Return engine and device of ``embedder``, for people; empty if unknown."""
    return str(getattr(embedder, "engine", ""))


def model_path(name_or_folder: str, *places: Path) -> Path:
    """Return the folder of a model, given its name in one of ``places`` or the folder itself."""
    name = folder_name(name_or_folder)
    is_name = bool(name.strip("."))  # "." and ".." would be the folder of all models, or one above
    installed = (place / name for place in places if is_name)
    folder = expanded(name_or_folder)
    return next((path for path in installed if path.is_dir()), folder)


def folder_name(name: str) -> str:
    """Return the name of the folder in which the model ``owner/name`` is installed."""
    return name.replace("/", "--")


def load_embedder(name_or_folder: str, *places: Path, devices: Path | None = None) -> Embedder:
    """Load a model by its name in one of ``places``, or by its folder; never use the network.

    Args:
        name_or_folder: The name, such as ``owner/name``, or the folder.
        places: Folders of installed models.
        devices: The file that remembers which device is fastest.

    Raises:
        ModelError: The model is missing, damaged, or of an unsupported kind.
    """
    from concurrent.futures import ThreadPoolExecutor

    from notesearch.embedding.onnx_model import import_runtime

    _require_memory()  # before the libraries are imported
    path = model_path(name_or_folder, *places)
    with ThreadPoolExecutor(1) as thread:
        # Hashing the files releases Python's lock, so the runtime can be imported meanwhile.
        reading = thread.submit(ModelFolder.read, path)
        if find_graph(path) is not None:
            import_runtime()
        folder = reading.result()
    return load_folder(folder, devices)


def _require_memory() -> None:
    """Make sure that the process may use enough memory for the libraries that run models.

    They end the process if they get too little.

    Raises:
        ModelError: The process may use too little.
    """
    if sys.platform != "win32":
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if 0 <= most < _LEAST_MEMORY:  # negative: no limit
            raise ModelError("model_memory_full")


def load_folder(folder: ModelFolder, devices: Path | None = None) -> Embedder:
    """Load the model in a folder with the folder's engine.

    Raises:
        ModelError: The model is damaged, of an unsupported kind, or there is too little memory.
    """
    _require_memory()
    if folder.engine is Engine.ONNX:
        from notesearch.embedding.onnx_embedder import OnnxEmbedder

        return OnnxEmbedder(folder, devices)
    from notesearch.embedding.torch_embedder import TorchEmbedder

    return TorchEmbedder(folder)


def likely_engine_name(name_or_folder: str, *places: Path, devices: Path | None = None) -> str:
    """Return the engine that would run a model, and its device, for people; empty if none can.

    This is cheap: it looks for the model's files without reading them.
    """
    path = model_path(name_or_folder, *places)
    try:
        steps, graph, weights = read_steps(path), find_graph(path), find_weights(path)
    except (ModelError, *MISREAD):
        return ""
    if graph is None and weights is None:
        return ""
    engine = choose_engine(graph, weights, steps, has_gpu=torch_runtime.may_have_gpu)
    if engine is Engine.ONNX and graph is not None:
        from notesearch.embedding.onnx_model import remembered

        return f"{engine} on {remembered(graph, devices)}"
    return Engine.TORCH.value if torch_runtime.is_installed() else ""
