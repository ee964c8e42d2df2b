"""The results of quick search: sections in the order of their rank, not gathered under notes."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_rows import CapRow, Row, SectionKey, SectionRow
from notesearch.results import NoteResult, SearchResult


class FlatModel(ResultsModel):
    """Each row stands for itself: it names its note in its breadcrumb."""

    per_note = 0

    def _arranged(self, result: SearchResult, *, keep: bool) -> tuple[NoteResult, ...]:
        notes = {note.path: note for note in result.notes}
        alone = [replace(notes[s.path], sections=(s,)) for s in result.sections]
        return tuple(_after(self._notes, alone)) if keep else tuple(alone)

    def _make_rows(self, cap: int) -> Iterator[Row]:
        yield from (SectionRow(note.sections[0], titled=True) for note in self._notes)
        if cap:
            yield CapRow(cap)


def _after(old: Iterable[NoteResult], new: Iterable[NoteResult]) -> Iterator[NoteResult]:
    """Yield ``new`` behind what is listed, which stays where it is."""
    arriving = {SectionKey.of(note.sections[0]): note for note in new}
    for note in old:
        yield arriving.pop(SectionKey.of(note.sections[0]), note)
    yield from arriving.values()
