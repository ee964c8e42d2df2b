"""The search: the list of its steps, from the text of a query to grouped results.

parse -> correct -> resolve -> retrieve (words; meaning) -> rank -> present
"""

import contextlib
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from notesearch.errors import NoteMissingError
from notesearch.notes import Linked, Note, Section, Span
from notesearch.results import Mode, SearchResult, SectionResult
from notesearch.search.correction import CorrectedQuery, correct
from notesearch.search.grammar import parse
from notesearch.search.meaning_retrieval import (
    can_search_meaning,
    retrieve_meaning,
    start_meaning,
)
from notesearch.search.presentation import (
    Bounds,
    Caller,
    Early,
    Highlighter,
    highlights,
    present,
    section_result,
)
from notesearch.search.ranking import CHOSEN, RankedSection, Ranking, Weights, rank
from notesearch.search.resolution import ResolvedQuery, resolve
from notesearch.search.unmatched import missing_words, suggestion, unmet_filters
from notesearch.search.word_retrieval import WordRanking, retrieve_words
from notesearch.store.index_state import Cancelled
from notesearch.store.reader import Reader
from notesearch.store.rows import MeaningHit, SectionRow

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder

_RETRIEVED = 150
"""Hits taken from each ranking, at least."""

_RELATED = 0.35
"""Least cosine of two passages that is worth showing. Passages are nearer to each other than a
short query is to any (docs/quality.md)."""

_RELATED_RETRIEVED = 300
"""Passages that are compared in a search for related sections."""

_MOST_OWN = 700
"""Further passages at most, if a long note's own passages take the nearest places."""

_NAMED = 50
"""Sections whose name is the query that are taken however low they rank."""


def search(
    reader: Reader,
    text: str,
    mode: Mode,
    bounds: Bounds,
    embedder: "Embedder | None",
    cancelled: Cancelled = None,
    weights: Weights = CHOSEN,
    early: Early = None,
) -> SearchResult:
    """Answer a query.

    Args:
        reader: Reads the index, in the calling thread.
        text: Any string.
        mode: Which evidence to use.
        bounds: How much to return.
        embedder: Embeds the query; None while meaning cannot answer.
        cancelled: Called from time to time.
        weights: The weights of the ranking.
        early: Called with the ranking as soon as the snippets in ``bounds.view`` are cut, if others
            are still to be cut.

    Raises:
        SearchCancelledError: ``cancelled()`` became true.
        IndexFileError: The index cannot be read.
    """
    caller = Caller(bounds, cancelled, early, time.perf_counter())
    with reader.snapshot(), contextlib.ExitStack() as stack:
        corrected = correct(parse(text), reader)
        limit = max(_RETRIEVED, 2 * bounds.limit)
        meaning = start_meaning(reader, corrected.query, mode, limit, embedder, stack)
        query = resolve(corrected, reader, bounds.within)
        if query.condition and not corrected.query.groups:
            return _list(reader, query, mode, can_search_meaning(reader, embedder), caller)
        named = frozenset[int]()
        if query.groups:
            name = corrected.query.plain_text
            named = frozenset(reader.rows.named(name, _NAMED, query.condition))
        words = WordRanking()
        if mode is not Mode.MEANING:
            words = retrieve_words(reader, query, named, limit, cancelled)
        caller.check()
        passages = retrieve_meaning(reader, meaning, query.condition, words, mode, cancelled)
        caller.check()
        ranking = rank(reader, query, words, passages, named, weights, newest=bounds.newest)
        caller.check()
        answer = _answer(reader, mode, corrected, query, words, ranking, meaning.is_possible)
        highlighter = Highlighter(reader, query.patterns, query.query.filters)
        return present(answer, highlighter, ranking, None, caller)


def _answer(
    reader: Reader,
    mode: Mode,
    corrected: CorrectedQuery,
    query: ResolvedQuery,
    words: WordRanking,
    ranking: Ranking,
    meaning: bool,
) -> SearchResult:
    """Return the answer without its sections."""
    parsed, found = query.query, bool(ranking.sections)
    return SearchResult(
        query=parsed.text,
        mode=mode,
        took_ms=0.0,
        total=len(ranking.sections) + words.total - len(words.hits),
        notes=(),
        sections=(),
        meaning=meaning,
        missing=missing_words(reader, query, words),
        spelling=corrected.spelling,
        unmet=() if found else unmet_filters(reader, parsed),
        suggestion="" if found else suggestion(parsed, reader),
        without=parsed.excluded,
    )


def _list(
    reader: Reader, query: ResolvedQuery, mode: Mode, meaning: bool, caller: Caller
) -> SearchResult:
    """Answer a query of nothing but filters: the newest notes first."""
    bounds, parsed = caller.bounds, query.query
    assert query.condition is not None
    found = reader.rows.newest(query.condition, bounds.limit, bounds.per_note)
    sections = [RankedSection(row.section_id, 0.0, None, None, None, False) for row in found]
    note_of = reader.rows.note_ids(row.section_id for row in found)
    answer = SearchResult(
        query=parsed.text,
        mode=mode,
        took_ms=0.0,
        total=found[0].total if found else 0,
        notes=(),
        sections=(),
        meaning=meaning,
        unmet=() if found else unmet_filters(reader, parsed),
        without=parsed.excluded,
    )
    totals = {note_of[row.section_id]: row.of_note for row in found}
    highlighter = Highlighter(reader, (), parsed.filters)
    return present(answer, highlighter, Ranking(sections, note_of), totals, caller)


def matches(
    reader: Reader, text: str, shown: str, links: Sequence[Linked] = ()
) -> tuple[Span, ...]:
    """Return the spans of ``shown`` that match the query ``text``, in order, without overlap.

    Args:
        reader: Reads the index.
        text: The query.
        shown: The text of a preview.
        links: The links in it; those that lead to an address of the query match.
    """
    query = resolve(correct(parse(text), reader), reader)
    return highlights(reader, query.patterns, shown, links)


def related(
    reader: Reader, path: str, heading: str | None, limit: int, *, other_notes_only: bool
) -> tuple[SectionResult, ...]:
    """Return the sections nearest to a section of the note at ``path``, or to the whole note.

    It compares the stored vectors, so it needs no model. The similarity of two sections is that of
    their nearest passages.

    Args:
        reader: Reads the index, in the calling thread.
        path: The path in the index.
        heading: A heading or ``Parent/Child``; None or blank for the whole note.
        limit: Sections at most.
        other_notes_only: Leave out all sections of the same note.

    Raises:
        NoteMissingError: The index does not have the note.
        SectionMissingError: The note has no such section, or several.
    """
    with reader.snapshot():
        rows = reader.rows.note_sections(path)
        if not rows:
            raise NoteMissingError("note_without_sections", path=path)
        own = (_section_of(reader, path, rows, heading),) if heading and heading.strip() else rows
        without = {row.id for row in (rows if other_notes_only else own)}
        # The sections left out take the nearest places.
        room = _RELATED_RETRIEVED + min(_MOST_OWN, reader.rows.count_passages(without))
        found = reader.vectors.near_sections((row.id for row in own), room)
        # A heading without text was embedded with its subsections, which are found themselves.
        without |= reader.rows.without_text(hit.section_id for hit in found)
        return _related_results(
            reader, [hit for hit in found if hit.section_id not in without], limit
        )


def _section_of(
    reader: Reader, path: str, rows: tuple[SectionRow, ...], heading: str
) -> SectionRow:
    from notesearch.markdown.sections import lookup

    (note,) = reader.rows.notes({rows[0].note_id}).values()
    sections = tuple(
        Section(r.ordinal, r.heading, r.path, r.level, r.line, r.end_line, "") for r in rows
    )
    return rows[lookup.find_section(Note(path, note.title, sections), heading)]


def _related_results(
    reader: Reader, found: list[MeaningHit], limit: int
) -> tuple[SectionResult, ...]:
    best: dict[int, MeaningHit] = {}
    for hit in found:
        if hit.similarity >= _RELATED and len(best) < limit:
            best.setdefault(hit.section_id, hit)
    rows = reader.rows.sections(best)
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    passages = reader.rows.passages(best)
    highlighter = Highlighter(reader, ())
    return tuple(
        section_result(
            highlighter,
            RankedSection(hit.section_id, hit.similarity, None, rank, hit.place, has_all=False),
            rows[hit.section_id],
            notes[rows[hit.section_id].note_id],
            passages.get(hit.section_id, ()),
        )
        for rank, hit in enumerate(best.values(), 1)
    )
