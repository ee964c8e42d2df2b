"""One query from text to grouped results: parse, retrieve, fuse, group, cut snippets."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from notesearch.errors import SearchCancelledError
from notesearch.results import Mode, SearchResult, View
from notesearch.search import (
    absence,
    asking,
    evidence,
    lexical,
    matching,
    ranking,
    retrieval,
    suggesting,
    ties,
)
from notesearch.search.beside import Beside
from notesearch.search.lexical import Lexical
from notesearch.search.matching import Pattern
from notesearch.search.naming import Names, stem
from notesearch.search.query import Query, parse
from notesearch.search.ranking import Fused
from notesearch.search.resolving import Asked, resolve
from notesearch.search.results import Marks, grouped, in_steps
from notesearch.search.retrieval import Cancelled
from notesearch.search.weights import CHOSEN, Weights
from notesearch.store.conditions import Condition, InPath, joined
from notesearch.store.reader import Reader
from notesearch.store.rows import MeaningHit, NoteRow, SectionRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.model import Embedder

_RETRIEVED = 150
"""Hits taken from each ranking at least."""

_RETRIEVED_ALONE = 300
"""Passages taken where meaning alone ranks: what words would have found may be far down."""

_WEIGHED = 80
"""Of the fused ranking, of how many the headings are weighed."""

_LOOKED_AT = 60
"""Of the fused ranking, how many are looked at one by one: names, own text."""

_NAMED = 50
"""Sections of the very name asked for that are taken, however low their words rank."""


_UNDERSTOOD = 0.2
"""Beside words, meaning is asked only where the model knows more of the query than this share."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a search returns: sections in all, and of one note.

    Attributes:
        within: Only what lies there: a folder such as ``travel/``, or the path of a note.
        newest: What was changed last stands first, where words found it; then what is related.
        view: Whose snippets are cut before ``early`` is told of the ranking.
    """

    limit: int
    per_note: int
    within: str = ""
    newest: bool = False
    view: View | None = None


Early = Callable[[SearchResult], None] | None
"""Is told the whole ranking while the snippets of most sections are still to be cut."""


@dataclass(frozen=True, slots=True)
class _Caller:
    """Who waits for the answer, and since when."""

    bounds: Bounds
    cancelled: Cancelled
    early: Early
    started: float

    def go_on(self) -> None:
        """Raise where nobody waits any more."""
        _stop_if(self.cancelled)


@dataclass(frozen=True, slots=True)
class _Retrieved:
    """Both rankings, and what goes with them.

    Attributes:
        paths: How near each section's heading path is to the query.
        known: How much of the query the model knows, 0 to 1; 1 where it was not asked, so that
            words rank as they do alone.
        meaning: Meaning can answer.
    """

    lexical: Lexical
    dense: tuple[MeaningHit, ...]
    paths: Mapping[int, float]
    known: float
    meaning: bool


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
    """Answer ``text``.

    Args:
        reader: Of the calling thread.
        text: Any string.
        mode: Which evidence to use.
        bounds: How much to return.
        embedder: Makes the query's vector; None while meaning cannot answer.
        cancelled: Asked from time to time.
        weights: What each signal of the ranking is worth.
        early: Told of the ranking once what is in ``bounds.view`` is cut, if there is more.

    Raises:
        SearchCancelledError: ``cancelled()`` became true.
        IndexFileError: The index cannot be read.
    """
    caller = _Caller(bounds, cancelled, early, time.perf_counter())
    with reader.snapshot(), contextlib.ExitStack() as ending:
        query, spelling = asking.corrected(parse(text), reader)
        beside = _meant(reader, query, mode, bounds.limit, embedder, cancelled, ending)
        asked = _within(resolve(query, reader), bounds.within)
        wanted, condition = asked.patterns, asked.condition
        if condition and not query.wanted:
            return _listed(reader, query, mode, condition, caller, _can_ask(reader, embedder))
        named = frozenset(reader.rows.named(query.meaning, _NAMED, condition) if wanted else ())
        found = _retrieve(reader, query, asked, named, mode, beside, cancelled)
        caller.go_on()
        ranked = _fused(reader, found, weights)
        note_of = reader.rows.note_ids(item.section_id for item in ranked)
        rows, notes = _rows(reader, ranked, named)
        order = ties.order_of([item.section_id for item in ranked], rows, notes)
        headings = evidence.of_headings(reader, wanted, rows, notes, weights)
        ranked = ranking.weighed(ranked, headings, order)
        ranked = ranking.supported(ranked, note_of, weights, order)
        caller.go_on()
        ranked = _hollow_last(reader, wanted, ranked, rows, notes)
        ranked = ranking.as_typed_first(ranked, found.lexical)
        ranked = _exact_first(reader, query, ranked, named, rows, notes)
        if bounds.newest:
            ranked = _newest_first(reader, ranked, note_of)
        kept = ranking.within(ranked, note_of, bounds.limit, bounds.per_note)
        missing = absence.words(reader, asked, found.lexical)
        unmet = () if kept else absence.filters(reader, query)
        meant = "" if kept else suggesting.suggestion(query, reader)
        empty = SearchResult(
            query.text, mode, 0.0, len(ranked) + found.lexical.total - len(found.lexical.hits),
            (), (), found.meaning, missing, spelling, unmet, meant, query.without,
        )  # fmt: skip
        marks = Marks(reader, wanted, query.filters)
        return _filled(empty, marks, kept, note_of, Counter(note_of.values()), caller)


def _fused(reader: Reader, found: _Retrieved, weights: Weights) -> list[Fused]:
    """Fuse both rankings; which sections' headings are looked at is no chance."""
    ranked = ranking.fuse(found.lexical, found.dense, found.paths, found.known, weights)
    return ties.settled(
        reader,
        ranked,
        _WEIGHED,
        lambda item: (item.score, item.words_rank is None),
        lambda item: item.section_id,
    )


def _filled(
    empty: SearchResult,
    marks: Marks,
    kept: Sequence[Fused],
    note_of: Mapping[int, int],
    totals: Mapping[int, int],
    caller: _Caller,
) -> SearchResult:
    """Return ``empty`` with the sections of ``kept``, by the ids of their notes."""
    owners = [note_of[item.section_id] for item in kept]
    notes = marks.reader.rows.notes(frozenset(owners))
    view = caller.bounds.view if caller.early else None
    answer = empty
    for results in in_steps(marks, kept, owners, notes, view, caller.go_on):
        groups = grouped(list(zip(owners, results, strict=True)), notes, totals)
        took_ms = (time.perf_counter() - caller.started) * 1000
        answer = replace(empty, took_ms=took_ms, notes=groups, sections=tuple(results))
        if caller.early and not all(result.cut for result in results):
            caller.early(answer)
    return answer


def _within(asked: Asked, path: str) -> Asked:
    """Return ``asked`` with the condition that sections lie at ``path``."""
    lies_there = InPath(f"/{path}") if path else None
    return replace(asked, condition=joined(asked.condition, lies_there))


def _listed(
    reader: Reader,
    query: Query,
    mode: Mode,
    condition: Condition,
    caller: _Caller,
    meaning: bool,
) -> SearchResult:
    """Answer a query of nothing but filters: the newest notes first."""
    found = reader.rows.newest(condition, caller.bounds.limit, caller.bounds.per_note)
    ranked = [Fused(row.section_id, 0.0, None, None, None, False) for row in found]
    rows = reader.rows.sections((item.section_id for item in ranked), with_body=False)
    note_of = {row.id: row.note_id for row in rows.values()}
    totals = {note_of[row.section_id]: row.of_note for row in found}
    empty = SearchResult(
        query.text, mode, 0.0, found[0].total if found else 0, (), (), meaning,
        unmet=() if found else absence.filters(reader, query), without=query.without,
    )  # fmt: skip
    return _filled(empty, Marks(reader, (), query.filters), ranked, note_of, totals, caller)


def _rows(
    reader: Reader, ranked: Sequence[Fused], named: frozenset[int]
) -> tuple[Mapping[int, SectionRow], Mapping[int, NoteRow]]:
    """Return the sections whose headings are weighed, and their notes."""
    front = [i for n, i in enumerate(ranked) if n < _WEIGHED or i.section_id in named]
    rows = reader.rows.sections((item.section_id for item in front), with_body=False)
    return rows, reader.rows.notes({row.note_id for row in rows.values()})


@dataclass(frozen=True, slots=True)
class _Meant:
    """What meaning is asked, while words are searched.

    Attributes:
        possible: It can answer.
        known: How much of the query the model knows.
        wide: Hits taken from the ranking by words at least.
        most: Passages that are looked at.
        vector: Makes the vector of the query; None where meaning is not asked.
    """

    possible: bool
    known: float
    wide: int
    most: int
    vector: "Beside[NDArray[np.float32]] | None" = None


def _meant(
    reader: Reader,
    query: Query,
    mode: Mode,
    limit: int,
    embedder: "Embedder | None",
    cancelled: Cancelled,
    ending: contextlib.ExitStack,
) -> _Meant:
    """Begin to ask by meaning as soon as it is known what: a vector takes as long as words do.

    ``ending`` waits for it.
    """
    wide = max(_RETRIEVED, 2 * limit)
    most = max(wide, _RETRIEVED_ALONE) if mode is Mode.MEANING else wide
    possible = mode is not Mode.WORDS and _can_ask(reader, embedder)
    if not possible or not embedder or not any(c.isalnum() for c in query.meaning):
        return _Meant(possible, 1.0, wide, most)
    known = retrieval.understood(query.meaning, embedder.count_pieces)
    if mode is not Mode.MEANING and known <= _UNDERSTOOD:
        return _Meant(possible, 1.0, wide, most)
    vector = partial(embedder.embed_query, query.meaning)
    return _Meant(possible, known, wide, most, ending.enter_context(Beside(vector)))


def _retrieve(
    reader: Reader,
    query: Query,
    asked: Asked,
    named: frozenset[int],
    mode: Mode,
    beside: _Meant,
    cancelled: Cancelled,
) -> _Retrieved:
    found, dense = Lexical(), tuple[MeaningHit, ...]()
    paths, condition = dict[int, float](), asked.condition
    if mode is not Mode.MEANING:
        small = lexical.may_be_saying(query.terms)
        wording = matching.patterns(query.terms, reader) if small else ()
        found = lexical.by_words(
            reader, asked.groups, wording, condition, named, beside.wide, cancelled
        )
        _stop_if(cancelled)
    if beside.vector:
        vector = beside.vector.result()
        dense = retrieval.by_meaning(reader, vector, condition, beside.most, cancelled)
        ids = {hit.section_id for hit in found.hits} | {hit.section_id for hit in dense}
        paths = reader.vectors.near_paths(vector, ids)
    if mode is Mode.HYBRID and not found.hits and _is_far(dense):
        dense = ()
    return _Retrieved(found, dense, paths, beside.known, beside.possible)


def _can_ask(reader: Reader, embedder: "Embedder | None") -> bool:
    """Return whether the vectors are those of the model: two say nothing of each other."""
    made_by = reader.vectors.model()
    return embedder is not None and embedder.fingerprint == made_by and reader.vectors.has_any()


def _is_far(dense: Sequence[MeaningHit]) -> bool:
    return not dense or dense[0].similarity < retrieval.SIMILAR_ALONE


def _hollow_last(
    reader: Reader,
    wanted: Sequence[Pattern],
    ranked: list[Fused],
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
) -> list[Fused]:
    """Move behind the others what is no more than a heading that says nothing of the query.

    Such a section was found by the headings above it or by the meaning of its subsections, which
    are found themselves.
    """
    front = [item for item in ranked[:_LOOKED_AT] if item.section_id in rows]
    empty = {
        id_
        for id_ in (item.section_id for item in front)
        if not rows[id_].has_text
        and not matching.find(wanted, reader.lexicon.forms(rows[id_].heading))
    }
    shown = [rows[item.section_id] for item in front]
    hollow: list[Fused] = []
    others: list[Fused] = []
    for item in front:
        own = rows[item.section_id]
        title = notes[own.note_id].title
        inherits = item.section_id in empty and (
            item.words_rank is not None or any(_is_below(row, own, title) for row in shown)
        )
        (hollow if inherits else others).append(item)
    looked_at = {item.section_id for item in front}
    return [*others, *hollow, *(item for item in ranked if item.section_id not in looked_at)]


def _is_below(row: SectionRow, above: SectionRow, title: str) -> bool:
    if row.note_id != above.note_id or row.ordinal <= above.ordinal or row.level <= above.level:
        return False
    # A heading that is the note's title is not repeated in the breadcrumbs below it.
    return above.path == (title,) or row.path[: len(above.path)] == above.path


def _exact_first(
    reader: Reader,
    query: Query,
    ranked: list[Fused],
    named: frozenset[int],
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
) -> list[Fused]:
    """Put what is called as was asked before the others: notes first, then sections.

    Of either, what is called so to the letter stands before what is in another form of its words.
    """
    asked = Names(query.meaning, reader)
    if not asked:
        return ranked
    looked_at = ({item.section_id for item in ranked[:_LOOKED_AT]} | named) & rows.keys()

    def exactness(row: SectionRow) -> int:
        note = notes[row.note_id]
        names = [row.heading]
        if row.ordinal == 0:
            if found := asked.likeness((note.title, stem(note.path))):
                return found + 2
            names += note.aliases
        return asked.likeness(names) or int(row.id in named)

    exact = {id_: found for id_ in looked_at if (found := exactness(rows[id_]))}
    if not exact:
        return ranked
    return ranking.exact_first(ranked, lambda item: exact.get(item.section_id, 0))


def _newest_first(
    reader: Reader, ranked: Sequence[Fused], note_of: Mapping[int, int]
) -> list[Fused]:
    notes = reader.rows.notes(set(note_of.values()))
    return ranking.newest_first(ranked, lambda item: notes[note_of[item.section_id]].modified)


def _stop_if(cancelled: Cancelled) -> None:
    if cancelled and cancelled():
        raise SearchCancelledError("The search was cancelled.")
