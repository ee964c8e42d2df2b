"""Corrects how Qt lays out the document of the preview."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
    QTextTableCell,
)

from notesearch.gui.preview.document import (
    all_tables,
    blocks_from,
    depth,
    inline_boxes,
    list_depth,
    pictures_in,
    root_frame,
    tone_of,
)
from notesearch.gui.preview.document_images import formula_font
from notesearch.gui.preview.preview_style import (
    CELL_SPACING,
    ITEM_MARGIN,
    Inline,
    Tone,
    line_distance,
)
from notesearch.gui.preview.wide_tables import widen_tables
from notesearch.gui.widgets.theme import px
from notesearch.markdown.render.qt_html import BREAK, CODE_PADDING

ReservedSize = Callable[[str, int], QSize | None]
"""Takes a picture's address and the available width; returns its size, or None if unknown."""

KEY_SPACING = 4
"""Pixels between a key and the letters beside it."""

_OBJECT = "\ufffc"
_LINE_DISTANCE = QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value
_FIXED_HEIGHT = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_SAME_SIZE = 0.01
_NESTED_LIST = re.compile(r"</[uo]l>\s*</li>")
_QT_INDENT = 40
"""By how many pixels Qt moves a table to the right for each list around it."""
_QT_DEFINITION_INDENT = 30
"""By how many pixels Qt moves text and tables to the right in each definition of a term."""


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
    frame = root_frame(document)
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

    Args:
        document: The document, made of ``html``.
        html: Shows which corrections are needed.
        width: The width of the text in pixels.
        reserved_size: Returns the sizes of pictures.
        on_paper: Whether very wide tables must fit, because paper does not scroll.
    """
    _place_tables(document)
    if _NESTED_LIST.search(html):
        _close_lists(document)
    _close_quotes(document)
    if 'class="kbd"' in html:
        _space_keys(document)
    if any(kind in html for kind in ('"image:', '"math:', '"ui:remote')):
        _place_pictures(document, width, reserved_size)
    if 'class="grid' in html:
        widen_tables(document, width, may_scroll=not on_paper)


def _place_tables(document: QTextDocument) -> None:
    """Correct the margins of tables, among them code and quotes.

    Two adjacent tables have only the lower margin of the first between them. A table in a list
    begins where the text of the item begins, which may be at the right. Qt adds the left margin of
    the text to the right margin of right-aligned tables, which is once too often.
    """
    left_margin = root_frame(document).frameFormat().leftMargin()
    ends = set[int]()
    for table in all_tables(document):
        table_format = table.format()
        if table.firstPosition() - 1 in ends:
            table_format.setTopMargin(0)
        ends.add(table.lastPosition() + 1)
        if table_format.alignment() & Qt.AlignmentFlag.AlignRight and not depth(table):
            table_format.setRightMargin(left_margin)
        if table_format.leftMargin():
            inset = _inset(table_format.leftMargin(), document.indentWidth())
            leftward = _runs_leftward(document.findBlock(table.firstPosition() - 1))
            table_format.setLeftMargin(0 if leftward else inset)
            table_format.setRightMargin(table_format.rightMargin() + leftward * inset)
        if table_format.cellPadding():
            table_format.setCellPadding(px(CODE_PADDING))
        if table_format != table.format():
            table.setFormat(table_format)


def _inset(margin: float, indent: float) -> int:
    """Return the x coordinate at which the text of the lists around a table begins.

    Args:
        margin: The left margin that Qt gave the table: ``_QT_INDENT`` for each list around it, and
            ``_QT_DEFINITION_INDENT`` for each definition.
        indent: How far the text of a list is indented, in pixels.
    """
    definitions = 0
    while margin % _QT_INDENT and margin >= _QT_DEFINITION_INDENT:
        margin -= _QT_DEFINITION_INDENT
        definitions += 1
    return round(margin / _QT_INDENT * indent) + definitions * _QT_DEFINITION_INDENT


def _runs_leftward(start: QTextBlock) -> bool:
    """Return whether the first text from the block ``start`` on is written from right to left."""
    first = next((block for block in blocks_from(start) if block.text().strip(BREAK)), start)
    return first.textDirection() == Qt.LayoutDirection.RightToLeft


def _close_quotes(document: QTextDocument) -> None:
    """End the bar beside a quote at the last line of the quote, without a margin below.

    If a table, code or another quote is last in the quote, Qt needs an empty paragraph after it.
    This paragraph, and the empty one that is the bar, get no height.
    """
    flush = QTextBlockFormat()
    flush.setBottomMargin(0)
    flat = QTextBlockFormat()
    flat.setLineHeight(1, _FIXED_HEIGHT)
    tiny = QTextCharFormat()
    tiny.setProperty(QTextFormat.Property.FontPixelSize, 1)
    for table in all_tables(document):
        if not tone_of(table):
            continue
        frames_by_end = {frame.lastPosition() + 1: frame for frame in table.childFrames()}
        for column in range(table.columns()):
            cell = table.cellAt(0, column)
            end = cell.lastCursorPosition()
            end.mergeBlockFormat(flush)
            if Tone.of(cell.format()):
                end.mergeBlockCharFormat(tiny)
            last = frames_by_end.get(end.position())
            if isinstance(last, QTextTable):
                end.mergeBlockFormat(flat)
                last_format = last.format()
                last_format.setBottomMargin(0)
                last.setFormat(last_format)


def _close_lists(document: QTextDocument) -> None:
    """Put the bottom margin of a list below the nested list at its end; Qt puts it above."""
    near = px(ITEM_MARGIN)
    owed = list[tuple[int, float]]()  # depths of items, and the margins below their lists
    next_depth = list_depth(document.begin())
    for block in blocks_from(document.begin()):
        depth = next_depth
        next_depth = list_depth(block.next())
        margin = block.blockFormat().bottomMargin()
        if 0 < depth < next_depth and margin > near:
            owed.append((depth, margin))
            _set_bottom_margin(block, near)
        while owed and owed[-1][0] >= next_depth:
            _, below = owed.pop()
            margin = max(margin, below)
            _set_bottom_margin(block, margin)


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


def _place_pictures(document: QTextDocument, width: int, reserved_size: ReservedSize) -> None:
    """Fit pictures into the list or quote around them, and leave no gap below them."""
    alignment = QTextCharFormat.VerticalAlignment
    line_format = QTextBlockFormat()
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
            name = address
            cursor = QTextCursor(document)
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            image_format = cursor.charFormat().toImageFormat()
            if name.startswith("math:"):
                name = _adapt_formula(image_format, document.defaultFont())
                image_format.setVerticalAlignment(alignment.AlignBaseline)
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
    """Put the baseline of the line in ``cell`` at the height of the other baselines in its row.

    All cells are centred, but ``formulas`` make this line higher above or below its baseline than
    lines of ``letters`` alone. Padding moves the line.
    """
    depths = [QFontMetricsF(formula.font()).descent() for formula in formulas]
    heights = [formula.height() for formula in formulas]
    ascents = [height - depth for height, depth in zip(heights, depths, strict=True)]
    if cell.firstCursorPosition().block().text().strip(f"{_OBJECT} "):
        ascents.append(letters.ascent())
    ascent = max(ascents)
    descent = max(letters.descent(), *depths)
    lower = _raised(ascent, descent) - _raised(letters.ascent(), letters.descent())
    cell_format = cell.format().toTableCellFormat()
    cell_format.setTopPadding(cell_format.topPadding() + max(0.0, -lower))
    cell_format.setBottomPadding(cell_format.bottomPadding() + max(0.0, lower))
    cell.setFormat(cell_format)


def _raised(ascent: float, descent: float) -> float:
    """Return twice the distance of a line's baseline below its middle; Qt rounds its height up."""
    return 2 * ascent - ceil(ascent + descent)


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


def _adapt_formula(image_format: QTextImageFormat, face: QFont) -> str:
    """Give a formula the size and colour of the text around, as in a heading; return its address.

    ``face`` is the font of the document.
    """
    *sizes, kind, tex, copied = image_format.name().removeprefix("math:").split("/")
    colour: list[str] = []
    scale = image_format.font().pointSizeF() / face.pointSizeF()
    if abs(scale - 1) > _SAME_SIZE:
        sizes = [f"{float(size) * scale:.3f}" for size in sizes]
        image_format.clearProperty(QTextFormat.Property.FontSizeAdjustment)
    if image_format.hasProperty(QTextFormat.Property.ForegroundBrush):
        colour = [image_format.foreground().color().name().removeprefix("#")]
    address = f"math:{'/'.join([*sizes, *colour, kind, tex, copied])}"
    image_format.setFont(formula_font(address, face))
    image_format.setName(address)
    return address
