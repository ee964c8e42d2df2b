"""Rerankers: models that read a query and a passage together and score how well they match."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from notesearch.embedding import torch_engine
from notesearch.embedding.model_folder import (
    MISREAD,
    ModelTokenizer,
    check_files,
    find_graph,
    find_weights,
    model_path,
    read_json,
    unusable,
)
from notesearch.embedding.onnx_engine import load_fastest
from notesearch.errors import ModelError
from notesearch.messages import Sentence

_ARCHITECTURE = "ForSequenceClassification"
_WINDOW = 512


class Reranker(Protocol):
    """A loaded reranker. Any thread may use it."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text: how well it answers ``query``; higher is better."""
        ...


def is_reranker(path: Path) -> bool:
    """Return whether the model in the folder ``path`` is a reranker."""
    try:
        architectures = read_json(path / "config.json").get("architectures") or []
        return any(str(name).endswith(_ARCHITECTURE) for name in architectures)
    except (ModelError, *MISREAD):
        return False


def load_reranker(name_or_folder: str, *places: Path, devices: Path | None = None) -> Reranker:
    """Load a reranker, as ``load_embedder`` loads a model.

    Raises:
        ModelError: The model is missing, damaged, or not a reranker.
    """
    path = model_path(name_or_folder, *places)
    if not path.is_dir():
        raise ModelError("reranker_missing", name=name_or_folder)
    if not is_reranker(path):
        raise unusable(path, Sentence("reranker_wrong_model"))
    check_files(path)
    graph = find_graph(path)
    if graph is not None:
        return OnnxReranker(path, graph, devices)
    if find_weights(path) is None:
        raise unusable(path, Sentence("model_without_weights"))
    return TorchReranker(path)


class OnnxReranker:
    """A reranker in ONNX form."""

    def __init__(self, path: Path, graph: Path, devices: Path | None = None) -> None:
        """Load the ONNX file ``graph`` of the model in the folder ``path``; ModelError if damaged.

        ``devices`` is the file that stores which device is fastest.
        """
        self._path = path
        described = path / "tokenizer_config.json"
        try:
            limit = min(read_json(described).get("model_max_length") or _WINDOW, _WINDOW)
            self._tokenizer = ModelTokenizer(path / "tokenizer.json", int(limit))
        except MISREAD as error:
            raise ModelError("model_damaged", file=str(described), error=str(error)) from error
        self._model = load_fastest(graph, memory=devices)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers ``query``; higher is better."""
        return [self._score(query, text) for text in texts]

    def _score(self, query: str, text: str) -> float:
        pair = self._tokenizer.encode_pair(query, text)
        output = self._model.run(pair.ids, pair.type_ids).reshape(-1)
        if len(output) != 1:
            raise unusable(self._path, Sentence("reranker_without_score"))
        return float(output[0])


class TorchReranker:
    """A reranker run by sentence-transformers."""

    def __init__(self, path: Path) -> None:
        """Load the model; raises ``ModelError`` if it is damaged or the extra is missing."""
        self._path = path
        self._model: Any = torch_engine.load("CrossEncoder", path, torch_engine.fastest_device())
        if self._model.num_labels != 1:
            raise unusable(path, Sentence("reranker_without_score"))

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers ``query``; higher is better; raises ModelError."""
        clean = [text.encode("utf-8", "replace").decode() for text in (query, *texts)]
        pairs = [(clean[0], text) for text in clean[1:]]
        try:
            scores = self._model.predict(pairs, show_progress_bar=False) if pairs else []
        except (RuntimeError, ValueError, IndexError) as error:
            raise ModelError("model_failed", folder=str(self._path), error=str(error)) from error
        return [float(score) for score in scores]
