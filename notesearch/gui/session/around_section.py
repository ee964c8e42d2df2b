"""What is asked about a section beyond its text: matches by heading, and what is related to it."""

import logging
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from notesearch.errors import NotesearchError, SectionMissingError
from notesearch.gui.translation import error_text
from notesearch.results import Scope, SectionLink, SectionResult

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

log = logging.getLogger(__name__)

_MOST_RELATED = 12


@dataclass(frozen=True, slots=True)
class CountRequest:
    """How often does ``query`` match in each section of the note at ``path``?"""

    path: str
    query: str
    outline: tuple[SectionLink, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer: matches of each section with all below it, in the order of the outline."""

    request: CountRequest
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RelatedRequest:
    """Which sections of other notes are near this one?"""

    path: str
    section_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """The answer; ``problem`` says in a sentence why there is none."""

    request: RelatedRequest
    sections: tuple[SectionResult, ...]
    problem: str = ""


def count_matches(library: "NoteLibrary", request: CountRequest) -> Counted:
    """Return how often the query matches in each section of the note as its file is now."""
    try:
        note = library.read_at(request.path, 1, Scope.NOTE)
        spans = library.matches(request.query, note.text)
    except NotesearchError as error:
        log.info("matches are not counted: %s", error)
        return Counted(request, ())
    ends = [at for at, sign in enumerate(note.text) if sign == "\n"]
    lines = sorted(note.line + bisect_right(ends, start - 1) for start, _ in spans)
    return Counted(request, matches_below(request.outline, lines))


def matches_below(outline: Sequence[SectionLink], lines: Sequence[int]) -> tuple[int, ...]:
    """Return how many of ``lines`` lie in each section or in one below it."""
    counts = []
    for at, link in enumerate(outline):
        own_end = outline[at + 1].line if at + 1 < len(outline) else None
        below = (other.line for other in outline[at + 1 :] if other.level <= link.level)
        end = next(below, None) if link.level else own_end
        counts.append(sum(link.line <= line and (end is None or line < end) for line in lines))
    return tuple(counts)


def find_related(library: "NoteLibrary", request: RelatedRequest) -> Related:
    """Return the sections of other notes that are nearest."""
    section = "/".join(request.section_path)
    try:
        try:
            found = library.related(request.path, section, limit=_MOST_RELATED)
        except SectionMissingError:  # several are called so: then what the note is near to
            found = library.related(request.path, limit=_MOST_RELATED)
    except NotesearchError as error:
        return Related(request, (), error_text(error))
    return Related(request, found)
