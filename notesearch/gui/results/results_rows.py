"""The rows of the result list, and how groups of results become rows: values, no Qt."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from notesearch.results import Marked, NoteResult, SearchResult, SectionResult

SHOWN_PER_NOTE = 3


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """Names the note of the rows below it; ``first`` opens the list and stands closer."""

    note: NoteResult
    first: bool


@dataclass(frozen=True, slots=True)
class SectionRow:
    """One section found.

    Attributes:
        titled: No header above names its note.
        gone: Its note was moved or deleted since: it is struck out.
    """

    result: SectionResult
    titled: bool = False
    gone: bool = False

    @property
    def breadcrumb(self) -> tuple[Marked, ...]:
        """The headings that lead to the section."""
        result = self.result
        if not self.titled or result.section_path[:1] == (result.title,):
            return result.breadcrumb
        return (Marked(result.title, result.title_marks), *result.breadcrumb)


@dataclass(frozen=True, slots=True)
class CaptionRow:
    """Says in a few words what the sections below it are."""

    text: str


@dataclass(frozen=True, slots=True)
class MoreRow:
    """Unfolds the ``hidden`` sections of the note at ``path``."""

    path: str
    hidden: int


@dataclass(frozen=True, slots=True)
class CapRow:
    """Says that only the best ``shown`` sections are listed."""

    shown: int


Row = HeaderRow | SectionRow | MoreRow | CapRow | CaptionRow


class SectionKey(NamedTuple):
    """What makes a row the same section in an older and a newer list; many are made at once."""

    path: str
    section_path: tuple[str, ...]
    line: int

    @classmethod
    def of(cls, result: SectionResult) -> "SectionKey":
        """Return the key of ``result``."""
        return cls(result.path, result.section_path, result.line)


def make_rows(
    notes: Iterable[NoteResult], expanded: Collection[str] = (), *, cap: int = 0
) -> Iterator[Row]:
    """Yield the rows of groups: a header, at most three sections, the rest folded.

    Args:
        notes: The groups in their order.
        expanded: Paths of the notes that show all their sections.
        cap: Sections listed where the list had to be cut, else 0.
    """
    for position, note in enumerate(notes):
        yield HeaderRow(note, first=position == 0)
        shown = len(note.sections) if note.path in expanded else SHOWN_PER_NOTE
        yield from map(SectionRow, note.sections[:shown])
        hidden = len(note.sections) - shown
        if hidden > 0:
            yield MoreRow(note.path, hidden)
    if cap:
        yield CapRow(cap)


def find(rows: Iterable[Row], key: SectionKey) -> int | None:
    """Return the row of the section ``key``; lines may have moved since, headings not."""
    same = [
        (abs(row.result.line - key.line), index)
        for index, row in enumerate(rows)
        if isinstance(row, SectionRow)
        and row.result.path == key.path
        and row.result.section_path == key.section_path
    ]
    return min(same)[1] if same else None


def by_rules_alone(result: SearchResult) -> bool:
    """Whether neither words nor meaning ranked the sections: the newest notes stand first."""
    whys = [section.why for section in result.sections]
    return all(why.words_rank is None and why.meaning_rank is None for why in whys)


def keep_order(old: Iterable[NoteResult], new: SearchResult) -> tuple[NoteResult, ...]:
    """Return the groups of ``new`` arranged so that nothing that is on screen changes its place.

    Groups and sections of ``old`` stay where they are; new sections follow those of their note,
    new groups follow all others.
    """
    arriving = {note.path: note for note in new.notes}
    kept = [_extend(note, arriving.pop(note.path, None)) for note in old]
    return (*kept, *arriving.values())


def _extend(old: NoteResult, new: NoteResult | None) -> NoteResult:
    if new is None:
        return old
    fresh = {SectionKey.of(section): section for section in new.sections}
    kept = [fresh.pop(SectionKey.of(section), section) for section in old.sections]
    return replace(new, sections=(*kept, *fresh.values()))


def completed(
    notes: Iterable[NoteResult], known: Mapping[SectionKey, SectionResult]
) -> tuple[NoteResult, ...]:
    """Return ``notes`` with what is ``known`` of sections whose snippets are not cut yet."""
    if not known:
        return tuple(notes)
    return tuple(changed(note, lambda section: _completed(section, known)) for note in notes)


def changed(note: NoteResult, newest: Callable[[SectionResult], SectionResult]) -> NoteResult:
    """Return ``note`` with its ``newest`` sections; itself where they are the ones it has."""
    sections = tuple(map(newest, note.sections))
    same = all(new is old for new, old in zip(sections, note.sections, strict=True))
    return note if same else replace(note, sections=sections)


def _completed(result: SectionResult, known: Mapping[SectionKey, SectionResult]) -> SectionResult:
    """Return ``result`` in its own place, with the marks and the snippet that it had before."""
    before = None if result.cut else known.get(SectionKey.of(result))
    if before is None:
        return result
    return replace(
        before, level=result.level, line=result.line, end_line=result.end_line, score=result.score
    )
