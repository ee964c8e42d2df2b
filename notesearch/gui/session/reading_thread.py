"""The thread that reads notes for one window: for its preview, its popovers and its recent list."""

import logging
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from notesearch.errors import NotesearchError, SectionMissingError
from notesearch.gui import wording
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.session.newest_worker import NewestWorker
from notesearch.gui.session.section_reader import (
    PreviewAnswer,
    PreviewRequest,
    SectionReader,
    modified_time,
)
from notesearch.gui.translation import error_text, translate
from notesearch.results import FilterChoice, Marked, Scope, SectionLink, SectionResult

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary


log = logging.getLogger(__name__)

_MAX_RELATED = 12
_LOOKED_THROUGH = 60
_OFFERED = 8
_USUAL = {"prop:tags=", "prop:tag=", "prop:title=", "prop:aliases="}
"""Properties for which there are better ways to search."""
_PLAIN_WORD = re.compile(r"[^\W\d_]{4,}")
_SHORT_HEADING = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){1,2}")


@dataclass(frozen=True, slots=True)
class CountRequest:
    """Asks how often ``query`` matches in each section of the note at ``path``."""

    path: str
    query: str
    outline: tuple[SectionLink, ...]


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """Matches in each section and the sections below it, in the order of the outline."""

    request: CountRequest
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RelatedRequest:
    """Asks which sections of other notes are close in meaning to this one."""

    path: str
    section_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelatedSections:
    """The closest sections first; ``problem`` says in one sentence why there are none."""

    request: RelatedRequest
    sections: tuple[SectionResult, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """Asks which filters ``typed`` may become."""

    typed: str


@dataclass(frozen=True, slots=True)
class Completions:
    """The filters, the best first."""

    request: CompletionRequest
    choices: tuple[FilterChoice, ...]


class ExamplesRequest:
    """Asks for something in the notes with which the query language can be shown."""


@dataclass(frozen=True, slots=True)
class Examples:
    """What the notes hold.

    Attributes:
        words: Three words of headings; empty if there are too few.
        heading: A heading of two or three words; empty without one.
        filters: Filters that find something, one of each kind.
    """

    words: tuple[str, ...] = ()
    heading: str = ""
    filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecentRequest:
    """Asks which of the recently opened ``sections`` still exist, and on which line."""

    sections: tuple[SectionResult, ...]


@dataclass(frozen=True, slots=True)
class RecentSections:
    """The sections that still exist, as they are now."""

    request: RecentRequest
    sections: tuple[SectionResult, ...]


def count_matches(library: "NoteLibrary", request: CountRequest) -> MatchCounts:
    """Count the matches in each section of the note as its file is now."""
    try:
        note = library.read_at(request.path, 1, Scope.NOTE)
        spans = library.matches(request.query, note.text)
    except NotesearchError as error:
        log.info("matches are not counted: %s", error)
        return MatchCounts(request, ())
    line_ends = [at for at, character in enumerate(note.text) if character == "\n"]
    lines = sorted(note.line + bisect_right(line_ends, start - 1) for start, _ in spans)
    return MatchCounts(request, matches_below(request.outline, lines))


def matches_below(outline: Sequence[SectionLink], lines: Sequence[int]) -> tuple[int, ...]:
    """Return how many of the matching ``lines`` are in each section or below it."""
    counts = []
    for at, link in enumerate(outline):
        own_end = outline[at + 1].line if at + 1 < len(outline) else None
        following = (other.line for other in outline[at + 1 :] if other.level <= link.level)
        end = next(following, None) if link.level else own_end
        counts.append(sum(link.line <= line and (end is None or line < end) for line in lines))
    return tuple(counts)


def find_related(library: "NoteLibrary", request: RelatedRequest) -> RelatedSections:
    """Find the sections of other notes that are closest in meaning."""
    section = "/".join(request.section_path)
    try:
        try:
            found = library.related(request.path, section, limit=_MAX_RELATED)
        except SectionMissingError:  # several sections share this name: use the whole note
            found = library.related(request.path, limit=_MAX_RELATED)
    except NotesearchError as error:
        return RelatedSections(request, (), error_text(error))
    return RelatedSections(request, found)


def find_completions(library: "NoteLibrary", request: CompletionRequest) -> Completions:
    """Find the filters that begin as typed."""
    try:
        return Completions(request, library.complete_filter(request.typed))
    except NotesearchError as error:
        log.info("no completions: %s", error)
        return Completions(request, ())


def find_examples(library: "NoteLibrary") -> Examples:
    """Find examples in the headings, tags, folders and properties of the notes."""
    try:
        found = library.complete_filter("section:", _LOOKED_THROUGH)
        headings = [one.filter.partition(":")[2].strip('"') for one in found]
        begun = [f"{name}:" for name in ("tag", "path", "section", "prop", "lang")]
        offered = [library.complete_filter(one, _OFFERED) for one in begun]
        firsts = [[one for one in some if one.filter not in _USUAL] for some in offered]
        chosen = [first[0].filter for first in firsts if first]
        # A property alone is not yet a filter with a value.
        valued = [library.complete_filter(one, 1) if one.endswith("=") else () for one in chosen]
    except NotesearchError as error:
        log.info("no examples: %s", error)
        return Examples()
    words = dict.fromkeys(
        word.lower() for heading in headings for word in _PLAIN_WORD.findall(heading)
    )
    short = [heading for heading in headings if _SHORT_HEADING.fullmatch(heading)]
    filters = (more[0].filter if more else one for one, more in zip(chosen, valued, strict=True))
    return Examples(
        words=tuple(words)[:3] if len(words) >= 3 else (),
        heading=short[0].lower() if short else "",
        filters=tuple(one for one in filters if not one.endswith("=")),
    )


def find_recent(library: "NoteLibrary", request: RecentRequest) -> RecentSections:
    """Look up the recently opened sections."""
    found = (_find_section(library, section) for section in request.sections)
    return RecentSections(request, tuple(section for section in found if section))


def _find_section(library: "NoteLibrary", section: SectionResult) -> SectionResult | None:
    """Return ``section`` with its current line, and its folder and date as its snippet."""
    try:
        outline = library.sections(section.path)
        modified = modified_time(library, section.path)
    except NotesearchError:
        return None
    lines = [link.line for link in outline if link.path == section.section_path]
    if not lines:
        return None
    line = min(lines, key=lambda line: abs(line - section.line))
    parts = wording.folder_text(section.path), modified and wording.modified_text(modified)
    snippet = Marked(" · ".join(part for part in parts if part), ())
    return replace(section, line=line, snippet=snippet)


_ANY_NOTE = "note.md"


class WarmUpRequest:
    """Asks to import what most sections need, so that the first one does not wait for it."""


ReadingRequest = (
    PreviewRequest
    | RecentRequest
    | CountRequest
    | RelatedRequest
    | CompletionRequest
    | ExamplesRequest
    | WarmUpRequest
)


class ReadingThread(NewestWorker[ReadingRequest]):
    """Answers reading requests from ``begin`` on; earlier ones wait.

    Signals:
        answered: A ``PreviewAnswer``; better ones for the same request may follow.
        recent_found: ``RecentSections``, the answer to a ``RecentRequest``.
        matches_counted: ``MatchCounts``, the answer to a ``CountRequest``.
        related_found: ``RelatedSections``, the answer to a ``RelatedRequest``.
        completions_found: ``Completions``, the answer to a ``CompletionRequest``.
        examples_found: ``Examples``, the answer to an ``ExamplesRequest``.
    """

    answered = Signal(object)
    recent_found = Signal(object)
    matches_counted = Signal(object)
    related_found = Signal(object)
    completions_found = Signal(object)
    examples_found = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library: NoteLibrary | None = None
        self._drawings = DrawingProcess()

    def begin(self, library: "NoteLibrary") -> None:
        """Start the thread on the open ``library``."""
        self._library = library
        self._reader = SectionReader(library, self._drawings, self.slot.replaced)
        self.start()

    def run(self) -> None:
        """Answer requests until stopped."""
        if self._library is not None:
            self._library.links(_ANY_NOTE).ready(0)
        try:
            super().run()
        finally:
            self._drawings.close()

    def work(self, request: ReadingRequest) -> None:
        """Answer one request."""
        assert self._library is not None
        match request:
            case PreviewRequest():
                for answer in self._reader.answers(request):
                    self.answered.emit(answer)
            case CountRequest():
                self.matches_counted.emit(count_matches(self._library, request))
            case RelatedRequest():
                self.related_found.emit(find_related(self._library, request))
            case CompletionRequest():
                self.completions_found.emit(find_completions(self._library, request))
            case ExamplesRequest():
                self.examples_found.emit(find_examples(self._library))
            case RecentRequest():
                self.recent_found.emit(find_recent(self._library, request))
            case WarmUpRequest():
                from notesearch.markdown.render.section_html import warm_up

                warm_up()

    def give_up(self, request: ReadingRequest) -> None:
        """Show a sentence in place of a section that caused an unexpected error."""
        if isinstance(request, PreviewRequest):
            problem = translate("preview", "This section can't be shown.")
            self.answered.emit(PreviewAnswer(request, problem=problem))
