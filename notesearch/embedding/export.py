"""Makes an ONNX file of a model that PyTorch runs, so that it starts at once and runs quicker."""

import contextlib
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesearch.embedding import torch_runtime
from notesearch.embedding.files import MAKER
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.onnx_engine import STEPS, OnnxEmbedder
from notesearch.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    from notesearch.embedding.model import Embedder

_OPSET = 17
_LEAST_COSINE = 0.98
_FIRST = 10
_GRAPH = "onnx/model_qint8.onnx"


@dataclass(frozen=True, slots=True)
class Exported:
    """A model that was exported, and how it compares with what PyTorch makes of it.

    Attributes:
        path: Its folder.
        size: Bytes of the ONNX file.
        cosine: Mean cosine between the vectors of both.
        agreement: Share of the ten nearest texts of each text that both find, 0 to 1.
        faster: How many times as many texts a second.
    """

    path: Path
    size: int
    cosine: float
    agreement: float
    faster: float


def export_model(source: Path, models: Path, name: str, texts: Sequence[str]) -> Exported:
    """Write the ONNX file of the model in ``source`` into its folder in ``models``.

    Args:
        source: A folder of sentence-transformers with safetensors.
        models: Where models are installed; one from elsewhere is copied there.
        name: Of its folder there.
        texts: What it is compared on.

    Raises:
        ModelError: The extra is missing, the model cannot be exported, or what came out is too
            far from it.
    """
    folder = ModelFolder.read(source)
    if folder.weights is None or not all(step.kind in STEPS for step in folder.steps):
        raise ModelError("export_impossible", folder=str(source))
    target = models / name
    with tempfile.TemporaryDirectory() as work:
        _write(source, Path(work))
        with _nothing_left_of(target if not target.exists() else target / _GRAPH):
            if target.resolve() != source.resolve():
                shutil.copytree(source, target, dirs_exist_ok=True, ignore=_PICKLES)
            graph = target / _GRAPH
            graph.parent.mkdir(exist_ok=True)
            shutil.copyfile(Path(work) / "rounded.onnx", graph)
            return _measured(folder, target, texts)


@contextlib.contextmanager
def _nothing_left_of(made: Path) -> Iterator[None]:
    """Delete what the block makes, a file or a folder, where it fails."""
    try:
        yield
    except BaseException:
        if made.is_dir():
            shutil.rmtree(made, ignore_errors=True)
        else:
            made.unlink(missing_ok=True)
        raise


def _measured(folder: ModelFolder, target: Path, texts: Sequence[str]) -> Exported:
    """Compare the graph in ``target`` with the weights in ``folder``; raises where it is far."""
    from notesearch.embedding.sentence_transformers_engine import TorchEmbedder

    exact = TorchEmbedder(replace(folder, graph=None), "cpu")
    made = _compared(exact, OnnxEmbedder(ModelFolder.read(target)), texts)
    if made[0] < _LEAST_COSINE:
        raise ModelError("export_inexact", cosine=f"{made[0]:.3f}")
    return Exported(target, (target / _GRAPH).stat().st_size, *made)


_PICKLES = shutil.ignore_patterns("*.bin", "*.pt", "*.pkl", "*.py", "*.h5", "*.ckpt", ".cache")


def _write(source: Path, work: Path) -> None:
    """Write the graph of the transformer in ``source``, in eight bits, into ``work``."""
    model = torch_runtime.load("SentenceTransformer", source, "cpu").transformers_model
    try:
        import onnx

        from notesearch.embedding import quantise
    except ImportError as error:
        raise ModelError("export_needs_extra", extra=torch_runtime.EXTRA) from error
    write_graph(model, work / "plain.onnx", "last_hidden_state", model.config.vocab_size)
    graph = onnx.load(work / "plain.onnx")
    quantise.normalise_rows(graph, int(getattr(model.config, "intermediate_size", 0)))
    graph, _ = quantise.quantised_graph(graph, work)
    quantise.shrink_word_table(graph)
    graph.producer_name, graph.producer_version = MAKER, ""
    onnx.save(graph, work / "rounded.onnx")


def _compared(
    one: "Embedder", other: "Embedder", texts: Sequence[str]
) -> tuple[float, float, float]:
    """Return mean cosine, agreement of the nearest, and how much faster ``other`` is."""
    import numpy as np

    seconds, made = [], []
    for embedder in (one, other):
        embedder.embed_passages(texts[:1])
        started = time.perf_counter()
        made.append(embedder.embed_passages(texts))
        seconds.append(time.perf_counter() - started)
    cosine = float(np.mean((made[0] * made[1]).sum(axis=1)))
    return cosine, agreement(made[0], made[1]), seconds[0] / max(seconds[1], 1e-9)


def agreement(one: "NDArray[np.float32]", other: "NDArray[np.float32]") -> float:
    """Return the share, 0 to 1, of the ten nearest texts of each text that two models agree on.

    Args:
        one: Vectors of the texts, each of length 1, shape (texts, n).
        other: Those of the other model, shape (texts, m).
    """
    import numpy as np

    near = []
    for vectors in (one, other):
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -2)
        near.append(np.argsort(-cosines, axis=1)[:, : min(_FIRST, len(vectors) - 1)])
    shared: list[Any] = [
        len(set(a) & set(b)) / len(a) for a, b in zip(*near, strict=True) if len(a)
    ]
    return float(np.mean(shared)) if shared else 1.0


def write_graph(
    model: "torch.nn.Module",
    file: Path,
    output: str,
    vocabulary: int,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
) -> None:
    """Write a transformer as a plain ONNX graph.

    Args:
        model: Takes word pieces and what belongs to them.
        file: To be written.
        output: Which of its outputs the graph gives, by name.
        vocabulary: How many word pieces it knows.
        inputs: What it takes; a third is the kind of each piece.
    """
    import torch

    class Named(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        """The model with its inputs in order and one output."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: "torch.Tensor") -> "torch.Tensor":
            return self.model(**dict(zip(inputs, given, strict=True)))[output]

    pieces = torch.arange(24).reshape(2, 12) % vocabulary
    mask = torch.ones_like(pieces)
    mask[1, 8:] = 0
    given = (pieces, mask, torch.zeros_like(pieces))[: len(inputs)]
    axes = {name: {0: "batch", 1: "length"} for name in inputs}
    with warnings.catch_warnings():
        # Fusing attention and counting on fixed names need this exporter, not the newer one.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Named().eval(), given, str(file), dynamo=False, opset_version=_OPSET,
            input_names=list(inputs), output_names=[output],
            dynamic_axes={**axes, output: {0: "batch"}},
        )  # fmt: skip
