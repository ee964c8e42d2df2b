"""Exports a model of PyTorch to an 8-bit ONNX file, which starts at once and runs faster."""

import contextlib
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesearch import private_files
from notesearch.embedding import torch_runtime
from notesearch.embedding.model_folder import ONNX_STEPS, Engine, ModelFolder
from notesearch.embedding.onnx_embedder import OnnxEmbedder
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder

_OPSET = 17
_LEAST_COSINE = 0.98
_NEAREST = 10
_GRAPH = "onnx/model_qint8.onnx"
_QUANTISED = "quantised_model.onnx"


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported model, and how it compares with the original under PyTorch.

    Attributes:
        path: The model's folder.
        size: Bytes of the ONNX file.
        cosine: The mean cosine between the vectors of both models.
        agreement: The share of a text's ten nearest texts that both find, 0 to 1; the mean.
        faster: How many times as many texts it embeds a second.
    """

    path: Path
    size: int
    cosine: float
    agreement: float
    faster: float


def export_model(source: Path, models: Path, name: str, texts: Sequence[str]) -> Exported:
    """Write the ONNX file of a model into its folder in ``models``.

    Args:
        source: The model's folder, with safetensors.
        models: The folder of installed models; a model from elsewhere is copied there.
        name: The name of the model's folder there.
        texts: Texts on which the exported model is compared with the original.

    Raises:
        ModelError: The extra is missing, the model cannot be exported, or the exported model
            differs too much.
    """
    folder = ModelFolder.read(source, Engine.TORCH)
    if folder.weights is None or not all(step.kind in ONNX_STEPS for step in folder.steps):
        raise ModelError("export_impossible", folder=str(source))
    target = models / name
    with tempfile.TemporaryDirectory() as work:
        _write_graph(source, Path(work))
        with _removed_on_failure(target if not target.exists() else target / _GRAPH):
            private_files.make_folder(target)
            if target.resolve() != source.resolve():
                shutil.copytree(source, target, dirs_exist_ok=True, ignore=_PICKLES)
            graph = target / _GRAPH
            graph.parent.mkdir(exist_ok=True)
            shutil.copyfile(Path(work) / _QUANTISED, graph)
            private_files.tighten(target)
            return _measured(folder, target, texts)


@contextlib.contextmanager
def _removed_on_failure(path: Path) -> Iterator[None]:
    """Delete the file or folder that the block makes if the block fails."""
    try:
        yield
    except BaseException:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        raise


def _measured(folder: ModelFolder, target: Path, texts: Sequence[str]) -> Exported:
    """Compare the exported model in ``target`` with the original; raise if it differs too much."""
    from notesearch.embedding.torch_embedder import TorchEmbedder

    original = TorchEmbedder(folder, "cpu")
    exported = OnnxEmbedder(ModelFolder.read(target, Engine.ONNX))
    cosine, shared, faster = _compare(original, exported, texts)
    if cosine < _LEAST_COSINE:
        raise ModelError("export_inexact", cosine=f"{cosine:.3f}")
    return Exported(target, (target / _GRAPH).stat().st_size, cosine, shared, faster)


_PICKLES = shutil.ignore_patterns("*.bin", "*.pt", "*.pkl", "*.py", "*.h5", "*.ckpt", ".cache")


def _write_graph(source: Path, work: Path) -> None:
    """Write the transformer in ``source`` as an 8-bit ONNX file into the folder ``work``."""
    model = torch_runtime.load("SentenceTransformer", source, "cpu").transformers_model
    try:
        import onnx

        from notesearch.embedding import quantisation
    except ImportError as error:
        raise ModelError("export_needs_extra", extra=torch_runtime.EXTRA) from error
    write_graph(model, work / "plain.onnx", "last_hidden_state", model.config.vocab_size)
    graph = onnx.load(work / "plain.onnx")
    quantisation.normalise_rows(graph, int(getattr(model.config, "intermediate_size", 0)))
    graph, _ = quantisation.quantised_graph(graph, work)
    quantisation.shrink_token_table(graph)
    graph.producer_name, graph.producer_version = quantisation.PRODUCER, ""
    onnx.save(graph, work / _QUANTISED)


def _compare(
    original: "Embedder", exported: "Embedder", texts: Sequence[str]
) -> tuple[float, float, float]:
    """Return the mean cosine, the agreement, and how many times faster ``exported`` is."""
    import numpy as np

    seconds, vectors = [], []
    for embedder in (original, exported):
        embedder.embed_passages(texts[:1])
        started = time.perf_counter()
        vectors.append(embedder.embed_passages(texts))
        seconds.append(time.perf_counter() - started)
    cosine = float(np.mean((vectors[0] * vectors[1]).sum(axis=1)))
    return cosine, agreement(*vectors), seconds[0] / max(seconds[1], 1e-9)


def agreement(one: "NDArray[np.float32]", other: "NDArray[np.float32]") -> float:
    """Return the share of each text's ten nearest texts that two models agree on, 0 to 1.

    Args:
        one: The texts' unit vectors by one model, shape ``(texts, n)``.
        other: The texts' unit vectors by the other model, shape ``(texts, m)``.
    """
    import numpy as np

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
    """Write a transformer as a float ONNX file.

    Args:
        model: The transformer.
        file: The file to write.
        output: The name of the output of the transformer that becomes the output of the file.
        vocabulary: The size of the model's vocabulary.
        inputs: The names of the inputs; a third one is the type of each token.
    """
    import torch

    class Named(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        """The model with its inputs in order and one output."""

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
