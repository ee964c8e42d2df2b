"""Reads a section from the index, as plain text, while its note cannot be reached."""

from collections.abc import Sequence

from notesearch.errors import NoteMissingError
from notesearch.markdown.sections.section_texts import PREVIEW_WORDS
from notesearch.results import LastKnown, Scope, SectionLink, SectionText
from notesearch.store.reader import Reader
from notesearch.store.rows import SectionRow


def last_known(reader: Reader, path: str, line: int, scope: Scope) -> LastKnown:
    """Return what a preview shows of the section at ``line``, as it was when it was indexed.

    Raises:
        NoteMissingError: The index does not have the note.
    """
    with reader.snapshot():
        rows = reader.rows.note_sections(path)
        if not rows:
            raise NoteMissingError("note_without_sections", path=path)
        (note,) = reader.rows.notes({rows[0].note_id}).values()
    shown, links = _chosen(rows, line, scope)
    sections = [
        SectionText(
            path, note.title, row.heading, row.path, row.level, row.line, row.end_line, row.body
        )
        for row in shown
    ]
    return LastKnown(tuple(sections), tuple(map(_link, rows)), note.modified, tuple(links))


def _chosen(
    rows: Sequence[SectionRow], line: int, scope: Scope
) -> tuple[Sequence[SectionRow], list[SectionLink]]:
    """Return the sections to show, and links to those that are left out for length."""
    at = max((place for place, row in enumerate(rows) if row.line <= line), default=0)
    if scope is Scope.PARENT:
        level = rows[at].level
        above = (n for n in range(at - 1, -1, -1) if 0 < rows[n].level < level)
        at = next(above, -1)
    if scope is Scope.NOTE or at < 0:
        return rows, []
    full = rows[at : _end(rows, at)]
    if scope is Scope.PARENT or sum(len(row.body.split()) for row in full) <= PREVIEW_WORDS:
        return full, []
    return full[:1], [_link(row) for row in full[1:]]


def _end(rows: Sequence[SectionRow], at: int) -> int:
    """Return the end of the full section at ``at``."""
    level = rows[at].level
    after = range(at + 1, len(rows))
    ends = (place for place in after if level == 0 or rows[place].level <= level)
    return next(ends, len(rows))


def _link(row: SectionRow) -> SectionLink:
    words = len(row.body.split())
    return SectionLink(row.heading, row.path, row.level, row.line, row.end_line, words)
