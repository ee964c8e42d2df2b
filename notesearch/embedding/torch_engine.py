"""The engine for models without an ONNX file and for GPUs: sentence-transformers on PyTorch.

They are an extra: whether they are installed and may use a GPU is found out without importing them.
"""

import importlib.util
import os
import platform
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from notesearch.embedding.embedder import DEFAULT_BATCH, unit_rows
from notesearch.embedding.model_folder import (
    EXTRA,
    LONGEST_TOKEN,
    Engine,
    ModelFolder,
    ModelTokenizer,
    passage_window,
    unusable,
)
from notesearch.embedding.onnx_engine import core_count
from notesearch.errors import ModelError
from notesearch.messages import Sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST_VERSION = 6
"""The least version of sentence-transformers: earlier ones run code that a model's folder names."""

_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
"""Environment variables that the libraries read when they are imported."""

_DRIVERS = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")
"""Devices of GPU drivers on Linux: NVIDIA, Windows' for its Linux subsystem, AMD."""


def is_installed() -> bool:
    """Return whether PyTorch and sentence-transformers are installed, without importing them."""
    return all(map(importlib.util.find_spec, ("torch", "sentence_transformers")))


def may_have_gpu() -> bool:
    """Return whether this computer may have a GPU for PyTorch, without importing PyTorch."""
    if not is_installed():
        return False
    from importlib import metadata

    if metadata.version("torch").endswith("+cpu"):
        return False
    if sys.platform == "darwin":
        return platform.machine() == "arm64"
    if sys.platform == "win32":
        return Path(os.environ.get("SYSTEMROOT", "C:/Windows"), "System32/nvcuda.dll").is_file()
    return any(map(os.path.exists, _DRIVERS))


@cache
def has_gpu() -> bool:
    """Return whether PyTorch can use a GPU; imports PyTorch only if there may be one."""
    if not may_have_gpu():
        return False
    try:
        return fastest_device() != "cpu"
    except ModelError:
        return False


def fastest_device() -> str:
    """Return the fastest device for PyTorch: ``cuda``, ``mps`` or ``cpu``; raises ModelError."""
    import_library()
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def import_library() -> ModuleType:
    """Import sentence-transformers so that it uses no network.

    Raises:
        ModelError: The library is missing, too old, or broken.
    """
    if not is_installed():
        raise ModelError("extra_missing", extra=EXTRA)
    from importlib import metadata

    version = metadata.version("sentence-transformers")
    if int(version.partition(".")[0]) < _LEAST_VERSION:
        raise ModelError("extra_outdated", version=version, least=str(_LEAST_VERSION))
    os.environ.update(_ENVIRONMENT)
    try:
        import sentence_transformers
        import torch
        import transformers
        from tqdm import tqdm
    except (ImportError, OSError) as error:
        raise ModelError("extra_damaged", extra=EXTRA, error=str(error)) from error
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    tqdm.monitor_interval = 0  # or it starts a thread for progress bars
    torch.set_num_threads(core_count())
    library: ModuleType = sentence_transformers
    return library


def load(kind: str, folder: Path, on: str) -> Any:  # noqa: ANN401 - the library has no types here
    """Load an object of the class ``kind`` of sentence-transformers from a folder with safetensors.

    Raises:
        ModelError: The folder is damaged, or holds something else.
    """
    library = import_library()
    try:
        return getattr(library, kind)(
            str(folder),
            device=on,
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True, "dtype": "float32"},
        )
    except Exception as error:  # the errors of the libraries below have no common base class
        reason = " ".join(str(error).split())[:200]
        raise ModelError("model_damaged", file=str(folder), error=reason) from error


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
            raise unusable(folder.path, Sentence("model_without_safetensors"))
        self._device = device or fastest_device()
        self.fingerprint = folder.fingerprint
        self.engine = f"{Engine.TORCH} on {self._device}"
        self._batch_size = _BATCH_ON_PROCESSOR if self._device == "cpu" else _BATCH_ON_GPU
        self.batch = max(DEFAULT_BATCH, self._batch_size)
        self._folder = folder
        self._tokenizer = ModelTokenizer.of_folder(folder)
        self.window = passage_window(folder, self._tokenizer)
        self._queue = threading.Lock()
        self._in_use = threading.Lock()
        self._model: Any = load("SentenceTransformer", folder.path, self._device)
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
            vector: NDArray[np.float32] = unit_rows(encoded)[0]
        if not vector.any():
            raise unusable(self._folder.path, Sentence("model_without_vectors"))
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
                return unit_rows(encoded)
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
            reason = Sentence("model_other_dimensions", dimensions=expected)
            raise unusable(self._folder.path, reason)
