"""The results as a flat list for Qt: header, section, "more" and cap rows, asked for by role."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import chain

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QStringListModel, Qt, Slot

from notesearch.gui import wording
from notesearch.gui.results.results_rows import (
    SHOWN_PER_NOTE,
    CapRow,
    CaptionRow,
    HeaderRow,
    MoreRow,
    Row,
    SectionKey,
    SectionRow,
    changed,
    completed,
    find,
    keep_order,
    make_rows,
)
from notesearch.gui.translation import translate
from notesearch.results import NoteResult, SearchResult, SectionResult

Index = QModelIndex | QPersistentModelIndex

_SELECTABLE = (SectionRow, MoreRow)
_LEAF = Qt.ItemFlag.ItemNeverHasChildren
_LIVE = _LEAF | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
"""Made once: Qt asks for the flags of a row several times whenever it is painted."""


class ItemRole(IntEnum):
    """Roles beyond Qt's own; where ``SNIPPET`` alone changed, the height of the row did not."""

    ROW = Qt.ItemDataRole.UserRole
    SNIPPET = ROW + 1


class ResultsModel(QStringListModel):
    """Result groups as rows; at most three sections of a note until it is expanded.

    Qt counts them itself, as a list of empty texts: it does so twice for each row that it lays
    out, and every time that it comes to Python it may have to wait for the threads that search.

    Attributes:
        per_note: How many sections of a note are in view at most; 0 where each stands by itself.
    """

    per_note = SHOWN_PER_NOTE

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._notes: tuple[NoteResult, ...] = ()
        self._expanded: set[str] = set()
        self._gone: set[str] = set()
        self._coming: Sequence[Row] = ()
        self.rowsInserted.connect(self._take_in)  # before all others that this is told to

    @property
    def notes(self) -> tuple[NoteResult, ...]:
        """The groups as they are listed."""
        return self._notes

    @property
    def rows(self) -> Sequence[Row]:
        """The rows as they are listed."""
        return self._rows

    def set_notes(self, notes: Sequence[NoteResult], *, cap: int = 0, fold: bool = True) -> None:
        """Show other groups, in one reset.

        Args:
            notes: The groups in their order.
            cap: Sections listed where the list had to be cut, else 0.
            fold: Fold every note again: the query is another one.
        """
        if fold:
            self._expanded.clear()
            self._gone.clear()
        self._notes = tuple(notes)
        rows = self._make_rows(cap)
        self._list(map(self._struck, rows) if self._gone else rows)

    def set_recent(self, sections: Sequence[SectionResult]) -> None:
        """Show the sections that were opened last, the newest first."""
        self._notes = ()
        rows = [SectionRow(section, titled=True) for section in sections]
        self._list([CaptionRow(recent()), *rows] if rows else [])

    def _list(self, rows: Iterable[Row]) -> None:
        self._rows = list(rows)
        self.setStringList([""] * len(self._rows))

    def arrange(
        self, result: SearchResult, *, keep: bool, same: bool = False
    ) -> tuple[NoteResult, ...]:
        """Return what ``set_notes`` is to show of ``result``.

        Args:
            result: What was found.
            keep: Leave what is listed where it is; what is new follows.
            same: What is listed answers the same query: late snippets are as they were.
        """
        known = self._sections() if same else {}
        return completed(self._arranged(result, keep=keep), known)

    def _arranged(self, result: SearchResult, *, keep: bool) -> tuple[NoteResult, ...]:
        return keep_order(self._notes, result) if keep else result.notes

    def _sections(self) -> dict[SectionKey, SectionResult]:
        """Return what is listed, or folded, and cut."""
        sections = chain.from_iterable(note.sections for note in self._notes)
        return {SectionKey.of(section): section for section in sections if section.cut}

    def complete(self, sections: Iterable[SectionResult]) -> None:
        """Show ``sections`` in the rows of the same sections, which stay where they are."""
        known = {SectionKey.of(section): section for section in sections}

        def newest(section: SectionResult) -> SectionResult:
            late = known.get(SectionKey.of(section))
            return section if late is None or late == section else late

        self._notes = tuple(changed(note, newest) for note in self._notes)
        places = []
        for place, row in enumerate(self._rows):
            if isinstance(row, SectionRow) and (late := newest(row.result)) is not row.result:
                self._rows[place] = SectionRow(late, row.titled, row.gone)
                places.append(place)
        if places:
            first, last = self.index(places[0]), self.index(places[-1])
            self.dataChanged.emit(first, last, [ItemRole.SNIPPET])

    @Slot(str, bool)
    def set_gone(self, path: str, gone: bool) -> None:
        """Strike out the sections of the note at ``path``, or no longer."""
        if gone == (path in self._gone):
            return
        (self._gone.add if gone else self._gone.discard)(path)
        for place, row in enumerate(self._rows):
            if isinstance(row, SectionRow) and row.result.path == path:
                self._rows[place] = self._struck(row)
                self.dataChanged.emit(self.index(place), self.index(place))

    def expand(self, index: Index) -> None:
        """Replace a "more" row by the sections it stands for."""
        row = self.row(index)
        if not isinstance(row, MoreRow):
            return
        self._expanded.add(row.path)
        note = next(note for note in self._notes if note.path == row.path)
        hidden = [self._struck(SectionRow(s)) for s in note.sections[SHOWN_PER_NOTE:]]
        place = index.row()
        # The "more" row turns into the first hidden section, so a selection on it stays valid.
        self._rows[place] = hidden[0]
        self.dataChanged.emit(self.index(place), self.index(place))
        if len(hidden) > 1:
            self._coming = hidden[1:]
            self.insertRows(place + 1, len(self._coming))

    @Slot(QModelIndex, int, int)
    def _take_in(self, _parent: Index, first: int, _last: int) -> None:
        """Have the rows that Qt counts now; until it did, those before were to be seen."""
        self._rows[first:first] = self._coming
        self._coming = ()

    def reveal(self, key: SectionKey | str) -> QModelIndex:
        """Return the index of a section, unfolding its note if that hides it.

        For the path of a note: that of its "more" row, or of its last section.
        """
        if isinstance(key, str):
            return self._last_of(key)
        for place, row in enumerate(self._rows):
            hides = isinstance(row, MoreRow) and row.path == key.path
            if hides and not self.find(key).isValid() and self._knows(key):
                self.expand(self.index(place))
                break
        return self.find(key)

    def row(self, index: Index) -> Row | None:
        """Return the row at ``index``."""
        return self._rows[index.row()] if index.isValid() else None

    def section(self, index: Index) -> SectionResult | None:
        """Return the section at ``index``; None where another kind of row is."""
        row = self.row(index)
        return row.result if isinstance(row, SectionRow) else None

    def find(self, key: SectionKey) -> QModelIndex:
        """Return the index of a section; invalid when it is not listed."""
        place = find(self._rows, key)
        return QModelIndex() if place is None else self.index(place)

    def first_section(self) -> QModelIndex:
        """Return the index of the best section; invalid in an empty list."""
        places = (n for n, row in enumerate(self._rows) if isinstance(row, SectionRow))
        place = next(places, None)
        return QModelIndex() if place is None else self.index(place)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the row itself for ``ItemRole.ROW``, and its words for a screen reader."""
        row = self.row(index)
        if row is None:
            return None
        if role == ItemRole.ROW:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return _spoken(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let the selection stand on sections and "more" rows only."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return _LIVE if isinstance(self._rows[index.row()], _SELECTABLE) else _LEAF

    def _last_of(self, path: str) -> QModelIndex:
        last = QModelIndex()
        for place, row in enumerate(self._rows):
            match row:
                case MoreRow(path=own) | SectionRow(SectionResult(path=own)) if own == path:
                    last = self.index(place)
        return last

    def _knows(self, key: SectionKey) -> bool:
        """Whether the section is listed, be it in a part of its note that is folded."""
        found = (note for note in self._notes if note.path == key.path)
        return any(find(map(SectionRow, note.sections), key) is not None for note in found)

    def _struck(self, row: Row) -> Row:
        if not isinstance(row, SectionRow) or row.gone == (row.result.path in self._gone):
            return row
        return replace(row, gone=not row.gone)

    def _make_rows(self, cap: int) -> Iterable[Row]:
        return make_rows(self._notes, self._expanded, cap=cap)


def _spoken(row: Row) -> str:
    match row:
        case HeaderRow(note):
            return wording.header_text(note)
        case SectionRow(result, gone=gone):
            return wording.section_text(result, gone=gone)
        case MoreRow(hidden=hidden):
            return wording.more_text(hidden)
        case CapRow(shown):
            return wording.cap_text(shown)
        case CaptionRow(text):
            return text


def recent() -> str:
    """Return what stands above the sections opened last."""
    return translate("window", "Recently opened")
