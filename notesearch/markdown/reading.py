"""Reads one section, its parent or a whole note out of a note's text; what ``read`` returns."""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from notesearch.errors import NoteMissingError, SectionMissingError
from notesearch.markdown.sections import full_section_end, parse_note
from notesearch.markdown.source import source_lines
from notesearch.notes import Note, Scope, Section, SectionLink, SectionText

PREVIEW_WORDS = 800
"""A full section of more words is shown as its own text and links to its subsections."""

_CLEAR = 80
_CLEARER_BY = 8


def read(path: str, text: str, wanted: str | None) -> SectionText:
    """Return the full section called ``wanted``, or the whole note without front matter.

    Raises:
        SectionMissingError: None or several are called so; the message lists the sections.
    """
    note = parse_note(text, path)
    if wanted is None:
        return _whole(note, text)
    index = _find(note, wanted)
    return _full(note, text, index)


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


def resolve(asked: str, names: Iterable[tuple[str, str]]) -> str:
    """Return the path of the one note whose path, file name or title is ``asked``.

    Args:
        asked: In any case, with or without ``.md``.
        names: Path and title of every note.

    Raises:
        NoteMissingError: No note or several are called so.
    """
    wanted = asked.casefold().removesuffix(".md")
    found = [path for path, title in names if wanted in _names(path, title)]
    exact = [path for path in found if path.casefold().removesuffix(".md") == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        listed = ", ".join(sorted(found)[:5])
        raise NoteMissingError(f"Several notes are called “{asked}”: {listed}. Give the path.")
    raise NoteMissingError(f"No note is called “{asked}”.")


def _names(path: str, title: str) -> set[str]:
    name = PurePosixPath(path)
    return {
        path.casefold(),
        path.casefold().removesuffix(name.suffix.casefold()),
        name.stem.casefold(),
        title.casefold(),
    }


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


def _find(note: Note, wanted: str) -> int:
    parts = [part.strip().casefold() for part in wanted.split("/")]
    found = [i for i, s in enumerate(note.sections) if s.heading.casefold() == wanted.casefold()]
    if not found:
        found = [i for i, s in enumerate(note.sections) if _ends_in(s, parts)]
    if not found:
        found = _closest(note.sections, wanted)
    if len(found) == 1:
        return found[0]
    problem = "No section" if not found else "More than one section"
    candidates = [note.sections[i] for i in found] if found else note.sections
    listed = "; ".join(" / ".join(section.path) for section in candidates[:40])
    raise SectionMissingError(f"{problem} of {note.path} is called “{wanted}”. There are: {listed}")


def _ends_in(section: Section, parts: Sequence[str]) -> bool:
    path = [heading.casefold() for heading in section.path]
    return path[-len(parts) :] == list(parts)


def _closest(sections: Sequence[Section], wanted: str) -> list[int]:
    """Return the one section whose heading is clearly closest in spelling, or none."""
    from rapidfuzz import fuzz, process

    choices = {i: s.heading.casefold() for i, s in enumerate(sections)}
    best = process.extract(wanted.casefold(), choices, scorer=fuzz.WRatio, limit=2)
    if not best or best[0][1] < _CLEAR:
        return []
    if len(best) > 1 and best[0][1] - best[1][1] < _CLEARER_BY:
        return []
    return [best[0][2]]


def _link(section: Section) -> SectionLink:
    return SectionLink(
        section.heading, section.path, section.level, section.line, section.end_line,
        _words(section),
    )  # fmt: skip


def _words(section: Section) -> int:
    return len(section.text.split())
