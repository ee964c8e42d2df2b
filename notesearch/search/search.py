"""One query from text to grouped results: parse, retrieve, fuse, group, cut snippets."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from notesearch.notes import (
    Marked,
    Mode,
    NoteResult,
    SearchResult,
    SectionResult,
    Why,
)
from notesearch.search import matching, ranking, retrieval
from notesearch.search.matching import Pattern
from notesearch.search.query import Query, parse
from notesearch.search.ranking import Fused
from notesearch.search.retrieval import Cancelled, Dense, Lexical
from notesearch.search.snippets import densest, snippet
from notesearch.store.reader import Reader
from notesearch.store.rows import NoteRow, PassageRow, SectionRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RETRIEVED = 300
"""Hits taken from each ranking."""

_EXACT_LOOKED_AT = 60
"""Of the fused ranking, how many are checked for an exact title, alias or heading."""

_FIELDS = ("title", "aliases", "headings", "tags", "body")

EmbedQuery = Callable[[str], "NDArray[np.float32]"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a search returns: sections in all, and of one note."""

    limit: int
    per_note: int


def search(
    reader: Reader,
    text: str,
    mode: Mode,
    bounds: Bounds,
    embed_query: EmbedQuery | None,
    cancelled: Cancelled = None,
) -> SearchResult:
    """Answer ``text``.

    Args:
        reader: Of the calling thread.
        text: Any string.
        mode: Which evidence to use.
        bounds: How much to return.
        embed_query: Makes the query's vector; None while meaning cannot answer.
        cancelled: Asked from time to time.

    Raises:
        SearchCancelledError: ``cancelled()`` became true.
        IndexFileError: The index cannot be read.
    """
    started = time.perf_counter()
    query = parse(text)
    wanted = matching.patterns(query.telling, reader)
    lexical, dense, meaning = _retrieve(reader, query, wanted, mode, embed_query, cancelled)
    ranked = ranking.fuse(lexical, dense)
    rows = reader.sections((item.section_id for item in ranked), with_body=False)
    notes = reader.notes({row.note_id for row in rows.values()})
    ranked = _exact_first(reader, query, ranked, rows, notes)
    note_of = {row.id: row.note_id for row in rows.values()}
    kept = ranking.within(ranked, note_of, bounds.limit, bounds.per_note)
    shown = reader.sections(item.section_id for item in kept)
    results = [_result(reader, wanted, item, shown[item.section_id], notes) for item in kept]
    groups = _grouped(kept, results, rows, notes, ranked)
    return SearchResult(
        query.text, mode, (time.perf_counter() - started) * 1000, len(ranked), groups,
        tuple(results), meaning, _missing(reader, wanted, lexical),
    )  # fmt: skip


def nearest(
    reader: Reader, vector: "NDArray[np.float32]", limit: int, other_than: str
) -> tuple[SectionResult, ...]:
    """Return the sections nearest to ``vector``, shape (dimensions,), but of one note."""
    ranked = ranking.fuse(
        Lexical((), frozenset()), retrieval.by_meaning(reader, vector, _RETRIEVED, None)
    )
    rows = reader.sections((item.section_id for item in ranked), with_body=False)
    notes = reader.notes({row.note_id for row in rows.values()})
    others = [item for item in ranked if notes[rows[item.section_id].note_id].path != other_than]
    shown = reader.sections(item.section_id for item in others[:limit])
    return tuple(
        _result(reader, (), item, shown[item.section_id], notes) for item in others[:limit]
    )


def _retrieve(
    reader: Reader,
    query: Query,
    wanted: Sequence[Pattern],
    mode: Mode,
    embed_query: EmbedQuery | None,
    cancelled: Cancelled,
) -> tuple[Lexical, tuple[Dense, ...], bool]:
    excluded = matching.patterns(query.excluded, reader)
    lexical = Lexical((), frozenset())
    dense: tuple[Dense, ...] = ()
    if mode is not Mode.MEANING:
        lexical = retrieval.by_words(reader, wanted, excluded, _RETRIEVED, cancelled)
    meaning = mode is not Mode.WORDS and embed_query is not None and reader.has_vectors()
    if meaning and embed_query and any(c.isalnum() for c in query.meaning):
        vector = embed_query(query.meaning)
        dense = retrieval.by_meaning(reader, vector, _RETRIEVED, cancelled)
        if excluded:
            dense = _without(reader, dense, excluded)
    return lexical, dense, meaning


def _without(
    reader: Reader, dense: Sequence[Dense], excluded: Sequence[Pattern]
) -> tuple[Dense, ...]:
    rows = reader.sections(hit.section_id for hit in dense)
    return tuple(
        hit
        for hit in dense
        if not matching.find(
            excluded,
            reader.tokens(f"{' '.join(rows[hit.section_id].path)}\n{rows[hit.section_id].body}"),
        )
    )


def _exact_first(
    reader: Reader,
    query: Query,
    ranked: list[Fused],
    rows: dict[int, SectionRow],
    notes: dict[int, NoteRow],
) -> list[Fused]:
    asked = [token for _, token in reader.tokens(query.meaning)]
    if not asked:
        return ranked

    def is_exact(item: Fused) -> bool:
        row = rows.get(item.section_id)
        if row is None:
            return False
        note = notes[row.note_id]
        names = [row.heading]
        if row.ordinal == 0:
            names += [note.title, *note.aliases]
        return any([token for _, token in reader.tokens(name)] == asked for name in names)

    front = ranking.exact_first(ranked[:_EXACT_LOOKED_AT], is_exact)
    return [*front, *ranked[_EXACT_LOOKED_AT:]]


def _result(
    reader: Reader,
    wanted: Sequence[Pattern],
    item: Fused,
    row: SectionRow,
    notes: dict[int, NoteRow],
) -> SectionResult:
    note = notes[row.note_id]
    found = matching.find(wanted, reader.tokens(row.body))
    crumbs = tuple(_marked(reader, wanted, heading) for heading in row.path)
    passages = reader.passages(row.id)
    passage = _best_passage(passages, item, densest(found) if found else None)
    start, end = passage.span if passage else (0, len(row.body))
    return SectionResult(
        note.path, note.title, row.heading, row.path, crumbs, row.level, row.line, row.end_line,
        snippet(row.body, found, start), row.body[start:end], item.score,
        passage.index if passage else 0, max(1, len(passages)),
        Why(item.words_rank, item.meaning_rank, _fields(reader, wanted, row, note, bool(found))),
    )  # fmt: skip


def _best_passage(passages: Sequence[PassageRow], item: Fused, at: int | None) -> PassageRow | None:
    """Return the nearest passage, else the one that holds the densest matches."""
    nearest = next((p for p in passages if p.id == item.passage_id), None)
    if nearest:
        return nearest
    holding = [p for p in passages if at is not None and p.span[0] <= at < p.span[1]]
    return next(iter(holding or passages), None)


def _marked(reader: Reader, wanted: Sequence[Pattern], text: str) -> Marked:
    spans = [span for span, _ in matching.find(wanted, reader.tokens(text))]
    return Marked(text, matching.merged(spans))


def _fields(
    reader: Reader, wanted: Sequence[Pattern], row: SectionRow, note: NoteRow, in_body: bool
) -> tuple[str, ...]:
    texts = (note.title, "\n".join(note.aliases), "\n".join(row.path), " ".join(note.tags))
    found = [bool(matching.find(wanted, reader.tokens(text))) for text in texts]
    return tuple(name for name, there in zip(_FIELDS, [*found, in_body], strict=True) if there)


def _grouped(
    kept: Sequence[Fused],
    results: Sequence[SectionResult],
    rows: dict[int, SectionRow],
    notes: dict[int, NoteRow],
    ranked: Sequence[Fused],
) -> tuple[NoteResult, ...]:
    """Gather sections under their notes; a note stands where its best section stands."""
    groups: dict[int, list[SectionResult]] = {}
    for item, result in zip(kept, results, strict=True):
        groups.setdefault(rows[item.section_id].note_id, []).append(result)
    totals: dict[int, int] = {}
    for item in ranked:
        if row := rows.get(item.section_id):
            totals[row.note_id] = totals.get(row.note_id, 0) + 1
    return tuple(
        NoteResult(
            notes[id_].path, notes[id_].title, sections[0].score, notes[id_].tags,
            notes[id_].category, notes[id_].modified, notes[id_].words, tuple(sections),
            totals[id_] - len(sections),
        )
        for id_, sections in groups.items()
    )  # fmt: skip


def _missing(reader: Reader, wanted: Sequence[Pattern], lexical: Lexical) -> tuple[str, ...]:
    """Return the words that stand in no section; asked only when no section has them all."""
    if lexical.with_all:
        return ()
    return tuple(
        pattern.term.text for pattern in wanted if not reader.known(retrieval.expression(pattern))
    )
