"""The thread that reads notes for one window: for the preview, the popovers and recent sections."""

import contextlib
import logging
import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from notesearch.errors import NoteMissingError, NotesearchError, SectionMissingError
from notesearch.gui import wording
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.session.newest_worker import NewestWorker
from notesearch.gui.session.section_reader import (
    PreviewAnswer,
    PreviewRequest,
    SectionReader,
    modified_time,
)
from notesearch.gui.translation import error_text, sentence_text, translate
from notesearch.note_addresses import split_vault
from notesearch.results import (
    Facet,
    FilterChoice,
    Marked,
    NoteLink,
    Scope,
    SectionLink,
    SectionResult,
)

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary
    from notesearch.library import NoteLibrary

log = logging.getLogger(__name__)

_MAX_RELATED = 12
_EXAMPLE_SOURCES = 60
"""Examples are chosen from this many headings and notes at most."""
_OFFERED = 8
"""The example of each filter is chosen from this many completions at most."""
_USUAL = {"prop:tags=", "prop:tag=", "prop:title=", "prop:aliases="}
"""Filters that make poor examples, because there are better ways to search for tags and titles."""
_PLAIN_WORD = re.compile(r"[^\W\d_]{4,}")
_SHORT_HEADING = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){1,2}")


@dataclass(frozen=True, slots=True)
class CountRequest:
    """Asks how often ``query`` matches in each section of ``outline`` in the note at ``path``."""

    path: str
    query: str
    outline: tuple[SectionLink, ...]


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """The number of matches in each section and its subsections, in the order of the outline.

    Empty if the matches could not be counted.
    """

    request: CountRequest
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RelatedRequest:
    """Asks which sections of other notes are close in meaning to a section.

    Attributes:
        path: The path of its note.
        section_path: The headings from the top of the note to the section.
    """

    path: str
    section_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BacklinksRequest:
    """Asks which sections link to the note at ``path``.

    Attributes:
        read: How many linking notes were read before another request interrupted this one.
        found: The linking sections in the notes that were read.
    """

    path: str
    read: int = 0
    found: "tuple[SectionPlace, ...]" = ()


@dataclass(frozen=True, slots=True)
class SectionPlace:
    """A section of the note at ``path``, and the line in the note to show.

    Attributes:
        title: The title of the note.
        shown_path: The headings from the top of the note to the section, with the words of a block
            in place of a reference to it.
    """

    path: str
    title: str
    shown_path: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class RelatedSections:
    """The sections, the closest first; ``problem`` says in one sentence why there are none."""

    request: RelatedRequest
    sections: tuple[SectionPlace, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Backlinks:
    """The sections that link to the note at ``path``, grouped by note."""

    path: str
    sections: tuple[SectionPlace, ...]


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """Asks which filters begin with the text ``typed``, such as ``tag:tr``."""

    typed: str


@dataclass(frozen=True, slots=True)
class Completions:
    """The filters that begin as typed, the best first."""

    request: CompletionRequest
    choices: tuple[FilterChoice, ...]


@dataclass(frozen=True, slots=True)
class AbsenceRequest:
    """Asks why ``note``, a name or path, is not found by ``query`` in the folder ``within``."""

    query: str
    note: str
    within: str


@dataclass(frozen=True, slots=True)
class Absence:
    """Why the note is not among the results, in sentences for the user."""

    request: AbsenceRequest
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FacetsRequest:
    """Asks which filters narrow a search result that has the sections ``sections``."""

    sections: tuple[SectionResult, ...]


@dataclass(frozen=True, slots=True)
class Facets:
    """Filters that narrow the result, in groups: tags, folders, kinds and years."""

    request: FacetsRequest
    groups: tuple[tuple[Facet, ...], ...]


class ExamplesRequest:
    """Asks for words and filters from the notes, as examples of the query language."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Words and filters from the notes, as examples of the query language.

    Attributes:
        words: Three words of headings; empty if there are too few.
        heading: A heading of two or three words; empty without one.
        filters: One filter of each kind, such as ``tag:``, that finds something.
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
    """The sections that still exist, with their present lines."""

    request: RecentRequest
    sections: tuple[SectionResult, ...]


def part_of(library: "SearchedLibrary", path: str) -> "tuple[NoteLibrary, str, str]":
    """Return a note's library, its path in the vault, and the part of ``path`` before that.

    Raises:
        NoteMissingError: Several vaults are searched, and the path names none of them.
    """
    name, inside = split_vault(path, library.parts)
    if name not in library.parts:
        raise NoteMissingError("note_name_unknown", name=path)
    return library.parts[name], inside, path.removesuffix(inside)


def count_matches(library: "SearchedLibrary", request: CountRequest) -> MatchCounts:
    """Count the matches in each section of the note's file; no counts if it cannot be read."""
    try:
        part, path, _ = part_of(library, request.path)
        note = part.read_at(path, 1, Scope.NOTE)
        spans = part.matches(request.query, note.text)
    except NotesearchError as error:
        log.info("matches are not counted: %s", error)
        return MatchCounts(request, ())
    line_ends = [n for n, character in enumerate(note.text) if character == "\n"]
    lines = sorted(note.line + bisect_right(line_ends, start - 1) for start, _ in spans)
    return MatchCounts(request, matches_below(request.outline, lines))


def matches_below(outline: Sequence[SectionLink], lines: Sequence[int]) -> tuple[int, ...]:
    """Return how many of the matching ``lines`` are in each section or its subsections.

    The text before the first heading has level 0 and no subsections.
    """
    counts = []
    for index, link in enumerate(outline):
        own_end = outline[index + 1].line if index + 1 < len(outline) else None
        following = (other.line for other in outline[index + 1 :] if other.level <= link.level)
        end = next(following, None) if link.level else own_end
        counts.append(sum(link.line <= line and (end is None or line < end) for line in lines))
    return tuple(counts)


def find_related(library: "SearchedLibrary", request: RelatedRequest) -> RelatedSections:
    """Find at most ``_MAX_RELATED`` sections of other notes, the closest in meaning first."""
    section = "/".join(request.section_path)
    try:
        try:
            related = library.related(request.path, section, limit=_MAX_RELATED)
        except SectionMissingError:  # several sections share this name: use the whole note
            related = library.related(request.path, limit=_MAX_RELATED)
    except NotesearchError as error:
        return RelatedSections(request, (), error_text(error))
    places = (SectionPlace(near.path, near.title, near.shown_path, near.line) for near in related)
    return RelatedSections(request, tuple(places))


def find_backlinks(
    library: "SearchedLibrary", request: BacklinksRequest, stopped: Callable[[], bool]
) -> BacklinksRequest | Backlinks:
    """Find the sections that link to a note; after an error, return those found so far.

    Args:
        library: The library to ask.
        request: The note, and what was found before an interruption.
        stopped: Returns whether to stop for another request; called before each linking note.

    Returns:
        The sections; or, if stopped, a request that goes on from there.
    """
    lines: dict[str, list[int]] = {}
    try:
        part, inside, prefix = part_of(library, request.path)
        for link in part.backlinks(inside):
            lines.setdefault(link.path, []).append(link.line)
        titles = dict(part.note_names())
    except NotesearchError as error:
        log.info("no backlinks: %s", error)
        return Backlinks(request.path, request.found)
    found, paths = list(request.found), list(lines)
    for read in range(request.read, len(paths)):
        if stopped():
            return replace(request, read=read, found=tuple(found))
        path = paths[read]
        places = _sections_at(part, path, titles.get(path, path), lines[path])
        found += (replace(section, path=prefix + path) for section in places)
    return Backlinks(request.path, tuple(found))


def _sections_at(
    library: "NoteLibrary", path: str, title: str, lines: Sequence[int]
) -> Iterator[SectionPlace]:
    """Yield the sections of a note that contain ``lines``, each with the first line in it.

    Yield nothing if the note cannot be read.
    """
    with contextlib.suppress(NotesearchError):
        outline, before = library.sections(path), -1
        for line in lines:
            index = bisect_right([link.line for link in outline], line) - 1
            if index > before:
                yield SectionPlace(path, title, outline[index].path, line)
                before = index


def find_completions(library: "SearchedLibrary", request: CompletionRequest) -> Completions:
    """Find the filters that begin as typed; none after an error."""
    try:
        return Completions(request, library.complete_filter(request.typed))
    except NotesearchError as error:
        log.info("no completions: %s", error)
        return Completions(request, ())


def find_examples(library: "SearchedLibrary", _request: ExamplesRequest) -> Examples:
    """Find examples in the headings, tags, folders and properties of the notes; none on error."""
    try:
        sections = library.complete_filter("section:", _EXAMPLE_SOURCES)
        headings = [choice.filter.partition(":")[2].strip('"') for choice in sections]
        chosen = list[str]()
        for name in ("tag", "path", "section", "prop", "lang"):
            choices = library.complete_filter(f"{name}:", _OFFERED)
            chosen += [choice.filter for choice in choices if choice.filter not in _USUAL][:1]
        # A property without a value, such as ``prop:status=``, must be completed again.
        valued = [library.complete_filter(text, 1) if text.endswith("=") else () for text in chosen]
        linked = tuple(_find_linked(library))
    except NotesearchError as error:
        log.info("no examples: %s", error)
        return Examples()
    words = dict.fromkeys(
        word.lower() for heading in headings for word in _PLAIN_WORD.findall(heading)
    )
    short = [heading for heading in headings if _SHORT_HEADING.fullmatch(heading)]
    pairs = zip(chosen, valued, strict=True)
    filters = (completed[0].filter if completed else text for text, completed in pairs)
    return Examples(
        words=tuple(words)[:3] if len(words) >= 3 else (),
        heading=short[0].lower() if short else "",
        filters=(*(text for text in filters if not text.endswith("=")), *linked),
    )


def _find_linked(library: "SearchedLibrary") -> Iterator[str]:
    """Yield a filter ``links:`` and a filter ``linked-by:``, each if a note has such links.

    The notes are those of the first vault that can answer.
    """
    for part in library.parts.values():
        try:
            paths = [path for path, _ in part.note_names()][:_EXAMPLE_SOURCES]
        except NotesearchError:
            continue
        for name, links in (("links", part.backlinks), ("linked-by", part.outgoing)):
            linked = (path for path in paths if _has_any(links, path))
            yield from (f'{name}:"{PurePosixPath(path).stem}"' for path in islice(linked, 1))
        return


def _has_any(links: Callable[[str], Sequence[NoteLink]], path: str) -> bool:
    """Return whether ``links`` finds a link for the note at ``path`` to a note that exists."""
    with contextlib.suppress(NotesearchError):  # the note was deleted a moment ago
        return any(link.target for link in links(path))
    return False


def find_recent(library: "SearchedLibrary", request: RecentRequest) -> RecentSections:
    """Find the recently opened sections that still exist."""
    sections = (_find_section(library, section) for section in request.sections)
    return RecentSections(request, tuple(section for section in sections if section))


def _find_section(library: "SearchedLibrary", section: SectionResult) -> SectionResult | None:
    """Return ``section`` with its present line, and with folder and date as its snippet.

    None if the section does not exist any more.
    """
    try:
        part, path, _ = part_of(library, section.path)
        outline = part.sections(path)
        modified = modified_time(part, path)
    except NotesearchError:
        return None
    lines = [link.line for link in outline if link.path == section.section_path]
    if not lines:
        return None
    line = min(lines, key=lambda line: abs(line - section.line))
    texts = wording.folder_text(path), modified and wording.modified_text(modified)
    snippet = Marked(" · ".join(text for text in texts if text), ())
    return replace(section, line=line, snippet=snippet)


def explain_absence(library: "SearchedLibrary", request: AbsenceRequest) -> Absence:
    """Find out why a note is not among the results of a query."""
    try:
        reasons = library.why_absent(request.query, request.note, within=request.within)
    except NotesearchError as error:
        reasons = (error.sentence,)
    return Absence(request, tuple(map(sentence_text, reasons)))


def find_facets(library: "SearchedLibrary", request: FacetsRequest) -> Facets:
    """Find filters that narrow a result; none after an error."""
    try:
        return Facets(request, library.facets(request.sections))
    except NotesearchError as error:
        log.info("no facets: %s", error)
        return Facets(request, ())


@dataclass(frozen=True, slots=True)
class LearnRequest:
    """Asks to remember that a section was opened for ``query``; it has no answer."""

    query: str
    path: str
    section_path: tuple[str, ...]


def learn(library: "SearchedLibrary", request: LearnRequest) -> None:
    """Make the section rank higher for the query from now on; an error is only logged."""
    try:
        part, path, _ = part_of(library, request.path)
        part.learn(request.query, path, request.section_path)
    except NotesearchError as error:
        log.info("nothing is learnt: %s", error)


_ANY_NOTE = "note.md"

_PAINTED_S = 0.03
"""Seconds until an answer is painted. Better answers wait: Python runs one thread at a time."""


class WarmUpRequest:
    """Asks to import the modules that render sections, so that the first is shown sooner."""


ReadingRequest = (
    PreviewRequest
    | RecentRequest
    | CountRequest
    | RelatedRequest
    | BacklinksRequest
    | CompletionRequest
    | FacetsRequest
    | AbsenceRequest
    | ExamplesRequest
    | LearnRequest
    | WarmUpRequest
)


_ANSWERS: dict[type, tuple[str, Callable[["SearchedLibrary", Any], object]]] = {
    CountRequest: ("matches_counted", count_matches),
    RelatedRequest: ("related_found", find_related),
    CompletionRequest: ("completions_found", find_completions),
    AbsenceRequest: ("absence_explained", explain_absence),
    FacetsRequest: ("facets_found", find_facets),
    ExamplesRequest: ("examples_found", find_examples),
    RecentRequest: ("recent_found", find_recent),
}
"""For each type of request that one function answers: the signal, and that function."""


class ReadingThread(NewestWorker[ReadingRequest]):
    """Answers reading requests once ``begin`` has started it; earlier requests wait.

    Signals:
        answered: A ``PreviewAnswer``; better ones for the same request may follow.
        recent_found: ``RecentSections``, the answer to a ``RecentRequest``.
        matches_counted: ``MatchCounts``, the answer to a ``CountRequest``.
        related_found: ``RelatedSections``, the answer to a ``RelatedRequest``.
        backlinks_found: ``Backlinks``, the answer to a ``BacklinksRequest``.
        completions_found: ``Completions``, the answer to a ``CompletionRequest``.
        absence_explained: ``Absence``, the answer to an ``AbsenceRequest``.
        facets_found: ``Facets``, the answer to a ``FacetsRequest``.
        examples_found: ``Examples``, the answer to an ``ExamplesRequest``.
    """

    answered = Signal(object)
    recent_found = Signal(object)
    matches_counted = Signal(object)
    related_found = Signal(object)
    backlinks_found = Signal(object)
    completions_found = Signal(object)
    facets_found = Signal(object)
    absence_explained = Signal(object)
    examples_found = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library: SearchedLibrary | None = None
        self._drawings = DrawingProcess()
        self._readers: dict[str, SectionReader] = {}

    def begin(self, library: "SearchedLibrary") -> None:
        """Start the thread on the open ``library``."""
        self._library = library
        self.start()

    def run(self) -> None:
        """Answer requests until stopped."""
        if self._library is not None:
            for part in self._library.parts.values():
                part.links(_ANY_NOTE).ready(0)
        try:
            super().run()
        finally:
            self._drawings.close()

    def work(self, request: ReadingRequest) -> None:
        """Answer one request."""
        assert self._library is not None
        if type(request) in _ANSWERS:
            signal, answer = _ANSWERS[type(request)]
            getattr(self, signal).emit(answer(self._library, request))
            return
        match request:
            case PreviewRequest():
                for answered in self._preview_answers(request):
                    self.answered.emit(answered)
                    self.slot.outdated_before(time.monotonic() + _PAINTED_S)
            case BacklinksRequest():
                links = find_backlinks(self._library, request, self.slot.outdated)
                if isinstance(links, Backlinks):
                    self.backlinks_found.emit(links)
                else:
                    self.slot.put_back(links)  # the other request, such as a preview, comes first
            case LearnRequest():
                learn(self._library, request)
            case WarmUpRequest():
                from notesearch.markdown.render.section_html import warm_up

                warm_up()

    def _preview_answers(self, request: PreviewRequest) -> Iterator[PreviewAnswer]:
        """Yield the answers of the note's vault, or the error if no vault has the note."""
        assert self._library is not None
        try:
            part, path, prefix = part_of(self._library, request.path)
        except NotesearchError as error:
            yield PreviewAnswer(request, problem=error_text(error), note_missing=True)
            return
        if prefix not in self._readers:
            self._readers[prefix] = SectionReader(part, self._drawings, self.slot.replaced)
        reader = self._readers[prefix]
        result = replace(request.result, path=request.result.path.removeprefix(prefix))
        for answer in reader.answers(replace(request, result=result, path=path)):
            yield answer.with_prefix(prefix, request)

    def give_up(self, request: ReadingRequest) -> None:
        """Answer after an unexpected error: a sentence in place of the section, or no filters."""
        if isinstance(request, CompletionRequest):
            self.completions_found.emit(Completions(request, ()))
        if isinstance(request, PreviewRequest):
            problem = translate("preview", "This section can't be shown.")
            self.answered.emit(PreviewAnswer(request, problem=problem))
