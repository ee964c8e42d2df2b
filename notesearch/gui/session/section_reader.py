"""Reads a section from its note, renders it and finds the matches of a query in it."""

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
from notesearch.gui.preview.content import PreviewContent, body_html
from notesearch.gui.preview.document import links_outside, parse_html
from notesearch.gui.preview.images import (
    MAX_PIXELS,
    MAX_WIDTH,
    QUICK_PIXELS,
    Limits,
    VaultImages,
)
from notesearch.gui.preview.match_marks import utf16_spans
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.translation import error_text, translate
from notesearch.notes import Property, Span
from notesearch.results import LastKnown, Scope, SectionLink, SectionResult, SectionText

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary
    from notesearch.markdown.render.section_html import FirstLook

_QUICK_SECONDS = 0.01
_FULL_SECONDS = 2.0
"""How long formulas and pictures may delay the first answer, and the complete one."""

_RANKED = 50
"""Sections of a note among which the best subsection is looked for."""
_MAX_WORDS = 200
_ADDRESS = re.compile(r"\w[.:@]\S")
"""Only a query that contains this can match the address of a link."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """A section that the preview is to show.

    Two requests are equal if they ask for the same view: the size of the window and the rank of
    the result do not count.

    Attributes:
        result: The selected search result.
        path: Path of the note in the vault.
        line: Line of the section's heading.
        scope: How much of the note around the section to show.
        query: The query whose matches are marked.
        link: Target of a link in the note at ``path``, percent-encoded; it replaces ``line``.
        passage: Where to find the sentence nearest to the query; empty if its words match.
        image_width: Width available to pictures, in device pixels.
        visible_lines: How many lines of text fit in the window.
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
        problem: Why it cannot be shown, in one sentence for the user.
        note_missing: Whether the note no longer exists, so that the index is out of date.
    """

    request: PreviewRequest
    content: PreviewContent | None = None
    problem: str = ""
    note_missing: bool = False

    def with_prefix(self, prefix: str, request: PreviewRequest) -> "PreviewAnswer":
        """Return this as the answer to ``request``, with ``prefix`` before the path of the note."""
        content = self.content
        if content is not None and prefix:
            text = replace(content.text, path=prefix + content.text.path)
            content = replace(content, text=text)
        return replace(self, request=request, content=content)


@dataclass(frozen=True, slots=True)
class _Source:
    """The parts of a note that are read for one request.

    Attributes:
        line: The line that a link names inside of the section; 0 for none.
        best: The subsection, of those that ``text`` leaves out, that answers the query best; or
            None.
    """

    text: SectionText
    outline: tuple[SectionLink, ...]
    modified: float
    properties: tuple[Property, ...]
    line: int = 0
    best: SectionText | None = None


class _ReplacedError(Exception):
    """A newer request arrived, so this one needs no answer."""


class SectionReader:
    """Answers preview requests.

    Args:
        library: The open vault.
        drawings: Renders SVG pictures.
        is_replaced: Whether a newer request has arrived. Slow work then stops.
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
        self._last: PreviewAnswer | None = None  # the last complete one

    def answers(self, request: PreviewRequest) -> Iterator[PreviewAnswer]:
        """Yield a first answer at once, then better ones as slow parts become ready."""
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
            path, line = self._library.links(path).place(unquote(request.link))
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
        below = {link.path: link.line for link in text.subsections}
        try:
            found = self._library.search(
                request.query, within=text.path, mode="words", limit=_RANKED, per_note=_RANKED
            )
            lines = (below.get(one.section_path) for one in found.sections)
            best = next(filter(None, lines), None)
            return self._library.read_at(text.path, best) if best else None
        except NotesearchError as error:
            log.info("no best subsection: %s", error)
            return None

    def _render(
        self, request: PreviewRequest, source: _Source, *, quick: bool = False
    ) -> PreviewContent:
        """Render the whole text, or quickly only as much as the window shows first.

        Raises:
            _ReplacedError: A newer request arrived, and this is not the quick answer.
        """
        from notesearch.markdown.render.section_html import FirstLook, rendered

        text = source.text
        seconds, pixels = (_QUICK_SECONDS, QUICK_PIXELS) if quick else (_FULL_SECONDS, MAX_PIXELS)
        page = rendered(
            text.text,
            first_line=text.line,
            context=self._library.links(text.path),
            properties=source.properties,
            seconds=seconds,
            look=_first_look(request, text) if quick else None,
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
        """Stop slow work for an old request; a quick answer is always finished."""
        if not quick and self._is_replaced(request):
            raise _ReplacedError

    def _reuse_last(self, request: PreviewRequest, content: PreviewContent) -> PreviewContent:
        """Fill what ``content`` lacks from the last answer if that shows the same text.

        Otherwise the preview would flicker whenever the same section is read again: while the
        user types, and after each update of the index.
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
                last,
                line=content.line,
                target=content.target,
                is_result_pointed_out=pointed_out,
            )
            content = self._mark(request, replace(again, nearest=None))
        if self._last.request == request and last.html == content.html:
            return replace(content, nearest=last.nearest)
        return content

    def _mark(self, request: PreviewRequest, content: PreviewContent) -> PreviewContent:
        """Add the matches of the query, found in the text as Qt's document shows it."""
        if not request.query.strip():
            return replace(content, marks=(), found=0)
        from notesearch.markdown.render.source_place import find_snippet

        document = parse_html(content.html)
        text = document.toPlainText()
        links = links_outside(document, text) if _ADDRESS.search(request.query) else ()
        try:
            spans = self._library.matches(request.query, text, links)
        except NotesearchError as error:
            log.info("no matches: %s", error)
            spans = ()
        is_here = request.result.path == content.text.path and not request.link
        found = find_snippet(text, request.result) or 0 if is_here else 0
        [(found, _)] = utf16_spans(text, [(found, found)])
        return replace(content, marks=tuple(utf16_spans(text, spans)), found=found)

    def _nearest(self, request: PreviewRequest, content: PreviewContent) -> Span | None:
        """Return the span of the sentence nearest in meaning to the query."""
        is_replaced = partial(self._is_replaced, request)
        try:
            sentence = self._library.nearest_sentence(request.query, request.passage, is_replaced)
        except NotesearchError as error:
            log.info("no nearest sentence: %s", error)
            return None
        text = parse_html(content.html).toPlainText()
        span = find_sentence(sentence, text)
        return utf16_spans(text, [span])[0] if span else None

    def _indexed_answer(self, request: PreviewRequest, error: NotesearchError) -> PreviewAnswer:
        """Show the indexed text if the whole vault is missing. Otherwise explain the error."""
        try:
            known = self._indexed(request, error)
        except NotesearchError as other:
            known, error = None, other
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

    def _indexed(self, request: PreviewRequest, error: NotesearchError) -> LastKnown | None:
        """Return the section as it was last indexed; None if its vault is there."""
        if isinstance(error, NoteMissingError) and not self._library.status().vault_missing:
            return None
        if not isinstance(error, NoteMissingError | VaultMissingError):
            return None
        return self._library.last_known(request.path, request.line, request.scope)


def modified_time(library: "NoteLibrary", path: str) -> float:
    """Return when a note was changed, in seconds since the epoch; 0 if it is missing.

    Raises:
        NotesearchError: The path leads out of the vault.
    """
    try:
        return library.file(path).stat().st_mtime
    except OSError:
        return 0.0


def _linked_block(content: PreviewContent, line: int) -> Span | None:
    """Return the span of the block at ``line``; None for line 0 or if it is not shown."""
    from notesearch.markdown.render.source_place import find_again

    if not line:
        return None
    source = content.text.text
    lines = source.split("\n")
    index = min(line - content.text.line, len(lines) - 1)
    start = sum(len(before) + 1 for before in lines[:index])
    text = parse_html(content.html).toPlainText()
    place = find_again(text, source, (start, start + len(lines[index])))
    if place is None:
        return None
    block = text[place:].partition("\n")[0].rstrip()
    return utf16_spans(text, [(place, place + len(block))])[0]


def find_sentence(sentence: str, text: str) -> Span | None:
    """Return the span of ``sentence`` in ``text``, with any punctuation between its words."""
    words = re.findall(r"\w+", sentence)[:_MAX_WORDS]
    if not words:
        return None
    pattern = r"\W{1,20}".join(map(re.escape, words)) + r"[.!?…]?"
    found = re.search(pattern, text)
    return found.span() if found else None


def _first_look(request: PreviewRequest, text: SectionText) -> "FirstLook":
    """Return how much of ``text`` to render first: a window full, from the result on."""
    from notesearch.markdown.render.section_html import FirstLook

    scrolls = request.scope is not Scope.SECTION and request.result.path == text.path
    return FirstLook(request.visible_lines, request.result.line if scrolls else 0)


def _indexed_text(known: LastKnown) -> SectionText:
    """Return indexed sections as one text, which can be copied."""
    first, last = known.sections[0], known.sections[-1]
    parts = [f"{'#' * one.level} {one.heading}\n\n{one.text}".strip() for one in known.sections]
    return replace(
        first,
        end_line=last.end_line,
        text="\n\n".join(parts),
        subsections=known.subsections,
    )


def _indexed_html(known: LastKnown) -> str:
    """Return indexed sections as HTML, with the anchors that the preview expects."""
    remark = translate("preview", "This is the text as last indexed, without formatting.")
    parts = [f'<p class="more">{escape(remark)}</p>']
    for section in known.sections:
        if section.level:
            anchor = f'<a name="line-{section.line}"></a>'
            parts.append(f"<h{section.level}>{anchor}{escape(section.heading)}</h{section.level}>")
        paragraphs = escape(section.text).split("\n\n")
        parts += [f"<p>{text.replace(chr(10), '<br>')}</p>" for text in paragraphs if text]
    return "".join(parts)
