"""The reading thread: reads the preview's section from its file, renders it, finds its matches."""

import logging
import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal

from notesearch.errors import NoteMissingError, NotesearchError, SectionMissingError
from notesearch.gui.newest import NewestWorker
from notesearch.notes import Scope, SectionLink, SectionResult, SectionText, Span

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What the preview is to show: the section at ``line`` of the note at ``path``.

    Attributes:
        result: The result it belongs to.
        scope: How much of the note around the section.
        query: Its words are marked.
        link: Instead of ``line``: what a link in the note at ``path`` names, percent-encoded.
    """

    result: SectionResult
    path: str
    line: int
    scope: Scope
    query: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read; ``text`` is None where ``problem`` says why it could not be.

    Attributes:
        html: ``text`` rendered.
        modified: When the note was changed, seconds since the epoch.
        outline: The note's sections.
    """

    request: ReadRequest
    text: SectionText | None
    problem: str = ""
    html: str = ""
    modified: float = 0.0
    outline: tuple[SectionLink, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """What does ``query`` match in ``text``? The answer carries ``ticket``."""

    ticket: int
    query: str
    text: str


class ReadWorker(NewestWorker[ReadRequest | MatchRequest]):
    """Reads in a thread of its own.

    Signals:
        loaded: A ``Reading``.
        matched: The ticket of a ``MatchRequest``, and the spans found.
    """

    loaded = Signal(object)
    matched = Signal(int, object)

    def __init__(self, library: "NoteLibrary", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library

    def run(self) -> None:
        """Import what rendering needs while nobody waits for it, then read until stopped."""
        from notesearch.markdown.render import render

        render("")
        super().run()

    def work(self, request: ReadRequest | MatchRequest) -> None:
        """Read one section, or find the matches in one."""
        if isinstance(request, MatchRequest):
            self.matched.emit(request.ticket, self._matches(request))
            return
        try:
            reading = self._read(request)
        except NotesearchError as error:
            reading = Reading(request, None, str(error))
        self.loaded.emit(reading)

    def give_up(self, request: ReadRequest | MatchRequest) -> None:
        """Say so in place of a section that met a bug."""
        if isinstance(request, ReadRequest):
            self.loaded.emit(Reading(request, None, "This section cannot be shown."))

    def _matches(self, request: MatchRequest) -> tuple[Span, ...]:
        try:
            return self._library.matches(request.query, request.text)
        except NotesearchError as error:
            log.info("no matches: %s", error)
            return ()

    def _read(self, request: ReadRequest) -> Reading:
        from notesearch.markdown.render import render

        text = (
            self._follow(request)
            if request.link
            else self._library.read_at(request.path, request.line, request.scope)
        )
        try:
            modified = self._library.file(text.path).stat().st_mtime
        except OSError:
            modified = 0.0
        return Reading(
            request,
            text,
            html=render(text.text, first_line=text.line),
            modified=modified,
            outline=self._library.sections(text.path),
        )

    def _follow(self, request: ReadRequest) -> SectionText:
        """Return the section that a link names: a note by path, name or title, and a heading."""
        name, _, heading = unquote(request.link).partition("#")
        path = self._linked_note(request.path, name) if name else request.path
        if not heading:
            return self._library.read_at(path, 1, Scope.SECTION)
        try:
            found = self._library.read(path, heading.replace("#", "/"))
        except SectionMissingError:
            return self._library.read_at(path, 1, Scope.SECTION)
        return self._library.read_at(found.path, found.line, Scope.SECTION)

    def _linked_note(self, source: str, name: str) -> str:
        """Return the path of the note that ``name`` means: beside the note, else anywhere."""
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
        for path in (beside, f"{beside}.md", name, f"{name}.md"):
            try:
                if self._library.file(path).is_file():
                    return path
            except NoteMissingError:
                continue
        return self._library.read(name).path
