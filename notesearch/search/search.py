"""The search: the list of its steps, from the text of a query to grouped results.

parse -> correct -> resolve -> retrieve (words; meaning) -> rank -> present
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from notesearch.markdown.sections.note_dates import last_change
from notesearch.notes import Linked, Span
from notesearch.results import (
    Mode,
    NoteResult,
    PassageResult,
    PassagesFound,
    SearchResult,
    as_percent,
)
from notesearch.search.correction import correct, suggestion
from notesearch.search.meaning_retrieval import (
    MeaningRanking,
    retrieve_meaning,
    usable,
)
from notesearch.search.preference import NO_PREFERENCE, Preference
from notesearch.search.presentation import (
    Bounds,
    Early,
    Highlighter,
    SearchRun,
    blocks_shown,
    edited,
    highlights,
    note_result,
    present,
    shown_headings,
)
from notesearch.search.query import Query, parse
from notesearch.search.query_resolution import ResolvedQuery, resolve
from notesearch.search.ranking import CHOSEN_WEIGHTS, Weights, list_sections, rank
from notesearch.search.unmatched import (
    missing_words,
    similar_filters,
    unmet_filters,
)
from notesearch.search.word_retrieval import WordRanking, retrieve_words
from notesearch.store.conditions import All, AnyOf
from notesearch.store.db import Cancelled
from notesearch.store.reader import Reader
from notesearch.store.rows import MeaningHit, NoteRow, PassageRow, SectionRow

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

_RETRIEVED = 150
"""At least this many hits are taken from the ranking by words, and from that by meaning."""

_NAMED = 50
"""At most this many sections whose name is the query are found, however low they rank."""

_REACH = CHOSEN_WEIGHTS.passage + CHOSEN_WEIGHTS.path + CHOSEN_WEIGHTS.note

_WEAK_PASSAGE = 0.31
"""The score, as a share of ``_REACH``, that one in forty answers to nonsense reaches
(docs/agents.md)."""


def search(
    reader: Reader,
    text: str | Query,
    mode: Mode,
    bounds: Bounds,
    embedder: "Embedder | None",
    cancelled: Cancelled = None,
    weights: Weights = CHOSEN_WEIGHTS,
    early: Early = None,
    preference: Preference = NO_PREFERENCE,
) -> SearchResult:
    """Answer a query.

    Args:
        reader: Reads the index, in the calling thread.
        text: Any string, or a parsed query.
        mode: Whether to search by words, by meaning or both.
        bounds: How much to return.
        embedder: Embeds the query; None while meaning cannot answer.
        cancelled: Called from time to time.
        weights: The weights of the ranking.
        early: Called with the ranking as soon as the snippets in ``bounds.view`` are cut, unless
            they are all.
        preference: The preferences of the user.

    Raises:
        SearchCancelledError: ``cancelled()`` became true.
        IndexFileError: The index cannot be read.
    """
    run = SearchRun(bounds, cancelled, early, time.perf_counter())
    with reader.snapshot():
        model = None if mode is Mode.WORDS else usable(embedder, reader)
        corrected = correct(parse(text) if isinstance(text, str) else text, reader)
        query = resolve(corrected, reader, bounds.within)
        limit = max(_RETRIEVED, 2 * bounds.limit)
        words, meaning = WordRanking(), MeaningRanking()
        if not query.is_only_filters:
            named = _named_sections(reader, query)
            if mode is not Mode.MEANING:
                words = retrieve_words(reader, query, named, limit, cancelled)
            run.check()
            if model is not None:
                meaning = retrieve_meaning(reader, query, words, mode, limit, model, cancelled)
            run.check()
            ranking = rank(
                reader, query, words, meaning, named, weights, preference, newest=bounds.newest
            )
        else:
            rows = reader.rows.newest(query.condition or All(()), bounds.limit, bounds.per_note)
            ranking = list_sections(reader, rows)
        run.check()
        top = ranking.top(bounds.limit, bounds.per_note)
        answer = SearchResult(
            query=query.query.text,
            mode=mode,
            took_ms=0.0,
            total=ranking.total,
            notes=(),
            sections=(),
            meaning=model is not None,
            missing=missing_words(reader, query, [section.section_id for section in top], words),
            spelling=corrected.spelling,
            unmet=() if top else unmet_filters(reader, query, by_words=mode is not Mode.MEANING),
            is_empty=not query.query.required and not query.groups,
            suggestion="" if top else suggestion(query.query, reader),
            without=query.query.excluded,
            not_filters=query.query.not_filters,
            near_filters=similar_filters(reader, query.query.not_filters),
        )
        highlighter = Highlighter(reader, query.patterns, query.query.filters)
        return present(answer, highlighter, ranking, top, run)


def _named_sections(reader: Reader, query: ResolvedQuery) -> frozenset[int]:
    """Return the ids of sections whose name is the query, and of the note that a link to it means.

    So the number of a Zettelkasten names its note, and "Mar 5th, 2024" Logseq's page of that day.
    """
    names = {query.query.plain_text, query.query.text}  # the text has all signs
    linked = reader.links.note_called(query.query.text.strip("[] ")) or ""
    found = (reader.rows.named(name, _NAMED, query.condition, linked) for name in names)
    return frozenset(chain.from_iterable(found))


def matches(
    reader: Reader, text: str, shown: str, links: Sequence[Linked] = ()
) -> tuple[Span, ...]:
    """Return the spans of ``shown`` that match the query ``text``, in order, without overlap.

    Args:
        reader: Reads the index.
        text: The query.
        shown: The text of a preview.
        links: The links in it; a link to an address in the query matches.
    """
    query = resolve(correct(parse(text), reader), reader)
    return highlights(reader, query.patterns, shown, links)


class _Scored(NamedTuple):
    """A passage, its number in the section, its score (0 to 1), its cosine."""

    section_id: int
    number: int
    score: float
    cosine: float


def find_passages(
    reader: Reader, text: str | Query, limit: int, per_note: int, embedder: "Embedder | None"
) -> PassagesFound:
    """Return the passages nearest to a query.

    The score of a passage consists of the signals of meaning that rank sections: the cosines of
    the passage, of its headings and of its note. A query of filters alone lists the first passage
    of each section, newest notes first.

    Args:
        reader: Reads the index, in the calling thread.
        text: Any string, or a parsed query.
        limit: How many passages to return at most.
        per_note: How many passages of one note to return at most.
        embedder: Embeds the query; None while meaning cannot answer.
    """
    started = time.perf_counter()
    with reader.snapshot():
        model = usable(embedder, reader)
        parsed = parse(text) if isinstance(text, str) else text
        query = resolve(correct(parsed, reader), reader)
        if query.is_only_filters:
            listed = reader.rows.newest(query.condition or All(()), limit, per_note)
            scored = [_Scored(row.section_id, 0, 0.0, 0.0) for row in listed]
            total = listed[0].total if listed else 0
        else:
            found = MeaningRanking()
            if model is not None:
                words, mode = WordRanking(), Mode.MEANING
                found = retrieve_meaning(reader, query, words, mode, 2 * limit, model)
            homes = reader.rows.note_ids(hit.section_id for hit in found.passages)
            near = found.near_notes(set(homes.values()))
            # A heading without text was embedded with its subsections, which are found themselves.
            textless = reader.rows.without_text(homes)
            hits = [hit for hit in found.passages if hit.section_id not in textless]
            scored = _ranked(hits, found.paths, homes, near)
            total = len(scored)
        top = _top(reader, scored, limit, per_note)
        results = _results(reader, top)
        unmet = () if top else unmet_filters(reader, query, by_words=False)
    took_ms = (time.perf_counter() - started) * 1000
    asked = text if isinstance(text, str) else text.text
    return PassagesFound(asked, took_ms, total, results, model is not None, unmet)


def _ranked(
    hits: Iterable[MeaningHit],
    paths: Mapping[int, float],
    homes: Mapping[int, int],
    notes: Mapping[int, float],
) -> list[_Scored]:
    """Return passages with their scores, best first.

    ``paths``: cosines of headings by section. ``homes``: notes by section. ``notes``: cosines by
    note.
    """
    scored = []
    for section, number, cosine in hits:
        signals = (
            CHOSEN_WEIGHTS.passage * max(cosine, 0.0),
            CHOSEN_WEIGHTS.path * max(paths.get(section, 0.0), 0.0),
            CHOSEN_WEIGHTS.note * max(notes.get(homes[section], 0.0), 0.0),
        )
        scored.append(_Scored(section, number, min(1.0, sum(signals) / _REACH), cosine))
    return sorted(scored, key=lambda passage: -passage.score)


def _top(reader: Reader, scored: Sequence[_Scored], limit: int, per_note: int) -> list[_Scored]:
    homes = reader.rows.note_ids(passage.section_id for passage in scored)
    taken: dict[int, int] = {}
    top: list[_Scored] = []
    for passage in scored:
        note = homes[passage.section_id]
        taken[note] = taken.get(note, 0) + 1
        if taken[note] <= per_note and len(top) < limit:
            top.append(passage)
    return top


def _results(reader: Reader, top: Sequence[_Scored]) -> tuple[PassageResult, ...]:
    rows = reader.rows.sections({scored.section_id for scored in top})
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    numbered = reader.rows.passages_of_notes(notes)
    spans = {
        (passage.section_id, passage.number): passage.span
        for passages in reader.rows.passages(rows).values()
        for passage in passages
    }
    results = []
    for scored in top:
        row, key = rows[scored.section_id], (scored.section_id, scored.number)
        note, of_note = notes[row.note_id], numbered.get(row.note_id, ())
        span = spans.get(key, (0, len(row.body)))
        row, span = _with_blocks(reader, row, span)
        index = of_note.index(key) if key in of_note else 0
        results.append(_result(note, row, span, scored, index, max(1, len(of_note))))
    return tuple(results)


def _with_blocks(reader: Reader, row: SectionRow, span: Span) -> tuple[SectionRow, Span]:
    """Return the section with the words of blocks that it refers to, and the passage's new span."""
    row = row._replace(path=shown_headings(reader, row))
    edits = blocks_shown(reader, row.source.blocks)
    if not edits:
        return row, span
    row, (passage,), _ = edited(row, edits, [PassageRow(row.id, 0, span)])
    return row, passage.span


def _result(
    note: NoteRow,
    row: SectionRow,
    span: Span,
    scored: _Scored,
    index: int,
    total: int,
) -> PassageResult:
    first, last = row.source.lines_of(row.body, span) if row.body else (0, 0)
    changed = last_change(note.properties)
    return PassageResult(
        path=note.path,
        title=note.title,
        section=row.heading,
        section_path=row.path,
        line=row.line,
        end_line=row.end_line,
        text=row.body[slice(*span)],
        passage_line=row.line + first,
        passage_end_line=row.line + last,
        score=scored.score,
        percent=as_percent(scored.score, _WEAK_PASSAGE),
        cosine=scored.cosine,
        chunk_index=index,
        total_chunks=total,
        tags=note.tags,
        category=note.category,
        modified=note.modified,
        last_updated=changed.date().isoformat() if changed else "",
        page_word_count=note.words,
    )


def list_notes(reader: Reader, text: str | Query, limit: int) -> tuple[tuple[NoteResult, ...], int]:
    """Return the newest notes with a section that matches ``text``, and how many notes have one.

    Args:
        reader: Reads the index, in the calling thread.
        text: Filters and words, which all must hold, or a parsed query; empty for all notes.
        limit: How many notes to return at most.
    """
    with reader.snapshot():
        parsed = parse(f"{text} ") if isinstance(text, str) else text
        query = resolve(correct(parsed, reader), reader)
        words = (AnyOf(tuple(p.condition for p in group)) for group in query.groups)
        condition = All(tuple(filter(None, (query.condition, *words))))
        ids, total = reader.rows.newest_notes(condition, limit)
        rows = reader.rows.notes(ids)
    return tuple(note_result(rows[id_]) for id_ in ids), total
