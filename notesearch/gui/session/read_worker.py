"""The reading thread: reads the preview's section from its file, renders it, finds its matches."""

import contextlib
import logging
import re
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal

from notesearch.errors import NoteMissingError, NotesearchError
from notesearch.gui import wording
from notesearch.gui.preview.drawings import Drawings
from notesearch.gui.preview.images import (
    MAX_PIXELS,
    MAX_WIDTH,
    QUICK_PIXELS,
    Patience,
    Pictures,
    VaultImages,
)
from notesearch.gui.session import around_section, last_known
from notesearch.gui.session.around_section import CountRequest, RelatedRequest
from notesearch.gui.session.newest_worker import NewestWorker
from notesearch.gui.translation import error_text, translate
from notesearch.notes import Linked, Property, Span
from notesearch.results import Marked, Scope, SectionLink, SectionResult, SectionText

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary
    from notesearch.markdown.render.section_html import FirstLook, Rendered

_AT_ONCE_S = 0.01
_WHOLE_S = 2.0
"""How long formulas and pictures may take before the section is shown; and then, in all."""
_MARKS_S = 0.05
"""How long what is on show may take to ask for its matches."""
_ANY_NOTE = "note.md"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What the preview is to show: the section at ``line`` of the note at ``path``.

    Attributes:
        result: The result it belongs to.
        scope: How much of the note around the section.
        query: Its words are marked.
        link: Instead of ``line``: what a link in the note at ``path`` names, percent-encoded.
        room: Width for its pictures, in device pixels.
        lines: So many lines of letters fill the window.
    """

    result: SectionResult
    path: str
    line: int
    scope: Scope
    query: str
    link: str = ""
    room: int = field(default=MAX_WIDTH, compare=False)
    lines: float = field(default=inf, compare=False)


@dataclass(frozen=True, slots=True)
class AheadRequest:
    """What may be selected next, the likeliest first: to be read while nobody waits."""

    sections: tuple[ReadRequest, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read; ``text`` is None where ``problem`` says why it could not be.

    Attributes:
        html: ``text`` rendered.
        pictures: Those in ``html``.
        modified: When the note was changed, seconds since the epoch.
        outline: The note's sections.
        gone: The note is not there any more: the index is behind.
        whole: Nothing in it was left as source, or out, for want of time.
        ahead: Read for an ``AheadRequest``.
    """

    request: ReadRequest
    text: SectionText | None
    problem: str = ""
    html: str = ""
    pictures: Pictures | None = None
    modified: float = 0.0
    outline: tuple[SectionLink, ...] = ()
    gone: bool = False
    whole: bool = field(default=True, compare=False)
    ahead: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """What does ``query`` match in ``text``? The answer carries ``ticket``.

    Attributes:
        passage: What was found by meaning alone: which of its sentences is the nearest?
        links: In ``text``, where the query may have an address.
    """

    ticket: int
    query: str
    text: str
    passage: str = ""
    links: tuple[Linked, ...] = ()


@dataclass(frozen=True, slots=True)
class Matches:
    """Spans of a text that match, or the sentence in it that is ``nearest`` to the query."""

    spans: tuple[Span, ...]
    nearest: Span | None = None


@dataclass(frozen=True, slots=True)
class RecentRequest:
    """Which of ``sections`` are still there, and where?"""

    sections: tuple[SectionResult, ...]


@dataclass(frozen=True, slots=True)
class WarmUpRequest:
    """Have ready what sections of most kinds need."""


_Request = (
    ReadRequest
    | AheadRequest
    | MatchRequest
    | RecentRequest
    | CountRequest
    | RelatedRequest
    | WarmUpRequest
)


class _ReplacedError(Exception):
    """Another section is to be read."""


class ReadWorker(NewestWorker[_Request]):
    """Reads in a thread of its own.

    Signals:
        loaded: A ``Reading``.
        matched: The ticket of a ``MatchRequest``, and ``Matches``; for a passage twice, the
            second time with the nearest sentence.
        recalled: The ``SectionResult``s of a ``RecentRequest`` that are there, as they are now.
        counted: The answer to a ``CountRequest``.
        related: The answer to a ``RelatedRequest``.
    """

    loaded = Signal(object)
    matched = Signal(int, object)
    recalled = Signal(object)
    counted = Signal(object)
    related = Signal(object)

    def __init__(self, library: "NoteLibrary", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._drawings = Drawings()

    def run(self) -> None:
        """Read until stopped."""
        self._library.links(_ANY_NOTE).ready(0)
        try:
            super().run()
        finally:
            self._drawings.close()

    def work(self, request: _Request) -> None:
        """Read one section, or find the matches in one, or look sections up."""
        if isinstance(request, WarmUpRequest):
            from notesearch.markdown.render.section_html import warm_up

            warm_up()
            return
        if isinstance(request, CountRequest):
            self.counted.emit(around_section.count_matches(self._library, request))
            return
        if isinstance(request, RelatedRequest):
            self.related.emit(around_section.find_related(self._library, request))
            return
        if isinstance(request, RecentRequest):
            found = (self._look_up(section) for section in request.sections)
            self.recalled.emit(tuple(section for section in found if section))
            return
        if isinstance(request, AheadRequest):
            self._read_ahead(request)
            return
        if isinstance(request, MatchRequest):
            self.matched.emit(request.ticket, Matches(self._matches(request)))
            self._find_nearest(request)
            return
        try:
            for reading in self._read(request):
                self.loaded.emit(reading)
        except NotesearchError as error:
            self.loaded.emit(self._last_known(request, error))

    def give_up(self, request: _Request) -> None:
        """Say so in place of a section that met a bug."""
        if isinstance(request, ReadRequest):
            self.loaded.emit(
                Reading(request, None, translate("preview", "This section can't be shown."))
            )

    def _matches(self, request: MatchRequest) -> tuple[Span, ...]:
        try:
            return self._library.matches(request.query, request.text, request.links)
        except NotesearchError as error:
            log.info("no matches: %s", error)
            return ()

    def _find_nearest(self, request: MatchRequest) -> None:
        """Look for the sentence of its passage that is nearest to the query, unless called away."""
        if not request.passage:
            return
        with contextlib.suppress(NotesearchError):
            said = self._library.nearest(request.query, request.passage, self.slot.outdated)
            spans = text_spans(said, request.text)
            if spans:
                self.matched.emit(request.ticket, Matches((), nearest=spans[0]))

    def _read(self, request: ReadRequest) -> Generator[Reading, None, None]:
        """Yield what is to be shown at once, and again whole where something takes longer."""
        path, line = request.path, request.line
        if request.link:
            path, line = self._library.links(path).place(unquote(request.link))
        text = self._library.read_at(path, line, request.scope)
        outline, modified = self._library.sections(text.path), self._modified(text.path)
        is_note = request.scope is Scope.NOTE
        properties = self._library.links(text.path).properties() if is_note else ()
        for seconds in (_AT_ONCE_S, _WHOLE_S):
            try:
                page, pictures = self._render(request, text, properties, seconds)
            except _ReplacedError:
                return
            whole = page.whole and pictures.whole
            yield Reading(
                request,
                text,
                html=page.html,
                pictures=pictures,
                modified=modified,
                outline=outline,
                whole=whole,
            )
            if whole or self.slot.replaced(request):
                return
            self._mark_first()

    def _read_ahead(self, ahead: AheadRequest) -> None:
        """Read what may be selected next; later, where something else is asked for meanwhile.

        Another section has other ones beside it.
        """
        for at, request in enumerate(ahead.sections):
            if self.slot.outdated():
                self.slot.put_back(AheadRequest(ahead.sections[at:]), unless=ReadRequest)
                return
            with contextlib.suppress(NotesearchError), contextlib.closing(self._read(request)) as r:
                reading = next(r)
                if not self.slot.replaced(request):
                    self.loaded.emit(replace(reading, ahead=True))

    def _mark_first(self) -> None:
        """Find the matches in what is on show before the rest of it is made."""
        wanted = self.slot.take_one(MatchRequest, _MARKS_S)
        if wanted is not None:
            self.work(wanted)

    def _last_known(self, request: ReadRequest, error: NotesearchError) -> Reading:
        """Return what the index holds where the folder is not there, else why nothing is shown."""
        try:
            known = last_known.look_up(
                self._library, request.path, request.line, request.scope, error
            )
        except NotesearchError as other:
            known, error = None, other
        if known is None:
            gone = isinstance(error, NoteMissingError)
            return Reading(request, None, error_text(error), gone=gone)
        return Reading(
            request,
            last_known.whole(known),
            html=last_known.page(known),
            modified=known.modified,
            outline=known.outline,
        )

    def _render(
        self,
        request: ReadRequest,
        text: SectionText,
        properties: tuple[Property, ...],
        seconds: float,
    ) -> "tuple[Rendered, Pictures]":
        from notesearch.markdown.render.section_html import rendered

        at_once = seconds == _AT_ONCE_S
        page = rendered(
            text.text,
            first_line=text.line,
            context=self._library.links(text.path),
            properties=properties,
            seconds=seconds,
            look=_first_look(request, text) if at_once else None,
            check=partial(self._ask, request, at_once),
        )
        images = VaultImages(self._library.vault, self._drawings, request.room)
        largest = QUICK_PIXELS if at_once else MAX_PIXELS
        patience = Patience(seconds, largest, partial(self.slot.replaced, request))
        return page, images.all_of(page.html, text.path, patience)

    def _ask(self, request: ReadRequest, at_once: bool) -> None:
        """Give the rest of a long section up when another one is wanted."""
        if not at_once and self.slot.replaced(request):
            raise _ReplacedError

    def _modified(self, path: str) -> float:
        try:
            return self._library.file(path).stat().st_mtime
        except OSError:
            return 0.0

    def _look_up(self, section: SectionResult) -> SectionResult | None:
        """Return ``section`` with the line it stands at now, its folder and date below it."""
        try:
            outline = self._library.sections(section.path)
            modified = self._modified(section.path)
        except NotesearchError:
            return None
        lines = [link.line for link in outline if link.path == section.section_path]
        if not lines:
            return None
        line = min(lines, key=lambda line: abs(line - section.line))
        parts = wording.folder_text(section.path), modified and wording.modified_text(modified)
        snippet = Marked(" · ".join(part for part in parts if part), ())
        return replace(section, line=line, snippet=snippet)


def _first_look(request: ReadRequest, text: SectionText) -> "FirstLook":
    """Return how much of ``text`` to show first: from where its reader is led to."""
    from notesearch.markdown.render.section_html import FirstLook

    pointed_out = request.scope is not Scope.SECTION and request.result.path == text.path
    return FirstLook(request.lines, request.result.line if pointed_out else 0)


def text_spans(said: str, text: str) -> list[Span]:
    """Return where ``said`` stands in ``text``, whatever is written between its words."""
    words = re.findall(r"\w+", said)[:200]
    if not words:
        return []
    pattern = r"\W{1,20}".join(map(re.escape, words)) + r"[.!?…]?"
    return [match.span() for match in re.finditer(pattern, text)]
