"""The rows of the result list, made from search results, and the Qt model of these rows."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt, Slot

from notesearch.gui.translation import (
    folder_text,
    location_text,
    modified_text,
    page_text,
    tr,
    translate,
)
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
        reserved: The section with its former snippet, which sets the height of the row even if a
            late snippet has replaced it; None if none has.
    """

    result: SectionResult
    titled: bool = False
    missing: bool = False
    reserved: SectionResult | None = None

    @property
    def breadcrumb(self) -> tuple[Marked, ...]:
        """The headings to show, with their marks; if ``titled``, after the title."""
        result = self.result
        if not self.titled or result.section_path[:1] == (result.title,):
            return result.breadcrumb
        return (Marked(result.title, result.title_marks), *result.breadcrumb)

    @property
    def facts(self) -> tuple[str, ...]:
        """What stands after the headings: the page of a PDF; if ``titled``, also the vault."""
        result = self.result
        page = page_text(result.page) if result.page else ""
        return tuple(filter(None, (page, result.vault if self.titled else "")))


@dataclass(frozen=True, slots=True)
class CaptionRow:
    """A title above the sections in the rows below."""

    text: str


@dataclass(frozen=True, slots=True)
class MoreRow:
    """Stands for the ``hidden`` further sections of the note at ``path``; a click shows them."""

    path: str
    hidden: int

    @property
    def text(self) -> str:
        """What the row says."""
        return tr("Show %Ln more in this note", self.hidden)


@dataclass(frozen=True, slots=True)
class CapRow:
    """The last row of a list that was cut; it says that only the best ``shown`` are listed."""

    shown: int

    @property
    def text(self) -> str:
        """What the row says."""
        return tr("Showing the best %Ln. Add a word to narrow it down.", self.shown)


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

    Notes whose path is in ``expanded`` show all their sections. ``cap`` is how many sections are
    listed if the list was cut; else 0.
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
    """Return the index of the row of ``key``, or of the nearest with the same headings, or None."""
    same = [
        (abs(row.result.line - key.line), index)
        for index, row in enumerate(rows)
        if isinstance(row, ResultRow)
        and row.result.path == key.path
        and row.result.section_path == key.section_path
    ]
    return min(same)[1] if same else None


def is_sorted_by_date(result: SearchResult) -> bool:
    """Return whether the query has only filters, so that the newest sections come first."""
    reasons = [section.why for section in result.sections]
    return all(why.words_rank is None and why.meaning_rank is None for why in reasons)


def ungrouped(result: SearchResult) -> tuple[NoteResult, ...]:
    """Return the sections in the order of their rank, each as a note that has no other section."""
    notes = {note.path: note for note in result.notes}
    return tuple(replace(notes[section.path], sections=(section,)) for section in result.sections)


def keep_order(
    old: Iterable[NoteResult], new: Iterable[NoteResult], *, flat: bool = False
) -> tuple[NoteResult, ...]:
    """Return the results of ``new``, arranged so that no row moves. ``old`` is on screen.

    The notes and sections of ``old`` keep their order. New sections come after the others of their
    note, and new notes come last. ``flat`` says that the results are from ``ungrouped``: each note
    has one section, and several notes may have the same path.
    """

    def key(note: NoteResult) -> object:
        return SectionKey.of(note.sections[0]) if flat else note.path

    arriving = {key(note): note for note in new}
    kept = [_extend(note, arriving.pop(key(note), None)) for note in old]
    return (*kept, *arriving.values())


def still_found(notes: Iterable[NoteResult], result: SearchResult) -> Iterator[NoteResult]:
    """Yield ``notes`` with their sections as they are in the newer ``result``, without others.

    An edit may have moved a section to another line. If ``result`` was cut, a note of which it has
    no section may only rank lower now, so it stays as it is.
    """
    was_cut = result.total > len(result.sections)
    rows = [ResultRow(section) for section in result.sections]
    for note in notes:
        found = [find_row(rows, SectionKey.of(section)) for section in note.sections]
        kept = tuple(dict.fromkeys(rows[n].result for n in found if n is not None))
        if kept or was_cut:
            yield replace(note, sections=kept or note.sections)


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
        before = None if section.complete else known.get(SectionKey.of(section))
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


Index = QModelIndex | QPersistentModelIndex

_LEAF = Qt.ItemFlag.ItemNeverHasChildren
_SELECTABLE = _LEAF | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
"""The flags of rows, computed once, because Qt asks for them often."""


SNIPPET_ROLE = int(Qt.ItemDataRole.UserRole)
"""The role of a row's snippet, which never changes the row's height."""


class ResultsModel(QStringListModel):
    """Sections grouped by note, at most three of each until it is unfolded; or a flat list.

    Qt asks for the number of rows very often, and an answer in Python would have to wait for the
    threads that search. So the base class, which is in C++, holds an empty string for each row and
    answers by itself.
    """

    def __init__(self, *, flat: bool = False) -> None:
        super().__init__()
        self.is_flat = flat
        self.rows: list[Row] = []
        self.notes: tuple[NoteResult, ...] = ()
        self._expanded: set[str] = set()
        self._missing: set[str] = set()
        self._unfolding: Sequence[Row] = ()
        self.rowsInserted.connect(self._insert_unfolding)  # before any view does

    @property
    def shown_per_note(self) -> int:
        """How many sections of a note are shown at first; 0 in a flat list."""
        return 0 if self.is_flat else SHOWN_PER_NOTE

    def set_notes(
        self, notes: Sequence[NoteResult], *, cap: int = 0, fold: bool = True, whole: str = ""
    ) -> None:
        """Replace all rows in one reset.

        ``cap`` is how many sections are listed if the list was cut; else 0. With ``fold``, expanded
        notes are folded to their first sections, as is right for another query. The note at the
        path ``whole`` is expanded.
        """
        if fold:
            self._expanded = {whole}
            self._missing.clear()
        self.notes = tuple(notes)
        rows = (
            flat_rows(notes, cap=cap)
            if self.is_flat
            else grouped_rows(notes, self._expanded, cap=cap)
        )
        self._reset(map(self._with_missing, rows) if self._missing else rows)

    def set_recent(self, sections: Sequence[SectionResult]) -> None:
        """Replace all rows by the recently opened ``sections``, in the given order."""
        self.notes = ()
        rows = [ResultRow(section, titled=True) for section in sections]
        self._reset([CaptionRow(translate("Recently opened")), *rows] if rows else [])

    def arrange(
        self, result: SearchResult, held: Sequence[NoteResult] = (), *, same: bool = False
    ) -> tuple[NoteResult, ...]:
        """Return the notes of ``result`` in the order in which to show them.

        The notes ``held`` come first, and their sections stay where they are. If the list answers
        the ``same`` query, its snippets are reused.
        """
        arranged = ungrouped(result) if self.is_flat else result.notes
        arranged = keep_order(held, arranged, flat=self.is_flat)
        return reuse_snippets(arranged, self._snippets() if same else {})

    def notes_down_to(self, index: Index) -> tuple[NoteResult, ...]:
        """Return the listed notes down to that of the row ``index``, without missing ones."""
        first_rows = ResultRow if self.is_flat else HeaderRow
        above = self.rows[: index.row() + 1]
        notes = self.notes[: sum(isinstance(row, first_rows) for row in above)]
        return tuple(note for note in notes if note.path not in self._missing)

    def update_snippets(self, sections: Iterable[SectionResult]) -> None:
        """Show the snippets in ``sections``, which came late or are better. No row moves."""
        late = {SectionKey.of(section): section for section in sections}

        def newest(section: SectionResult) -> SectionResult:
            return late.get(SectionKey.of(section), section)

        self.notes = tuple(map_sections(note, newest) for note in self.notes)
        changed = []
        for number, row in enumerate(self.rows):
            if not isinstance(row, ResultRow):
                continue
            result = newest(row.result)
            if result != row.result:
                reserved = row.reserved or row.result
                self.rows[number] = replace(row, result=result, reserved=reserved)
                changed.append(number)
        if changed:
            first, last = self.index(changed[0]), self.index(changed[-1])
            self.dataChanged.emit(first, last, [SNIPPET_ROLE])

    @Slot(str, bool)
    def set_missing(self, path: str, missing: bool) -> None:
        """Strike out the sections of the note at ``path`` if it is ``missing``, else undo that."""
        if missing == (path in self._missing):
            return
        (self._missing.add if missing else self._missing.discard)(path)
        for number, row in enumerate(self.rows):
            if isinstance(row, ResultRow) and row.result.path == path:
                self.rows[number] = self._with_missing(row)
                self.dataChanged.emit(self.index(number), self.index(number))

    def expand(self, index: Index) -> None:
        """Replace the "more" row at ``index`` by the sections for which it stands."""
        row = self.row(index)
        if not isinstance(row, MoreRow):
            return
        self._expanded.add(row.path)
        note = next(note for note in self.notes if note.path == row.path)
        hidden = [
            self._with_missing(ResultRow(folded)) for folded in note.sections[SHOWN_PER_NOTE:]
        ]
        number = index.row()
        self.rows[number] = hidden[0]
        self.dataChanged.emit(self.index(number), self.index(number))
        if len(hidden) > 1:
            self._unfolding = hidden[1:]
            self.insertRows(number + 1, len(self._unfolding))

    def more_below(self, index: Index) -> QModelIndex:
        """Return the index of the "more" row of the note at ``index``; invalid without one."""
        for number in range(index.row() + 1, len(self.rows)):
            if isinstance(self.rows[number], MoreRow):
                return self.index(number)
            if not isinstance(self.rows[number], ResultRow):
                break
        return QModelIndex()

    def reveal(self, key: SectionKey) -> QModelIndex:
        """Return the index of the section ``key``, which a "more" row may hide; else invalid."""
        if not self.find(key).isValid() and self._is_known(key):
            folds = (isinstance(row, MoreRow) and row.path == key.path for row in self.rows)
            self.expand(self.index([*folds].index(True)))
        return self.find(key)

    def row(self, index: Index) -> Row | None:
        """Return the row at ``index``; None if it is invalid."""
        return self.rows[index.row()] if index.isValid() else None

    def section(self, index: Index) -> SectionResult | None:
        """Return the section at ``index``; None for another kind of row."""
        row = self.row(index)
        return row.result if isinstance(row, ResultRow) else None

    def find(self, key: SectionKey) -> QModelIndex:
        """Return the index of the section ``key``; invalid if it is not listed."""
        number = find_row(self.rows, key)
        return self.index(-1 if number is None else number)

    def first_section(self) -> QModelIndex:
        """Return the index of the first section in the list; invalid in an empty list."""
        numbers = (n for n, row in enumerate(self.rows) if isinstance(row, ResultRow))
        return self.index(next(numbers, -1))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a row for screen readers; None for roles that ask for no text."""
        row = self.row(index)
        is_text = role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}
        return _spoken(row) if row is not None and is_text else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Allow only sections to be selected."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        row = self.rows[index.row()]
        return _SELECTABLE if isinstance(row, ResultRow) else _LEAF

    def _reset(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self.setStringList([""] * len(self.rows))

    @Slot(QModelIndex, int, int)
    def _insert_unfolding(self, _parent: Index, first: int, _last: int) -> None:
        """Add the unfolded rows, now that Qt has announced them and asks for them."""
        self.rows[first:first] = self._unfolding
        self._unfolding = ()

    def _snippets(self) -> dict[SectionKey, SectionResult]:
        """Return, by key, the sections that have their snippets, listed or hidden."""
        sections = chain.from_iterable(note.sections for note in self.notes)
        return {SectionKey.of(section): section for section in sections if section.complete}

    def _is_known(self, key: SectionKey) -> bool:
        notes = (note for note in self.notes if note.path == key.path)
        return any(find_row(map(ResultRow, note.sections), key) is not None for note in notes)

    def _with_missing(self, row: Row) -> Row:
        if not isinstance(row, ResultRow) or row.missing == (row.result.path in self._missing):
            return row
        return replace(row, missing=not row.missing)


def _spoken(row: Row) -> str:
    match row:
        case HeaderRow(note):
            return _header_text(note)
        case ResultRow(result, missing=missing):
            return _section_text(result, row.facts, gone=missing)
        case MoreRow() | CapRow() | CaptionRow():
            return row.text


def _section_text(result: SectionResult, facts: Sequence[str], *, gone: bool = False) -> str:
    """Return a result row with its ``facts`` for screen readers; ``gone`` if its note is gone."""
    place = ", ".join((location_text(result), *facts))
    snippet = result.snippet.text
    if gone:
        return translate("{place}. Moved or deleted.", place=place)
    if not result.by_meaning_alone:
        return f"{place}. {snippet}".rstrip()
    return translate("{place}. Related. {snippet}", place=place, snippet=snippet).rstrip()


def _header_text(note: NoteResult) -> str:
    """Return title, folder and date of a note, for screen readers."""
    facts = (note.title, folder_text(note.path), modified_text(note.modified))
    return ", ".join(filter(None, facts))
