"""The content of the preview: a rendered section, and the Qt document made from its HTML.

The document's layout is corrected here. Tables wider than the text scroll sideways by themselves.
"""

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from math import ceil
from operator import itemgetter
from urllib.parse import unquote

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextImageFormat,
    QTextLength,
    QTextTable,
    QTextTableCell,
)
from PySide6.QtWidgets import QScrollBar, QWidget

from notesearch.gui import wording
from notesearch.gui.preview.document_images import extract_formulas, is_deep
from notesearch.gui.preview.geometry import blocks_from, fragments_of
from notesearch.gui.preview.images import Pictures
from notesearch.gui.preview.preview_style import (
    CELL_SPACING,
    ITEM_MARGIN,
    QUOTE_PADDING,
    Inline,
    Tone,
    line_distance,
)
from notesearch.gui.translation import translate
from notesearch.gui.widgets.marked_line import utf16_places
from notesearch.gui.widgets.theme import px
from notesearch.notes import Linked, Span
from notesearch.results import Scope, SectionLink, SectionText

_MAX_LINKS = 200


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
        snippet_at: Position of the result's snippet, in UTF-16 units. The first match after it is
            the current one at first.
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

    @property
    def pointed_out(self) -> Span | None:
        """The span to tint: the block to which a link leads, else the nearest sentence."""
        return self.target or self.nearest


def body_html(section: str, subsections: Sequence[SectionLink]) -> str:
    """Return the HTML of a preview: the HTML ``section``, and below it links to ``subsections``."""
    return f"<body>{section}{_subsection_links(subsections)}</body>"


def _subsection_links(subsections: Sequence[SectionLink]) -> str:
    if not subsections:
        return ""
    top = min(link.level for link in subsections)
    title, untitled = translate("preview", "In this section"), translate("preview", "Untitled")
    lines = "".join(
        f'<p class="subsection depth{link.level - top}">'
        f'<a href="section:{link.line}">{html.escape(link.heading or untitled)}</a>'
        f' <span class="more">{wording.words_text(link.words) if link.words else ""}</span></p>'
        for link in subsections[:_MAX_LINKS]
    )
    return f'<h4 class="subsections">{html.escape(title)}</h4>{lines}'


def listed_line(cursor: QTextCursor) -> int | None:
    """Return the line of the subsection to which the link at ``cursor`` leads; None without one."""
    target = cursor.charFormat().anchorHref()
    scheme, _, line = target.partition(":")
    return int(line) if scheme == "section" else None


ReservedSize = Callable[[str, int], QSize | None]
"""Takes a picture's address and the available width; returns its size, or None if unknown."""

KEY_SPACING = 4
"""Pixels between a key and the letters beside it."""

_OBJECT = "\ufffc"
_LINE_DISTANCE = QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value
_FIXED_HEIGHT = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_QUOTE_COLUMNS = 2
_LEAST_COLUMNS = 2
_WIDE_TABLE_COLUMNS = 4
_MAX_MEASURED_CELLS = 600
_MAX_WORD = 24
_SHORTEST_WORD = "abc"
_SHORT_CELL = 12
_CELL_PADDING = 3
_SPACED = 1.2
"""How wide the columns of a table that scrolls are, as a multiple of their longest words."""
_SAME_SIZE = 0.01
_NESTED_LIST = re.compile(r"</[uo]l>\s*</li>")
_QT_INDENT = 40
"""By how many pixels Qt moves a table to the right for each list around it."""
_WEB_SCHEMES = {"http", "https", "mailto"}
_TASK_BOXES = ("ui:checked", "ui:unchecked", "ui:cancelled", "ui:started")


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
    """Return the headings in the order of the text: those with an anchor ``line-N``."""
    result = []
    for block in blocks_from(document.begin()):
        level = block.blockFormat().headingLevel()
        names = block.charFormat().anchorNames() if level else []
        line = next((name[5:] for name in names if name.startswith("line-")), "")
        if line.isdigit():
            result.append(Heading(int(line), block.position(), level))
    return result


def web_links(document: QTextDocument, text: str) -> tuple[Linked, ...]:
    """Return the address and span, in characters of ``text``, of each link to the web or mail."""
    links: list[Linked] = []
    for block in blocks_from(document.begin()):
        for fragment in fragments_of(block):
            address, start = fragment.charFormat().anchorHref(), fragment.position()
            is_continued = links and links[-1][0][1] == start and links[-1][1] == address
            if is_continued:  # the same link in another format
                links[-1] = (links[-1][0][0], start + fragment.length()), address
            elif address.partition(":")[0].lower() in _WEB_SCHEMES:
                links.append(((start, start + fragment.length()), address))
    spans = character_spans(text, [span for span, _ in links])
    return tuple(zip(spans, (address for _, address in links), strict=True))


def utf16_spans(text: str, spans: Sequence[Span]) -> list[Span]:
    """Convert ``spans``, which count characters of ``text``, to UTF-16 units, as Qt counts."""
    places = utf16_places(text)
    return [(places[start], places[end]) for start, end in spans]


def character_spans(text: str, spans: list[Span]) -> list[Span]:
    """Convert ``spans``, which count UTF-16 units as Qt does, to characters of ``text``."""
    starts = utf16_places(text)
    return [(bisect_left(starts, start), bisect_left(starts, end)) for start, end in spans]


def code_tables(document: QTextDocument) -> list[QTextTable]:
    """Return the tables that hold a block of code in their one cell: those with cell padding."""
    return [table for table in _tables(_root_frame(document)) if table.format().cellPadding() > 0]


def quotes(document: QTextDocument) -> list[tuple[QTextTable, Tone]]:
    """Return the tables of quotes and callouts with their tones, outer ones before those inside."""
    tables = _tables(_root_frame(document))
    return [(table, tone) for table in tables if (tone := tone_of(table))]


def tone_of(frame: QTextFrame | None) -> Tone | None:
    """Return the tone of a quote; None if ``frame`` is something else."""
    if not isinstance(frame, QTextTable) or frame.columns() != _QUOTE_COLUMNS or frame.rows() != 1:
        return None
    bars = (Tone.of(frame.cellAt(0, column).format()) for column in range(_QUOTE_COLUMNS))
    return next(filter(None, bars), None)


@contextmanager
def deferred_layout(document: QTextDocument) -> Iterator[None]:
    """Lay out ``document`` once after the ``with`` block, instead of after each change."""
    document.setLayoutEnabled(False)
    changes = QTextCursor(document)
    changes.beginEditBlock()
    try:
        yield
    finally:
        changes.endEditBlock()
        document.setLayoutEnabled(True)


def set_margins(document: QTextDocument, top: int, bottom: int, left: int) -> None:
    """Leave room around the text, in pixels; the first paragraph has no margin above it."""
    frame = _root_frame(document)
    margins = frame.frameFormat()
    margins.setTopMargin(top)
    margins.setBottomMargin(bottom)
    margins.setLeftMargin(left)
    frame.setFrameFormat(margins)
    flush = QTextBlockFormat()
    flush.setTopMargin(0)
    QTextCursor(document).mergeBlockFormat(flush)


def correct_layout(
    document: QTextDocument,
    html: str,
    width: int,
    reserved_size: ReservedSize,
    *,
    on_paper: bool = False,
) -> None:
    """Correct how Qt lays out quotes, lists, keys, wide tables and pictures.

    What ``html``, the source, does not contain needs no correction. ``width``, that of the text, is
    in pixels. ``on_paper``, which cannot scroll, words of very wide tables are broken.
    """
    if _NESTED_LIST.search(html):
        _close_lists(document)
    if "<li" in html and "<table" in html:
        _indent_tables(document)
    if 'class="quote"' in html:
        _close_quotes(document)
    if 'class="kbd"' in html:
        _space_keys(document)
    if 'class="grid leftward' in html:
        _keep_right_margin(document)
    if any(kind in html for kind in ('"image:', '"math:', '"ui:remote')):
        _place_pictures(document, width, reserved_size)
    if 'class="grid' in html:
        _widen_tables(document, width, may_scroll=not on_paper)


def _close_quotes(document: QTextDocument) -> None:
    """End the bar beside a quote at the last line of the quote, without a margin below.

    After a table, a quote in a quote or code, Qt needs an empty paragraph; it gets no height, and
    neither does the one beside the bar, which a selection would show.
    """
    flush = QTextBlockFormat()
    flush.setBottomMargin(0)
    flat = QTextBlockFormat()
    flat.setLineHeight(1, _FIXED_HEIGHT)
    tiny = QTextCharFormat()
    tiny.setProperty(QTextFormat.Property.FontPixelSize, 1)
    for table in _tables(_root_frame(document)):
        if table.columns() == _QUOTE_COLUMNS and table.rows() == 1:
            tables = {inner.lastPosition() + 1: inner for inner in table.childFrames()}
            for column in range(_QUOTE_COLUMNS):
                cell = table.cellAt(0, column)
                end = cell.lastCursorPosition()
                end.mergeBlockFormat(flush)
                if Tone.of(cell.format()):
                    end.mergeBlockCharFormat(tiny)
                if isinstance(last := tables.get(end.position()), QTextTable):
                    end.mergeBlockFormat(flat)
                    last_format = last.format()
                    last_format.setBottomMargin(0)
                    last.setFormat(last_format)


def _close_lists(document: QTextDocument) -> None:
    """Put the bottom margin of a list below the nested list at its end; Qt puts it above that."""
    near, owed = px(ITEM_MARGIN), [(-1, 0.0)]  # depths of items, and the margins below their lists
    next_depth = _list_depth(document.begin())
    for block in blocks_from(document.begin()):
        depth, next_depth = next_depth, _list_depth(block.next())
        if 0 < depth < next_depth and (margin := block.blockFormat().bottomMargin()) > near:
            owed.append((depth, margin))
            _set_bottom_margin(block, near)
        while owed[-1][0] >= next_depth:
            margin = max(block.blockFormat().bottomMargin(), owed.pop()[1])
            _set_bottom_margin(block, margin)


def _indent_tables(document: QTextDocument) -> None:
    """Put tables in lists, such as code and quotes, where the text of the items begins."""
    for table in _tables(_root_frame(document)):
        table_format = table.format()
        if table_format.leftMargin() > 0:
            depth = table_format.leftMargin() / _QT_INDENT
            table_format.setLeftMargin(round(depth * document.indentWidth()))
            table.setFormat(table_format)


def _list_depth(block: QTextBlock) -> int:
    """Return how many lists ``block`` is in; 0 for none and for an invalid block."""
    around = QTextCursor(block).currentList() if block.isValid() else None
    return around.format().indent() if around is not None else 0


def _set_bottom_margin(block: QTextBlock, margin: float) -> None:
    block_format = QTextBlockFormat()
    block_format.setBottomMargin(margin)
    QTextCursor(block).mergeBlockFormat(block_format)


def _space_keys(document: QTextDocument) -> None:
    """Leave room around keys such as Ctrl, whose boxes are wider than their letters."""
    spaced = QTextCharFormat()
    spaced.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    spaced.setFontLetterSpacing(KEY_SPACING)
    cursor = QTextCursor(document)
    for block in blocks_from(document.begin()):
        keys = (span for span, kind in inline_boxes(block) if kind is Inline.KEY)
        for start, end in keys:
            for position in {start, end} - {block.position()}:
                cursor.setPosition(position - 1)
                cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(spaced)


def inline_boxes(block: QTextBlock) -> Iterator[tuple[Span, Inline]]:
    """Yield the spans of code, keys and highlights in ``block``."""
    start = block.position()
    formats = [(run.start, run.length, Inline.of(run.format)) for run in block.textFormats()]
    for kind, run in groupby(formats, key=itemgetter(2)):
        if kind:
            (first, length, _), *others = run
            end = first + length + sum(other[1] for other in others)
            yield (start + first, start + end), kind


def _keep_right_margin(document: QTextDocument) -> None:
    """Move right-aligned tables to the left by the left margin, which Qt adds once too often."""
    root = _root_frame(document)
    for table in root.childFrames():
        if (
            isinstance(table, QTextTable)
            and table.format().alignment() & Qt.AlignmentFlag.AlignRight
        ):
            table_format = table.format()
            table_format.setRightMargin(root.frameFormat().leftMargin())
            table.setFormat(table_format)


def _place_pictures(document: QTextDocument, width: int, reserved_size: ReservedSize) -> None:
    """Fit pictures into the list or quote around them, and leave no gap below them."""
    line_format, alignment = QTextBlockFormat(), QTextCharFormat.VerticalAlignment
    line_format.setLineHeight(line_distance(document.defaultFont()), _LINE_DISTANCE)
    for block in blocks_from(document.begin()):
        pictures = pictures_in(block) if _OBJECT in block.text() else []
        if not pictures:
            continue
        table = QTextCursor(block).currentTable()
        in_grid = table is not None and table.rows() > 1
        if not in_grid:
            QTextCursor(block).mergeBlockFormat(line_format)
        available = _available_width(block, document, width)
        formulas = []
        for position, address in pictures:
            name, cursor = address, QTextCursor(document)
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            image_format = cursor.charFormat().toImageFormat()
            if name.startswith("math:"):
                name = _scale_formula(image_format, document.defaultFont())
                deep = is_deep(unquote(name.partition(":")[2]), document.defaultFont())
                image_format.setVerticalAlignment(
                    alignment.AlignMiddle if deep else alignment.AlignBaseline
                )
                formulas.append(image_format)
            elif name.startswith("ui:"):  # a caption follows the picture
                image_format.setVerticalAlignment(alignment.AlignMiddle)
            size = reserved_size(name, available)
            if size:
                image_format.setWidth(size.width())
                image_format.setHeight(size.height())
            if not name.startswith("math:"):
                widest = max(available, size.width() if size else 0)  # a label may be wider
                image_format.setMaximumWidth(QTextLength(QTextLength.Type.FixedLength, widest))
            cursor.setCharFormat(image_format)
        if table is not None and in_grid and formulas:
            cell = table.cellAt(block.position())
            _centre_row(table, cell.row())
            _level_cell(cell, formulas, QFontMetricsF(document.defaultFont()))


def _centre_row(table: QTextTable, row: int) -> None:
    """Centre the contents of all cells in ``row`` vertically."""
    for column in range(table.columns()):
        cell = table.cellAt(row, column)
        cell_format = cell.format().toTableCellFormat()
        cell_format.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        cell.setFormat(cell_format)


def _level_cell(
    cell: QTextTableCell, formulas: Sequence[QTextImageFormat], letters: QFontMetricsF
) -> None:
    """Put the baseline of a centred line with ``formulas`` level with lines of ``letters`` only."""
    above, below = zip(*(_extent(formula, letters) for formula in formulas), strict=True)
    has_letters = bool(cell.firstCursorPosition().block().text().strip(f"{_OBJECT} "))
    ascent = max(*above, letters.ascent()) if has_letters else max(above)
    descent = max(*below, letters.descent()) if has_letters else max(below)
    lower = _raised(ascent, descent) - _raised(letters.ascent(), letters.descent())
    cell_format = cell.format().toTableCellFormat()
    cell_format.setTopPadding(cell_format.topPadding() + max(0.0, -lower))
    cell_format.setBottomPadding(cell_format.bottomPadding() + max(0.0, lower))
    cell.setFormat(cell_format)


def _extent(formula: QTextImageFormat, letters: QFontMetricsF) -> tuple[float, float]:
    """Return how far Qt puts a formula's picture above and below the baseline of ``letters``."""
    height = formula.height()
    if formula.verticalAlignment() == QTextCharFormat.VerticalAlignment.AlignMiddle:
        return (height + letters.xHeight() / 2) / 2, (height - letters.xHeight() / 2) / 2
    return height - letters.descent(), letters.descent()


def _raised(ascent: float, descent: float) -> float:
    """Return twice the distance of a line's baseline below its middle; Qt rounds its height up."""
    return 2 * ascent - ceil(ascent + descent)


def task_box(block: QTextBlock) -> str:
    """Return the picture address (``ui:…``) of the check box that begins a task; else empty."""
    if block.blockFormat().textIndent() >= 0:
        return ""
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


def _available_width(block: QTextBlock, document: QTextDocument, width: int) -> int:
    cursor = QTextCursor(block)
    table, around = cursor.currentTable(), cursor.currentList()
    indent = document.indentWidth()
    if table is not None and table.rows() > 1:
        width = width // table.columns() - px(CELL_SPACING)
    elif table is not None:
        width -= round(indent)
    if around is not None:
        width -= round(around.format().indent() * indent)
    return max(width, 1)


def _scale_formula(image_format: QTextImageFormat, face: QFont) -> str:
    """Make a formula as large as the text around, for example in a heading; return its address."""
    name = image_format.name()
    scale = image_format.font().pointSizeF() / face.pointSizeF()
    if abs(scale - 1) > _SAME_SIZE:
        *sizes, number = unquote(name.partition(":")[2]).split("/")
        name = f"math:{'/'.join(f'{float(size) * scale:.3f}' for size in sizes)}/{number}"
        image_format.setName(name)
        image_format.clearProperty(QTextFormat.Property.FontSizeAdjustment)
        image_format.setFontPointSize(face.pointSizeF())
    return name


def _root_frame(document: QTextDocument) -> QTextFrame:
    """Return the outermost frame of ``document``.

    With ``QTextDocument.rootFrame``, PySide would keep every frame alive as long as the document.
    """
    frame = QTextCursor(document).currentFrame()
    while (around := frame.parentFrame()) is not None:
        frame = around
    return frame


def _tables(frame: QTextFrame) -> Iterator[QTextTable]:
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
            yield child
        yield from _tables(child)


def _widen_tables(document: QTextDocument, width: int, *, may_scroll: bool) -> None:
    """Break no words in tables, as Qt would if a table is as wide as the text.

    Tables of many columns whose words do not fit become wide; ``WideTables`` scrolls them, or, on
    paper, all their columns become narrower alike.
    """
    bold = QFont(document.defaultFont())
    bold.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetricsF(bold)
    letter = metrics.averageCharWidth() * _SPACED
    for table in _tables(_root_frame(document)):
        if table.columns() < _LEAST_COLUMNS or tone_of(table):
            continue
        room = width - _depth(table) * document.indentWidth() - table.format().leftMargin()
        pictures, code = _widest_objects(table)
        columns = list(zip(*_longest_words(table), pictures, code, strict=True))
        short = metrics.horizontalAdvance(_SHORTEST_WORD) + px(CELL_SPACING)
        fits = sum(max(picture, short) for picture in pictures) <= room  # with all words broken
        has_few = table.columns() < _WIDE_TABLE_COLUMNS and fits
        needed = [
            ceil(max(metrics.horizontalAdvance(word), *widest)) + 1 + px(CELL_SPACING)
            for word, _, *widest in columns
        ]
        pleasant = [
            max((cell if has_few else min(len(word), _MAX_WORD)) * letter, *widest)
            + _CELL_PADDING * letter
            for word, cell, *widest in columns
        ]
        if sum(pleasant) <= room or (has_few and sum(needed) > room):
            continue
        table_format = table.format()
        if sum(needed) <= room:
            # Each gets what it needs, and a share of the rest in proportion to what it lacks.
            lacks = [max(0.0, much - least) for least, much in zip(needed, pleasant, strict=True)]
            share = (room - sum(needed)) / max(1.0, sum(lacks))
            widths = [least + lack * share for least, lack in zip(needed, lacks, strict=True)]
        elif not may_scroll:
            widths = [least * room / sum(needed) for least in needed]
        else:
            widths = pleasant
            table_format.setRightMargin(room - sum(widths))  # or the document would be as wide
            table_format.setBottomMargin(table_format.bottomMargin() + px(_BAR_HEIGHT))
        fixed = QTextLength.Type.FixedLength
        table_format.setColumnWidthConstraints([QTextLength(fixed, width) for width in widths])
        table.setFormat(table_format)


def right_edge(table: QTextTable) -> float:
    """Return the right edge of the text, or of the quote around ``table``, in pixels."""
    return table.document().textWidth() - _depth(table) * px(QUOTE_PADDING)


def _depth(table: QTextTable) -> int:
    """Return how many frames, such as quotes and other tables, are around ``table``."""
    depth, frame = 0, table.parentFrame()
    while frame is not None and frame.parentFrame() is not None:
        depth, frame = depth + 1, frame.parentFrame()
    return depth


def _longest_words(table: QTextTable) -> tuple[list[str], list[int]]:
    """Return the longest word in each column, and the length of its longest cell in characters."""
    longest, lengths = [_SHORTEST_WORD] * table.columns(), [0] * table.columns()
    for row in range(min(table.rows(), _MAX_MEASURED_CELLS // table.columns())):
        for column in range(table.columns()):
            text = table.cellAt(row, column).firstCursorPosition().block().text()
            longest[column] = max(longest[column], *text.split(), text[:_SHORT_CELL], key=len)
            lengths[column] = max(lengths[column], len(text))
    return longest, lengths


def _widest_objects(table: QTextTable) -> tuple[list[float], list[float]]:
    """Return the widths in pixels of the widest picture or formula, and word of code, by column."""
    pictures, code = [0.0] * table.columns(), [0.0] * table.columns()
    for row in range(min(table.rows(), _MAX_MEASURED_CELLS // table.columns())):
        for column in range(table.columns()):
            for run in fragments_of(table.cellAt(row, column).firstCursorPosition().block()):
                run_format = run.charFormat()
                if run_format.isImageFormat():
                    width = run_format.toImageFormat().width()
                    pictures[column] = max(pictures[column], width)
                elif Inline.of(run_format) is Inline.CODE:
                    word = max(run.text().split(), key=len, default="")
                    width = QFontMetricsF(run_format.font()).horizontalAdvance(word)
                    code[column] = max(code[column], width)
    return pictures, code


_BAR_HEIGHT = 10
_PADDING = 8


class WideTables:
    """The wide tables of one document in ``viewport``. A changed document needs a new object.

    Qt scrolls only a whole document. Here, a negative left margin moves a table to the left, and
    the rest of the document stays.
    """

    def __init__(self, document: QTextDocument, viewport: QWidget) -> None:
        self._document = document
        tables = list(_tables(_root_frame(document)))
        overhangs = [(table, -round(table.format().rightMargin())) for table in tables]
        self._tables = [
            (table, beyond)  # how many pixels the table is wider than the text
            for table, beyond in overhangs
            if beyond > 0 and table.format().columnWidthConstraints()
        ]
        self._bars = [_scroll_bar(viewport) for _ in self._tables]
        for (table, beyond), bar in zip(self._tables, self._bars, strict=True):
            bar.setRange(0, beyond)
            margin = table.format().leftMargin()
            bar.valueChanged.connect(partial(_move_table, table, beyond, margin))
            if table.format().alignment() & Qt.AlignmentFlag.AlignRight:
                bar.setValue(beyond)  # the columns run from right to left

    @property
    def offsets(self) -> list[int]:
        """How many pixels each table is scrolled."""
        return [bar.value() for bar in self._bars]

    def scroll(self, offsets: Iterable[int]) -> None:
        """Scroll each table to its offset in ``offsets``, in pixels, but not beyond its end."""
        for bar, offset in zip(self._bars, offsets, strict=False):
            bar.setValue(offset)

    def close(self) -> None:
        """Remove the scroll bars."""
        for bar in self._bars:
            bar.hide()
            bar.valueChanged.disconnect()  # its slot refers to a table of the document
            bar.deleteLater()
        self._tables, self._bars = [], []

    def place_bars(self, area: QRectF, visible: Span) -> None:
        """Put a scroll bar below each table in ``area``, which shows the span ``visible``."""
        for table, bar in self._in_view(visible):
            bounds = self._bounds(table)
            height = px(_BAR_HEIGHT)
            top = min(round(bounds.bottom() - area.top()), round(area.height()) - height)
            left, right = round(self._left(table, bar)), round(self._right(table, area.width()))
            bar.setPageStep(right - left)
            bar.setGeometry(left, top, right - left - px(_PADDING), height)
            bar.setVisible(bounds.top() < area.bottom() - height)
        shown = {id(bar) for _, bar in self._in_view(visible)}
        for bar in self._bars:
            if id(bar) not in shown:
                bar.hide()

    def outside(self, visible: Span, width: float) -> Iterator[QRectF]:
        """Yield rectangles in which tables are outside of the text, or of the quote around.

        ``width`` is that of the view, whose right edge a table may reach, unless it is in a quote.
        """
        for table, bar in self._in_view(visible):
            bounds = self._bounds(table)
            bounds.adjust(0, -px(_PADDING), 0, px(_PADDING))
            if bar.value():
                bounds.setLeft(0)
                bounds.setRight(self._left(table, bar))
                yield QRectF(bounds)
            bounds.setLeft(self._right(table, width))
            bounds.setRight(width)
            if bounds.width() > 0:
                yield bounds

    def bar_at(self, point: QPoint, area: QRectF, visible: Span) -> QScrollBar | None:
        """Return the scroll bar of the wide table at the height of ``point``; None without one.

        ``point`` is in the viewport, which shows ``area`` and the characters ``visible`` of the
        document. The space of the bar counts as part of the table.
        """
        y = area.top() + point.y()
        for table, bar in self._in_view(visible):
            if self._bounds(table).top() <= y <= self._bounds(table).bottom() + px(_BAR_HEIGHT):
                return bar
        return None

    def scroll_to(self, span: Span, rectangle: QRectF, width: int) -> None:
        """Scroll the table that contains ``span`` until its ``rectangle`` is in view."""
        for (table, _), bar in zip(self._tables, self._bars, strict=True):
            is_inside = table.firstPosition() <= span[0] <= table.lastPosition()
            in_view = self._left(table, bar) <= rectangle.left() and rectangle.right() <= width
            if is_inside and not in_view:
                bar.setValue(bar.value() + round(rectangle.left() - width / 3))

    def _in_view(self, visible: Span) -> Iterator[tuple[QTextTable, QScrollBar]]:
        for (table, _), bar in zip(self._tables, self._bars, strict=True):
            if table.firstPosition() <= visible[1] and table.lastPosition() >= visible[0]:
                yield table, bar

    def _bounds(self, table: QTextTable) -> QRectF:
        first = self._rectangle(table.cellAt(0, 0).firstCursorPosition())
        last = table.rows() - 1
        columns = range(table.columns())
        cells = [table.cellAt(last, column).lastCursorPosition() for column in columns]
        for cell in cells:
            first = first.united(self._rectangle(cell))
        return first.adjusted(0, 0, 0, px(_PADDING))

    def _left(self, table: QTextTable, bar: QScrollBar) -> float:
        return self._rectangle(table.cellAt(0, 0).firstCursorPosition()).left() + bar.value()

    def _right(self, table: QTextTable, width: float) -> float:
        """Return the right edge of what is shown of ``table`` in a view of ``width`` pixels."""
        is_quoted = isinstance(table.parentFrame(), QTextTable)
        return min(right_edge(table), width) if is_quoted else width

    def _rectangle(self, cursor: QTextCursor) -> QRectF:
        return self._document.documentLayout().blockBoundingRect(cursor.block())


def _scroll_bar(viewport: QWidget) -> QScrollBar:
    bar = QScrollBar(Qt.Orientation.Horizontal, viewport)
    bar.setAccessibleName(translate("preview", "Scroll the table sideways"))
    bar.setCursor(Qt.CursorShape.ArrowCursor)
    bar.setSingleStep(px(40))
    bar.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as Qt lays out every table
    bar.hide()
    return bar


def _move_table(table: QTextTable, beyond: int, margin: float, offset: int) -> None:
    """Move ``table``, ``beyond`` pixels too wide, ``offset`` pixels to the left of ``margin``.

    Its rectangle still ends at the right edge, because Qt paints nothing outside of it.
    """
    table_format = table.format()
    table_format.setLeftMargin(margin - offset)
    table_format.setRightMargin(2 * offset - beyond)
    table.setFormat(table_format)
