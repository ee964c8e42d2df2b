"""Measures models on some texts, each in a process of its own, and compares them."""

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from notesearch.config import Paths
from notesearch.errors import ModelError, TaskStoppedError
from notesearch.messages import Sentence
from notesearch.models import path_of
from notesearch.processes import Child, serve

_NEAREST = 10
_MEASURING_S = 300
_CHECK_S = 0.2


@dataclass(frozen=True, slots=True)
class Measurement:
    """The figures of a model, measured on some texts.

    Attributes:
        engine: The engine and the device, in words.
        agreement: The share, 0 to 1, of the ten nearest texts of each text that the first of the
            compared models finds, too.
    """

    name: str
    engine: str
    load_s: float
    passages_per_s: float
    query_ms: float
    memory_mb: float
    agreement: float


def compare(
    paths: Paths,
    names: Sequence[str],
    texts: Sequence[str],
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[Measurement, ...]:
    """Measure models on ``texts``, each in a process of its own.

    Raises:
        ModelError: A model is missing, unusable or too slow.
        TaskStoppedError: ``stopped()`` returned True.
    """
    measured = [_measured(paths, name, texts, stopped) for name in names]
    first = measured[0]["vectors"]
    return tuple(
        Measurement(name, agreement=_agreement(first, figures.pop("vectors")), **figures)
        for name, figures in zip(names, measured, strict=True)
    )


def _measured(
    paths: Paths, name: str, texts: Sequence[str], stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Return the figures of a ``Measurement``, and the ``vectors`` of ``texts``."""
    order = {"path": str(path_of(paths, name)), "texts": list(texts)}
    started = time.monotonic()
    child = Child("notesearch.model_comparison", _MEASURING_S)
    with ThreadPoolExecutor(1) as thread, closing(child):
        asked = thread.submit(lambda: child.ask(order) if child.ready(_MEASURING_S) else None)
        while not wait([asked], _CHECK_S).done:
            if stopped():
                raise TaskStoppedError("task_stopped")
    answer = asked.result()
    if answer is None and time.monotonic() - started >= _MEASURING_S:
        raise ModelError("model_slow")
    if answer is None:
        raise ModelError("model_not_measured", name=name)
    if "error" in answer:
        raise ModelError(Sentence.from_json(str(answer["error"])))
    return answer


def _agreement(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    """Return the share of each text's ten nearest texts that two models agree on, 0 to 1."""
    import numpy as np

    nearest = []
    for vectors in (np.asarray(one, np.float32), np.asarray(other, np.float32)):
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -2)
        nearest.append(np.argsort(-cosines, axis=1)[:, : min(_NEAREST, len(vectors) - 1)])
    shared = [len(set(a) & set(b)) / len(a) for a, b in zip(*nearest, strict=True) if len(a)]
    return sum(shared) / len(shared) if shared else 1.0


_QUERIES = 20
_QUERY_LENGTH = 60


def _measure(order: dict[str, Any]) -> dict[str, object]:
    """Measure the model and the texts that ``order`` names, in a process of its own."""
    from notesearch.embedding.embedder import engine_name
    from notesearch.embedding.model_loader import load_embedder

    texts: list[str] = order["texts"]
    started = time.perf_counter()
    try:
        model = load_embedder(str(order["path"]), Path())
        loaded = time.perf_counter()
        vectors = model.embed_passages(texts)
        embedded = time.perf_counter()
        for text in texts[:_QUERIES]:
            model.embed_query(text[:_QUERY_LENGTH])
        ended = time.perf_counter()
    except ModelError as error:
        return {"error": error.sentence.to_json()}
    return {
        "engine": engine_name(model),
        "load_s": loaded - started,
        "passages_per_s": len(texts) / max(embedded - loaded, 1e-9),
        "query_ms": 1000 * (ended - embedded) / max(1, min(_QUERIES, len(texts))),
        "memory_mb": _peak_memory() / 2**20,
        "vectors": [[round(float(n), 5) for n in row] for row in vectors],
    }


def _peak_memory() -> int:
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    serve(_measure, memory=-1, seconds=2 * _MEASURING_S, questions=sys.stdin, answers=sys.stdout)
