"""Models that read a query and a passage together, and say how well that answers this."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from notesearch.embedding import torch_runtime
from notesearch.embedding.files import find_graph, find_weights
from notesearch.embedding.folder import table
from notesearch.embedding.model import model_path
from notesearch.embedding.onnx_session import Graph
from notesearch.embedding.pieces import Pieces
from notesearch.errors import ModelError

_KIND = "ForSequenceClassification"
WINDOW = 512


class Reranker(Protocol):
    """A loaded model of that kind; any thread may use it."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers ``query``: more is better."""
        ...


def is_reranker(path: Path) -> bool:
    """Return whether the folder ``path`` describes a model that gives a pair of texts a number."""
    try:
        kinds = table(path / "config.json").get("architectures") or []
    except (ModelError, OSError, ValueError):
        return False
    return any(str(kind).endswith(_KIND) for kind in kinds)


def load_reranker(name_or_folder: str, *places: Path) -> Reranker:
    """Load the model of a name in ``places``, or of a folder anywhere; never uses a network.

    Raises:
        ModelError: It is not there, damaged, or of another kind.
    """
    path = model_path(name_or_folder, *places)
    if not path.is_dir():
        raise ModelError("reranker_missing", name=name_or_folder)
    if not is_reranker(path):
        raise ModelError("reranker_wrong_model", folder=str(path))
    graph = find_graph(path)
    if graph is not None:
        return OnnxReranker(path, graph)
    if find_weights(path) is None:
        raise ModelError("reranker_without_weights", folder=str(path))
    return TorchReranker(path)


class OnnxReranker:
    """A reranker in ONNX form, on the processor."""

    def __init__(self, path: Path, graph: Path) -> None:
        """Load it; raises ``ModelError`` where it is damaged."""
        self._path = path
        said = table(path / "tokenizer_config.json").get("model_max_length") or WINDOW
        self._pieces = Pieces(path / "tokenizer.json", min(int(said), WINDOW))
        self._graph = Graph(graph)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers ``query``: more is better."""
        return [self._score(query, text) for text in texts]

    def _score(self, query: str, text: str) -> float:
        pair = self._pieces.of_pair(query, text)
        made = self._graph.run(pair.ids, pair.type_ids).reshape(-1)
        if len(made) != 1:
            raise ModelError("reranker_without_score", folder=str(self._path))
        return float(made[0])


class TorchReranker:
    """A reranker under sentence-transformers."""

    def __init__(self, path: Path) -> None:
        """Load it; raises ``ModelError`` where it is damaged or the extra is missing."""
        self._path = path
        self._model: Any = torch_runtime.load("CrossEncoder", path, torch_runtime.device())
        if self._model.num_labels != 1:
            raise ModelError("reranker_without_score", folder=str(path))

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers ``query``: more is better.

        Raises:
            ModelError: It does not work with them.
        """
        clean = [text.encode("utf-8", "replace").decode() for text in (query, *texts)]
        pairs = [(clean[0], text) for text in clean[1:]]
        try:
            made = self._model.predict(pairs, show_progress_bar=False) if pairs else []
        except (RuntimeError, ValueError, IndexError) as error:
            raise ModelError("reranker_failed", folder=str(self._path)) from error
        return [float(one) for one in made]
