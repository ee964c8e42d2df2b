"""The engine for models with an ONNX file: ONNX Runtime, then pooling and dense layers.

It runs a model on the processor or on a faster device. Which device is fastest is measured once,
then remembered.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Self

from notesearch import private_files
from notesearch.config import BUILTIN_FINGERPRINT
from notesearch.embedding.embedder import UNRELATED, USUALLY_UNRELATED, nearest_pieces, unit_rows
from notesearch.embedding.model_folder import (
    EXTRA,
    MISREAD,
    ONNX_STEPS,
    Engine,
    ModelFolder,
    ModelTokenizer,
    passage_window,
    read_json,
    unusable,
)
from notesearch.errors import ModelError
from notesearch.files import open_ordinary, parse_json
from notesearch.messages import Sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession, RunOptions

    Vector = NDArray[np.float32]

_MAX_THREADS = 4
PROCESSOR = "the processor"
DEVICES = {
    "CUDAExecutionProvider": "an NVIDIA GPU",
    "CoreMLExecutionProvider": "Core ML",
    "DmlExecutionProvider": "DirectML",
}
"""Devices that some packages of ONNX Runtime can use: its names for them, and ours."""

_INPUTS = {"input_ids", "attention_mask", "token_type_ids", "position_ids"}

_OF_TOKENS = "token_embeddings"
"""The output with a vector per token, in a file that gives the vector of the text as well."""

_PER_TOKEN = 3
"""Axes of an output with a vector per token: texts, tokens, dimensions."""

_environment_lock = threading.Lock()
"""Held while the environment limits NumPy's threads; another thread must not read that limit."""


class OnnxModel:
    """A loaded ONNX file that takes the tokens of one text. All threads may use it at once.

    ``tokens`` can be called only if ``gives_tokens``. ``device`` says in words what runs the model.
    """

    def __init__(self, file: Path, threads: int | None = None, provider: str = "") -> None:
        """Load an ONNX file, to run by ``provider``, one of ``DEVICES``, or on ``threads`` cores.

        Raises:
            ModelError: The file is damaged or takes something other than tokens, or the device
                cannot be used.
        """
        self._file = file
        session = _load(file, threads or core_count(), provider)
        self._session = session
        self._giving_back: RunOptions = import_runtime().RunOptions()
        self._giving_back.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        self._options: RunOptions | None = self._giving_back
        self._inputs = {tensor.name for tensor in session.get_inputs()}
        if not self._inputs <= _INPUTS:
            inputs = tuple(sorted(self._inputs))
            raise unusable(file.parent, Sentence("model_not_embedding", inputs=inputs))
        self._output = _output(session)
        shapes = {tensor.name: tensor.shape or () for tensor in session.get_outputs()}
        self._of_tokens = _OF_TOKENS if _OF_TOKENS in shapes else self._output
        self.gives_tokens = len(shapes[self._of_tokens]) == _PER_TOKEN
        self.provider = provider
        self.device = DEVICES.get(provider, PROCESSOR)

    @contextmanager
    def many_runs(self) -> Iterator[None]:
        """Keep the memory of each run for the next ones until the block ends; raises as ``run``.

        A run outside of such a block gives its memory back to the system, and so takes an eighth
        longer.
        """
        self._options = None
        try:
            yield
        finally:
            self._options = self._giving_back
        self.run([1])  # of a single token

    def tokens(self, token_ids: list[int]) -> "NDArray[np.float32]":
        """Return the vectors of a text's tokens, shape ``(tokens, n)``; raises as ``run``."""
        return self._run(self._of_tokens, token_ids)

    def run(self, token_ids: list[int], types: list[int] | None = None) -> "NDArray[np.float32]":
        """Return the model's output for one text: shape ``(n,)`` or ``(tokens, n)``.

        ``types`` says for each token, by 0 or 1, which of two texts it belongs to.

        Raises:
            ModelError: The model fails.
        """
        return self._run(self._output, token_ids, types)

    def _run(
        self, output: str, token_ids: list[int], types: list[int] | None = None
    ) -> "NDArray[np.float32]":
        import numpy as np

        ids = np.array([token_ids], np.int64)
        values = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([types], np.int64) if types else np.zeros_like(ids),
            "position_ids": np.arange(len(token_ids), dtype=np.int64)[None],
        }
        try:
            outputs = self._session.run(
                [output], {name: values[name] for name in self._inputs}, self._options
            )
        except _runtime_errors() as error:
            folder = str(self._file.parent)
            raise ModelError("model_failed", folder=folder, error=str(error)) from error
        return np.asarray(outputs[0][0], np.float32)


def core_count() -> int:
    """Return how many CPU cores to use: all, but at most four."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min(cores, _MAX_THREADS))


def import_runtime() -> ModuleType:
    """Import ONNX Runtime with its telemetry off.

    Its wheels send statistics to their maker unless that is turned off before the library is
    loaded. It imports a part of NumPy before NumPy itself: if another thread imports NumPy
    meanwhile, each waits for the other, and one of the imports fails.

    Raises:
        ModelError: It cannot be loaded, as on Windows without the libraries of Visual C++.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    os.environ["ORT_TELEMETRY_DISABLED"] = "1"
    try:
        _import_numpy()  # all of it, in this thread
        import onnxruntime
    except (ImportError, OSError) as error:
        reason = " ".join(str(error).split())
        raise ModelError("library_unloadable", library="ONNX Runtime", error=reason) from error

    onnxruntime.disable_telemetry_events()  # on Windows the library asks the system instead
    onnxruntime.set_default_logger_severity(4)  # a missing driver needs no message in the terminal
    module: ModuleType = onnxruntime
    return module


def _import_numpy() -> None:
    """Import NumPy with one thread: its others would wait busily, and no matrix here is large."""
    limit = "OPENBLAS_NUM_THREADS"
    with _environment_lock:
        before = os.environ.get(limit)
        os.environ[limit] = before or "1"
        try:
            import_module("numpy")
        finally:
            if before is None:
                del os.environ[limit]  # programs that the user starts from here may need more


def _output(session: "InferenceSession") -> str:
    outputs = session.get_outputs()
    of_text = [tensor.name for tensor in outputs if tensor.name == "sentence_embedding"]
    of_tokens = [tensor.name for tensor in outputs if len(tensor.shape or ()) == _PER_TOKEN]
    return str([*of_text, *of_tokens, *(tensor.name for tensor in outputs)][0])


def _load(file: Path, threads: int, provider: str = "") -> "InferenceSession":
    onnxruntime = import_runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    processor = ["CPUExecutionProvider"]
    try:
        session: InferenceSession = onnxruntime.InferenceSession(
            str(file),
            options,
            providers=[provider, *processor] if provider else processor,
            disabled_optimizers=["SkipLayerNormFusion"],  # 5 times slower than what it fuses
        )
    except _runtime_errors() as error:
        raise ModelError("model_damaged", file=str(file), error=str(error)) from error
    # ONNX Runtime silently falls back to another device.
    if provider and provider not in session.get_providers():
        raise ModelError("model_failed", folder=str(file.parent), error=provider)
    return session


def _runtime_errors() -> tuple[type[Exception], ...]:
    """Return ONNX Runtime's exceptions; they have no common base class."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    kinds = [kind for kind in vars(state).values() if isinstance(kind, type)]
    return (RuntimeError, *(kind for kind in kinds if issubclass(kind, Exception)))


_MEASURED_S = 0.25
"""Seconds for which each device is measured."""

_MEASURED_TOKENS = 128


def load_fastest(file: Path, threads: int | None = None, memory: Path | None = None) -> OnnxModel:
    """Load an ONNX file on the fastest device that ONNX Runtime can use here.

    The JSON file ``memory`` stores the choice. The devices are measured again when they or ONNX
    Runtime have changed. Raises ModelError as the constructor of ``OnnxModel``.
    """
    runtime = import_runtime()
    devices = [name for name in DEVICES if name in runtime.get_available_providers()]
    here = " ".join([runtime.__version__, *devices])
    if "CUDAExecutionProvider" in devices:
        with redirect_stdout(StringIO()):  # it prints what is missing
            runtime.preload_dlls()  # from NVIDIA's packages, where nothing else looks for them
    remembered = private_files.read_json(memory) if memory is not None else None
    rows = remembered.items() if isinstance(remembered, dict) else ()
    choices = {name: row for name, row in rows if isinstance(row, list)}
    match choices.get(str(file)):
        case [measured_with, str(chosen)] if measured_with == here:
            with suppress(ModelError):  # a driver was removed, or the file was replaced
                return OnnxModel(file, threads, chosen)
    model = _fastest(file, threads, devices)
    if memory is not None and (devices or str(file) in choices):
        private_files.write_json(memory, {**choices, str(file): (here, model.provider)})
    return model


def _fastest(file: Path, threads: int | None, devices: list[str]) -> OnnxModel:
    best = OnnxModel(file, threads)
    at_once = core_count() // (threads or core_count())
    speed = _speed(best, at_once) if devices else 0.0
    for provider in devices:
        try:
            model = OnnxModel(file, threads, provider)
            reached = _speed(model, at_once)
        except ModelError:  # it lacks a driver, or cannot run this graph
            continue
        if reached > speed:
            best = model
            speed = reached
    return best


def _speed(model: OnnxModel, at_once: int) -> float:
    tokens = [1] * _MEASURED_TOKENS
    model.run(tokens)  # the first call prepares the device
    started = time.perf_counter()

    def run(_: int) -> int:
        runs = 0
        while not runs or time.perf_counter() - started < _MEASURED_S:
            model.run(tokens)
            runs += 1
        return runs

    with ThreadPoolExecutor(at_once) as threads:
        return sum(threads.map(run, range(at_once))) / (time.perf_counter() - started)


_TYPES = {"F32": "<f4", "F16": "<f2"}
_LONGEST_HEADER = 1 << 20

_TEXTS_IN_PIECES = 24
"""Texts whose word pieces stay cached, as numbers of 16 bits: about 3 MB."""


def pool(states: "Vector", modes: Sequence[str], skipped: int = 0) -> "Vector":
    """Combine the vectors of a text's tokens, shape ``(tokens, n)``, into the vector of the text.

    ``modes`` are the ways of pooling; the vectors of several ways are concatenated. The first
    ``skipped`` tokens are left out.
    """
    import numpy as np

    skipped = min(skipped, len(states) - 1)
    return np.concatenate([_pooled(states, mode, skipped) for mode in modes])


def _pooled(states: "Vector", mode: str, skipped: int) -> "Vector":
    import numpy as np

    kept = states[skipped:]
    vector: Vector
    match mode:
        case "cls":
            vector = kept[0]
        case "lasttoken":
            vector = kept[-1]
        case "max":
            vector = kept.max(axis=0)
        case "mean_sqrt_len_tokens":
            vector = kept.sum(axis=0) / len(kept) ** 0.5
        case "weightedmean":  # each weighted by its position
            weights = np.arange(skipped + 1, len(states) + 1, dtype=np.float32)
            vector = (weights @ kept) / weights.sum()
        case _:
            vector = kept.mean(axis=0)
    return vector


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """A dense layer after pooling: weight of shape (out, in), bias of shape (out,) or None."""

    weight: "Vector"
    bias: "Vector | None"
    activation: str

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a layer from its folder.

        Raises:
            ModelError: The layer is damaged, or does something that only PyTorch can.
        """
        described = read_json(folder / "config.json")
        activation = str(described.get("activation_function", "Tanh")).rpartition(".")[2]
        input_name = described.get("module_input_name", _INPUT)
        is_plain = input_name == _INPUT and not described.get("use_residual")
        if activation not in _ACTIVATIONS or not is_plain:
            raise ModelError("model_needs_extra", folder=str(folder), extra=EXTRA)
        try:
            tensors = _read_tensors(folder / "model.safetensors")
            weight = tensors["linear.weight"]
            bias = tensors.get("linear.bias")
            shape = (int(described["out_features"]), int(described["in_features"]))
        except MISREAD as error:
            raise ModelError("model_damaged", file=str(folder), error=str(error)) from error
        if weight.shape != shape:
            raise unusable(folder, Sentence("model_layer_mismatch"))
        return cls(weight, bias, activation)

    def apply(self, vector: "Vector") -> "Vector":
        """Return the output of the layer for ``vector``: shape ``(in,)`` becomes ``(out,)``.

        Raises:
            ModelError: The layer takes vectors of another length.
        """
        import numpy as np

        if len(vector) != self.weight.shape[1]:
            raise ModelError("model_layer_input_mismatch")
        output: Vector = self.weight @ vector
        if self.bias is not None:
            output = output + self.bias
        match self.activation:
            case "Tanh":
                output = np.tanh(output)
            case "ReLU":
                output = np.maximum(output, np.float32(0))
        return output


_INPUT = "sentence_embedding"


_ACTIVATIONS = ("Identity", "ReLU", "Tanh")


def _read_tensors(file: Path) -> "dict[str, Vector]":
    import numpy as np

    with open_ordinary(file) as opened:
        length = int.from_bytes(opened.read(8), "little")
        if length > _LONGEST_HEADER:
            raise ValueError("the header is too long")
        header = parse_json(opened.read(length).decode())
        numbers = opened.read()
    tensors = {}
    for name, described in header.items():
        if name == "__metadata__":
            continue
        start, end = described["data_offsets"]
        values = np.frombuffer(numbers[start:end], _TYPES[described["dtype"]])
        tensors[name] = values.reshape(described["shape"]).astype(np.float32)
    return tensors


class OnnxEmbedder:
    """An embedding model in ONNX form; implements ``Embedder``.

    Embeds each text by itself, several at once on different cores. Batches are no faster, need more
    memory, and make a vector depend on other texts. Nothing changes after loading, so threads need
    no lock.
    """

    def __init__(self, folder: ModelFolder, devices: Path | None = None) -> None:
        """Load the model in ``folder``; ``devices`` is as for ``load_embedder``.

        Raises:
            ModelError: The files are damaged or hold something else.
        """
        if folder.graph is None or any(step.kind not in ONNX_STEPS for step in folder.steps):
            raise ModelError("model_needs_extra", folder=str(folder.path), extra=EXTRA)
        self.fingerprint = folder.fingerprint
        self._folder = folder
        self._threads = core_count()  # texts that are embedded at once
        import_runtime()
        with ThreadPoolExecutor(1) as thread:
            loading = thread.submit(load_fastest, folder.graph, 1, devices)
            self._tokenizer = ModelTokenizer.of_folder(folder)
            self._model = loading.result()
        self.engine = f"{Engine.ONNX} on {self._model.device}"
        self.window = passage_window(folder, self._tokenizer)
        self.dimensions = len(self.embed_query("a"))
        self.gives_pieces = self._model.gives_tokens
        self._cached_pieces = lru_cache(_TEXTS_IN_PIECES)(self._pieces)

    def count_tokens(self, text: str) -> int:
        """Return how many tokens ``text`` has, without special tokens."""
        return self._tokenizer.count(text)

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one unit vector per text, shape (texts, dimensions); zeros if unusable."""
        import numpy as np

        vectors = np.empty((len(texts), self.dimensions), np.float32)

        def embed(row: int) -> None:
            vectors[row] = self._embed(self._folder.passage_prompt, texts[row])

        # One thread per text: threads that share a text wait for each other after each step.
        with self._model.many_runs(), ThreadPoolExecutor(self._threads) as pool_of_threads:
            deque(pool_of_threads.map(embed, range(len(texts))), maxlen=0)
        return vectors

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the unit vector of a query, shape ``(dimensions,)``.

        Raises:
            ModelError: The model makes no usable vector of the query.
        """
        vector = self._embed(self._folder.query_prompt, text)
        if not vector.any():
            raise unusable(self._folder.path, Sentence("model_without_vectors"))
        return vector

    def embed_pieces(self, texts: Sequence[str]) -> "list[NDArray[np.float32]]":
        """Return the unit vectors of the word pieces of each text, shape ``(pieces, n)``.

        Call it only if ``gives_pieces``. The last texts are cached, because while somebody types,
        each letter needs the same passages again.

        Raises:
            ModelError: The model fails.
        """
        import numpy as np

        with ThreadPoolExecutor(self._threads) as pool_of_threads:
            cached = pool_of_threads.map(self._cached_pieces, texts)
            return [unit_rows(pieces.astype(np.float32)) for pieces in cached]

    @cached_property
    def unrelated_pieces(self) -> float:
        """The mean of ``nearest_pieces`` for all pairs of texts in ``UNRELATED``."""
        import numpy as np

        if self.fingerprint == BUILTIN_FINGERPRINT:
            return USUALLY_UNRELATED
        texts = self.embed_pieces(UNRELATED)
        pairs = ((text, other) for text in texts for other in texts if text is not other)
        return float(np.mean([nearest_pieces(text, other) for text, other in pairs]))

    def _pieces(self, text: str) -> "NDArray[np.float16]":
        import numpy as np

        encoding = self._tokenizer.encoding(text)
        vectors = self._model.tokens(encoding.ids)[np.array(encoding.special_tokens_mask) == 0]
        return unit_rows(vectors).astype(np.float16)

    def _embed(self, prompt: str, text: str) -> "NDArray[np.float32]":
        import numpy as np

        vector = self._model.run(self._tokenizer.encoding(prompt + text).ids)
        if vector.ndim == 2:
            ignored = bool(prompt) and not self._folder.pools_prompt
            skipped = self._tokenizer.prompt_tokens(prompt) if ignored else 0
            vector = pool(vector, self._folder.pooling, skipped)
            for layer in self._layers:
                vector = layer.apply(vector)
        expected = self._folder.dimensions
        if vector.ndim != 1 or (expected and len(vector) != expected):
            reason = Sentence("model_other_dimensions", dimensions=expected)
            raise unusable(self._folder.path, reason)
        vector = vector[: self._folder.kept_dimensions or None]
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length == 0:
            return np.zeros_like(vector)
        return vector / np.float32(length)

    @cached_property
    def _layers(self) -> tuple[Dense, ...]:
        return tuple(Dense.read(s.folder) for s in self._folder.steps if s.kind == "Dense")
