"""The document of the preview: its content, headings, links, tables, pictures and boxes.

``place_in_source`` finds the place of shown text in the note, so that an editor can open it there.
"""

import html
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextFrame, QTextTable

from notesearch.gui import wording
from notesearch.gui.preview.formula_images import extract_formulas
from notesearch.gui.preview.geometry import blocks_from, fragments_of
from notesearch.gui.preview.images import Pictures
from notesearch.gui.preview.preview_style import QUOTE_PADDING, Inline, Tone
from notesearch.gui.translation import translate
from notesearch.gui.widgets.marked_line import utf16_places
from notesearch.gui.widgets.theme import px
from notesearch.notes import Linked, Span
from notesearch.results import Scope, SectionLink, SectionText

_QUOTE_COLUMNS = 2
_WEB_SCHEMES = {"http", "https", "mailto"}
_MAX_LINKS = 200
_TASK_BOXES = ("ui:checked", "ui:unchecked", "ui:cancelled", "ui:started")


@dataclass(frozen=True, slots=True)
class PreviewContent:
    """A section to show in the preview.

    Attributes:
        text: The Markdown source that is shown.
        html: ``text`` rendered, then ``best``, then links to the subsections that ``text`` leaves
            out because it would be too long.
        best: The omitted subsection that answers the query best; None if none does.
        line: Line of the search result; the first line of ``text`` if the result is in another
            note.
        scope: How much of the note around the result is shown.
        is_result_pointed_out: Whether to point out the result within a wider scope.
        modified: When the note was changed, in seconds since the epoch; 0 if unknown.
        outline: All sections of the note.
        pictures: The pictures in ``html``.
        marks: Spans of the query's matches in Qt's document, which counts UTF-16 units.
        nearest: Span of the sentence nearest in meaning to the query, in UTF-16 units.
        target: Span of the block to which a link leads, in UTF-16 units.
        snippet_at: Position of the result's snippet, in UTF-16 units. At first, the first match
            after it is the current one.
        complete: False if a slow part is missing: formulas, pictures or the end of a long text.
    """

    text: SectionText
    html: str
    line: int
    scope: Scope = Scope.SECTION
    is_result_pointed_out: bool = False
    modified: float = 0.0
    outline: tuple[SectionLink, ...] = ()
    pictures: Pictures = field(default_factory=Pictures)
    marks: tuple[Span, ...] = ()
    nearest: Span | None = None
    target: Span | None = None
    snippet_at: int = 0
    complete: bool = True
    best: SectionText | None = None


def body_html(section: str, subsections: Sequence[SectionLink]) -> str:
    """Return the HTML of a preview: the HTML ``section``, and below it links to ``subsections``."""
    return f"<body>{section}{_subsection_links(subsections)}</body>"


def _subsection_links(subsections: Sequence[SectionLink]) -> str:
    if not subsections:
        return ""
    top = min(link.level for link in subsections)
    title, untitled = translate("In this section"), translate("Untitled")
    lines = "".join(
        f'<p class="subsection" style="-qt-block-indent:{link.level - top}">'
        f'<a href="section:{link.line}">{html.escape(link.heading or untitled)}</a>'
        f' <span class="more">{wording.words_text(link.words) if link.words else ""}</span></p>'
        for link in subsections[:_MAX_LINKS]
    )
    return f'<h4 class="subsections">{html.escape(title)}</h4>{lines}'


def listed_line(cursor: QTextCursor) -> int | None:
    """Return the line of the subsection to which the link at ``cursor`` leads; None without one."""
    scheme, _, line = cursor.charFormat().anchorHref().partition(":")
    return int(line) if scheme == "section" else None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its line in the note, its position in the document, and its level from 1 to 6."""

    line: int
    position: int
    level: int


def parse_html(html: str) -> QTextDocument:
    """Return a document with the same text as the preview shows for ``html``.

    The document is never laid out, so that any thread may make one to look for matches.
    """
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setHtml(extract_formulas(html)[0])
    return document


def headings(document: QTextDocument) -> list[Heading]:
    """Return the headings that have an anchor ``line-N``, in the order of the text."""
    result = []
    for block in blocks_from(document.begin()):
        level = block.blockFormat().headingLevel()
        names = block.charFormat().anchorNames() if level else []
        line = next((name[5:] for name in names if name.startswith("line-")), "")
        if line.isdigit():
            result.append(Heading(int(line), block.position(), level))
    return result


def result_span(document: QTextDocument, line: int) -> Span | None:
    """Return the span of the section at ``line`` with its subsections; None if it is not shown."""
    shown = headings(document)
    end = document.characterCount() - 1
    own = next((n for n, heading in enumerate(shown) if heading.line == line), None)
    if own is not None:
        level = shown[own].level
        following = (h.position for h in shown[own + 1 :] if h.level <= level)
        return shown[own].position, next(following, end)
    if not shown or line < shown[0].line:  # the text before the first heading
        return 0, shown[0].position if shown else end
    return None


def web_links(document: QTextDocument, text: str) -> tuple[Linked, ...]:
    """Return the address and span, in characters of ``text``, of each link to the web or mail."""
    spans: list[Span] = []
    addresses: list[str] = []
    for block in blocks_from(document.begin()):
        for fragment in fragments_of(block):
            address = fragment.charFormat().anchorHref()
            start = fragment.position()
            end = start + fragment.length()
            begun, ended = spans[-1] if spans else (0, 0)
            if ended == start and addresses[-1:] == [address]:  # the same link in another format
                spans[-1] = (begun, end)
            elif address.partition(":")[0].lower() in _WEB_SCHEMES:
                spans.append((start, end))
                addresses.append(address)
    return tuple(zip(character_spans(text, spans), addresses, strict=True))


def utf16_spans(text: str, spans: Sequence[Span]) -> list[Span]:
    """Convert ``spans``, which count characters of ``text``, to UTF-16 units, as Qt counts."""
    places = utf16_places(text)
    return [(places[start], places[end]) for start, end in spans]


def character_spans(text: str, spans: list[Span]) -> list[Span]:
    """Convert ``spans``, which count UTF-16 units as Qt does, to characters of ``text``."""
    starts = utf16_places(text)
    return [(bisect_left(starts, start), bisect_left(starts, end)) for start, end in spans]


def word_at(document: QTextDocument, position: int) -> Span:
    """Return the span of the word at ``position``."""
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.movePosition(QTextCursor.MoveOperation.StartOfWord)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfWord, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectionStart(), cursor.selectionEnd()


def place_in_source(
    document: QTextDocument, content: PreviewContent, span: Span
) -> tuple[int, int] | None:
    """Return the line and the column in the note, both from 1, of ``span`` in ``document``.

    None if the note does not have the text, for example because an embedded note has it.
    """
    from notesearch.markdown.render.source_place import find_again, line_and_column

    cursor = QTextCursor(document)
    cursor.setPosition(span[0])
    cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
    property_line = listed_line(cursor)
    if property_line is not None:
        return property_line, 1
    text = document.toPlainText()
    shown = character_spans(text, [span])[0]
    source = _source_at(document, content, span[0])
    source_position = find_again(source.text, text, shown)
    if source_position is None:
        return None
    line, column = line_and_column(source.text, source_position)
    return source.line + line - 1, source.indent + column


def _source_at(document: QTextDocument, content: PreviewContent, position: int) -> SectionText:
    """Return the Markdown source that ``document`` shows at ``position``.

    This is ``content.best`` from the heading of that subsection on, else ``content.text``.
    """
    best = content.best
    if best is not None:
        for heading in headings(document):
            if heading.line == best.line and heading.position <= position:
                return best
    return content.text


def code_tables(document: QTextDocument) -> list[QTextTable]:
    """Return the tables that frame blocks of code, which are recognised by their cell padding."""
    return [table for table in all_tables(document) if table.format().cellPadding() > 0]


def quotes(document: QTextDocument) -> list[tuple[QTextTable, Tone]]:
    """Return the tables of quotes and callouts with their tones, outer ones before those inside."""
    return [(table, tone) for table in all_tables(document) if (tone := tone_of(table))]


def tone_of(frame: QTextFrame | None) -> Tone | None:
    """Return the tone of a quote; None if ``frame`` is something else."""
    if not isinstance(frame, QTextTable) or frame.columns() != _QUOTE_COLUMNS or frame.rows() != 1:
        return None
    bars = (Tone.of(frame.cellAt(0, column).format()) for column in range(_QUOTE_COLUMNS))
    return next(filter(None, bars), None)


def root_frame(document: QTextDocument) -> QTextFrame:
    """Return the outermost frame of ``document``.

    With ``QTextDocument.rootFrame``, PySide would keep every frame alive as long as the document.
    """
    frame = QTextCursor(document).currentFrame()
    while (around := frame.parentFrame()) is not None:
        frame = around
    return frame


def all_tables(document: QTextDocument) -> Iterator[QTextTable]:
    """Yield the tables of ``document``, outer ones before those inside."""
    frames = root_frame(document).childFrames()
    while frames:
        frame = frames.pop(0)
        frames[:0] = frame.childFrames()
        if isinstance(frame, QTextTable):
            yield frame


def right_edge(table: QTextTable) -> float:
    """Return the right edge, in pixels, of the text or the quote around ``table``."""
    return table.document().textWidth() - depth(table) * px(QUOTE_PADDING)


def depth(table: QTextTable) -> int:
    """Return how many frames, such as quotes and other tables, are around ``table``."""
    depth, frame = 0, table.parentFrame()
    while frame is not None and frame.parentFrame() is not None:
        depth, frame = depth + 1, frame.parentFrame()
    return depth


def list_depth(block: QTextBlock) -> int:
    """Return how many lists ``block`` is in; 0 for none and for an invalid block."""
    around = QTextCursor(block).currentList() if block.isValid() else None
    return around.format().indent() if around is not None else 0


def inline_boxes(block: QTextBlock) -> Iterator[tuple[Span, Inline]]:
    """Yield the spans of code, keys and highlights in ``block``."""
    start = block.position()
    formats = [(run.start, run.length, Inline.of(run.format)) for run in block.textFormats()]
    for kind, run in groupby(formats, key=itemgetter(2)):
        if kind:
            (first, length, _), *others = run
            end = first + length + sum(other[1] for other in others)
            yield (start + first, start + end), kind


def task_box(block: QTextBlock) -> str:
    """Return the picture address (``ui:…``) of the check box that begins a task; else empty."""
    start = block.begin()
    name = "" if start.atEnd() else start.fragment().charFormat().toImageFormat().name()
    return name if name.startswith(_TASK_BOXES) else ""


def pictures_in(block: QTextBlock) -> list[tuple[int, str]]:
    """Return position and address of each picture in ``block``, except the boxes of tasks."""
    result = []
    for fragment in fragments_of(block):
        char_format = fragment.charFormat()
        name = char_format.toImageFormat().name() if char_format.isImageFormat() else ""
        if name and not name.startswith(_TASK_BOXES):
            start = fragment.position()  # repeated pictures are one fragment
            result += [(start + n, name) for n in range(fragment.length())]
    return result
