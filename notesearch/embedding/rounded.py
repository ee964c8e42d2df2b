"""Has PyTorch round as a graph of ours in eight bits does, so that both engines agree.

The graph is read, not run: its weights take the place of the model's own, and each of its integer
products becomes a layer that rounds what enters it in the same way.
"""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesearch.embedding import exact, torch_runtime
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.quantise import ROW_FLOOR, UNIT_ROWS, WORD_SCALES, WORD_VECTORS, WORDS
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import onnx
    import torch
    from numpy.typing import NDArray

    Numbers = Mapping[str, NDArray[Any]]

_FUSED = ("query", "key", "value")
"""The layers that a fused attention computes in one product, in order."""

_UNUSED = "pooler."
"""What a transformer has behind its word pieces; sentence-transformers pools them itself."""

_STEPS = 255


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """An integer product of a graph.

    Attributes:
        layer: That it is in the transformer, by its dotted name.
        weight: Whole numbers, shape (outputs, inputs).
        scale: What each output is multiplied by.
        by_row: Each row that enters is divided by its largest value first.
    """

    layer: str
    weight: "NDArray[np.int8]"
    scale: "NDArray[np.float32]"
    by_row: bool = False


def load(folder: ModelFolder, device: str) -> Any:  # noqa: ANN401 - the library has no types here
    """Load a model that has a graph of ours, so that it rounds as that does.

    Raises:
        ModelError: The extra is not installed, or the graph is damaged or belongs to another model.
    """
    torch_runtime.libraries()
    import onnx
    from google.protobuf.message import DecodeError

    try:
        graph = onnx.load(str(folder.graph), load_external_data=False).graph
        products = tuple(_products(graph))
        floats = dict(_floats(graph))
        model = _loaded(folder, floats, products, device)
        _round(model, floats, products)
        fused = any(node.op_type == "QAttention" for node in graph.node)
        exact.replace(model.transformers_model, device, scales_twice=not fused)
    except (DecodeError, ValueError, TypeError, LookupError, AttributeError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ModelError("model_damaged", file=str(folder.graph), error=reason) from error
    return model


def _products(graph: "onnx.GraphProto") -> Iterator[Product]:
    """Yield the integer products of a graph; a fused one is several."""
    numbers = _numbers(graph)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            name = node.input[1].removesuffix("_quantized")
            by_row = node.input[0].endswith(f"/{UNIT_ROWS}_quantized")
            weight, scale = numbers[f"{name}_quantized"], numbers[f"{name}_scale"]
            yield Product(_layer(node.name), weight.T, scale, by_row)
        elif node.op_type == "QAttention":
            for one, weight, scale in _unfused(numbers, node.input[1], node.input[4]):
                yield Product(f"{_layer(node.output[0])}.{one}", weight.T, scale)


def _floats(graph: "onnx.GraphProto") -> Iterator[tuple[str, "NDArray[np.float32]"]]:
    """Yield what else a graph knows of the transformer, by the names it has there."""
    import numpy as np

    numbers = _numbers(graph)
    for name, values in numbers.items():
        if name.endswith((".weight", ".bias")) and values.dtype == np.float32:
            yield name.partition(".")[2], values
    for node in graph.node:
        if node.name == WORD_VECTORS:
            yield f"{_layer(node.output[0])}.weight", numbers[WORDS] * numbers[WORD_SCALES]
        elif node.op_type == "QAttention":
            for one, bias in _unfused(numbers, node.input[2]):
                yield f"{_layer(node.output[0])}.{one}.bias", bias


def _numbers(graph: "onnx.GraphProto") -> "Numbers":
    from onnx import numpy_helper

    return {one.name: numpy_helper.to_array(one) for one in graph.initializer}


def _unfused(numbers: "Numbers", *names: str) -> "Iterator[tuple[Any, ...]]":
    """Yield each layer in a fused attention with its parts of the numbers ``names``."""
    import numpy as np

    parts = (np.split(numbers[name], len(_FUSED), axis=-1) for name in names)
    return zip(_FUSED, *parts, strict=True)


def _layer(node: str) -> str:
    """Return the dotted name of the layer that a node belongs to, without the graph's own."""
    return ".".join(node.split("/")[2:-1])


def _loaded(
    folder: ModelFolder,
    floats: "Mapping[str, NDArray[np.float32]]",
    products: tuple[Product, ...],
    device: str,
) -> Any:  # noqa: ANN401 - the library has no types here
    """Load the model by its own weights or, where it has none, by what the graph knows."""
    if folder.weights is not None:
        return torch_runtime.load("SentenceTransformer", folder.path, device)
    import numpy as np
    from safetensors.numpy import save_file

    known = {f"{one.layer}.weight": one.weight * one.scale[:, None] for one in products}
    known.update(floats)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / folder.path.name
        shutil.copytree(folder.path, path, ignore=shutil.ignore_patterns("onnx"))
        state = {name: np.ascontiguousarray(values) for name, values in known.items()}
        save_file(state, path / "model.safetensors", metadata={"format": "pt"})
        model = torch_runtime.load("SentenceTransformer", path, device)
    lacking = model.transformers_model.state_dict().keys() - known.keys()
    if any(not name.startswith(_UNUSED) for name in lacking):
        raise LookupError(f"it lacks {min(lacking)}")
    return model


def _round(
    model: Any,  # noqa: ANN401
    floats: "Mapping[str, NDArray[np.float32]]",
    products: tuple[Product, ...],
) -> None:
    """Give a loaded model the numbers of the graph, and layers that round."""
    import torch

    transformer = model.transformers_model
    numbers = {name: torch.from_numpy(values.copy()) for name, values in floats.items()}
    transformer.load_state_dict(numbers, strict=False)
    texts = _Texts()
    model[0].register_forward_pre_hook(texts.look)
    for product in products:
        before, _, name = product.layer.rpartition(".")
        parent = transformer.get_submodule(before)
        setattr(parent, name, _rounding(getattr(parent, name), product, texts))


class _Texts:
    """Remembers which word pieces of the texts that are embedded now only fill them up."""

    def __init__(self) -> None:
        self._filling: torch.Tensor | None = None

    def look(self, _step: object, given: "tuple[dict[str, torch.Tensor]]") -> None:
        mask = given[0].get("attention_mask")
        self._filling = None if mask is None else (mask == 0).unsqueeze(-1)

    def limits(self, x: "torch.Tensor") -> "tuple[torch.Tensor, torch.Tensor]":
        """Return the least and the largest value in each text, zero among them."""
        inside = x if self._filling is None else x.masked_fill(self._filling, 0)
        lowest, highest = inside.amin((1, 2), keepdim=True), inside.amax((1, 2), keepdim=True)
        return lowest.clamp(max=0), highest.clamp(min=0)


def _rounding(layer: "torch.nn.Linear", product: Product, texts: _Texts) -> "torch.nn.Module":
    """Return a layer that computes ``product`` in place of ``layer``, whose bias it keeps."""
    import torch

    if tuple(layer.weight.shape) != product.weight.shape:
        raise ValueError(f"{product.layer} has another size")

    class Rounding(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        """Rounds what enters to 256 steps, as ONNX Runtime's DynamicQuantizeLinear does."""

        def __init__(self) -> None:
            super().__init__()
            known = layer.weight
            self.weight = torch.nn.Buffer(torch.from_numpy(product.weight.copy()).to(known))
            self.scale = torch.nn.Buffer(torch.from_numpy(product.scale.copy()).to(known))
            self.bias = layer.bias

        def forward(self, x: "torch.Tensor") -> "torch.Tensor":
            rows = x.abs().amax(-1, keepdim=True).clamp(min=ROW_FLOOR) if product.by_row else None
            x = x if rows is None else x / rows
            lowest, highest = texts.limits(x)
            step = (highest - lowest) / _STEPS
            step = torch.where(step == 0, torch.ones_like(step), step)
            zero = (-lowest / step).clamp(0, _STEPS).round()
            whole = (torch.round(x / step) + zero).clamp(0, _STEPS) - zero
            made = torch.nn.functional.linear(whole, self.weight) * (step * self.scale)
            made = made if rows is None else made * rows
            return made if self.bias is None else made + self.bias

    return Rounding()
