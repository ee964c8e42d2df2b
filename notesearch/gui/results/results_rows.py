"""The rows of the result list, and how they are made of search results. This needs no Qt."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from notesearch.results import Marked, NoteResult, SearchResult, SectionResult

SHOWN_PER_NOTE = 3


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """Names the note of the rows below. The ``first`` row of a list has less space above."""

    note: NoteResult
    first: bool


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One section that was found.

    Attributes:
        titled: Whether the row itself names the note, because no header row does.
        missing: Whether the note has been moved or deleted; then the row is struck out.
    """

    result: SectionResult
    titled: bool = False
    missing: bool = False

    @property
    def breadcrumb(self) -> tuple[Marked, ...]:
        """The headings to show, with their marks; if ``titled``, after vault and note title."""
        result = self.result
        if not self.titled:
            return result.breadcrumb
        vault = (Marked(result.vault),) if result.vault else ()
        if result.section_path[:1] == (result.title,):
            return (*vault, *result.breadcrumb)
        return (*vault, Marked(result.title, result.title_marks), *result.breadcrumb)


@dataclass(frozen=True, slots=True)
class CaptionRow:
    """A title above the sections in the rows below."""

    text: str


@dataclass(frozen=True, slots=True)
class MoreRow:
    """Stands for the ``hidden`` further sections of the note at ``path``; a click shows them."""

    path: str
    hidden: int


@dataclass(frozen=True, slots=True)
class CapRow:
    """The last row of a list that was cut: says that only the best ``shown`` are listed."""

    shown: int


Row = HeaderRow | ResultRow | MoreRow | CapRow | CaptionRow


class SectionKey(NamedTuple):
    """Identifies a section, so that it is found again in a newer list."""

    path: str
    section_path: tuple[str, ...]
    line: int

    @classmethod
    def of(cls, result: SectionResult) -> "SectionKey":
        """Return the key of ``result``."""
        return cls(result.path, result.section_path, result.line)


def grouped_rows(
    notes: Iterable[NoteResult], expanded: Collection[str] = (), *, cap: int = 0
) -> Iterator[Row]:
    """Yield a header for each note, its first sections, and a "more" row for the others.

    Args:
        notes: The notes in their order.
        expanded: Paths of the notes that show all their sections.
        cap: How many sections are listed if the list was cut; else 0.
    """
    for position, note in enumerate(notes):
        yield HeaderRow(note, first=position == 0)
        shown = len(note.sections) if note.path in expanded else SHOWN_PER_NOTE
        yield from map(ResultRow, note.sections[:shown])
        hidden = len(note.sections) - shown
        if hidden > 0:
            yield MoreRow(note.path, hidden)
    if cap:
        yield CapRow(cap)


def flat_rows(notes: Iterable[NoteResult], *, cap: int = 0) -> Iterator[Row]:
    """Yield all sections without headers, each with the title of its note."""
    for note in notes:
        yield from (ResultRow(section, titled=True) for section in note.sections)
    if cap:
        yield CapRow(cap)


def find_row(rows: Iterable[Row], key: SectionKey) -> int | None:
    """Return the index of the row of the section ``key``; None if it is not listed.

    Among sections of the same note with the same headings, the one nearest to the line of ``key``.
    """
    same = [
        (abs(row.result.line - key.line), index)
        for index, row in enumerate(rows)
        if isinstance(row, ResultRow)
        and row.result.path == key.path
        and row.result.section_path == key.section_path
    ]
    return min(same)[1] if same else None


def is_sorted_by_date(result: SearchResult) -> bool:
    """Return whether neither words nor meaning ranked the sections, so that the newest come first.

    This is so if the query has only filters.
    """
    reasons = [section.why for section in result.sections]
    return all(why.words_rank is None and why.meaning_rank is None for why in reasons)


def ungrouped(result: SearchResult) -> tuple[NoteResult, ...]:
    """Return the sections in the order of their rank, each as a note that has no other section."""
    notes = {note.path: note for note in result.notes}
    return tuple(replace(notes[section.path], sections=(section,)) for section in result.sections)


def keep_order(
    old: Iterable[NoteResult], new: Iterable[NoteResult], *, flat: bool = False
) -> tuple[NoteResult, ...]:
    """Return the results of ``new``, arranged so that nothing on screen moves.

    The notes and sections of ``old`` keep their order. New sections come after the others of their
    note, and new notes come last.

    Args:
        old: The results on screen.
        new: The newer results.
        flat: Each note has one section only, so that several notes have the same path.
    """

    def key(note: NoteResult) -> object:
        return SectionKey.of(note.sections[0]) if flat else note.path

    arriving = {key(note): note for note in new}
    kept = [_extend(note, arriving.pop(key(note), None)) for note in old]
    return (*kept, *arriving.values())


def _extend(old: NoteResult, new: NoteResult | None) -> NoteResult:
    if new is None:
        return old
    fresh = {SectionKey.of(section): section for section in new.sections}
    kept = [fresh.pop(SectionKey.of(section), section) for section in old.sections]
    return replace(new, sections=(*kept, *fresh.values()))


def reuse_snippets(
    notes: Iterable[NoteResult], known: Mapping[SectionKey, SectionResult]
) -> tuple[NoteResult, ...]:
    """Return ``notes`` with snippets from ``known`` in sections that have none of their own yet."""
    if not known:
        return tuple(notes)

    def reuse(section: SectionResult) -> SectionResult:
        before = None if section.cut else known.get(SectionKey.of(section))
        if before is None:
            return section
        return replace(
            before,
            level=section.level,
            line=section.line,
            end_line=section.end_line,
            score=section.score,
        )

    return tuple(map_sections(note, reuse) for note in notes)


def map_sections(note: NoteResult, change: Callable[[SectionResult], SectionResult]) -> NoteResult:
    """Return ``note`` with ``change`` applied to each section; ``note`` itself if none changes."""
    sections = tuple(map(change, note.sections))
    same = all(new is old for new, old in zip(sections, note.sections, strict=True))
    return note if same else replace(note, sections=sections)
