"""The steps behind a graph that ends with one vector for each piece: pooling and dense layers."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from notesearch.embedding.folder import table
from notesearch.embedding.torch_runtime import EXTRA
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_KINDS = {"F32": "<f4", "F16": "<f2"}
_LONGEST_HEADER = 1 << 20


def pooled(states: "Vector", modes: Sequence[str], prompt: int = 0) -> "Vector":
    """Return the vector of a text.

    Args:
        states: A vector for each of its pieces, shape (pieces, n).
        modes: How they become one; the vectors of several ways are joined.
        prompt: Leading pieces that do not count.
    """
    import numpy as np

    return np.concatenate([_POOLED[mode](states, min(prompt, len(states) - 1)) for mode in modes])


def _mean(states: "Vector", prompt: int) -> "Vector":
    mean: Vector = states[prompt:].mean(axis=0)
    return mean


def _by_root(states: "Vector", prompt: int) -> "Vector":
    kept = states[prompt:]
    found: Vector = kept.sum(axis=0) / len(kept) ** 0.5
    return found


def _max(states: "Vector", prompt: int) -> "Vector":
    found: Vector = states[prompt:].max(axis=0)
    return found


def _weighted(states: "Vector", prompt: int) -> "Vector":
    """Return the mean in which each piece counts as much as its place."""
    import numpy as np

    weights = np.arange(prompt + 1, len(states) + 1, dtype=np.float32)
    found: Vector = (weights @ states[prompt:]) / weights.sum()
    return found


_POOLED: dict[str, Callable[["Vector", int], "Vector"]] = {
    "cls": lambda states, prompt: states[prompt],
    "max": _max,
    "mean": _mean,
    "mean_sqrt_len_tokens": _by_root,
    "weightedmean": _weighted,
    "lasttoken": lambda states, _: states[-1],
}


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """A dense layer behind pooling."""

    weight: "Vector"
    bias: "Vector | None"
    activation: str

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a layer from its own folder.

        Raises:
            ModelError: It is damaged, or does more than a layer without torch can.
        """
        described = table(folder / "config.json")
        activation = str(described.get("activation_function", "Tanh")).rpartition(".")[2]
        reads = described.get("module_input_name", "sentence_embedding")
        if activation not in _ACTIVATIONS or described.get("use_residual") or reads != _VECTOR:
            raise ModelError("model_needs_extra", folder=str(folder), extra=EXTRA)
        try:
            found = _tensors(folder / "model.safetensors")
            weight, bias = found["linear.weight"], found.get("linear.bias")
        except (OSError, ValueError, TypeError, LookupError) as error:
            raise ModelError("model_damaged", file=str(folder), error=str(error)) from error
        said = (int(described["out_features"]), int(described["in_features"]))
        if weight.shape != said:
            raise ModelError("model_layer_mismatch", folder=str(folder))
        return cls(weight, bias, activation)

    def of(self, vector: "Vector") -> "Vector":
        """Return what the layer makes of ``vector``: shape (in,) becomes (out,).

        Raises:
            ModelError: It wants vectors of another length.
        """
        if len(vector) != self.weight.shape[1]:
            raise ModelError("model_layer_input_mismatch")
        made = self.weight @ vector
        return _ACTIVATIONS[self.activation](made if self.bias is None else made + self.bias)


_VECTOR = "sentence_embedding"


def _tanh(made: "Vector") -> "Vector":
    import numpy as np

    return np.tanh(made)


def _relu(made: "Vector") -> "Vector":
    import numpy as np

    return np.maximum(made, np.float32(0))


_ACTIVATIONS: dict[str, Callable[["Vector"], "Vector"]] = {
    "Tanh": _tanh,
    "Identity": lambda made: made,
    "ReLU": _relu,
}


def _tensors(file: Path) -> "dict[str, Vector]":
    """Read a safetensors file: the length of a JSON header, the header, then plain numbers."""
    import numpy as np

    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        if length > _LONGEST_HEADER:
            raise ValueError("its header is too long")
        header, numbers = json.loads(opened.read(length)), opened.read()
    found = {}
    for name, described in header.items():
        if name == "__metadata__":
            continue
        start, end = described["data_offsets"]
        values = np.frombuffer(numbers[start:end], _KINDS[described["dtype"]])
        found[name] = values.reshape(described["shape"]).astype(np.float32)
    return found
