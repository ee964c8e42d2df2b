"""Reads a section from its note, renders it and finds the matches of a query in the text."""

import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from math import inf
from typing import TYPE_CHECKING
from urllib.parse import unquote

from notesearch.errors import NoteMissingError, NotesearchError, VaultMissingError
from notesearch.gui.preview.document import (
    PreviewContent,
    body_html,
    found_span,
    parse_html,
    utf16_spans,
    web_links,
)
from notesearch.gui.preview.images import MAX_PIXELS, MAX_WIDTH, QUICK_PIXELS, Limits, VaultImages
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.translation import error_text, translate
from notesearch.notes import Property, Span
from notesearch.results import LastKnown, Scope, SectionLink, SectionResult, SectionText

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary
    from notesearch.markdown.render.section_html import FirstLook

_QUICK_SECONDS = 0.01
_FULL_SECONDS = 2.0
"""For how long formulas and pictures may delay the first answer, and the complete answer."""

_RANKED = 50
"""The best subsection is looked for among this many sections of a note at most."""
_MAX_WORDS = 200
_ADDRESS = re.compile(r"\w[.:@]\S")
"""Only a query that contains this can match the address of a link."""

log = logging.getLogger(__name__)


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

    def with_prefix(self, prefix: str, request: PreviewRequest) -> "PreviewAnswer":
        """Return a copy that answers ``request``, with ``prefix`` before the path of the note."""
        content = self.content
        if content is not None and prefix:
            text = replace(content.text, path=prefix + content.text.path)
            content = replace(content, text=text)
        return replace(self, request=request, content=content)


@dataclass(frozen=True, slots=True)
class _Source:
    """What was read from a note for one request.

    ``line`` is the line to which a link into the section leads, else 0. ``best`` is the subsection
    that answers the query best, if ``text`` leaves it out.
    """

    text: SectionText
    outline: tuple[SectionLink, ...]
    modified: float
    properties: tuple[Property, ...]
    line: int = 0
    best: SectionText | None = None


class _ReplacedError(Exception):
    """A newer request arrived, so the present request needs no answer."""


class SectionReader:
    """Answers preview requests for the notes of one vault.

    ``is_replaced`` returns whether a newer request has arrived; slow work then stops.
    """

    def __init__(
        self,
        library: "NoteLibrary",
        drawings: DrawingProcess,
        is_replaced: Callable[[PreviewRequest], bool],
    ) -> None:
        self._library = library
        self._drawings = drawings
        self._is_replaced = is_replaced
        self._last: PreviewAnswer | None = None  # the last complete answer

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
        quick = self._render(request, source, quick=True)
        content = self._reuse_last(request, quick)
        yield content
        if not quick.complete:
            content = replace(self._render(request, source), nearest=content.nearest)
            yield content
        if request.passage and content.nearest is None and not self._is_replaced(request):
            content = replace(content, nearest=self._nearest(request, content))
            yield content
        self._last = PreviewAnswer(request, content) if content.complete else None

    def _read(self, request: PreviewRequest) -> _Source:
        path, line = request.path, request.line
        if request.link:
            path, line = self._library.links(path).link_position(unquote(request.link))
        text = self._library.read_at(path, line, request.scope)
        is_note = request.scope is Scope.NOTE
        return _Source(
            text,
            self._library.sections(text.path),
            modified_time(self._library, text.path),
            self._library.links(text.path).properties() if is_note else (),
            line if request.link and line > text.line else 0,
            self._best_below(request, text),
        )

    def _best_below(self, request: PreviewRequest, text: SectionText) -> SectionText | None:
        """Return the subsection that answers the query best by words, if ``text`` leaves it out."""
        if not (text.subsections and request.query.strip()):
            return None
        omitted = {link.path: link.line for link in text.subsections}
        try:
            result = self._library.search(
                request.query, within=text.path, mode="words", limit=_RANKED, per_note=_RANKED
            )
            lines = (omitted.get(section.section_path) for section in result.sections)
            texts = (self._library.read_at(text.path, line) for line in lines if line)
            return next((best for best in texts if not _is_heading(best)), None)
        except NotesearchError as error:
            log.info("no best subsection: %s", error)
            return None

    def _render(
        self, request: PreviewRequest, source: _Source, *, quick: bool = False
    ) -> PreviewContent:
        """Render the whole text; with ``quick``, only as much as the preview shows first."""
        from notesearch.markdown.render.section_html import FirstLook, rendered

        text = source.text
        look = _first_look(request, text) if quick else None
        seconds, pixels = (_QUICK_SECONDS, QUICK_PIXELS) if quick else (_FULL_SECONDS, MAX_PIXELS)
        page = rendered(
            text.text,
            first_line=text.line,
            context=self._library.links(text.path),
            properties=source.properties,
            seconds=seconds,
            look=look,
            check=partial(self._check, request, quick=quick),
        )
        best, html = source.best, page.html
        if best is not None:
            below = rendered(
                best.text,
                first_line=best.line,
                context=self._library.links(best.path),
                seconds=seconds,
                look=FirstLook(request.visible_lines) if quick else None,
                check=partial(self._check, request, quick=quick),
            )
            page, html = replace(page, whole=page.whole and below.whole), html + below.html
        limits = Limits(seconds, pixels, partial(self._is_replaced, request))
        images = VaultImages(self._library.vault, self._drawings, request.image_width)
        pictures = images.read_all(html, text.path, limits)
        self._check(request, quick=quick)
        is_result_here = request.result.path == text.path
        content = PreviewContent(
            text=text,
            html=body_html(html, text.subsections),
            best=best,
            line=request.result.line if is_result_here else text.line,
            scope=request.scope,
            is_result_pointed_out=is_result_here and request.scope is not Scope.SECTION,
            modified=source.modified,
            outline=source.outline,
            pictures=pictures,
            complete=page.whole and pictures.complete,
        )
        return self._mark(request, replace(content, target=_linked_block(content, source.line)))

    def _check(self, request: PreviewRequest, *, quick: bool) -> None:
        """Raise ``_ReplacedError`` if a newer request arrived, except with ``quick``."""
        if not quick and self._is_replaced(request):
            raise _ReplacedError

    def _reuse_last(self, request: PreviewRequest, content: PreviewContent) -> PreviewContent:
        """Return ``content``, with what it lacks taken from the last answer for the same text.

        Without this, the preview would flicker when the same section is read again, as while the
        user types and after each update of the index.
        """
        last = self._last.content if self._last else None
        if not self._last or not last:
            return content
        shown = last.text, last.best, last.scope, last.modified
        if shown != (content.text, content.best, content.scope, content.modified):
            return content
        if not content.complete:
            pointed_out = content.is_result_pointed_out
            again = replace(
                last, line=content.line, target=content.target, is_result_pointed_out=pointed_out
            )
            content = self._mark(request, replace(again, nearest=None))
        if self._last.request == request and last.html == content.html:
            return replace(content, nearest=last.nearest)
        return content

    def _mark(self, request: PreviewRequest, content: PreviewContent) -> PreviewContent:
        """Return ``content`` with the query's matches and the start of the result's snippet.

        Both are positions in the text of Qt's document, in UTF-16 units.
        """
        if not request.query.strip():
            return replace(content, marks=(), snippet_at=0)
        from notesearch.markdown.render.source_place import find_snippet

        document = parse_html(content.html)
        text = document.toPlainText()
        links = web_links(document, text) if _ADDRESS.search(request.query) else ()
        try:
            spans = self._library.matches(request.query, text, links)
        except NotesearchError as error:
            log.info("no matches: %s", error)
            spans = ()
        is_here = request.result.path == content.text.path and not request.link
        at = find_snippet(text, request.result) or 0 if is_here else 0
        [(at, _)] = utf16_spans(text, [(at, at)])
        return replace(content, marks=tuple(utf16_spans(text, spans)), snippet_at=at)

    def _nearest(self, request: PreviewRequest, content: PreviewContent) -> Span | None:
        """Return the span in UTF-16 units of the sentence nearest in meaning; None without one."""
        is_replaced = partial(self._is_replaced, request)
        try:
            sentence = self._library.nearest_sentence(request.query, request.passage, is_replaced)
        except NotesearchError as error:
            log.info("no nearest sentence: %s", error)
            return None
        return found_span(content.html, partial(find_sentence, sentence))

    def _indexed_answer(self, request: PreviewRequest, error: NotesearchError) -> PreviewAnswer:
        """Return the indexed text if the whole vault is missing, else why there is no answer."""
        is_note_missing = isinstance(error, NoteMissingError)
        known: LastKnown | None = None
        try:
            if isinstance(error, VaultMissingError) or (
                is_note_missing and self._library.status().vault_missing
            ):
                known = self._library.last_known(request.path, request.line, request.scope)
        except NotesearchError as other:
            error = other
        if known is None:
            missing = isinstance(error, NoteMissingError)
            return PreviewAnswer(request, problem=error_text(error), note_missing=missing)
        text = _indexed_text(known)
        content = PreviewContent(
            text=text,
            html=body_html(_indexed_html(known), text.subsections),
            line=request.result.line if request.result.path == text.path else text.line,
            scope=request.scope,
            modified=known.modified,
            outline=known.outline,
        )
        return PreviewAnswer(request, self._mark(request, content))


def _is_heading(text: SectionText) -> bool:
    return bool(text.subsections) and "\n" not in text.text.strip()


def modified_time(library: "NoteLibrary", path: str) -> float:
    """Return when a note was changed, in seconds since the epoch; 0 if it is missing."""
    try:
        return library.file(path).stat().st_mtime
    except OSError:
        return 0.0


def _linked_block(content: PreviewContent, line: int) -> Span | None:
    """Return the span in UTF-16 units of the block at ``line``; None for 0 or without one."""
    from notesearch.markdown.render.source_place import find_again

    if not line:
        return None
    source = content.text.text
    lines = source.split("\n")
    index = min(line - content.text.line, len(lines) - 1)
    start = sum(len(before) + 1 for before in lines[:index])

    def block_in(text: str) -> Span | None:
        shown_at = find_again(text, source, (start, start + len(lines[index])))
        if shown_at is None:
            return None
        return shown_at, shown_at + len(text[shown_at:].partition("\n")[0].rstrip())

    return found_span(content.html, block_in)


def find_sentence(sentence: str, text: str) -> Span | None:
    """Return the span of ``sentence`` in ``text``, or None; spaces and punctuation may differ."""
    words = re.findall(r"\w+", sentence)[:_MAX_WORDS]
    if not words:
        return None
    pattern = r"\W{1,20}".join(map(re.escape, words)) + r"[.!?…]?"
    match = re.search(pattern, text)
    return match.span() if match else None


def _first_look(request: PreviewRequest, text: SectionText) -> "FirstLook":
    """Return which part to render first: from the result on, as much as the preview shows."""
    from notesearch.markdown.render.section_html import FirstLook

    scrolls = request.scope is not Scope.SECTION and request.result.path == text.path
    return FirstLook(request.visible_lines, request.result.line if scrolls else 0)


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
    remark = translate("preview", "This is the text as last indexed, without formatting.")
    html = [f'<p class="more">{escape(remark)}</p>']
    for section in known.sections:
        if section.level:
            anchor = f'<a name="line-{section.line}"></a>'
            html.append(f"<h{section.level}>{anchor}{escape(section.heading)}</h{section.level}>")
        paragraphs = escape(section.text).split("\n\n")
        html += [f"<p>{text.replace(chr(10), '<br>')}</p>" for text in paragraphs if text]
    return "".join(html)
