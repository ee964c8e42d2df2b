"""The search for passages by meaning, without the ranking of sections."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from notesearch.markdown.sections.written_values import last_change
from notesearch.notes import Span
from notesearch.results import Mode, PassageResult, PassagesFound, as_percent
from notesearch.search.correction import correct
from notesearch.search.meaning_retrieval import retrieve_meaning, usable
from notesearch.search.presentation import blocks_shown, edited, shown_headings
from notesearch.search.query import Query, parse
from notesearch.search.query_resolution import ResolvedQuery, resolve
from notesearch.search.ranking import CHOSEN_WEIGHTS, RankedSection, Ranking, Signals
from notesearch.search.unmet import unmet_filters
from notesearch.search.word_retrieval import WordRanking
from notesearch.store.conditions import All
from notesearch.store.reader import Reader
from notesearch.store.rows import PassageRow, SectionRow

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

_REACH = CHOSEN_WEIGHTS.passage + CHOSEN_WEIGHTS.path + CHOSEN_WEIGHTS.note
"""The score of a passage that says the same as the query, under the same headings."""

_WEAK_PASSAGE = 0.31
"""The score, as a share of ``_REACH``, that one in forty answers to nonsense reaches
(docs/agents.md)."""


def find_passages(
    reader: Reader, text: str | Query, limit: int, per_note: int, embedder: "Embedder | None"
) -> PassagesFound:
    """Return the passages nearest to a query, a string or a parsed one.

    The score consists of the cosines of the passage, of its headings and of its note. A query of
    filters alone lists the first passage of each section, newest notes first.
    """
    started = time.perf_counter()
    with reader.snapshot():
        model = usable(embedder, reader)
        parsed = parse(text) if isinstance(text, str) else text
        query = resolve(correct(parsed, reader), reader)
        if query.is_only_filters:
            listed = reader.rows.newest(query.condition or All(()), limit, per_note)
            scored = [RankedSection(row.section_id, 0.0, passage=0) for row in listed]
            total = listed[0].total if listed else 0
        else:
            scored = _nearest(reader, query, 2 * limit, model) if model is not None else []
            total = len(scored)
        note_of = reader.rows.note_ids(passage.section_id for passage in scored)
        top = Ranking(scored, note_of).top(limit, per_note)
        results = _results(reader, top)
        unmet = () if top else unmet_filters(reader, query, by_words=False)
    took_ms = (time.perf_counter() - started) * 1000
    return PassagesFound(
        query=text if isinstance(text, str) else text.text,
        took_ms=took_ms,
        total=total,
        meaning=model is not None,
        unmet=unmet,
        is_empty=not query.parsed.required and not query.groups,
        passages=results,
    )


def _nearest(
    reader: Reader, query: ResolvedQuery, limit: int, model: "Embedder"
) -> list[RankedSection]:
    """Return passages with their scores, 0 to 1, and their cosines, best first."""
    found = retrieve_meaning(reader, query, WordRanking(), Mode.MEANING, limit, model)
    note_of = reader.rows.note_ids(hit.section_id for hit in found.passages)
    near_notes = found.near_notes(set(note_of.values()))
    # A heading without text was embedded with its subsections, which are found themselves.
    textless = reader.rows.without_text(note_of)
    scored = []
    for section, number, cosine in found.passages:
        if section in textless:
            continue
        signals = (
            CHOSEN_WEIGHTS.passage * max(cosine, 0.0),
            CHOSEN_WEIGHTS.path * max(found.paths.get(section, 0.0), 0.0),
            CHOSEN_WEIGHTS.note * max(near_notes.get(note_of[section], 0.0), 0.0),
        )
        total = min(1.0, sum(signals) / _REACH)
        scored.append(
            RankedSection(section, total, passage=number, signals=Signals(passage=cosine))
        )
    return sorted(scored, key=lambda passage: -passage.score)


def _results(reader: Reader, top: Sequence[RankedSection]) -> tuple[PassageResult, ...]:
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
        row = rows[scored.section_id]
        key = (scored.section_id, scored.passage or 0)
        note = notes[row.note_id]
        of_note = numbered.get(row.note_id, ())
        span = spans.get(key, (0, len(row.body)))
        row, span = _with_blocks(reader, row, span)
        index = of_note.index(key) if key in of_note else 0
        first, last = row.source.lines_of(row.body, span) if row.body else (0, 0)
        changed = last_change(note.properties)
        result = PassageResult(
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
            cosine=scored.signals.passage,
            chunk_index=index,
            total_chunks=max(1, len(of_note)),
            tags=note.tags,
            category=note.category,
            modified=note.modified,
            last_updated=changed.date().isoformat() if changed else "",
            page_word_count=note.words,
        )
        results.append(result)
    return tuple(results)


def _with_blocks(reader: Reader, row: SectionRow, span: Span) -> tuple[SectionRow, Span]:
    row = row._replace(path=shown_headings(reader, row))
    edits = blocks_shown(reader, row.source.blocks)
    if not edits:
        return row, span
    row, (passage,), _ = edited(row, edits, [PassageRow(row.id, 0, span)])
    return row, passage.span
