"""Finds the sentence of a passage that is nearest in meaning to the query.

The preview tints it, and a snippet without a matching word begins at it. This happens after the
search, because it takes too long for the search itself.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from notesearch.errors import SearchCancelledError
from notesearch.markdown.sections.language_detection import detected_language
from notesearch.notes import SENTENCE_ENDS, UNSPACED_SENTENCE_ENDS, Span
from notesearch.results import Marked, SearchResult, SectionResult
from notesearch.search.query import parse
from notesearch.search.snippets import END_OF_SENTENCE, LENGTH, snippet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder

_LINE = re.compile(r"[^\n]+")
_WHOLE_SENTENCE = re.compile(
    rf"\S.*?(?:[{SENTENCE_ENDS}…]{END_OF_SENTENCE}[)\]\"'”’»]*(?=\s|\Z)|[{UNSPACED_SENTENCE_ENDS}]|(?=\s*\Z))"
)

_FEWEST_WORDS = 3
"""A sentence with fewer words, such as "Burnt bottom.", is joined to the next one."""

_SHARPENING_S = 0.3
"""Seconds for sharpening the snippets of a result."""

_MOST_SENTENCES = 24
"""At most this many sentences of a passage are compared."""

_AT_ONCE = 4
"""Sentences that a model reads in one call."""


def sharpened(
    result: SearchResult, embedder: "Embedder", stopped: Callable[[], bool]
) -> SearchResult:
    """Return ``result`` with sharper snippets for sections that meaning alone found.

    They have no matching word to cut a snippet around, so the new snippet starts at the sentence
    nearest to the query. Sections that are not reached in time keep their snippets. ``embedder`` is
    the model that made the vectors of the index.

    Raises:
        SearchCancelledError: ``stopped()`` became true.
    """
    until = time.monotonic() + _SHARPENING_S
    snippets: dict[int, Marked] = {}
    queries: dict[Embedder, NDArray[np.float32]] = {}
    for number, section in enumerate(result.sections):
        if stopped():
            raise SearchCancelledError("search_cancelled")
        if time.monotonic() > until:
            break
        spans = sentences(section.passage)[:_MOST_SENTENCES] if section.by_meaning_alone else []
        if len(spans) > 1 and spans[-1][1] > LENGTH:
            model = _model_of(embedder, section.passage)
            if model not in queries:
                queries[model] = model.embed_query(parse(result.query).plain_text)
            vectors = model.embed_passages([section.passage[slice(*span)] for span in spans])
            best = spans[int((vectors @ queries[model]).argmax())]
            if best[1] > LENGTH:  # otherwise the snippet shows it already
                snippets[number] = _beginning_at(section, best[0], spans)
    if not snippets:
        return result
    return result.with_sections(
        replace(section, snippet=snippets.get(number, section.snippet))
        for number, section in enumerate(result.sections)
    )


def nearest_sentence(
    query: str, passage: str, embedder: "Embedder", stopped: Callable[[], bool]
) -> str:
    """Return the sentence of ``passage`` that is nearest to ``query``; empty once ``stopped()``."""
    texts = [passage[slice(*span)] for span in sentences(passage)[:_MOST_SENTENCES]]
    text = parse(query).plain_text
    if not texts or not text or stopped():
        return ""
    embedder = _model_of(embedder, passage)
    vector = embedder.embed_query(text)
    best = (0.0, "")
    for start in range(0, len(texts), _AT_ONCE):
        if stopped():
            return ""
        batch = texts[start : start + _AT_ONCE]
        cosines = embedder.embed_passages(batch) @ vector
        best = max(best, (float(cosines.max()), batch[int(cosines.argmax())]))
    return best[1]


def _model_of(embedder: "Embedder", passage: str) -> "Embedder":
    from notesearch.embedding.embedder import model_of

    return model_of(embedder, detected_language((passage,)))


def sentences(text: str) -> list[Span]:
    """Return the spans of sentences. The end of a line ends a sentence, too."""
    return [span for line in _LINE.finditer(text) for span in _of_line(text, *line.span())]


def _of_line(text: str, at: int, end: int) -> Iterator[Span]:
    short = -1
    for match in _WHOLE_SENTENCE.finditer(text, at, end):
        start = match.start() if short < 0 else short
        sentence = text[start : match.end()]
        short = -1
        if (
            len(sentence.split()) < _FEWEST_WORDS
            and sentence[-1] not in UNSPACED_SENTENCE_ENDS
            and text[match.end() : end].strip()
        ):
            short = start
        else:
            yield start, match.end()


def _beginning_at(section: SectionResult, start: int, spans: list[Span]) -> Marked:
    """Return the snippet from the sentence at ``start``, or from an earlier one if all fits."""
    end = len(section.passage)
    first = min([start, *(begin for begin, _ in spans if end - begin <= LENGTH)])
    line = snippet(section.passage, (), first).text
    if section.chunk_index < section.total_chunks - 1 and not line.endswith("…"):
        line += "…"
    return Marked(line)
