"""The search: the list of its steps, from the text of a query to grouped results.

parse -> correct -> resolve -> retrieve (words; meaning) -> rank -> present
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from notesearch.notes import Linked, Span
from notesearch.results import Mode, NoteResult, PassagesFound, SearchResult
from notesearch.search.correction import correct
from notesearch.search.habits import NO_HABITS, Habits
from notesearch.search.meaning_retrieval import MeaningRanking, retrieve_meaning, usable
from notesearch.search.presentation import (
    Highlighter,
    SearchRun,
    highlights,
    note_result,
    passage_results,
    present,
)
from notesearch.search.query import Query, parse
from notesearch.search.query_resolution import ResolvedQuery, resolve
from notesearch.search.ranking import Ranking, list_sections, rank, rank_passages
from notesearch.search.unmet import missing_words, similar_filters, unmet_filters
from notesearch.search.word_retrieval import WordRanking, retrieve_words
from notesearch.store.conditions import All, AnyOf
from notesearch.store.reader import Reader

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

_RETRIEVED = 150
"""At least this many hits are taken from the ranking by words, and from that by meaning."""

_NAMED = 50
"""At most this many sections are found because their heading or their note is called like the
query, however low they rank."""


def search(
    reader: Reader,
    text: str | Query,
    mode: Mode,
    run: SearchRun,
    embedder: "Embedder | None",
    habits: Habits = NO_HABITS,
) -> SearchResult:
    """Answer a query, any string or a parsed one, in the thread of ``reader``.

    ``run`` says what to return, and how to stop. ``embedder`` is None while meaning cannot answer.

    Raises:
        SearchCancelledError: ``run.cancelled()`` became true.
        IndexFileError: The index cannot be read.
    """
    with reader.snapshot(run.cancelled):
        model = None if mode is Mode.WORDS else usable(embedder, reader)
        parsed = correct(parse(text) if isinstance(text, str) else text, reader)
        query = resolve(parsed, reader, run.within)
        words = WordRanking()
        if query.is_only_filters:
            rows = reader.rows.newest(query.condition or All(()), run.limit, run.per_note)
            ranking = list_sections(reader, rows)
        else:
            words, meaning = retrieve(reader, query, mode, run, model)
            ranking = rank(reader, query, words, meaning, habits=habits, newest=run.newest)
        reader.stop_if_cancelled()
        top = ranking.top(run.limit, run.per_note)
        answer = SearchResult(
            query=parsed.text,
            mode=mode,
            took_ms=0.0,
            total=ranking.total,
            notes=(),
            sections=(),
            meaning=model is not None,
            missing=missing_words(reader, query, [section.section_id for section in top], words),
            spelling=parsed.spelling,
            unmet=() if top else unmet_filters(reader, query, by_words=mode is not Mode.MEANING),
            is_empty=not parsed.required and not query.groups,
            not_filters=parsed.not_filters,
            near_filters=similar_filters(reader, parsed.not_filters),
            suggestion="" if top else parsed.suggestion,
            without=parsed.excluded,
        )
        highlighter = Highlighter(reader, query.patterns, parsed.filters)
        return present(answer, highlighter, ranking, top, run)


def retrieve(
    reader: Reader, query: ResolvedQuery, mode: Mode, run: SearchRun, embedder: "Embedder | None"
) -> tuple[WordRanking, MeaningRanking]:
    """Find the sections for ``query`` by words and by meaning. ``rank`` puts them in order.

    ``embedder`` made the vectors of the index; None if meaning cannot answer.

    Raises:
        SearchCancelledError: The condition of the snapshot became true.
    """
    limit = max(_RETRIEVED, 2 * run.limit)
    names = {query.parsed.plain_text, query.parsed.text}  # the text has all signs
    linked = reader.links.note_called(query.parsed.text.strip("[] ")) or ""
    named = frozenset(
        id_ for name in names for id_ in reader.rows.named(name, _NAMED, query.condition, linked)
    )
    words = WordRanking(named=named)
    meaning = MeaningRanking()
    if mode is not Mode.MEANING:
        words = retrieve_words(reader, query, named, limit)
    reader.stop_if_cancelled()
    if embedder is not None:
        meaning = retrieve_meaning(reader, query, words, mode, limit, embedder)
    reader.stop_if_cancelled()
    return words, meaning


def matches(
    reader: Reader, text: str, shown: str, links: Sequence[Linked] = ()
) -> tuple[Span, ...]:
    """Return the spans of ``shown`` that match the query ``text``, in order, without overlap.

    The words of a link in ``links`` match if the link leads to an address in the query.
    """
    query = resolve(correct(parse(text), reader), reader)
    return highlights(reader, query.patterns, shown, links)


def list_notes(reader: Reader, text: str | Query, limit: int) -> tuple[tuple[NoteResult, ...], int]:
    """Return the newest notes with a section that matches ``text``, and how many notes have one.

    ``text`` are filters and words, which all must hold, or a parsed query; empty for all notes.
    """
    with reader.snapshot():
        parsed = parse(f"{text} ") if isinstance(text, str) else text
        query = resolve(correct(parsed, reader), reader)
        words = (AnyOf(tuple(p.condition for p in group)) for group in query.groups)
        condition = All(tuple(filter(None, (query.condition, *words))))
        ids, total = reader.rows.newest_notes(condition, limit)
        rows = reader.rows.notes(ids)
    return tuple(note_result(rows[id_]) for id_ in ids), total


def find_passages(
    reader: Reader, text: str | Query, limit: int, per_note: int, embedder: "Embedder | None"
) -> PassagesFound:
    """Return the passages nearest to a query, a string or a parsed one.

    A query of filters alone lists the first passage of each section, newest notes first.
    """
    started = time.perf_counter()
    with reader.snapshot():
        model = usable(embedder, reader)
        parsed = parse(text) if isinstance(text, str) else text
        query = resolve(correct(parsed, reader), reader)
        ranking = Ranking((), {})
        if query.is_only_filters:
            rows = reader.rows.newest(query.condition or All(()), limit, per_note)
            ranking = list_sections(reader, rows)
        elif model is not None:
            mode = Mode.MEANING
            found = retrieve_meaning(reader, query, WordRanking(), mode, 2 * limit, model)
            ranking = rank_passages(reader, found)
        top = ranking.top(limit, per_note)
        return PassagesFound(
            query=parsed.text if isinstance(text, Query) else text,
            passages=passage_results(reader, top),
            unmet=() if top else unmet_filters(reader, query, by_words=False),
            total=ranking.total,
            meaning=model is not None,
            is_empty=not query.parsed.required and not query.groups,
            took_ms=(time.perf_counter() - started) * 1000,
        )
