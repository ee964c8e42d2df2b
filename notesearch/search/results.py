"""Makes ranked sections into results: marks, snippet, passage, reasons, and groups by note."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from notesearch.notes import Span
from notesearch.results import Marked, NoteResult, SectionResult, View, Why
from notesearch.search import matching
from notesearch.search.finding import Finder
from notesearch.search.matching import Pattern
from notesearch.search.ranking import Fused
from notesearch.search.snippets import densest, find_within, snippet
from notesearch.store.reader import Reader
from notesearch.store.rows import LinkHit, NoteRow, PassageRow, SectionRow

_FIELDS = ("path", "title", "aliases", "headings", "tags", "body", "links")


class Marks:
    """What the query matches in short texts; those of one search repeat titles and headings.

    Attributes:
        filters: What every result fulfils, as typed.
        beside_links: Finds no parts of an address: for sections that point there.
    """

    def __init__(
        self, reader: Reader, wanted: Sequence[Pattern], filters: tuple[str, ...] = ()
    ) -> None:
        self.reader = reader
        self.finder = Finder(wanted, reader)
        self._asked = [(n, p.links) for n, p in enumerate(wanted) if p.links]
        self.beside_links = self.finder
        if self._asked:
            whole = [replace(p, whole=p.whole or p.links is not None) for p in wanted]
            self.beside_links = Finder(whole, reader)
        self.filters = filters
        self._known: dict[tuple[str, str], tuple[Span, ...]] = {}

    def linking(self, section: int) -> list[tuple[LinkHit, int]]:
        """Return where ``section`` points at that was asked for, with the number of its pattern."""
        found = ((self.reader.links.to(asked), number) for number, asked in self._asked)
        return [(hits[section], number) for hits, number in found if section in hits]

    def spans(self, text: str, language: str) -> tuple[Span, ...]:
        """Return the spans of ``text`` in ``language`` that match, in order, without overlap."""
        if not text:
            return ()
        known = self._known.get((text, language))
        if known is None:
            found = self.finder.find(text, language)
            known = matching.merged([span for span, _ in found]) if found else ()
            self._known[text, language] = known
        return known


def in_steps(
    marks: Marks,
    kept: Sequence[Fused],
    owners: Sequence[int],
    notes: Mapping[int, NoteRow],
    view: View | None,
    stop: Callable[[], None],
) -> Iterator[list[SectionResult]]:
    """Yield ``kept`` as they are shown: with those in ``view`` cut, then all; or all at once.

    What has no text is cut at once wherever it stands: it may turn out to have no snippet.

    Args:
        marks: Of this search.
        kept: The ranking.
        owners: The id of the note of each.
        notes: By id.
        view: What is wanted first.
        stop: Called before each is cut; raises where nobody waits for it any more.
    """
    ids = [item.section_id for item in kept]
    late = frozenset(ids) - in_view(ids, owners, view) if view else frozenset[int]()
    late -= marks.reader.rows.without_text(late) if late else late
    bare = marks.reader.rows.sections(late, with_body=False) if late else {}
    made = {item.section_id: _uncut(item, bare[item.section_id], notes)
            for item in kept if item.section_id in late}  # fmt: skip
    for some in (set(ids) - late, late) if late else (ids,):
        rows, passages = marks.reader.rows.sections(some), marks.reader.rows.passages(some)
        for item in kept:
            if item.section_id in rows:
                stop()
                row = rows[item.section_id]
                own = passages.get(row.id, ())
                made[row.id] = section_result(marks, item, row, notes[row.note_id], own)
        yield [made[id_] for id_ in ids]


def in_view(ids: Sequence[int], owners: Sequence[int], view: View) -> frozenset[int]:
    """Return which of the ranked ``ids``, each of the note in ``owners``, are in ``view``."""
    if not view.per_note:
        return frozenset(ids[: view.sections])
    groups: dict[int, list[int]] = {}
    for id_, owner in zip(ids, owners, strict=True):
        groups.setdefault(owner, []).append(id_)
    listed = (id_ for group in groups.values() for id_ in group[: view.per_note])
    return frozenset(islice(listed, view.sections))


def _uncut(item: Fused, row: SectionRow, notes: Mapping[int, NoteRow]) -> SectionResult:
    """Return ``item`` with its place alone."""
    note = notes[row.note_id]
    crumbs = tuple(map(Marked, row.path))
    return SectionResult(
        note.path, note.title, row.heading, row.path, crumbs, row.level, row.line, row.end_line,
        Marked(""), "", item.score, 0, 1, Why(item.words_rank, item.meaning_rank), cut=False,
    )  # fmt: skip


def section_result(
    marks: Marks, item: Fused, row: SectionRow, note: NoteRow, passages: Sequence[PassageRow]
) -> SectionResult:
    """Return ``item`` as it is shown."""
    reader = marks.reader
    shown = row.body or " · ".join(reader.rows.subheadings(row))
    linking = marks.linking(row.id)
    finder = marks.beside_links if linking else marks.finder
    found, at = find_within(finder, shown, note.language)
    in_body = bool(found and row.body)
    if linking:
        found = sorted([*found, *((hit.span, number) for hit, number in linking if hit.span)])
        at = densest(found) if found else None
    crumbs = tuple(Marked(heading, marks.spans(heading, note.language)) for heading in row.path)
    passage = _best_passage(passages, item, at)
    start, end = passage.span if passage and row.body else (0, len(shown))
    fields = _fields(marks, row, note, in_body, bool(linking))
    return SectionResult(
        note.path, note.title, row.heading, row.path, crumbs, row.level, row.line, row.end_line,
        snippet(shown, found, start, at), shown[start:end], item.score,
        passage.place if passage else 0, max(1, len(passages)),
        Why(item.words_rank, item.meaning_rank, fields, marks.filters),
        marks.spans(note.title, note.language),
    )  # fmt: skip


def _best_passage(passages: Sequence[PassageRow], item: Fused, at: int | None) -> PassageRow | None:
    """Return the nearest passage, else the one that holds the densest matches."""
    nearest = next((p for p in passages if p.place == item.passage), None)
    if nearest:
        return nearest
    holding = [p for p in passages if at is not None and p.span[0] <= at < p.span[1]]
    return next(iter(holding or passages), None)


def _fields(
    marks: Marks, row: SectionRow, note: NoteRow, in_body: bool, in_link: bool
) -> tuple[str, ...]:
    texts = (
        note.path.rpartition(".")[0], note.title, "\n".join(note.aliases), "\n".join(row.path),
        " ".join([*note.tags, note.category]),
    )  # fmt: skip
    found = [bool(marks.spans(text, note.language)) for text in texts]
    found += [in_body, in_link]
    return tuple(name for name, there in zip(_FIELDS, found, strict=True) if there)


def grouped(
    results: Sequence[tuple[int, SectionResult]],
    notes: Mapping[int, NoteRow],
    totals: Mapping[int, int],
) -> tuple[NoteResult, ...]:
    """Gather sections under their notes; a note stands where its best section stands.

    Args:
        results: Each with the id of its note, best first.
        notes: By id.
        totals: Found sections of each note, also those that are not shown.
    """
    groups: dict[int, list[SectionResult]] = {}
    for note_id, result in results:
        groups.setdefault(note_id, []).append(result)
    return tuple(
        _group(notes[id_], sections, totals[id_] - len(sections))
        for id_, sections in groups.items()
    )


def _group(note: NoteRow, sections: Sequence[SectionResult], more: int) -> NoteResult:
    return NoteResult(
        note.path, note.title, sections[0].score, note.tags, note.category, note.modified,
        note.words, tuple(sections), more,
    )  # fmt: skip
