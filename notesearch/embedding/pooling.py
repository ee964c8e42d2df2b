"""Pooling and dense layers, for ONNX files that end with one vector per token."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from notesearch.embedding.model_folder import MISREAD, read_json
from notesearch.embedding.torch_runtime import EXTRA
from notesearch.errors import ModelError
from notesearch.files import open_ordinary, parse_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_TYPES = {"F32": "<f4", "F16": "<f2"}
_LONGEST_HEADER = 1 << 20


def pool(states: "Vector", modes: Sequence[str], skipped: int = 0) -> "Vector":
    """Return the vector of a text, made of the vectors of its tokens.

    Args:
        states: The vectors of the tokens, shape ``(tokens, n)``.
        modes: The ways of pooling; the vectors of several are joined.
        skipped: How many tokens at the beginning do not count.
    """
    import numpy as np

    skipped = min(skipped, len(states) - 1)
    return np.concatenate([_MODES[mode](states, skipped) for mode in modes])


def _mean(states: "Vector", skipped: int) -> "Vector":
    mean: Vector = states[skipped:].mean(axis=0)
    return mean


def _mean_by_root(states: "Vector", skipped: int) -> "Vector":
    kept = states[skipped:]
    vector: Vector = kept.sum(axis=0) / len(kept) ** 0.5
    return vector


def _max(states: "Vector", skipped: int) -> "Vector":
    vector: Vector = states[skipped:].max(axis=0)
    return vector


def _weighted(states: "Vector", skipped: int) -> "Vector":
    """Return the mean of ``states`` without those ``skipped``, each weighted by its position."""
    import numpy as np

    weights = np.arange(skipped + 1, len(states) + 1, dtype=np.float32)
    vector: Vector = (weights @ states[skipped:]) / weights.sum()
    return vector


_MODES: dict[str, Callable[["Vector", int], "Vector"]] = {
    "cls": lambda states, skipped: states[skipped],
    "max": _max,
    "mean": _mean,
    "mean_sqrt_len_tokens": _mean_by_root,
    "weightedmean": _weighted,
    "lasttoken": lambda states, _: states[-1],
}


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
            weight, bias = tensors["linear.weight"], tensors.get("linear.bias")
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
        if len(vector) != self.weight.shape[1]:
            raise ModelError("model_layer_input_mismatch")
        output = self.weight @ vector
        if self.bias is not None:
            output = output + self.bias
        return _ACTIVATIONS[self.activation](output)


_INPUT = "sentence_embedding"


def _tanh(values: "Vector") -> "Vector":
    import numpy as np

    return np.tanh(values)


def _relu(values: "Vector") -> "Vector":
    import numpy as np

    return np.maximum(values, np.float32(0))


_ACTIVATIONS: dict[str, Callable[["Vector"], "Vector"]] = {
    "Tanh": _tanh,
    "Identity": lambda values: values,
    "ReLU": _relu,
}


def _read_tensors(file: Path) -> "dict[str, Vector]":
    """Read a safetensors file: the length of a JSON header, the header, then the numbers."""
    import numpy as np

    with open_ordinary(file) as opened:
        length = int.from_bytes(opened.read(8), "little")
        if length > _LONGEST_HEADER:
            raise ValueError("the header is too long")
        header, numbers = parse_json(opened.read(length).decode()), opened.read()
    tensors = {}
    for name, described in header.items():
        if name == "__metadata__":
            continue
        start, end = described["data_offsets"]
        values = np.frombuffer(numbers[start:end], _TYPES[described["dtype"]])
        tensors[name] = values.reshape(described["shape"]).astype(np.float32)
    return tensors
