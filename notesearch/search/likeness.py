"""Sorts a result by likeness to some of its sections, and unlikeness to others, without a model."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from notesearch.results import SearchResult
from notesearch.search.reranking import in_order
from notesearch.store.reader import Reader

Place = tuple[str, int]
"""The path of a note, and the line of a section."""


Vectors = dict[Place, NDArray[np.float32]]
"""The vectors of the passages of sections, one a row."""


def vectors_at(reader: Reader, places: Iterable[Place]) -> Vectors:
    """Return the vectors of those sections at ``places`` that have any."""
    ids = reader.rows.ids_at(set(places))
    of_section = reader.vectors.by_section(ids.values())
    return {place: of_section[id_] for place, id_ in ids.items() if id_ in of_section}


def by_likeness(
    vectors: Vectors, result: SearchResult, liked: Iterable[Place], unliked: Iterable[Place]
) -> SearchResult:
    """Return ``result``, first the sections most like ``liked`` and least like ``unliked``.

    Two sections are as alike as their nearest passages, by cosine. Sections without a vector come
    last. The order stays if none of the given sections has one.
    """
    places = [(one.path, one.line) for one in result.sections]
    liked, unliked = frozenset(liked), frozenset(unliked)
    wanted, unwanted = ([vectors[p] for p in group if p in vectors] for group in (liked, unliked))
    if not (wanted or unwanted):
        return result

    def value(place: Place) -> float:
        own = vectors.get(place)
        return -np.inf if own is None else _nearest(own, wanted) - _nearest(own, unwanted)

    values = [value(place) for place in places]
    return in_order(result, sorted(range(len(places)), key=lambda at: -values[at]))


def _nearest(own: NDArray[np.float32], others: list[NDArray[np.float32]]) -> float:
    """Return the greatest cosine of a passage in ``own`` and one in ``others``; 0 for none."""
    return max((float((own @ other.T).max()) for other in others), default=0.0)
