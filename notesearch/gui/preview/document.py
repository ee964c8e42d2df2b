"""The document of the preview: its content, its parts, where they are, and what is copied of them.

``place_in_source`` finds the place of shown text in the note, so that an editor can open it there.
"""

import html
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from operator import itemgetter

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import (
    QFontMetricsF,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFragment,
    QTextFrame,
    QTextLine,
    QTextTable,
)

from notesearch.gui.preview.document_images import formula_tex
from notesearch.gui.preview.preview_style import QUOTE_PADDING, Inline, Tone
from notesearch.gui.preview.vault_images import Pictures
from notesearch.gui.translation import translate, words_text
from notesearch.gui.widgets.marked_line import extents, utf16_places
from notesearch.gui.widgets.theme import px
from notesearch.notes import Linked, Span
from notesearch.results import Scope, SectionLink, SectionText

_QUOTE_COLUMNS = 2
_WEB_SCHEMES = {"http", "https", "mailto"}
_MAX_LINKS = 200
_TASK_MARKS = {
    "ui:unchecked": "[ ]",
    "ui:checked": "[x]",
    "ui:started": "[/]",
    "ui:cancelled": "[-]",
}
"""The picture addresses of check boxes, and what is copied for each."""
_INVISIBLE = str.maketrans({"\ufffc": None, "\u200b": None, "\u00a0": " ", "\u2028": "\n"})
_TALL_LINE = 1.2
_MAX_CELLS_BESIDE = 30


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
        f' <span class="more">{words_text(link.words) if link.words else ""}</span></p>'
        for link in subsections[:_MAX_LINKS]
    )
    return f'<h4 class="subsections">{html.escape(title)}</h4>{lines}'


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its line in the note, its position in the document, and its level from 1 to 6."""

    line: int
    position: int
    level: int


def blocks_from(block: QTextBlock) -> Iterator[QTextBlock]:
    """Yield ``block`` and the paragraphs after it."""
    while block.isValid():
        yield block
        block = block.next()


def fragments_of(block: QTextBlock) -> Iterator[QTextFragment]:
    """Yield the pieces of ``block`` that have one format each."""
    position = block.begin()
    while not position.atEnd():
        yield position.fragment()
        position += 1


def selection(document: QTextDocument, span: Span) -> QTextCursor:
    """Return a cursor that has selected ``span``."""
    cursor = QTextCursor(document)
    cursor.setPosition(span[0])
    cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
    return cursor


def parse_html(html: str) -> QTextDocument:
    """Return a document with the same text as the preview shows for ``html``.

    The document is never laid out, so that any thread may make one to look for matches.
    """
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setHtml(html)
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


def position_again(former: str, text: str, span: Span) -> int | None:
    """Return the position in ``text`` of what ``former`` has at ``span``; None if it is not there.

    Positions count UTF-16 units.
    """
    from notesearch.markdown.render.source_place import find_again

    position = find_again(text, former, character_spans(former, [span])[0])
    return None if position is None else utf16_places(text)[position]


def word_at(document: QTextDocument, position: int) -> Span:
    """Return the span of the word at ``position``."""
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.select(QTextCursor.SelectionType.WordUnderCursor)
    return cursor.selectionStart(), cursor.selectionEnd()


def place_in_source(
    document: QTextDocument, content: PreviewContent, span: Span
) -> tuple[int, int] | None:
    """Return the line and the column in the note, both from 1, of ``span`` in ``document``.

    None if the note does not have the text, for example because an embedded note has it.
    """
    from notesearch.markdown.render.source_place import find_again, line_and_column

    scheme, _, first_line = selection(document, span).charFormat().anchorHref().partition(":")
    if scheme == "section":  # a link to a subsection
        return int(first_line), 1
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


def pictures_in(block: QTextBlock) -> list[tuple[int, str]]:
    """Return position and address of each picture in ``block``, except the boxes of tasks."""
    result = []
    for fragment in fragments_of(block):
        char_format = fragment.charFormat()
        name = char_format.toImageFormat().name() if char_format.isImageFormat() else ""
        if name and name not in _TASK_MARKS:
            start = fragment.position()  # repeated pictures are one fragment
            result += [(start + n, name) for n in range(fragment.length())]
    return result


def task_box(block: QTextBlock) -> str:
    """Return the picture address (``ui:…``) of the check box that begins a task; else empty."""
    start = block.begin()
    name = "" if start.atEnd() else start.fragment().charFormat().toImageFormat().name()
    return name if name in _TASK_MARKS else ""


# Places


def block_top(document: QTextDocument, position: int) -> float:
    """Return the y coordinate of the top of the paragraph that has the character ``position``."""
    return document.documentLayout().blockBoundingRect(document.findBlock(position)).top()


def first_block_below(document: QTextDocument, top: float) -> QTextBlock:
    """Return the first paragraph that ends below ``top``; Qt lays out none far below it."""

    def bottom(number: int) -> float:
        block = document.findBlockByNumber(number)
        return document.documentLayout().blockBoundingRect(block).bottom()

    low, high, last = 0, 0, document.blockCount() - 1
    while high < last and bottom(high) <= top:
        low, high = high + 1, min(last, 2 * high + 1)
    return document.findBlockByNumber(bisect_right(range(high), top, lo=low, key=bottom))


@dataclass(frozen=True, slots=True)
class InView:
    """The part of a document in view: its rectangle, its first paragraph, and the text's span."""

    area: QRectF
    first: QTextBlock
    span: Span


def in_view(document: QTextDocument, area: QRectF) -> InView:
    """Return what is in the rectangle ``area``; of a long paragraph, only its lines there.

    Qt's hit test would also find tables below the window, which Qt has not laid out yet.
    """
    layout = document.documentLayout()
    first = first_block_below(document, area.top())
    for _ in range(_MAX_CELLS_BESIDE):  # the cells of a table row are side by side
        if first.previous().isValid() and QTextCursor(first).currentTable():
            first = first.previous()
    last = first
    while last.next().isValid() and layout.blockBoundingRect(last).top() <= area.bottom():
        last = last.next()
    start, end = _line_at(first, area.top()), _line_at(last, area.bottom())
    start_position = start.textStart() if start.isValid() else 0
    end_position = end.textStart() + end.textLength() if end.isValid() else 0
    span = first.position() + start_position, last.position() + max(end_position, 1)
    return InView(area=area, first=first, span=span)


def _line_at(block: QTextBlock, y: float) -> QTextLine:
    """Return the last line of ``block`` that begins above ``y``, else the first line."""
    top = block.document().documentLayout().blockBoundingRect(block).top()
    layout = block.layout()
    lines = range(layout.lineCount())
    below = bisect_right(lines, y - top, key=lambda number: layout.lineAt(number).y())
    return layout.lineAt(max(0, below - 1))


def line_top(document: QTextDocument, y: float) -> float:
    """Return the top of the line of text at ``y``; ``y`` itself between two paragraphs."""
    block = first_block_below(document, y)
    top = document.documentLayout().blockBoundingRect(block).top()
    line = _line_at(block, y)
    return top + line.y() if top < y and line.isValid() else y


def text_rectangles(document: QTextDocument, span: Span) -> Iterator[QRectF]:
    """Yield rectangles around the letters of ``span``, one or more for each of its lines."""
    layout = document.documentLayout()
    blocks = blocks_from(document.findBlock(span[0]))
    for block in takewhile(lambda block: block.position() < span[1], blocks):
        origin = layout.blockBoundingRect(block).topLeft()
        start = max(0, span[0] - block.position())
        end = min(block.length() - 1, span[1] - block.position())
        yield from _line_rectangles(block, origin, start, end)


def _line_rectangles(block: QTextBlock, origin: QPointF, start: int, end: int) -> Iterator[QRectF]:
    layout = block.layout()
    first = layout.lineForTextPosition(start).lineNumber()
    for line in map(layout.lineAt, range(first, layout.lineCount())):
        if line.textStart() >= end:
            break
        line_end = line.textStart() + line.textLength()
        above, below = _letter_height(line, block, start)
        top = origin.y() + line.y() + line.ascent() - above
        for left, right in extents(line, max(start, line.textStart()), min(end, line_end)):
            yield QRectF(origin.x() + left, top, right - left, above + below)


def _letter_height(line: QTextLine, block: QTextBlock, start: int) -> tuple[float, float]:
    """Return how many pixels the letters of ``line`` reach above and below its baseline."""
    usual = QFontMetricsF(block.document().defaultFont())
    if line.height() < _TALL_LINE * usual.height():
        return line.ascent(), line.descent()
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + start + 1)
    metrics = QFontMetricsF(cursor.charFormat().font())
    return metrics.ascent(), metrics.descent()


# Copied text


def selected_text(selected: QTextCursor) -> str:
    """Return the text of ``selected``, with formulas as TeX and the boxes of tasks as ``[x]``.

    Each paragraph is a line. Tabs separate the cells of a table. Empty paragraphs, which Qt needs
    beside tables, are left out.
    """
    start, end = selected.selectionStart(), selected.selectionEnd()
    shown: list[str] = []
    for block in blocks_from(selected.document().findBlock(start)):
        if block.position() > end:
            break
        text = "".join(_parts(block, start, end)).translate(_INVISIBLE)
        is_last = block.position() + block.length() > end
        separator = _separator(block)
        if text or is_last or separator != "\n" or _keeps_empty_lines(block):
            shown += separator, text
    return "".join(shown[1:])


def _separator(block: QTextBlock) -> str:
    """Return what separates ``block`` from the one before: a tab between the cells of a row."""
    table = QTextCursor(block).currentTable()
    if table is None or table.rows() == 1:
        return "\n"
    cell = table.cellAt(block.position())
    if block.position() > cell.firstPosition():
        return " "
    return "\t" if cell.column() else "\n"


def _keeps_empty_lines(block: QTextBlock) -> bool:
    """Return whether an empty paragraph is a line of code or the first cell of a row."""
    table = QTextCursor(block).currentTable()
    return table is not None and (table.format().cellPadding() > 0 or table.rows() > 1)


def _parts(block: QTextBlock, start: int, end: int) -> Iterator[str]:
    """Yield the text of ``block`` between two positions, with words in place of pictures."""
    for fragment in fragments_of(block):
        first = max(start, fragment.position())
        last = min(end, fragment.position() + fragment.length())
        if first >= last:
            continue
        name = fragment.charFormat().toImageFormat().name()
        if name.startswith("math:"):
            yield formula_tex(name) * (last - first)
        elif name:
            yield _TASK_MARKS.get(name, "")
        else:
            yield selection(block.document(), (first, last)).selectedText()
