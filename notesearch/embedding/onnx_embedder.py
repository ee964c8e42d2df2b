"""The engine for models with an ONNX file: ONNX Runtime, then pooling and dense layers."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from notesearch.config import BUILTIN_FINGERPRINT
from notesearch.embedding.embedder import UNRELATED, USUALLY_UNRELATED, nearest_pieces
from notesearch.embedding.model_folder import MISREAD, ONNX_STEPS, Engine, ModelFolder, read_json
from notesearch.embedding.model_tokenizer import ModelTokenizer, passage_window
from notesearch.embedding.onnx_model import core_count, import_runtime, load_fastest
from notesearch.embedding.torch_runtime import EXTRA
from notesearch.errors import ModelError
from notesearch.files import open_ordinary, parse_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]


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
            raise ModelError("model_layer_mismatch", folder=str(folder))
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
        from concurrent.futures import ThreadPoolExecutor

        _check_steps(folder)
        if folder.graph is None:
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
        from concurrent.futures import ThreadPoolExecutor

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
            raise ModelError("model_without_vectors", folder=str(self._folder.path))
        return vector

    def embed_pieces(self, texts: Sequence[str]) -> "list[NDArray[np.float32]]":
        """Return the unit vectors of the word pieces of each text, shape ``(pieces, n)``.

        Call it only if ``gives_pieces``. The last texts are cached, because while somebody types,
        each letter needs the same passages again.

        Raises:
            ModelError: The model fails.
        """
        from concurrent.futures import ThreadPoolExecutor

        import numpy as np

        with ThreadPoolExecutor(self._threads) as pool_of_threads:
            cached = pool_of_threads.map(self._cached_pieces, texts)
            return [_unit(pieces.astype(np.float32)) for pieces in cached]

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
        return _unit(vectors).astype(np.float16)

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
            raise ModelError(
                "model_other_dimensions", folder=str(self._folder.path), dimensions=expected
            )
        vector = vector[: self._folder.kept_dimensions or None]
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length == 0:
            return np.zeros_like(vector)
        return vector / np.float32(length)

    @cached_property
    def _layers(self) -> tuple[Dense, ...]:
        return tuple(Dense.read(s.folder) for s in self._folder.steps if s.kind == "Dense")


def _unit(rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, np.float32(1e-9)), np.float32)


def _check_steps(folder: ModelFolder) -> None:
    """Raise ModelError if the model has a step that only sentence-transformers can run."""
    for step in folder.steps:
        if step.kind not in ONNX_STEPS:
            raise ModelError(
                "model_step_needs_extra", folder=str(folder.path), step=step.kind, extra=EXTRA
            )
