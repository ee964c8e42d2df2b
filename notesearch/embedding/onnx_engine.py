"""The built-in engine: ONNX Runtime on the processor, with the tokenizer of the model's folder."""

import os
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

from notesearch.embedding.folder import ModelFolder
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

KNOWN_WORDS = 1 << 14
LONG = 1 << 12
LONGEST_PIECE = 64
MOST_THREADS = 4
INPUTS = {"input_ids", "attention_mask", "token_type_ids"}


class OnnxEmbedder:
    """An embedding model in ONNX form; fulfils ``Embedder``.

    Texts are embedded one by one. Batches bring a processor no speed here, cost memory, and make a
    text's vector depend on its neighbours; alone it has the same vector for ever, and a query waits
    for no batch. Nothing changes after loading, so that threads need no lock.
    """

    def __init__(self, folder: ModelFolder, threads: int | None = None) -> None:
        """Load a model.

        Args:
            folder: Where it lies and how it is to be used.
            threads: Processor cores for one text; by default most of them, four at most.

        Raises:
            ModelError: Its files are damaged or hold something else.
        """
        self.fingerprint = folder.fingerprint
        self.window = folder.window
        self._folder = folder
        self._tokenizer = _load_tokenizer(folder)
        self._session: InferenceSession | None = _load_session(folder, threads or _cores())
        self._inputs = {tensor.name for tensor in self._session.get_inputs()}
        if not self._inputs <= INPUTS:
            raise ModelError(f"{folder.path} holds no embedding model: {sorted(self._inputs)}.")
        self._room = folder.window - self._tokenizer.num_special_tokens_to_add(is_pair=False)
        self._count_word = lru_cache(KNOWN_WORDS)(self._count)
        self.dimensions = len(self.embed_query(""))

    def close(self) -> None:
        """Let go of the model; whoever is embedding may finish."""
        self._session = None

    def count_pieces(self, text: str) -> int:
        """Return how many word pieces ``text`` has, without special pieces."""
        return self._count_word(text) if len(text) < 32 else self._count(text)

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one vector of unit length per text, shape ``(len(texts), dimensions)``."""
        import numpy as np

        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._embed(self._folder.passage_prompt + text)
        return vectors

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the vector of a search text, shape ``(dimensions,)``, unit length."""
        return self._embed(self._folder.query_prompt + text)

    def _count(self, text: str) -> int:
        return len(self._encode(text).ids)

    def _encode(self, text: str) -> "Encoding":
        """Return the word pieces of ``text``, all of them, without special pieces."""
        clean = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no character
        if self._folder.lower_case:
            clean = clean.lower()
        if len(clean) < LONG:
            return self._tokenizer.encode(clean, add_special_tokens=False)
        # Only this call lets other threads run meanwhile.
        return self._tokenizer.encode_batch_fast([clean], add_special_tokens=False)[0]

    def _embed(self, text: str) -> "NDArray[np.float32]":
        import numpy as np

        session = self._session
        if session is None:
            raise ModelError("The embedding model is closed.")
        # More characters than any text of that many pieces has: a megabyte is not read in vain.
        encoding = self._encode(text[: LONGEST_PIECE * self.window])
        encoding.truncate(self._room)
        pieces = np.array([self._tokenizer.post_process(encoding).ids], np.int64)
        known = {
            "input_ids": pieces,
            "attention_mask": np.ones_like(pieces),
            "token_type_ids": np.zeros_like(pieces),
        }
        try:
            output = session.run(None, {name: known[name] for name in self._inputs})
        except _failures() as error:
            message = f"The embedding model in {self._folder.path} does not work ({error})."
            raise ModelError(message) from error
        return self._pool(np.asarray(output[0][0], np.float32))

    def _pool(self, output: "NDArray[np.float32]") -> "NDArray[np.float32]":
        """Return the text's vector; the graph gave it, or one vector per piece."""
        import numpy as np

        vector = output
        if output.ndim == 2:
            vector = output[0] if self._folder.pooling == "cls" else output.mean(axis=0)
        length = float(np.linalg.norm(vector))
        if vector.ndim != 1 or not np.isfinite(length) or length == 0:
            raise ModelError(f"The embedding model in {self._folder.path} gives no vectors.")
        return vector / np.float32(length)


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min(cores, MOST_THREADS))


def _load_tokenizer(folder: ModelFolder) -> "Tokenizer":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(folder.tokenizer))
    except Exception as error:  # the library raises nothing narrower
        message = f"The tokenizer in {folder.path} is damaged; install the model again ({error})."
        raise ModelError(message) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _load_session(folder: ModelFolder, threads: int) -> "InferenceSession":
    onnxruntime = _silent_runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(
            str(folder.graph),
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],  # five times as slow as what it fuses
        )
    except _failures() as error:
        message = f"The embedding model in {folder.path} is damaged; install it again ({error})."
        raise ModelError(message) from error


def _silent_runtime() -> ModuleType:
    """Import ONNX Runtime, whose wheels give the computer a name and report use to their maker.

    All of that is off before its library is loaded, which looks only then.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = os.environ["ORT_TELEMETRY_DISABLED"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # on Windows it asks the system instead
    silent: ModuleType = onnxruntime
    return silent


def _failures() -> tuple[type[Exception], ...]:
    """Return the kinds of failure that ONNX Runtime knows; they have no common name."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    kinds = [kind for kind in vars(state).values() if isinstance(kind, type)]
    return (RuntimeError, *(kind for kind in kinds if issubclass(kind, Exception)))
