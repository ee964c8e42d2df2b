"""Sharper snippets once results are shown: the sentence that is nearest to the query.

What was found by meaning alone has no matching word to cut its snippet around. The sentences of its
passage are embedded then; that takes a few milliseconds a row, too long for the search itself.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from notesearch.errors import SearchCancelledError
from notesearch.notes import Span
from notesearch.results import Marked, SearchResult, SectionResult
from notesearch.search.query import parse
from notesearch.search.snippets import LENGTH, snippet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.model import Embedder

_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(r"\S.*?(?:[.!?…][)\]\"'”’»]*(?=\s|\Z)|[。！？]|(?=\s*\Z))")
_CRUMB = 3
"""Fewer words than these, as in "Burnt bottom.", say nothing without the next sentence."""

_MOST = 24
"""Sentences of one passage that are looked at."""

_AT_ONCE = 4


def sharpened(
    result: SearchResult, embedder: "Embedder", *, seconds: float, stopped: Callable[[], bool]
) -> SearchResult:
    """Return ``result`` with other snippets where meaning alone found a section; else as it is.

    Args:
        result: Of a search with meaning.
        embedder: The model that made its vectors.
        seconds: How long it may take; the rows below keep their snippets.
        stopped: Asked before each row.

    Raises:
        SearchCancelledError: ``stopped()`` became true.
    """
    until = time.monotonic() + seconds
    found: dict[int, Marked] = {}
    asked: NDArray[np.float32] | None = None
    for place, section in enumerate(result.sections):
        if stopped():
            raise SearchCancelledError("The search was cancelled.")
        if time.monotonic() > until:
            break
        spans = sentences(section.passage)[:_MOST] if section.related else []
        if len(spans) > 1 and spans[-1][1] > LENGTH:
            asked = embedder.embed_query(parse(result.query).meaning) if asked is None else asked
            vectors = embedder.embed_passages([section.passage[slice(*span)] for span in spans])
            best = spans[int((vectors @ asked).argmax())]
            if best[1] > LENGTH:  # else it is shown already
                found[place] = _cut(section, best[0], spans)
    return _with_snippets(result, found)


def nearest(query: str, passage: str, embedder: "Embedder", stopped: Callable[[], bool]) -> str:
    """Return the sentence of ``passage`` that is nearest to ``query``; empty once ``stopped()``."""
    said = [passage[slice(*span)] for span in sentences(passage)[:_MOST]]
    meaning = parse(query).meaning
    if not said or not meaning or stopped():
        return ""
    asked = embedder.embed_query(meaning)
    best = (0.0, "")
    for start in range(0, len(said), _AT_ONCE):
        if stopped():
            return ""
        some = said[start : start + _AT_ONCE]
        likeness = embedder.embed_passages(some) @ asked
        best = max(best, (float(likeness.max()), some[int(likeness.argmax())]))
    return best[1]


def sentences(text: str) -> list[Span]:
    """Return the spans of sentences; the end of a line ends one too."""
    return [span for line in _LINE.finditer(text) for span in _of_line(text, *line.span())]


def _of_line(text: str, at: int, end: int) -> Iterator[Span]:
    crumb = -1
    for match in _SENTENCE.finditer(text, at, end):
        start = match.start() if crumb < 0 else crumb
        said = text[start : match.end()]
        crumb = -1
        if (
            len(said.split()) < _CRUMB
            and said[-1] not in "。！？"
            and text[match.end() : end].strip()
        ):
            crumb = start
        else:
            yield start, match.end()


def _cut(section: SectionResult, start: int, spans: list[Span]) -> Marked:
    """Return the line from the sentence at ``start`` on; from one before where that fits too."""
    whole = len(section.passage)
    first = min([start, *(begin for begin, _ in spans if whole - begin <= LENGTH)])
    line = snippet(section.passage, (), first).text
    if section.chunk_index < section.total_chunks - 1 and not line.endswith("…"):
        line += "…"
    return Marked(line)


def _with_snippets(result: SearchResult, found: dict[int, Marked]) -> SearchResult:
    if not found:
        return result
    sections = tuple(
        replace(section, snippet=found.get(place, section.snippet))
        for place, section in enumerate(result.sections)
    )
    new = {id(old): fresh for old, fresh in zip(result.sections, sections, strict=True)}
    notes = tuple(
        replace(note, sections=tuple(new[id(section)] for section in note.sections))
        for note in result.notes
    )
    return replace(result, sections=sections, notes=notes)
