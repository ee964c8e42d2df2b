"""Improves results after the search: reranks them, sharpens their snippets, sorts by likeness.

Reranking and sharpening ask a model about single passages, which takes too long for the search
itself. They work for as long as the caller allows.
"""

import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import SearchCancelledError
from notesearch.notes import Span
from notesearch.results import Marked, NoteResult, SearchResult, SectionResult
from notesearch.search.grammar import parse
from notesearch.search.snippets import LENGTH, snippet
from notesearch.store.reader import Reader
from notesearch.store.vector_reader import SectionVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder
    from notesearch.embedding.reranker import Reranker

_AT_ONCE = 4
"""Passages or sentences that a model reads in one call."""

_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(r"\S.*?(?:[.!?…][)\]\"'”’»]*(?=\s|\Z)|[。！？]|(?=\s*\Z))")

_FEWEST_WORDS = 3
"""A sentence with fewer words, such as "Burnt bottom.", is joined to the next one."""

_SHARPENING_S = 0.3
"""Seconds for sharpening the snippets of a result."""

_MOST_SENTENCES = 24
"""At most this many sentences of a passage are compared."""


class Reranking:
    """The reranking model that the settings name, loaded when it is first used."""

    def __init__(
        self, name: str, seconds: float, *places: Path, devices: Path | None = None
    ) -> None:
        """Remember the model; nothing is loaded yet.

        Args:
            name: The model or its folder; empty for none.
            seconds: How long it may take for one search.
            places: Folders in which named models are.
            devices: The file that remembers which device is fastest.
        """
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

        Loading the model does not count towards its time.

        Raises:
            ModelError: The model cannot be used.
            SearchCancelledError: ``stopped()`` became true.
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

    Args:
        result: The result of a search.
        model: Reads the query and one passage together.
        seconds: How long it may take. Sections that it did not reach keep their order, at the end.
        stopped: Called between passages.

    Raises:
        SearchCancelledError: ``stopped()`` became true.
    """
    query = parse(result.query).plain_text
    started = time.monotonic()
    scores: list[float] = []
    while more := _affordable(len(scores), time.monotonic() - started, seconds):
        sections = result.sections[len(scores) : len(scores) + more]
        if not sections:
            break
        if stopped():
            raise SearchCancelledError("search_cancelled")
        scores += model.score(query, [f"{s.title}: {s.section}\n{s.passage}" for s in sections])
    order = sorted(range(len(scores)), key=lambda number: -scores[number])
    return in_order(result, [*order, *range(len(scores), len(result.sections))])


def in_order(result: SearchResult, order: Sequence[int]) -> SearchResult:
    """Return ``result`` with its sections in ``order`` (indexes); notes by their best section."""
    sections = tuple(result.sections[number] for number in order)
    rank_of = {id(section): rank for rank, section in enumerate(sections)}

    def first(note: NoteResult) -> int:
        return rank_of[id(note.sections[0])]

    notes = [
        replace(note, sections=tuple(sorted(note.sections, key=lambda s: rank_of[id(s)])))
        for note in result.notes
    ]
    return replace(result, sections=sections, notes=tuple(sorted(notes, key=first)))


def _affordable(done: int, spent: float, seconds: float) -> int:
    """Return how many passages to read next, after ``done`` of them took ``spent`` seconds."""
    if not done:
        return int(seconds > 0)
    return min(_AT_ONCE, int((seconds - spent) * done / max(spent, 1e-6)))


def sharpened(
    result: SearchResult, embedder: "Embedder", stopped: Callable[[], bool]
) -> SearchResult:
    """Return ``result`` with sharper snippets for sections that meaning alone found.

    They have no matching word to cut a snippet around, so the new snippet starts at the sentence
    nearest to the query. Sections that are not reached in time keep their snippets.

    Args:
        result: The result of a search with meaning.
        embedder: The model that made the vectors of the index.
        stopped: Called before each section.

    Raises:
        SearchCancelledError: ``stopped()`` became true.
    """
    until = time.monotonic() + _SHARPENING_S
    snippets: dict[int, Marked] = {}
    vector: NDArray[np.float32] | None = None
    for number, section in enumerate(result.sections):
        if stopped():
            raise SearchCancelledError("search_cancelled")
        if time.monotonic() > until:
            break
        spans = sentences(section.passage)[:_MOST_SENTENCES] if section.related else []
        if len(spans) > 1 and spans[-1][1] > LENGTH:
            if vector is None:
                vector = embedder.embed_query(parse(result.query).plain_text)
            vectors = embedder.embed_passages([section.passage[slice(*span)] for span in spans])
            best = spans[int((vectors @ vector).argmax())]
            if best[1] > LENGTH:  # otherwise the snippet shows it already
                snippets[number] = _cut(section, best[0], spans)
    return _with_snippets(result, snippets)


def nearest_sentence(
    query: str, passage: str, embedder: "Embedder", stopped: Callable[[], bool]
) -> str:
    """Return the sentence of ``passage`` that is nearest to ``query``; empty once ``stopped()``."""
    texts = [passage[slice(*span)] for span in sentences(passage)[:_MOST_SENTENCES]]
    text = parse(query).plain_text
    if not texts or not text or stopped():
        return ""
    vector = embedder.embed_query(text)
    best = (0.0, "")
    for start in range(0, len(texts), _AT_ONCE):
        if stopped():
            return ""
        batch = texts[start : start + _AT_ONCE]
        cosines = embedder.embed_passages(batch) @ vector
        best = max(best, (float(cosines.max()), batch[int(cosines.argmax())]))
    return best[1]


def sentences(text: str) -> list[Span]:
    """Return the spans of sentences. The end of a line ends a sentence, too."""
    return [span for line in _LINE.finditer(text) for span in _of_line(text, *line.span())]


def _of_line(text: str, at: int, end: int) -> Iterator[Span]:
    short = -1
    for match in _SENTENCE.finditer(text, at, end):
        start = match.start() if short < 0 else short
        sentence = text[start : match.end()]
        short = -1
        if (
            len(sentence.split()) < _FEWEST_WORDS
            and sentence[-1] not in "。！？"
            and text[match.end() : end].strip()
        ):
            short = start
        else:
            yield start, match.end()


def _cut(section: SectionResult, start: int, spans: list[Span]) -> Marked:
    """Return the snippet from the sentence at ``start``; from an earlier one if the rest fits."""
    whole = len(section.passage)
    first = min([start, *(begin for begin, _ in spans if whole - begin <= LENGTH)])
    line = snippet(section.passage, (), first).text
    if section.chunk_index < section.total_chunks - 1 and not line.endswith("…"):
        line += "…"
    return Marked(line)


def _with_snippets(result: SearchResult, snippets: dict[int, Marked]) -> SearchResult:
    """Return ``result`` with new ``snippets``, by the index of their section."""
    if not snippets:
        return result
    sections = tuple(
        replace(section, snippet=snippets.get(number, section.snippet))
        for number, section in enumerate(result.sections)
    )
    new = {id(old): fresh for old, fresh in zip(result.sections, sections, strict=True)}
    notes = tuple(
        replace(note, sections=tuple(new[id(section)] for section in note.sections))
        for note in result.notes
    )
    return replace(result, sections=sections, notes=notes)


# Likeness to some of the sections

Place = tuple[str, int]
"""The path of a note, and the line of a section."""


Vectors = dict[Place, SectionVectors]
"""By section, the vectors of its passages."""


def vectors_at(reader: Reader, places: Iterable[Place]) -> Vectors:
    """Return the vectors of those sections at ``places`` that have any."""
    ids = reader.rows.ids_at(set(places))
    of_section = reader.vectors.by_section(ids.values())
    return {place: of_section[id_] for place, id_ in ids.items() if id_ in of_section}


def by_likeness(
    vectors: Vectors, result: SearchResult, liked: Iterable[Place], unliked: Iterable[Place]
) -> SearchResult:
    """Return ``result`` with the sections most like ``liked`` and least like ``unliked`` first.

    Two sections are as alike as their nearest passages. Sections without a vector come last. The
    order stays if no section in ``liked`` and ``unliked`` has one.
    """
    places = [(section.path, section.line) for section in result.sections]
    liked, unliked = frozenset(liked), frozenset(unliked)
    wanted, unwanted = ([vectors[p] for p in group if p in vectors] for group in (liked, unliked))
    if not (wanted or unwanted):
        return result

    def value(place: Place) -> float:
        own = vectors.get(place)
        return -math.inf if own is None else own.likeness(wanted) - own.likeness(unwanted)

    values = [value(place) for place in places]
    return in_order(result, sorted(range(len(places)), key=lambda at: -values[at]))
