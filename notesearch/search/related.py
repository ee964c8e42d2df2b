"""Sections near a given one, by the vectors that are stored: no query, no model."""

from notesearch.errors import NoteMissingError
from notesearch.markdown.sections import lookup
from notesearch.notes import Note, Section
from notesearch.results import SectionResult
from notesearch.search.ranking import Fused
from notesearch.search.results import Marks, section_result
from notesearch.store.reader import Reader
from notesearch.store.rows import MeaningHit, SectionRow

SIMILAR = 0.35
"""Least cosine of two passages that is worth showing; passages are nearer to each other than a
short query is to any (docs/quality.md)."""

_RETRIEVED = 300
"""Passages that are looked at."""

_MOST_OWN = 700
"""How many more at most where a long note's own passages take the nearest places."""


def related(
    reader: Reader, path: str, wanted: str | None, limit: int, *, other_notes_only: bool
) -> tuple[SectionResult, ...]:
    """Return sections near a section of the note at ``path``, or near the whole note.

    Two sections are as near as their nearest passages are.

    Args:
        reader: Of the calling thread.
        path: As the index has it.
        wanted: A heading or ``Parent/Child``; None or blank for the whole note.
        limit: Sections at most.
        other_notes_only: Leave out the other sections of the same note.

    Raises:
        NoteMissingError: The index does not hold the note.
        SectionMissingError: No section of it, or several, are called so.
    """
    with reader.snapshot():
        rows = reader.rows.note_sections(path)
        if not rows:
            raise NoteMissingError(f"“{path}” has no sections in the index.")
        own = (_section(reader, path, rows, wanted),) if wanted and wanted.strip() else rows
        without = {row.id for row in (rows if other_notes_only else own)}
        # What is left out takes the nearest places.
        room = _RETRIEVED + min(_MOST_OWN, reader.rows.count_passages(without))
        found = reader.vectors.near_sections((row.id for row in own), room)
        # A heading without text was embedded with what stands below it, which is found itself.
        without |= reader.rows.without_text(hit.section_id for hit in found)
        return _results(reader, [hit for hit in found if hit.section_id not in without], limit)


def _section(reader: Reader, path: str, rows: tuple[SectionRow, ...], wanted: str) -> SectionRow:
    (note,) = reader.rows.notes({rows[0].note_id}).values()
    sections = tuple(
        Section(r.ordinal, r.heading, r.path, r.level, r.line, r.end_line, "") for r in rows
    )
    return rows[lookup.find_section(Note(path, note.title, sections), wanted)]


def _results(reader: Reader, found: list[MeaningHit], limit: int) -> tuple[SectionResult, ...]:
    best: dict[int, MeaningHit] = {}
    for hit in found:
        if hit.similarity >= SIMILAR and len(best) < limit:
            best.setdefault(hit.section_id, hit)
    rows = reader.rows.sections(best)
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    passages = reader.rows.passages(best)
    marks = Marks(reader, ())
    return tuple(
        section_result(
            marks,
            Fused(hit.section_id, hit.similarity, None, rank, hit.place, has_all=False),
            rows[hit.section_id],
            notes[rows[hit.section_id].note_id],
            passages.get(hit.section_id, ()),
        )
        for rank, hit in enumerate(best.values(), 1)
    )
