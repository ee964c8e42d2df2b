"""Exports a model of PyTorch to an 8-bit ONNX file, which starts at once and runs faster.

The file gives the same vectors on every processor; ``docs/decisions/model-quantisation.md``
explains the choices.
"""

import contextlib
import logging
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from notesearch.embedding import torch_runtime
from notesearch.embedding.model_folder import ONNX_STEPS, Engine, ModelFolder
from notesearch.embedding.onnx_embedder import OnnxEmbedder
from notesearch.embedding.onnx_model import import_runtime
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import onnx
    import torch
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder

_OPSET = 17
_LEAST_COSINE = 0.98
_NEAREST = 10
_QUANTISED = "quantised_model.onnx"
_ROW_FLOOR = 1e-6
_TOKENS, _TOKEN_SCALES = "words", "word_scales"

PRODUCER = "notesearch"
"""The producer that an exported graph names."""

GRAPH = "onnx/model_qint8.onnx"
"""The exported graph in a model's folder."""


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported model, and how it compares with the original under PyTorch.

    Attributes:
        cosine: The mean cosine between the vectors of both models.
        agreement: The mean share of a text's ten nearest texts that both models find, 0 to 1.
        faster: How many times as many texts per second it embeds as the original model.
    """

    path: Path
    size: int
    cosine: float
    agreement: float
    faster: float


def export_model(folder: Path, texts: Sequence[str]) -> Exported:
    """Write an ONNX file into a model's folder, and compare it with the model itself on ``texts``.

    Raises:
        ModelError: The extra is missing, the model cannot be exported, or the exported model
            differs too much.
    """
    from notesearch.embedding.torch_embedder import TorchEmbedder

    model = ModelFolder.read(folder, Engine.TORCH)
    graph = folder / GRAPH
    graph.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        _write_graph(folder, Path(work))
        shutil.copyfile(Path(work) / _QUANTISED, graph)
    original = TorchEmbedder(model, "cpu")
    exported = OnnxEmbedder(ModelFolder.read(folder, Engine.ONNX))
    cosine, shared, faster = _compare(original, exported, texts)
    if cosine < _LEAST_COSINE:
        raise ModelError("export_inexact", cosine=f"{cosine:.3f}")
    return Exported(folder, graph.stat().st_size, cosine, shared, faster)


def check_exportable(folder: Path) -> None:
    """Check whether a model can be exported here, without loading it; raises ModelError."""
    if not torch_runtime.is_installed():
        raise ModelError("export_needs_extra", extra=torch_runtime.EXTRA)
    model = ModelFolder.read(folder, Engine.TORCH)
    if model.weights is None or not all(step.kind in ONNX_STEPS for step in model.steps):
        raise ModelError("export_impossible", folder=str(folder))


def _write_graph(source: Path, work: Path) -> None:
    model = torch_runtime.load("SentenceTransformer", source, "cpu").transformers_model
    try:
        import onnx
    except ImportError as error:
        raise ModelError("export_needs_extra", extra=torch_runtime.EXTRA) from error
    write_graph(model, work / "plain.onnx", "last_hidden_state", model.config.vocab_size)
    graph = onnx.load(work / "plain.onnx")
    normalise_rows(graph, int(getattr(model.config, "intermediate_size", 0)))
    graph, _ = quantised_graph(graph, work)
    shrink_token_table(graph)
    graph.producer_name, graph.producer_version = PRODUCER, ""
    onnx.save(graph, work / _QUANTISED)


def _compare(
    original: "Embedder", exported: "Embedder", texts: Sequence[str]
) -> tuple[float, float, float]:
    seconds, vectors = [], []
    for embedder in (original, exported):
        embedder.embed_passages(texts[:1])
        started = time.perf_counter()
        vectors.append(embedder.embed_passages(texts))
        seconds.append(time.perf_counter() - started)
    cosine = float(np.mean((vectors[0] * vectors[1]).sum(axis=1)))
    return cosine, agreement(*vectors), seconds[0] / max(seconds[1], 1e-9)


def agreement(one: "NDArray[np.float32]", other: "NDArray[np.float32]") -> float:
    """Return the mean share of a text's ten nearest texts that two models agree on, 0 to 1.

    The arguments are unit vectors of the same texts, shape ``(texts, n)`` and ``(texts, m)``.
    """
    nearest = []
    for vectors in (one, other):
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -2)
        nearest.append(np.argsort(-cosines, axis=1)[:, : min(_NEAREST, len(vectors) - 1)])
    shared: list[Any] = [
        len(set(a) & set(b)) / len(a) for a, b in zip(*nearest, strict=True) if len(a)
    ]
    return float(np.mean(shared)) if shared else 1.0


def write_graph(
    model: "torch.nn.Module",
    file: Path,
    output: str,
    vocabulary: int,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
) -> None:
    """Write a transformer as a float ONNX file that keeps its output ``output``.

    The third of the names ``inputs``, if any, is the type of each token.
    """
    import torch

    class Named(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        """The model, with its inputs in a fixed order and only one output."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: "torch.Tensor") -> "torch.Tensor":
            return self.model(**dict(zip(inputs, given, strict=True)))[output]

    tokens = torch.arange(24).reshape(2, 12) % vocabulary
    mask = torch.ones_like(tokens)
    mask[1, 8:] = 0
    example = (tokens, mask, torch.zeros_like(tokens))[: len(inputs)]
    axes = {name: {0: "batch", 1: "length"} for name in inputs}
    with warnings.catch_warnings():
        # The quantiser fuses attention only in graphs of this exporter, not of the newer one.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Named().eval(),
            example,
            str(file),
            dynamo=False,
            opset_version=_OPSET,
            input_names=list(inputs),
            output_names=[output],
            dynamic_axes={**axes, output: {0: "batch"}},
        )


def normalise_rows(model: "onnx.ModelProto", width: int) -> None:
    """Divide each row by its largest value before a matrix product; multiply the result by it.

    This is for products with a matrix that has a side of ``width``. Otherwise, all rows share one
    scale, and the first token has one value ten times larger than any other.
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


def pair_safe(weight: "NDArray[np.float32]") -> "tuple[NDArray[np.int8], NDArray[np.float32]]":
    """Round a weight matrix to int8, with one float scale per column, so that no sum overflows.

    AVX2 and AVX-512 without VNNI add two products of uint8 and int8 in 16 bits. 255 x 128 still
    fits, so two neighbouring weights of the same sign may add up to 128 at most.
    """
    even = weight if len(weight) % 2 == 0 else np.vstack([weight, np.zeros_like(weight[:1])])
    pairs = even.reshape(-1, 2, weight.shape[1])
    sums = np.where(pairs[:, 0] * pairs[:, 1] > 0, np.abs(pairs).sum(axis=1), 0)
    scale = np.maximum(np.abs(weight).max(axis=0) / 127, sums.max(axis=0) / 127)
    return np.round(weight / scale).astype(np.int8), scale.astype(np.float32)


def quantised_graph(model: "onnx.ModelProto", folder: Path) -> "tuple[onnx.ModelProto, int]":
    """Return ``model`` with integer matrix products, and how many matrices were rounded."""
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
