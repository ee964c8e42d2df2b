"""The thread that reads notes for one window: for the preview, the popovers and recent sections."""

import contextlib
import logging
import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

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
from notesearch.results import Marked, NoteLink, Scope, SectionLink, SectionResult

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


@dataclass(slots=True, eq=False)
class Question:
    """Asks something about the notes. Only the newest question of each kind is answered.

    Attributes:
        kind: What is asked for, in a word for the log.
        find: Called in the reading thread; returns the answer.
        heard: Called in the GUI thread with the answer, unless the thread was stopped.
        nothing: The answer after an error; None for no answer.
    """

    kind: str
    find: Callable[["SearchedLibrary"], object]
    heard: Callable[[Any], object] = lambda _: None
    nothing: object = None


@dataclass(frozen=True, slots=True)
class SectionPlace:
    """A section of the note at ``path``, and the line in the note to show.

    In ``shown_path``, the headings down to the section, words stand for references to blocks.
    """

    path: str
    title: str
    shown_path: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Examples:
    """Three words and a short heading of the notes, and a filter of each kind that finds something.

    They are examples of the query language; what the notes do not have is empty.
    """

    words: tuple[str, ...] = ()
    heading: str = ""
    filters: tuple[str, ...] = ()


def part_of(library: "SearchedLibrary", path: str) -> "tuple[NoteLibrary, str, str]":
    """Return a note's library, its path in the vault, and the part of ``path`` before that.

    Raises a ``NoteMissingError`` if several vaults are searched and ``path`` names none of them.
    """
    name, inside = split_vault(path, library.parts)
    if name not in library.parts:
        raise NoteMissingError("note_name_unknown", name=path)
    return library.parts[name], inside, path.removesuffix(inside)


def count_matches(
    library: "SearchedLibrary", path: str, query: str, outline: Sequence[SectionLink]
) -> tuple[int, ...]:
    """Count how often ``query`` matches in each section of the note's file and its subsections."""
    part, inside, _ = part_of(library, path)
    note = part.read_at(inside, 1, Scope.NOTE)
    spans = part.matches(query, note.text)
    line_ends = [n for n, character in enumerate(note.text) if character == "\n"]
    lines = sorted(note.line + bisect_right(line_ends, start - 1) for start, _ in spans)
    return matches_below(outline, lines)


def matches_below(outline: Sequence[SectionLink], lines: Sequence[int]) -> tuple[int, ...]:
    """Return how many of the matching ``lines`` are in each section or its subsections.

    The text before the first heading has level 0 and no subsections. ``lines`` are in order.
    """
    counts = []
    for index, link in enumerate(outline):
        own_end = outline[index + 1].line if index + 1 < len(outline) else None
        following = (other.line for other in outline[index + 1 :] if other.level <= link.level)
        end = next(following, None) if link.level else own_end
        below = len(lines) if end is None else bisect_left(lines, end)
        counts.append(max(0, below - bisect_left(lines, link.line)))
    return tuple(counts)


def find_related(
    library: "SearchedLibrary", path: str, section_path: Sequence[str]
) -> tuple[SectionPlace, ...] | str:
    """Find at most ``_MAX_RELATED`` sections of other notes, the closest first, or say why none."""
    try:
        try:
            related = library.related(path, "/".join(section_path), limit=_MAX_RELATED)
        except SectionMissingError:  # several sections share this name: use the whole note
            related = library.related(path, limit=_MAX_RELATED)
    except NotesearchError as error:
        return error_text(error)
    return tuple(
        SectionPlace(near.path, near.title, near.shown_path, near.line) for near in related
    )


def find_backlinks(library: "SearchedLibrary", path: str) -> tuple[SectionPlace, ...]:
    """Find the sections that link to the note at ``path``, grouped by note."""
    part, inside, prefix = part_of(library, path)
    return tuple(
        SectionPlace(prefix + linking.path, linking.title, linking.shown_path, linking.line)
        for linking in part.linking_sections(inside)
    )


def find_examples(library: "SearchedLibrary") -> Examples:
    """Find examples in the headings, tags, folders and properties of the notes."""
    sections = library.complete_filter("section:", _EXAMPLE_SOURCES)
    headings = [choice.filter.partition(":")[2].strip('"') for choice in sections]
    chosen = list[str]()
    for name in ("tag", "path", "section", "prop", "lang"):
        choices = library.complete_filter(f"{name}:", _OFFERED)
        chosen += [choice.filter for choice in choices if choice.filter not in _USUAL][:1]
    # A property without a value, such as ``prop:status=``, must be completed again.
    valued = [library.complete_filter(text, 1) if text.endswith("=") else () for text in chosen]
    linked = tuple(_find_linked(library))
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
    """Yield a filter ``links:`` and one ``linked-by:``, from the first vault that can answer."""
    for part in library.parts.values():
        try:
            paths = [path for path, _ in part.note_names() if '"' not in path][:_EXAMPLE_SOURCES]
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


def find_recent(
    library: "SearchedLibrary", opened: Sequence[SectionResult]
) -> tuple[SectionResult, ...]:
    """Return those of the ``opened`` sections that still exist, with their present lines."""
    sections = (_find_section(library, section) for section in opened)
    return tuple(section for section in sections if section)


def _find_section(library: "SearchedLibrary", section: SectionResult) -> SectionResult | None:
    """Return ``section`` with its present line, and folder and date as snippet; None if gone."""
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


def explain_absence(
    library: "SearchedLibrary", query: str, note: str, within: str
) -> tuple[str, ...]:
    """Tell in sentences why ``note``, a name or path, is not found in the folder ``within``."""
    try:
        reasons = library.why_absent(query, note, within=within)
    except NotesearchError as error:
        reasons = (error.sentence,)
    return tuple(map(sentence_text, reasons))


def learn(library: "SearchedLibrary", query: str, path: str, section_path: tuple[str, ...]) -> None:
    """Make the section rank higher for the query from now on."""
    part, inside, _ = part_of(library, path)
    part.learn(query, inside, section_path)


_ANY_NOTE = "note.md"

_PAINTED_S = 0.03
"""Seconds until an answer is painted. Better answers wait: Python runs one thread at a time."""


ReadingRequest = PreviewRequest | Question


def _kind(request: ReadingRequest) -> str:
    return request.kind if isinstance(request, Question) else ""


class ReadingThread(NewestWorker[ReadingRequest]):
    """Answers reading requests once ``begin`` has started it; earlier requests wait.

    Signals:
        answered: A ``PreviewAnswer``; better ones for the same request may follow.
    """

    answered = Signal(object)
    _found = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, kind=_kind)
        self._library: SearchedLibrary | None = None
        self._drawings = DrawingProcess()
        self._readers: dict[str, SectionReader] = {}
        self._newest: dict[str, Question] = {}
        self._found.connect(self._pass_on)

    def ask(self, request: ReadingRequest) -> None:
        """Give the thread a request. Called in the GUI thread."""
        if isinstance(request, Question):
            self._newest[request.kind] = request
        super().ask(request)

    def stop(self) -> None:
        """Let the thread end soon; no question is answered any more."""
        self._newest.clear()
        super().stop()

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
        if isinstance(request, PreviewRequest):
            for answered in self._preview_answers(request):
                self.answered.emit(answered)
                self.slot.outdated_before(time.monotonic() + _PAINTED_S)
            return
        try:
            answer = request.find(self._library)
        except NotesearchError as error:
            log.info("no %s: %s", request.kind, error)
            self.give_up(request)
            return
        self._found.emit(request, answer)

    @Slot(object, object)
    def _pass_on(self, question: Question, answer: object) -> None:
        if self._newest.get(question.kind) is question:
            question.heard(answer)

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
        """Answer after an error: a sentence in place of the section, or what a question says."""
        if isinstance(request, Question):
            if request.nothing is not None:
                self._found.emit(request, request.nothing)
        else:
            problem = translate("preview", "This section can't be shown.")
            self.answered.emit(PreviewAnswer(request, problem=problem))
