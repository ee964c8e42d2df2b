"""Reranks results: a second model reads the query and the best passages together.

This takes too long for the search itself, so it works for as long as the caller allows.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import SearchCancelledError
from notesearch.results import SearchResult
from notesearch.search.query import parse

if TYPE_CHECKING:
    from notesearch.embedding.reranker import Reranker

_AT_ONCE = 4
"""Passages that the model reads in one call."""


class Reranking:
    """The reranking model that the settings name, loaded when it is first used."""

    def __init__(
        self, name: str, seconds: float, *places: Path, devices: Path | None = None
    ) -> None:
        """Use the model ``name``, empty for none, for at most ``seconds``; load it later."""
        self.name = name
        self._seconds = seconds
        self._places = places
        self._devices = devices
        self._lock = threading.Lock()
        self._model: Reranker | None = None

    def rerank(
        self, result: SearchResult, stopped: Callable[[], bool] = lambda: False
    ) -> SearchResult:
        """Return ``result`` with its sections in the model's order; unchanged without a model.

        Loading the model does not count towards its time. Raises as ``reranked``, or ModelError.
        """
        if not self.name or len(result.sections) < 2:
            return result
        with self._lock:
            if self._model is None:
                from notesearch.embedding.reranker import load_reranker

                self._model = load_reranker(self.name, *self._places, devices=self._devices)
            return reranked(result, self._model, seconds=self._seconds, stopped=stopped)


def reranked(
    result: SearchResult, model: "Reranker", *, seconds: float, stopped: Callable[[], bool]
) -> SearchResult:
    """Return ``result`` in the order in which ``model`` ranks its sections.

    Sections that it does not reach in ``seconds`` come last, in their old order.

    Raises:
        SearchCancelledError: ``stopped()`` became true.
    """
    query = parse(result.query).plain_text
    started = time.monotonic()
    scores: list[float] = []
    while True:
        more = _affordable(len(scores), time.monotonic() - started, seconds)
        sections = result.sections[len(scores) : len(scores) + more]
        if not sections:
            break
        if stopped():
            raise SearchCancelledError("search_cancelled")
        scores += model.score(query, [f"{s.title}: {s.section}\n{s.passage}" for s in sections])
    order = sorted(range(len(scores)), key=lambda number: -scores[number])
    return result.in_order([*order, *range(len(scores), len(result.sections))])


def _affordable(done: int, spent: float, seconds: float) -> int:
    """Return how many more sections to score at once, by the time that the ``done`` ones took."""
    if not done:
        return int(seconds > 0)
    return min(_AT_ONCE, int((seconds - spent) * done / max(spent, 1e-6)))
