"""The text of a note as the index has it, for the preview while the file is out of reach."""

from collections.abc import Sequence

from notesearch.errors import NoteMissingError
from notesearch.markdown.sections.section_texts import PREVIEW_WORDS
from notesearch.notes import after_subsections
from notesearch.results import LastKnown, Scope, SectionLink, SectionText
from notesearch.store.reader import Reader
from notesearch.store.rows import SectionRow


def last_known(reader: Reader, path: str, line: int, scope: Scope) -> LastKnown:
    """Return what the preview shows for the section that contains ``line``, from the index.

    Raises:
        NoteMissingError: The note is not in the index.
    """
    rows = reader.rows.note_sections(path)
    if not rows:
        raise NoteMissingError("note_without_sections", path=path)
    (note,) = reader.rows.notes({rows[0].note_id}).values()
    shown, links = _shown(rows, line, scope)
    sections = [
        SectionText(
            path,
            note.title,
            row.heading,
            row.path,
            row.level,
            row.line,
            row.end_line,
            row.body,
            words=len(row.body.split()),
        )
        for row in shown
    ]
    return LastKnown(tuple(sections), tuple(map(_link, rows)), note.modified, tuple(links))


def _shown(
    rows: Sequence[SectionRow], line: int, scope: Scope
) -> tuple[Sequence[SectionRow], list[SectionLink]]:
    """Return the sections to show, and links to subsections that would make the text too long."""
    at = max((index for index, row in enumerate(rows) if row.line <= line), default=0)
    if scope is Scope.PARENT:
        level = rows[at].level
        above = (n for n in range(at - 1, -1, -1) if 0 < rows[n].level < level)
        at = next(above, -1)
    if scope is Scope.NOTE or at < 0:
        return rows, []
    full = rows[at : after_subsections(rows, at)]
    if scope is Scope.PARENT or sum(len(row.body.split()) for row in full) <= PREVIEW_WORDS:
        return full, []
    return full[:1], [_link(row) for row in full[1:]]


def _link(row: SectionRow) -> SectionLink:
    words = len(row.body.split())
    page = row.source.page
    return SectionLink(row.heading, row.path, row.level, row.line, row.end_line, words, page)
