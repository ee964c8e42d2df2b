"""Presents sections: ranked ones with highlights, snippets, reasons and groups; all of a note."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from notesearch.errors import NoteMissingError
from notesearch.markdown.sections.written_values import last_change
from notesearch.notes import BlockNames, Linked, Opening, SourceMap, Span
from notesearch.results import (
    WEAK,
    Evidence,
    LastKnown,
    Marked,
    Mode,
    NoteResult,
    OpenedSection,
    PassageResult,
    Scope,
    SearchResult,
    SectionLink,
    SectionResult,
    SectionText,
    View,
    Why,
    as_percent,
    previewed,
)
from notesearch.search.habits import Favour
from notesearch.search.patterns import MatchFinder, Pattern, find, spans_of_links
from notesearch.search.ranking import RankedSection, Ranking
from notesearch.search.snippets import (
    BOXES,
    Edit,
    Edits,
    densest,
    densest_matches,
    merged,
    part_around,
    readable,
    snippet,
    with_edits,
)
from notesearch.store.db import Cancelled
from notesearch.store.reader import Reader
from notesearch.store.rows import LinkHit, NoteRow, PassageRow, SectionRow
from notesearch.store.word_cutting import holds_word

_MOST_BLOCKS = 20
"""At most this many references to blocks in a section show the words of the block."""

_FIELDS = ("path", "title", "aliases", "headings", "tags", "properties", "body", "links")

Early = Callable[[SearchResult], None] | None
"""Called with the whole ranking once the snippets in view are cut, if there are any others."""


@dataclass(frozen=True, slots=True)
class SearchRun:
    """One running search: what to return, and how to stop it.

    Attributes:
        limit: How many sections to return in all.
        per_note: How many sections of one note to return.
        within: Only sections in this folder (``travel/``) or in the note of this path.
        newest: Whether to order by date instead of score.
        view: The results in view, whose snippets are cut first.
        cancelled: Returns whether the answer is no longer wanted.
        early: See ``Early``.
        started: When the search began (``time.perf_counter``).
    """

    limit: int
    per_note: int
    within: str = ""
    newest: bool = False
    view: View | None = None
    cancelled: Cancelled = None
    early: Early = None
    started: float = field(default_factory=time.perf_counter)


class Highlighter:
    """Finds the query in the texts of results.

    Attributes:
        reader: Reads the index.
        finder: Finds the query.
        finder_beside_links: Finds the query in sections that link to an address in the query. Words
            of the address alone do not match there.
        filters: The filters that every result matches, as typed.
    """

    def __init__(
        self, reader: Reader, patterns: Sequence[Pattern], filters: tuple[str, ...] = ()
    ) -> None:
        self.reader = reader
        signs = next((text for text in filters if not holds_word(text)), "")
        self.finder = MatchFinder(patterns, reader, signs)
        self._targets = [(n, p.target) for n, p in enumerate(patterns) if p.target]
        self.finder_beside_links = self.finder
        if self._targets:
            self.finder_beside_links = MatchFinder([p.address_as_one for p in patterns], reader)
        self.filters = filters
        # The title of a note, its path and its headings come with each of its sections.
        self.spans = lru_cache(None)(self._spans)

    def links(self, section: int) -> list[tuple[LinkHit, int]]:
        """Return the links of ``section`` to addresses in the query, with the pattern's number."""
        hits_of_targets = (
            (self.reader.links.sections_linking_to(target), number)
            for number, target in self._targets
        )
        return [(hits[section], number) for hits, number in hits_of_targets if section in hits]

    def _spans(self, text: str, language: str) -> tuple[Span, ...]:
        """Return the spans of ``text`` in ``language`` that match, in order, without overlap."""
        return merged([span for span, _ in self.finder.find(text, language)]) if text else ()


def highlights(
    reader: Reader, patterns: Sequence[Pattern], text: str, links: Sequence[Linked]
) -> tuple[Span, ...]:
    """Return the spans of ``text`` that match ``patterns``, also by the addresses of ``links``."""
    linked = spans_of_links(links, patterns)
    if linked:
        patterns = [pattern.address_as_one for pattern in patterns]
    matches = find(patterns, reader.lexicon.forms(text), text)
    return merged([*linked, *(span for span, _ in matches)])


def present(
    answer: SearchResult,
    highlighter: Highlighter,
    ranking: Ranking,
    top: Sequence[RankedSection],
    run: SearchRun,
) -> SearchResult:
    """Return ``answer`` with the sections ``top`` of ``ranking``, grouped by note.

    An early answer goes to ``run.early``.

    Raises:
        SearchCancelledError: The search was cancelled.
    """
    owners = [ranking.note_of[section.section_id] for section in top]
    notes = highlighter.reader.rows.notes(frozenset(owners))
    first = _in_view(top, ranking, run.view) if run.early and run.view else None
    percents = {item.section_id: _percent(item, answer) for item in top}
    for results in _in_steps(highlighter, top, percents, first, notes):
        groups = _grouped(list(zip(owners, results, strict=True)), notes, ranking)
        took_ms = (time.perf_counter() - run.started) * 1000
        answer = replace(answer, took_ms=took_ms, notes=groups, sections=tuple(results))
        if run.early and not all(result.complete for result in results):
            run.early(answer)
    return answer


_BY_MEANING = frozenset({"passage", "path", "note", "pieces"})

_WEAK_BY_MEANING, _WEAK_BY_WORDS = 0.33, 0.3
"""The share of the greatest score which one in forty answers to nonsense reaches, in a search by
meaning and by words alone (docs/agents.md)."""


def _percent(section: RankedSection, answer: SearchResult) -> int:
    """Return the score of ``section``, from 0 to 100, as ``as_percent`` does.

    The share is of the highest score in this kind of search. A section that waits for its vectors
    is judged only by its words, because it may still be the answer. A section with every word of
    the query gets at least ``WEAK``, because a model hardly understands some words, such as
    numbers.
    """
    by_words = answer.mode is not Mode.MEANING
    by_meaning = answer.meaning and section.passage is not None
    reach = sum(
        weight
        for name, weight in zip(section.signals._fields, section.weights, strict=False)
        if (by_meaning if name in _BY_MEANING else by_words) and name not in Favour._fields
    )
    weak = _WEAK_BY_MEANING if by_meaning else _WEAK_BY_WORDS
    percent = as_percent(section.score / reach, weak) if reach else 0
    has_all = section.signals.held >= 1.0
    return max(percent, WEAK) if by_words and has_all else percent


def _in_steps(
    highlighter: Highlighter,
    top: Sequence[RankedSection],
    percents: Mapping[int, int],
    first: frozenset[int] | None,
    notes: Mapping[int, NoteRow],
) -> Iterator[list[SectionResult]]:
    """Yield the results for ``top``: first with the snippets of ``first``, then with all snippets.

    If ``first`` is None or has all sections, yield once. Sections without text always count as
    ``first``: they may turn out to have no snippet. Before each snippet, it stops if the search was
    cancelled.
    """
    items = {item.section_id: item for item in top}
    reader = highlighter.reader.rows
    results: dict[int, SectionResult] = {}
    steps: list[Collection[int]] = [items.keys()]
    late = items.keys() - first if first is not None else set[int]()
    if late:
        late -= reader.without_text(late)
    if late:
        steps = [items.keys() - late, late]
        for id_, row in reader.sections(late, with_body=False).items():
            breadcrumb = [readable(Marked(heading)) for heading in row.path]
            note = notes[row.note_id]
            results[id_] = _incomplete_result(items[id_], row, note, breadcrumb, percents[id_])
    for ids in steps:
        rows = reader.sections(ids)
        passages = reader.passages(ids)
        for id_, item in items.items():
            if id_ in rows:
                highlighter.reader.stop_if_cancelled()
                row = rows[id_]
                note = notes[row.note_id]
                own = passages.get(id_, ())
                results[id_] = section_result(highlighter, item, row, note, own, percents[id_])
        yield [results[id_] for id_ in items]


def _in_view(top: Sequence[RankedSection], ranking: Ranking, view: View) -> frozenset[int]:
    ids = [section.section_id for section in top]
    if not view.per_note:
        return frozenset(ids[: view.sections])
    groups: dict[int, list[int]] = {}
    for id_ in ids:
        groups.setdefault(ranking.note_of[id_], []).append(id_)
    listed = (id_ for note in _note_order(groups, ranking) for id_ in groups[note][: view.per_note])
    return frozenset(islice(listed, view.sections))


def _note_order(notes: Iterable[int], ranking: Ranking) -> list[int]:
    """Return ids of notes in the order of ``ranking``; notes that it does not rank come last."""
    ranks = {note: rank for rank, note in enumerate(ranking.note_scores)}
    return sorted(notes, key=lambda note: ranks.get(note, len(ranks)))


def _incomplete_result(
    item: RankedSection,
    row: SectionRow,
    note: NoteRow,
    breadcrumb: Iterable[Marked],
    percent: int,
) -> SectionResult:
    """Return the result of a section without its text: no snippet, passage and marks yet."""
    signals = zip(item.signals._fields, item.signals, item.weights, strict=False)
    return SectionResult(
        path=note.path,
        title=note.title,
        section=row.heading,
        section_path=row.path,
        breadcrumb=tuple(breadcrumb),
        level=row.level,
        line=row.line,
        end_line=row.end_line,
        snippet=Marked(""),
        passage="",
        score=item.score,
        chunk_index=0,
        total_chunks=1,
        why=Why(item.words_rank, item.meaning_rank, named=item.named),
        signals=tuple(Evidence(*signal) for signal in signals),
        percent=percent,
        cosine=item.signals.passage if item.passage is not None else None,
        complete=False,
    )


def section_result(
    highlighter: Highlighter,
    item: RankedSection,
    row: SectionRow,
    note: NoteRow,
    passages: Sequence[PassageRow],
    percent: int,
) -> SectionResult:
    """Return the result of one section, whose score is ``percent`` of the highest one."""
    links = highlighter.links(row.id)
    source = row.source
    headings = shown_headings(highlighter.reader, row)
    boxes = [(at, at, BOXES[state]) for at, state in source.tasks]
    edits = [*boxes, *blocks_shown(highlighter.reader, source.blocks)]
    if edits:
        row, passages, links = edited(row, edits, passages, links)
    shown = row.body or _text_below(highlighter.reader, row)
    finder = highlighter.finder_beside_links if links else highlighter.finder
    matches, at = densest_matches(finder, shown, note.language)
    in_body = bool(matches and row.body)
    if links:
        matches = sorted([*matches, *((hit.span, number) for hit, number in links if hit.span)])
        at = densest(matches)[0] if matches else None
    passage = _best_passage(passages, item, at)
    start, end = passage.span if passage and row.body else part_around(shown, at or 0)
    lines = row.source.lines_of(row.body, (start, end)) if row.body else (0, 0)
    spans = highlighter.spans
    breadcrumb = [readable(Marked(text, spans(text, note.language))) for text in headings]
    own = set[str]()
    if any(heading.marks for heading in breadcrumb):
        own.add("headings")
    if in_body:
        own.add("body")
    if links:
        own.add("links")
    fields = tuple(_fields(highlighter, row, note, own))
    stated = () if matches or row.ordinal else _stated(finder, row, note)
    text = "\n".join(stated) or shown
    if stated:
        matches, at = densest_matches(finder, text, note.language)
    if source.heading_task:
        breadcrumb[-1] = with_edits(breadcrumb[-1], [(0, 0, BOXES[source.heading_task])])
    plain = _incomplete_result(item, row, note, breadcrumb, percent)
    return replace(
        plain,
        resolved_path=headings,
        snippet=snippet(text, matches, 0 if stated else start, at),
        passage=shown[start:end],
        chunk_index=passage.number if passage else 0,
        total_chunks=max(1, len(passages)),
        why=replace(plain.why, fields=fields, filters=highlighter.filters),
        title_marks=spans(note.title, note.language),
        passage_line=row.line + lines[0],
        passage_end_line=row.line + lines[1],
        page=source.page,
        complete=True,
    )


def _text_below(reader: Reader, row: SectionRow) -> str:
    """Return heading and text of the first section with text below the heading of ``row``."""
    below = reader.rows.first_with_text_below(row)
    return f"{below.heading}\n{below.body}" if below else ""


def shown_headings(reader: Reader, row: SectionRow) -> tuple[str, ...]:
    """Return the path of a section, with the words of blocks that its headings refer to."""
    blocks = reader.rows.heading_blocks(row)
    return tuple(
        Edits(blocks_shown(reader, named)).applied(heading) if named else heading
        for heading, named in zip(row.path, blocks, strict=True)
    )


def blocks_shown(reader: Reader, blocks: BlockNames) -> list[Edit]:
    """Return the edits that show the words of ``blocks`` instead of an ellipsis."""
    blocks = blocks[:_MOST_BLOCKS]
    texts = reader.links.block_texts({id_ for _, id_ in blocks}) if blocks else {}
    return [(at, at + 1, texts[id_]) for at, id_ in blocks if id_ in texts]


def edited(
    row: SectionRow,
    edits: Iterable[Edit],
    passages: Sequence[PassageRow],
    links: Sequence[tuple[LinkHit, int]] = (),
) -> tuple[SectionRow, list[PassageRow], list[tuple[LinkHit, int]]]:
    """Return the section with its text edited, and its passages and links with adapted spans."""
    changes = Edits(edits)
    lines = tuple((changes.place(at), line) for at, line in row.source.lines)
    within = [
        p._replace(span=(changes.place(p.span[0]), changes.place(p.span[1]))) for p in passages
    ]
    hits = [
        (hit._replace(span=changes.span(hit.span)) if hit.span else hit, number)
        for hit, number in links
    ]
    body = changes.applied(row.body)
    return row._replace(body=body, source=SourceMap(lines)), within, hits


def _best_passage(
    passages: Sequence[PassageRow], item: RankedSection, at: int | None
) -> PassageRow | None:
    """Return the passage to show of a section; None if it has no passage.

    This is the passage at the position ``at``, where the query's words are densest. Without such a
    position, or if words did not find the section, it is the passage nearest in meaning, else the
    first one.
    """
    nearest = next((p for p in passages if p.number == item.passage), None)
    around = [p for p in passages if at is not None and p.span[0] <= at < p.span[1]]
    if at is not None and item.words_rank is not None:
        return nearest if nearest in around else next(iter(around), None)
    return nearest or next(iter(passages), None)


def _fields(
    highlighter: Highlighter, row: SectionRow, note: NoteRow, own: set[str]
) -> Iterator[str]:
    """Yield the names of the fields that match; ``own`` are those in the section."""
    texts = {
        "path": note.path.rpartition(".")[0],
        "title": note.title,
        "aliases": "\n".join(note.aliases),
        "tags": " ".join([*note.common_tags, *row.tags, note.category]),
        "properties": "" if row.ordinal else "\n".join(note.properties.values()),
    }
    for name in _FIELDS:
        if name in own or (name in texts and highlighter.spans(texts[name], note.language)):
            yield name


def _stated(finder: MatchFinder, row: SectionRow, note: NoteRow) -> list[str]:
    """Return the properties with words of the query that no name of the note or section has."""
    tags = (*note.common_tags, *row.tags, note.category)
    named = "\n".join([note.path, note.title, *note.aliases, *row.path, *tags])
    elsewhere = {number for _, number in finder.find(named, note.language)}
    return [
        f"{key}: {value}"
        for key, value in note.properties.items()
        if any(
            number not in elsewhere
            for text in (key, value)
            for _, number in finder.find(text, note.language)
        )
    ]


def _grouped(
    results: Sequence[tuple[int, SectionResult]],
    notes: Mapping[int, NoteRow],
    ranking: Ranking,
) -> tuple[NoteResult, ...]:
    """Return ``results``, best first, grouped by note in the order of notes in ``ranking``."""
    groups: dict[int, list[SectionResult]] = {}
    for note_id, result in results:
        groups.setdefault(note_id, []).append(result)
    return tuple(
        note_result(
            notes[id_],
            ranking.note_scores.get(id_, groups[id_][0].score),
            tuple(groups[id_]),
            ranking.totals[id_] - len(groups[id_]),
        )
        for id_ in _note_order(groups, ranking)
    )


def note_result(
    note: NoteRow, score: float = 0.0, sections: tuple[SectionResult, ...] = (), more: int = 0
) -> NoteResult:
    """Return ``note`` as a result with some of its sections; ``more`` are left out."""
    return NoteResult(
        path=note.path,
        title=note.title,
        score=score,
        tags=note.tags,
        category=note.category,
        modified=note.modified,
        page_word_count=note.words,
        sections=sections,
        more=more,
        properties=note.all_properties,
        date=note.date,
    )


_WEAK_PASSAGE = 0.31
"""The score of a passage, as a share of the highest one, that one in forty answers to nonsense
reaches (docs/agents.md)."""


def passage_results(reader: Reader, top: Sequence[RankedSection]) -> tuple[PassageResult, ...]:
    """Return the passages ``top``, each with its place in its note."""
    rows = reader.rows.sections({item.section_id for item in top})
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    of_notes = reader.rows.passages_of_notes(notes)
    passages = reader.rows.passages(rows)
    results = []
    for item in top:
        row = rows[item.section_id]
        note = notes[row.note_id]
        number = item.passage or 0
        own = [p for p in passages.get(row.id, ()) if p.number == number]
        shown = own or [PassageRow(row.id, number, (0, len(row.body)))]
        edits = blocks_shown(reader, row.source.blocks)
        if edits:
            row, shown, _ = edited(row, edits, shown)
        span = shown[0].span
        first, last = row.source.lines_of(row.body, span) if row.body else (0, 0)
        of_note = of_notes.get(note.id, [])
        changed = last_change(note.properties)
        result = PassageResult(
            path=note.path,
            title=note.title,
            section=row.heading,
            section_path=shown_headings(reader, rows[row.id]),
            line=row.line,
            end_line=row.end_line,
            text=row.body[slice(*span)],
            passage_line=row.line + first,
            passage_end_line=row.line + last,
            score=item.score,
            percent=as_percent(item.score, _WEAK_PASSAGE),
            cosine=item.signals.passage,
            chunk_index=of_note.index((row.id, number)) if (row.id, number) in of_note else 0,
            total_chunks=max(1, len(of_note)),
            tags=note.tags,
            category=note.category,
            modified=note.modified,
            last_updated=changed.date().isoformat() if changed else "",
            page_word_count=note.words,
        )
        results.append(result)
    return tuple(results)


def opened_sections(reader: Reader, openings: Iterable[Opening]) -> tuple[OpenedSection, ...]:
    """Return the sections in ``openings`` that still exist, in the same order."""
    found: list[OpenedSection] = []
    for opening in openings:
        rows = reader.rows.note_sections(opening.path)
        row = next((row for row in rows if row.path == opening.section_path), None)
        if row is None:
            continue
        (note,) = reader.rows.notes({row.note_id}).values()
        headings = shown_headings(reader, row)
        section = SectionResult(
            path=note.path,
            title=note.title,
            section=row.heading,
            section_path=row.path,
            breadcrumb=tuple(readable(Marked(heading)) for heading in headings),
            level=row.level,
            line=row.line,
            end_line=row.end_line,
            snippet=Marked(""),
            passage="",
            score=0.0,
            chunk_index=0,
            total_chunks=1,
            why=Why(),
            resolved_path=headings,
        )
        found.append(OpenedSection(section, opening.last))
    return tuple(found)


# The text of a note as the index has it, for the preview while the file is out of reach


def last_known(reader: Reader, path: str, line: int, scope: Scope) -> LastKnown:
    """Return what the preview shows for the section that contains ``line``, from the index.

    Raises:
        NoteMissingError: The note is not in the index.
    """
    rows = reader.rows.note_sections(path)
    if not rows:
        raise NoteMissingError("note_without_sections", path=path)
    (note,) = reader.rows.notes({rows[0].note_id}).values()
    links = tuple(map(_link, rows))
    shown, linked = previewed(links, line, scope) or (range(len(rows)), range(0))
    sections = [
        SectionText(
            path=path,
            title=note.title,
            heading=row.heading,
            section_path=row.path,
            level=row.level,
            line=row.line,
            end_line=row.end_line,
            text=row.body,
            words=len(row.body.split()),
        )
        for row in rows[shown.start : shown.stop]
    ]
    below = links[linked.start : linked.stop]
    return LastKnown(tuple(sections), links, note.modified, below)


def _link(row: SectionRow) -> SectionLink:
    words = len(row.body.split())
    page = row.source.page
    return SectionLink(row.heading, row.path, row.level, row.line, row.end_line, words, page)
