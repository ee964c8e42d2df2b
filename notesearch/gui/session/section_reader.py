"""Reads and renders sections for the preview, in a thread that also answers questions on notes."""

import logging
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from html import escape
from math import inf
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.errors import UNREADABLE, NoteMissingError, NotesearchError, VaultMissingError
from notesearch.gui.preview.document import (
    PreviewContent,
    body_html,
    parse_html,
    utf16_spans,
    web_links,
)
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.preview.vault_images import (
    MAX_WIDTH,
    QUICK_PIXELS,
    Limits,
    Pictures,
    VaultImages,
)
from notesearch.gui.session.worker_threads import NewestWorker
from notesearch.gui.translation import error_text, translate
from notesearch.note_addresses import split_vault
from notesearch.notes import Property, Span
from notesearch.results import LastKnown, Scope, SectionLink, SectionResult, SectionText

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary
    from notesearch.library import NoteLibrary

log = logging.getLogger(__name__)

_QUICK_SECONDS = 0.01
"""For how long formulas and pictures may each delay the first answer."""
_PICTURE_SECONDS = 2.0
_FORMULA_SECONDS = 2.0, 8.0, inf
"""For how long formulas may delay each further answer. All of the text comes with the first."""
_LINE_CHARACTERS = 80
"""Characters of Markdown that fill a line of the preview."""

_RANKED = 50
"""The best subsection is looked for among this many sections of a note at most."""
_ADDRESS = re.compile(r"\w[.:@]\S")
"""Only a query that contains this can match the address of a link."""
_ANY_NOTE = "note.md"
_PAINTED_S = 0.03
"""Seconds until an answer is painted. Better answers wait: Python runs one thread at a time."""


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """Asks for a section to show in the preview.

    Two requests are equal if they ask for the same view: the size of the window and the rank of
    the result do not count.

    Attributes:
        result: The selected search result.
        path: Path of the note in the vault.
        line: Line of the section's heading.
        scope: How much of the note around the section to show.
        query: The query whose matches are marked.
        link: Target of a link in the note at ``path``, percent-encoded; empty for the section at
            ``line``.
        passage: Text in which to find the sentence nearest to the query; empty if words match.
        image_width: Width available to pictures, in device pixels.
        visible_lines: How many lines of text fit in the preview.
    """

    result: SectionResult = field(compare=False)
    path: str
    line: int
    scope: Scope
    query: str
    link: str = ""
    passage: str = ""
    image_width: int = field(default=MAX_WIDTH, compare=False)
    visible_lines: float = field(default=inf, compare=False)


@dataclass(frozen=True, slots=True)
class PreviewAnswer:
    """The answer to a ``PreviewRequest``; a better one may follow.

    Attributes:
        content: The section to show; None if it cannot be shown.
        problem: Why the section cannot be shown, in one sentence for the user.
        note_missing: Whether the note no longer exists, so that the index is out of date.
    """

    request: PreviewRequest
    content: PreviewContent | None = None
    problem: str = ""
    note_missing: bool = False


@dataclass(frozen=True, slots=True)
class _Source:
    """The text read from a note for one request.

    Equal sources are rendered alike.

    Attributes:
        library: The library of the note's vault.
        prefix: What comes before paths of this vault if several are searched: ``work/``.
        text: The section, with its path in the vault.
        best: The subsection that answers the query best, if ``text`` leaves it out.
        line: The line to which a link into the section leads, else 0.
    """

    library: "NoteLibrary" = field(compare=False)
    prefix: str
    text: SectionText
    modified: float
    properties: tuple[Property, ...] = ()
    best: SectionText | None = None
    outline: tuple[SectionLink, ...] = field(default=(), compare=False)
    line: int = field(default=0, compare=False)

    @property
    def path(self) -> str:
        """The path of the note, with the name of its vault if several are searched."""
        return self.prefix + self.text.path


@dataclass(frozen=True)
class _Page:
    """A rendered source. It is not ``complete`` if a slow part or the end is missing."""

    source: _Source
    html: str
    pictures: Pictures = field(default_factory=Pictures)
    complete: bool = True

    @cached_property
    def text(self) -> str:
        """The text as Qt's document shows it; parsed only once, because that takes time."""
        return parse_html(self.html).toPlainText()

    def places(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Convert ``spans``, which count characters of ``text``, to UTF-16 units, as Qt counts."""
        return tuple(utf16_spans(self.text, spans))


class _ReplacedError(Exception):
    """A newer request arrived, so the present request needs no answer."""


class SectionReader:
    """Answers preview requests; stops slow work once ``is_replaced`` is True of the request."""

    def __init__(
        self,
        library: "SearchedLibrary",
        drawings: DrawingProcess,
        is_replaced: Callable[[PreviewRequest], bool],
    ) -> None:
        self._library = library
        self._drawings = drawings
        self._is_replaced = is_replaced
        # the last complete answer: its request, the page that it shows, and the nearest sentence
        self._last: tuple[PreviewRequest, _Page, Span | None] | None = None

    def answers(self, request: PreviewRequest) -> Iterator[PreviewAnswer]:
        """Yield an answer at once, then better ones, until a newer request arrives."""
        try:
            for content in self._contents(request):
                yield PreviewAnswer(request, content)
        except _ReplacedError:
            return
        except NotesearchError as error:
            yield self._indexed_answer(request, error)

    def _contents(self, request: PreviewRequest) -> Iterator[PreviewContent]:
        source = self._read(request)
        page = latest = self._render(request, source, _QUICK_SECONDS, quick=True)
        if not latest.complete and self._last and self._last[1].source == source:
            # Else the preview would flicker when the same section is read again, as while the user
            # types and after each update of the index.
            page = self._last[1]
        content = self._content(request, source, page)
        yield content
        for seconds in _FORMULA_SECONDS:
            if latest.complete:
                break
            page = latest = self._render(request, source, seconds)
            content = self._content(request, source, page)
            yield content
        if request.passage and content.nearest is None and not self._is_replaced(request):
            content = replace(content, nearest=self._nearest(request, page))
            yield content
        self._last = (request, page, content.nearest) if page.complete else None

    def _read(self, request: PreviewRequest) -> _Source:
        library, path, prefix = part_of(self._library, request.path)
        line = request.line
        if request.link:
            path, line = library.links(path).link_position(unquote(request.link))
        text = library.read_at(path, line, request.scope)
        is_note = request.scope is Scope.NOTE
        return _Source(
            library,
            prefix,
            text,
            modified=modified_time(library, text.path),
            properties=library.links(text.path).properties() if is_note else (),
            best=_best_below(library, text, request.query),
            outline=library.sections(text.path),
            line=line if request.link and line > text.line else 0,
        )

    def _render(
        self, request: PreviewRequest, source: _Source, seconds: float, *, quick: bool = False
    ) -> _Page:
        """Render the whole source; with ``quick``, only as much as the preview shows first.

        The formulas may take ``seconds``. Raises ``_ReplacedError`` if a newer request arrives
        meanwhile, except with ``quick``.
        """
        from notesearch.markdown.render.section_html import rendered

        scrolls = request.scope is not Scope.SECTION and request.result.path == source.path
        parts = []
        for text in filter(None, (source.text, source.best)):
            is_main = text is source.text
            start = _line_start(text, request.result.line) if scrolls and is_main else 0
            part = rendered(
                text.complete,
                first_line=text.line,
                context=source.library.links(text.path),
                properties=source.properties if is_main else (),
                seconds=seconds,
                at_once=start + request.visible_lines * _LINE_CHARACTERS if quick else None,
                check=partial(self._check, request, quick=quick),
            )
            parts.append(part)
        html = "".join(part.html for part in parts)
        is_replaced = partial(self._is_replaced, request)
        limits = Limits(_PICTURE_SECONDS, is_outdated=is_replaced)
        if quick:
            limits = Limits(_QUICK_SECONDS, QUICK_PIXELS, is_replaced)
        images = VaultImages(source.library.vault, self._drawings, request.image_width)
        pictures = images.read_all(html, source.text.path, limits)
        self._check(request, quick=quick)
        for part in parts:
            pictures = replace(pictures, formulas={**pictures.formulas, **part.formulas})
        complete = pictures.complete and all(part.whole for part in parts)
        return _Page(source, body_html(html, _links_below(source)), pictures, complete)

    def _check(self, request: PreviewRequest, *, quick: bool) -> None:
        if not quick and self._is_replaced(request):
            raise _ReplacedError

    def _content(self, request: PreviewRequest, source: _Source, page: _Page) -> PreviewContent:
        """Return the content to show for ``page``, with the places to mark in it."""
        text = replace(source.text, path=source.path)
        is_result_here = request.result.path == text.path
        last, known, nearest = self._last or (None, page, None)
        is_known = last == request and known.html == page.html
        return PreviewContent(
            text=text,
            html=page.html,
            best=source.best,
            line=request.result.line if is_result_here else text.line,
            scope=request.scope,
            is_result_pointed_out=is_result_here and request.scope is not Scope.SECTION,
            modified=source.modified,
            outline=source.outline,
            pictures=page.pictures,
            marks=self._marks(request, page),
            nearest=nearest if is_known else None,
            target=_linked_block(source, page) if source.line else None,
            snippet_at=_snippet_at(request, page) if is_result_here and not request.link else 0,
            complete=page.complete,
        )

    def _marks(self, request: PreviewRequest, page: _Page) -> tuple[Span, ...]:
        """Return the spans of the query's matches, in UTF-16 units."""
        query = request.query
        if not query.strip():
            return ()
        may_be_address = _ADDRESS.search(query)
        links = web_links(parse_html(page.html), page.text) if may_be_address else ()
        try:
            return page.places(page.source.library.matches(query, page.text, links))
        except NotesearchError as error:
            log.info("no matches: %s", error)
            return ()

    def _nearest(self, request: PreviewRequest, page: _Page) -> Span | None:
        """Return the span in UTF-16 units of the sentence nearest in meaning; None without one."""
        from notesearch.markdown.render.source_place import find_sentence

        library = page.source.library
        is_replaced = partial(self._is_replaced, request)
        try:
            sentence = library.nearest_sentence(request.query, request.passage, is_replaced)
        except NotesearchError as error:
            log.info("no nearest sentence: %s", error)
            return None
        span = find_sentence(sentence, page.text)
        return page.places([span])[0] if span else None

    def _indexed_answer(self, request: PreviewRequest, error: NotesearchError) -> PreviewAnswer:
        """Return the indexed text if the whole vault is missing, else why there is no answer."""
        try:
            library, path, prefix = part_of(self._library, request.path)
            is_note_missing = isinstance(error, NoteMissingError)
            is_vault_missing = is_note_missing and library.status().vault_missing
            if not (is_vault_missing or isinstance(error, VaultMissingError)):
                return _problem_answer(request, error)
            known = library.last_known(path, request.line, request.scope)
        except NotesearchError as other:
            return _problem_answer(request, other)
        text = _indexed_text(known)
        source = _Source(library, prefix, text, known.modified, outline=known.outline)
        page = _Page(source, body_html(_indexed_html(known), text.subsections))
        return PreviewAnswer(request, self._content(request, source, page))


def _problem_answer(request: PreviewRequest, error: NotesearchError) -> PreviewAnswer:
    is_missing = isinstance(error, NoteMissingError) and error.code not in UNREADABLE
    return PreviewAnswer(request, problem=error_text(error), note_missing=is_missing)


def _best_below(library: "NoteLibrary", text: SectionText, query: str) -> SectionText | None:
    """Return the subsection that answers the query best by words, if ``text`` leaves it out."""
    if not (text.subsections and query.strip()):
        return None
    omitted = {link.path: link.line for link in text.subsections}
    try:
        result = library.search(
            query, within=text.path, mode="words", limit=_RANKED, per_note=_RANKED
        )
        for section in result.sections:
            line = omitted.get(section.section_path)
            if not line:
                continue
            best = library.read_at(text.path, line)
            is_only_heading = best.subsections and "\n" not in best.text.strip()
            if not is_only_heading:
                return best
    except NotesearchError as error:
        log.info("no best subsection: %s", error)
    return None


def _links_below(source: _Source) -> list[SectionLink]:
    """Return the subsections to list as links: those that the page does not show in full."""
    links = source.text.subsections
    best = source.best
    if best is None:
        return [*links]
    in_full = {*range(best.line, best.end_line + 1)} - {link.line for link in best.subsections}
    return [link for link in links if link.line not in in_full]


def part_of(library: "SearchedLibrary", path: str) -> "tuple[NoteLibrary, str, str]":
    """Return a note's library, its path in the vault, and the part of ``path`` before that.

    Raises a ``NoteMissingError`` if several vaults are searched and ``path`` names none of them.
    """
    name, inside = split_vault(path, library.parts)
    if name not in library.parts:
        raise NoteMissingError("note_name_unknown", name=path)
    return library.parts[name], inside, path.removesuffix(inside)


def modified_time(library: "NoteLibrary", path: str) -> float:
    """Return when a note was changed, in seconds since the epoch; 0 if it is missing."""
    try:
        return library.file(path).stat().st_mtime
    except (OSError, NoteMissingError):
        return 0.0


def _line_start(text: SectionText, line: int) -> int:
    """Return how many characters of ``text`` are before the ``line`` of the note."""
    lines = text.text.split("\n")[: max(0, line - text.line)]
    return sum(len(before) + 1 for before in lines)


def _linked_block(source: _Source, page: _Page) -> Span | None:
    """Return the span in UTF-16 units of the block at the line of ``source``; None without one."""
    from notesearch.markdown.render.source_place import find_again

    written = source.text.text
    start = min(_line_start(source.text, source.line), written.rfind("\n") + 1)
    length = len(written[start:].partition("\n")[0])
    shown_at = find_again(page.text, written, (start, start + length))
    if shown_at is None:
        return None
    shown = page.text[shown_at:].partition("\n")[0].rstrip()
    return page.places([(shown_at, shown_at + len(shown))])[0]


def _snippet_at(request: PreviewRequest, page: _Page) -> int:
    """Return the position of the result's snippet in UTF-16 units; 0 without query or snippet."""
    from notesearch.markdown.render.source_place import find_snippet

    at = find_snippet(page.text, request.result) if request.query.strip() else None
    return page.places([(at, at)])[0][0] if at else 0


def _indexed_text(known: LastKnown) -> SectionText:
    """Return the indexed sections joined as one Markdown text."""
    first, last = known.sections[0], known.sections[-1]
    texts = [f"{'#' * part.level} {part.heading}\n\n{part.text}" for part in known.sections]
    return replace(
        first,
        end_line=last.end_line,
        text="\n\n".join(text.strip() for text in texts),
        subsections=known.subsections,
    )


def _indexed_html(known: LastKnown) -> str:
    """Return the indexed sections as HTML, with an anchor at each heading for the preview."""
    remark = translate("This is the text as last indexed, without formatting.")
    html = [f'<p class="more">{escape(remark)}</p>']
    for section in known.sections:
        if section.level:
            anchor = f'<a name="line-{section.line}"></a>'
            html.append(f"<h{section.level}>{anchor}{escape(section.heading)}</h{section.level}>")
        paragraphs = escape(section.text).split("\n\n")
        html += [f"<p>{text.replace(chr(10), '<br>')}</p>" for text in paragraphs if text]
    return "".join(html)


def _ignore(_answer: object) -> None:
    """Drop an answer for which nobody waits."""


@dataclass(slots=True, eq=False)
class Question:
    """Asks something about the notes. Only the newest question of each kind is answered.

    Attributes:
        kind: A word for the log that names the question.
        find: Called in the reading thread; returns the answer.
        heard: Called in the GUI thread with the answer, unless the thread was stopped. ``ask``
            keeps it apart from the question, so that no thread destroys it.
        nothing: The answer after an error; None for no answer.
    """

    kind: str
    find: Callable[["SearchedLibrary"], object]
    heard: Callable[[Any], object] = _ignore
    nothing: object = None


ReadingRequest = PreviewRequest | Question


def _kind(request: ReadingRequest) -> str:
    return request.kind if isinstance(request, Question) else ""


class ReadingThread(NewestWorker[ReadingRequest]):
    """Answers reading requests once begun; ``answered`` carries each ``PreviewAnswer``."""

    answered = Signal(object)
    _found = Signal(object, object)
    _library: "SearchedLibrary"
    _reader: SectionReader

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, kind=_kind)
        self._drawings = DrawingProcess()
        self._newest: dict[str, tuple[Question, Callable[[Any], object]]] = {}
        self._found.connect(self._pass_on)

    def ask(self, request: ReadingRequest) -> None:
        """Pass a request to the thread. Call this in the GUI thread."""
        if isinstance(request, Question):
            self._newest[request.kind] = request, request.heard
            # Else the thread may be the last to release a window, which must not die there.
            request.heard = _ignore
        super().ask(request)

    def stop(self) -> None:
        """Let the thread end soon, without answering the questions that still wait."""
        self._newest.clear()
        super().stop()

    def begin(self, library: "SearchedLibrary") -> None:
        """Start the thread on the open ``library``."""
        self._library = library
        self._reader = SectionReader(library, self._drawings, self.slot.replaced)
        self.start()

    def run(self) -> None:
        """Answer requests until stopped."""
        for part in self._library.parts.values():
            part.links(_ANY_NOTE).ready(0)
        try:
            super().run()
        finally:
            self._drawings.close()

    def work(self, request: ReadingRequest) -> None:
        """Answer one request; between two answers for a preview, also what is asked meanwhile."""
        if isinstance(request, PreviewRequest):
            for answered in self._reader.answers(request):
                self.answered.emit(answered)
                self.slot.outdated_before(time.monotonic() + _PAINTED_S)
                self._answer_questions(request)
            return
        try:
            answer = request.find(self._library)
        except NotesearchError as error:
            log.info("no %s: %s", request.kind, error)
            self.give_up(request)
            return
        self._found.emit(request, answer)

    def _answer_questions(self, preview: PreviewRequest) -> None:
        """Answer the questions that wait, unless a newer request replaces ``preview``."""
        while self.slot.outdated() and not self.slot.replaced(preview):
            question = self.slot.take()
            if question is not None:
                self.answer(question)

    @Slot(object, object)
    def _pass_on(self, question: Question, answer: object) -> None:
        newest, heard = self._newest.get(question.kind, (None, _ignore))
        if newest is question:
            heard(answer)

    def give_up(self, request: ReadingRequest) -> None:
        """Answer after an error: a sentence instead of a section, or ``nothing`` of a question."""
        if isinstance(request, Question):
            if request.nothing is not None:
                self._found.emit(request, request.nothing)
        else:
            problem = translate("This section cannot be shown.")
            self.answered.emit(PreviewAnswer(request, problem=problem))
