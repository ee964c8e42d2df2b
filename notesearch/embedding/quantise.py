"""Rounds the weights of an ONNX graph to eight bits, so that every processor computes the same.

``docs/decisions/model-quantisation.md`` says why the numbers are made the way they are here.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from notesearch.embedding.onnx_session import import_runtime

if TYPE_CHECKING:
    import onnx
    from numpy.typing import NDArray


ROW_FLOOR = 1e-6
UNIT_ROWS = "unit_rows"
WORDS, WORD_SCALES, WORD_VECTORS = "words", "word_scales", "words/Mul"
"""Names in the graph, by which it can be read again."""


def normalise_rows(model: "onnx.ModelProto", wide: int) -> None:
    """Divide each row that enters a product with a side of ``wide`` by its largest value.

    The result is multiplied by it again.

    One scale serves all rows of a product, and the first word piece carries one value ten times
    as large as any other; without this every other piece is rounded ten times as coarsely.
    """
    from onnx import helper, numpy_helper

    graph = model.graph
    weights = {i.name: tuple(i.dims) for i in graph.initializer}
    graph.initializer.append(numpy_helper.from_array(np.float32(ROW_FLOOR), "row_floor"))
    nodes = []
    for node in graph.node:
        is_wide = node.op_type == "MatMul" and wide in weights.get(node.input[1], ())
        if not is_wide:
            nodes.append(node)
            continue
        x, result, name = node.input[0], node.output[0], node.name
        node.input[0], node.output[0] = f"{name}/{UNIT_ROWS}", f"{name}/unit_result"
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
    """Round a weight matrix to int8, one scale per column, so that no pair of rows can saturate.

    AVX2 and AVX-512 without VNNI add two products of uint8 and int8 in 16 bits. 255 x 128 still
    fits, so it is enough that two neighbouring weights of the same sign add up to 128 at most.

    Returns:
        The int8 matrix and the float scale of each column.
    """
    even = weight if len(weight) % 2 == 0 else np.vstack([weight, np.zeros_like(weight[:1])])
    pairs = even.reshape(-1, 2, weight.shape[1])
    sums = np.where(pairs[:, 0] * pairs[:, 1] > 0, np.abs(pairs).sum(axis=1), 0)
    scale = np.maximum(np.abs(weight).max(axis=0) / 127, sums.max(axis=0) / 127)
    return np.round(weight / scale).astype(np.int8), scale.astype(np.float32)


def quantised_graph(model: "onnx.ModelProto", folder: Path) -> "tuple[onnx.ModelProto, int]":
    """Return the graph with integer matrix products, and how many weights ``pair_safe`` rounded.

    ``folder`` is for files in between.
    """
    import onnx
    from onnx import numpy_helper

    import_runtime()  # it must not be loaded by its own parts, which would report that
    from onnxruntime.quantization import QuantType, quantize_dynamic

    weights = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
    onnx.save(model, folder / "rows.onnx")
    with _without_advice():
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


@contextmanager
def _without_advice() -> Iterator[None]:
    """Keep ONNX Runtime from printing what its makers advise; where there is a log it stands."""
    silent = logging.NullHandler()  # without any, the first message brings one that prints
    logging.getLogger().addHandler(silent)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(silent)


def shrink_word_table(model: "onnx.ModelProto") -> None:
    """Keep the table of word vectors as int8 with one scale per word: half of the model's size."""
    from onnx import TensorProto, helper, numpy_helper

    graph = model.graph
    looked_up = {node.input[0] for node in graph.node if node.op_type == "Gather"}
    tables = [i for i in graph.initializer if i.name in looked_up and len(i.dims) == 2]
    table = max(tables, key=lambda i: int(np.prod(i.dims)))
    at, lookup = next((k, n) for k, n in enumerate(graph.node) if n.input[:1] == [table.name])
    values = numpy_helper.to_array(table)
    scale = np.maximum(np.abs(values).max(axis=1, keepdims=True), 1e-6) / 127
    pieces, vectors = lookup.input[1], lookup.output[0]
    graph.initializer.remove(table)
    graph.initializer.extend(
        [
            numpy_helper.from_array(np.round(values / scale).astype(np.int8), WORDS),
            numpy_helper.from_array(scale.astype(np.float32), WORD_SCALES),
        ]
    )
    graph.node.remove(lookup)
    nodes = [
        helper.make_node("Gather", [WORDS, pieces], ["word_int8"], "words/Gather"),
        helper.make_node(
            "Cast", ["word_int8"], ["word_rounded"], "words/Cast", to=TensorProto.FLOAT
        ),
        helper.make_node("Gather", [WORD_SCALES, pieces], ["word_scale"], "words/GatherScale"),
        helper.make_node("Mul", ["word_rounded", "word_scale"], [vectors], WORD_VECTORS),
    ]
    for offset, node in enumerate(nodes):
        graph.node.insert(at + offset, node)
