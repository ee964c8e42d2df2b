"""Rounds the numbers of an ONNX graph to 8 bits, with the same sums on all computers.

``docs/decisions/model-quantisation.md`` explains the choices.
"""

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from notesearch.embedding.onnx_engine import import_runtime

if TYPE_CHECKING:
    import onnx
    from numpy.typing import NDArray

_ROW_FLOOR = 1e-6
_TOKENS, _TOKEN_SCALES = "words", "word_scales"

PRODUCER = "notesearch"
"""The producer that an exported graph names."""


def normalise_rows(model: "onnx.ModelProto", width: int) -> None:
    """Divide each row by its largest value before a matrix product; multiply the result by it.

    This changes each product in the graph ``model`` with a matrix that has a side of ``width``.
    Otherwise, all rows of a product share one scale. The first token has one value ten times larger
    than any other, so all other tokens would be rounded ten times more coarsely.
    """
    from onnx import helper, numpy_helper

    graph = model.graph
    weights = {i.name: tuple(i.dims) for i in graph.initializer}
    graph.initializer.append(numpy_helper.from_array(np.float32(_ROW_FLOOR), "row_floor"))
    nodes = []
    for node in graph.node:
        is_wide = node.op_type == "MatMul" and width in weights.get(node.input[1], ())
        if not is_wide:
            nodes.append(node)
            continue
        x, result, name = node.input[0], node.output[0], node.name
        node.input[0], node.output[0] = f"{name}/unit_rows", f"{name}/unit_result"
        axes: dict[str, Any] = {"axes": [-1], "keepdims": 1}
        nodes += [
            helper.make_node("Abs", [x], [f"{name}/abs"], f"{name}/Abs"),
            helper.make_node(
                "ReduceMax", [f"{name}/abs"], [f"{name}/max"], f"{name}/ReduceMax", **axes
            ),
            helper.make_node("Max", [f"{name}/max", "row_floor"], [f"{name}/rows"], f"{name}/Max"),
            helper.make_node("Div", [x, f"{name}/rows"], [node.input[0]], f"{name}/Div"),
            node,
            helper.make_node("Mul", [node.output[0], f"{name}/rows"], [result], f"{name}/Mul"),
        ]
    del graph.node[:]
    graph.node.extend(nodes)


def pair_safe(
    weight: "NDArray[np.float32]",
) -> "tuple[NDArray[np.int8], NDArray[np.float32]]":
    """Round a weight matrix to int8, with one scale per column, so that no sum overflows.

    AVX2 and AVX-512 without VNNI add two products of uint8 and int8 in 16 bits. 255 x 128 still
    fits, so two neighbouring weights of the same sign may add up to 128 at most.

    Returns:
        The int8 matrix, and the float scale of each column.
    """
    even = weight if len(weight) % 2 == 0 else np.vstack([weight, np.zeros_like(weight[:1])])
    pairs = even.reshape(-1, 2, weight.shape[1])
    sums = np.where(pairs[:, 0] * pairs[:, 1] > 0, np.abs(pairs).sum(axis=1), 0)
    scale = np.maximum(np.abs(weight).max(axis=0) / 127, sums.max(axis=0) / 127)
    return np.round(weight / scale).astype(np.int8), scale.astype(np.float32)


def quantised_graph(model: "onnx.ModelProto", folder: Path) -> "tuple[onnx.ModelProto, int]":
    """Return ``model`` with integer matrix products, and how many matrices were rounded.

    Writes temporary files into ``folder``.
    """
    import onnx
    from onnx import numpy_helper

    import_runtime()  # before its parts do, with telemetry on
    from onnxruntime.quantization import QuantType, quantize_dynamic

    weights = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
    onnx.save(model, folder / "rows.onnx")
    with _silent_log():
        quantize_dynamic(
            folder / "rows.onnx",
            folder / "quantised.onnx",
            op_types_to_quantize=["MatMul", "Attention"],
            weight_type=QuantType.QInt8,
            per_channel=True,
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )
    quantised = onnx.load(folder / "quantised.onnx")
    initializers = {i.name: i for i in quantised.graph.initializer}
    matrices = [name for name in weights if f"{name}_quantized" in initializers]
    for name in matrices:
        for suffix, values in zip(("quantized", "scale"), pair_safe(weights[name]), strict=True):
            whole = f"{name}_{suffix}"
            initializers[whole].CopyFrom(numpy_helper.from_array(values, whole))
    return quantised, len(matrices)


@contextlib.contextmanager
def _silent_log() -> Iterator[None]:
    """Keep ONNX Runtime's advice off the terminal; a configured log still gets it."""
    handler = logging.NullHandler()  # without a handler, Python's logging prints to the terminal
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


def shrink_token_table(model: "onnx.ModelProto") -> None:
    """Store the table of token vectors as int8 with one scale per token: half the model's size."""
    from onnx import TensorProto, helper, numpy_helper

    graph = model.graph
    looked_up = {node.input[0] for node in graph.node if node.op_type == "Gather"}
    tables = [i for i in graph.initializer if i.name in looked_up and len(i.dims) == 2]
    table = max(tables, key=lambda i: int(np.prod(i.dims)))
    index, lookup = next((k, n) for k, n in enumerate(graph.node) if n.input[:1] == [table.name])
    values = numpy_helper.to_array(table)
    scale = np.maximum(np.abs(values).max(axis=1, keepdims=True), 1e-6) / 127
    tokens, vectors = lookup.input[1], lookup.output[0]
    graph.initializer.remove(table)
    graph.initializer.extend(
        [
            numpy_helper.from_array(np.round(values / scale).astype(np.int8), _TOKENS),
            numpy_helper.from_array(scale.astype(np.float32), _TOKEN_SCALES),
        ]
    )
    graph.node.remove(lookup)
    nodes = [
        helper.make_node("Gather", [_TOKENS, tokens], ["word_int8"], "words/Gather"),
        helper.make_node(
            "Cast", ["word_int8"], ["word_rounded"], "words/Cast", to=TensorProto.FLOAT
        ),
        helper.make_node("Gather", [_TOKEN_SCALES, tokens], ["word_scale"], "words/GatherScale"),
        helper.make_node("Mul", ["word_rounded", "word_scale"], [vectors], "words/Mul"),
    ]
    for offset, node in enumerate(nodes):
        graph.node.insert(index + offset, node)
