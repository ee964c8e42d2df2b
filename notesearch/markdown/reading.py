"""Reads one section, its parent or a whole note out of a note's text; what ``read`` returns."""

from collections.abc import Sequence

from notesearch.markdown.naming import find_section
from notesearch.markdown.sections import full_section_end, parse_note
from notesearch.markdown.source import source_lines
from notesearch.notes import Note, Scope, Section, SectionLink, SectionText

PREVIEW_WORDS = 800
"""A full section of more words is shown as its own text and links to its subsections."""


def read(path: str, text: str, wanted: str | None) -> SectionText:
    """Return the full section called ``wanted``, or the whole note without front matter.

    Raises:
        SectionMissingError: None or several are called so; the message lists the sections.
    """
    note = parse_note(text, path)
    if wanted is None or not wanted.strip():
        return _whole(note, text)
    return _full(note, text, find_section(note, wanted))


def read_at(path: str, text: str, line: int, scope: Scope) -> SectionText:
    """Return what a preview shows of the section that holds ``line``.

    The full section while it has at most ``PREVIEW_WORDS`` words, else its own text and
    links to its subsections.
    """
    note = parse_note(text, path)
    if scope is Scope.NOTE or not note.sections:
        return _whole(note, text)
    index = max((i for i, s in enumerate(note.sections) if s.line <= line), default=0)
    if scope is Scope.PARENT:
        parent = _parent(note.sections, index)
        if parent is None:
            return _whole(note, text)
        return _full(note, text, parent)
    return _bounded(note, text, index)


def outline(path: str, text: str) -> tuple[SectionLink, ...]:
    """Return the note's sections with their sizes."""
    return tuple(_link(section) for section in parse_note(text, path).sections)


def _whole(note: Note, text: str) -> SectionText:
    lines = source_lines(text)
    if not note.sections:
        return SectionText(note.path, note.title, note.title, (note.title,), 0, 1, len(lines), "")
    first = note.sections[0].line
    source = "\n".join(lines[first - 1 :])
    return SectionText(
        note.path, note.title, note.title, (note.title,), 0, first, len(lines), source
    )


def _full(note: Note, text: str, index: int) -> SectionText:
    return _cut(note, text, index, full_section_end(note.sections, index), ())


def _bounded(note: Note, text: str, index: int) -> SectionText:
    end = full_section_end(note.sections, index)
    below = [s for s in note.sections[index + 1 :] if s.line <= end]
    words = sum(_words(section) for section in [note.sections[index], *below])
    if words <= PREVIEW_WORDS:
        return _full(note, text, index)
    links = tuple(_link(section) for section in below)
    return _cut(note, text, index, note.sections[index].end_line, links)


def _cut(
    note: Note, text: str, index: int, end: int, links: tuple[SectionLink, ...]
) -> SectionText:
    section = note.sections[index]
    source = "\n".join(source_lines(text)[section.line - 1 : end])
    return SectionText(
        note.path, note.title, section.heading, section.path, section.level, section.line, end,
        source, links,
    )  # fmt: skip


def _parent(sections: Sequence[Section], index: int) -> int | None:
    level = sections[index].level
    return next((i for i in range(index - 1, -1, -1) if 0 < sections[i].level < level), None)


def _link(section: Section) -> SectionLink:
    return SectionLink(
        section.heading, section.path, section.level, section.line, section.end_line,
        _words(section),
    )  # fmt: skip


def _words(section: Section) -> int:
    return len(section.text.split())
