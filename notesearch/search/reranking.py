"""Puts what was found in a better order, where the user chose a model for that; never at first.

Such a model reads the query and one passage together, ten milliseconds each: it is asked once
results are shown, for as long as there is patience.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import SearchCancelledError
from notesearch.results import NoteResult, SearchResult
from notesearch.search.query import parse

if TYPE_CHECKING:
    from notesearch.embedding.reranker import Reranker

_AT_ONCE = 4


class Reranking:
    """The chosen model, loaded when it is first asked."""

    def __init__(self, name: str, seconds: float, *places: Path) -> None:
        """Take its name in ``places``, or its folder; an empty one is none.

        Args:
            name: Of the model.
            seconds: How long it may take for one search.
            places: Where models of a name are looked for.
        """
        self.name = name
        self._seconds = seconds
        self._places = places
        self._lock = threading.Lock()
        self._model: Reranker | None = None

    def of(
        self,
        result: SearchResult,
        stopped: Callable[[], bool] = lambda: False,
    ) -> SearchResult:
        """Return the same sections in the order of the model; as they are where there is none.

        Loading the model does not count.

        Raises:
            ModelError: The model cannot be used.
            SearchCancelledError: ``stopped()`` became true.
        """
        if not self.name or len(result.sections) < 2:
            return result
        with self._lock:
            if self._model is None:
                from notesearch.embedding.reranker import load_reranker

                self._model = load_reranker(self.name, *self._places)
            return reranked(result, self._model, seconds=self._seconds, stopped=stopped)


def reranked(
    result: SearchResult, model: "Reranker", *, seconds: float, stopped: Callable[[], bool]
) -> SearchResult:
    """Return ``result`` with the sections first that ``model`` finds the best answers.

    Args:
        result: Of a search.
        model: Reads the query and a passage.
        seconds: How long it may take; sections that it did not come to keep their order, behind.
        stopped: Asked between passages.

    Raises:
        SearchCancelledError: ``stopped()`` became true.
    """
    asked = parse(result.query).meaning
    started = time.monotonic()
    scores: list[float] = []
    while more := _affordable(len(scores), time.monotonic() - started, seconds):
        some = result.sections[len(scores) : len(scores) + more]
        if not some:
            break
        if stopped():
            raise SearchCancelledError("The search was cancelled.")
        scores += model.score(asked, [f"{s.title}: {s.section}\n{s.passage}" for s in some])
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    order += range(len(scores), len(result.sections))
    sections = tuple(result.sections[place] for place in order)
    place_of = {id(section): place for place, section in enumerate(sections)}

    def first(note: NoteResult) -> int:
        return place_of[id(note.sections[0])]

    notes = [
        replace(note, sections=tuple(sorted(note.sections, key=lambda s: place_of[id(s)])))
        for note in result.notes
    ]
    return replace(result, sections=sections, notes=tuple(sorted(notes, key=first)))


def _affordable(done: int, spent: float, seconds: float) -> int:
    """Return how many passages may come next: by what one took until now, they end in time."""
    if not done:
        return int(seconds > 0)
    return min(_AT_ONCE, int((seconds - spent) * done / max(spent, 1e-6)))
