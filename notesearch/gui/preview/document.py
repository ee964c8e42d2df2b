"""Touches up a document after Qt has read its HTML, and finds what stands where in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import unquote

from PySide6.QtCore import QSize
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrame,
    QTextImageFormat,
    QTextLength,
    QTextTable,
)

from notesearch.gui.preview.formula_pictures import is_deep
from notesearch.gui.preview.geometry import blocks
from notesearch.gui.preview.style import Inline
from notesearch.notes import Linked, Span

Reserved = Callable[[str, int], QSize | None]

_OBJECT = "\ufffc"
_DISTANCE = QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value
_QUOTE_COLUMNS = 2
_MANY_COLUMNS = 4
_MEASURED_CELLS = 600
_LONGEST_WORD = 24
_LEAST_WORD = 3
_SHORT_CELL = 12
_CELL_PADDING = 3
_WIDER = 1.3
"""Than usual letters are those of table heads."""
KEY_ROOM = 4
"""Between a key and the letters beside it."""
_OUTSIDE = {"http", "https", "mailto"}
_BOXES = ("ui:checked", "ui:unchecked", "ui:cancelled", "ui:started")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the note that the document shows: its line in the file, where, how deep."""

    line: int
    position: int
    level: int


def headings(document: QTextDocument) -> list[Heading]:
    """Return the headings that ``markdown.render`` named by their line."""
    found = []
    for block in blocks(document.begin()):
        level = block.blockFormat().headingLevel()
        names = block.charFormat().anchorNames() if level else []
        line = next((name[5:] for name in names if name.startswith("line-")), "")
        if line.isdigit():
            found.append(Heading(int(line), block.position(), level))
    return found


def links(document: QTextDocument) -> list[Linked]:
    """Return where links out of the notes stand, and where they lead to."""
    found: list[Linked] = []
    for block in blocks(document.begin()):
        piece = block.begin()
        while not piece.atEnd():
            part = piece.fragment()
            address, start = part.charFormat().anchorHref(), part.position()
            if found and found[-1][0][1] == start and found[-1][1] == address:  # in other letters
                found[-1] = (found[-1][0][0], start + part.length()), address
            elif address.partition(":")[0].lower() in _OUTSIDE:
                found.append(((start, start + part.length()), address))
            piece += 1
    return found


def code_tables(document: QTextDocument) -> list[QTextTable]:
    """Return the tables of one cell that hold code; only they have cells with padding."""
    return [table for table in _tables(_root(document)) if table.format().cellPadding() > 0]


@contextmanager
def without_layout(document: QTextDocument) -> Iterator[None]:
    """Lay the document out once, after all changes, instead of after each."""
    document.setLayoutEnabled(False)
    changes = QTextCursor(document)
    changes.beginEditBlock()
    try:
        yield
    finally:
        changes.endEditBlock()
        document.setLayoutEnabled(True)


def set_margins(document: QTextDocument, top: int, bottom: int, left: int) -> None:
    """Leave room around the text; the document ends where its lines do."""
    frame = _root(document)
    margins = frame.frameFormat()
    margins.setTopMargin(top)
    margins.setBottomMargin(bottom)
    margins.setLeftMargin(left)
    frame.setFrameFormat(margins)


def touch_up(document: QTextDocument, html: str, room: int, reserved: Reserved) -> None:
    """Set right what Qt makes of ``html``: quotes, wide tables and pictures.

    Args:
        document: Holds it.
        html: What may be in it.
        room: Width of its text.
        reserved: Returns how much room a picture takes, where that is known.
    """
    if 'class="quote"' in html:
        close_quotes(document)
    if 'class="kbd"' in html:
        part_keys(document)
    if 'class="grid"' in html:
        widen_tables(document, room)
    if any(kind in html for kind in ('"image:', '"math:', '"ui:remote')):
        place_pictures(document, room, reserved)


def close_quotes(document: QTextDocument) -> None:
    """Let a quote's bar end with its last line, not with the room below a paragraph."""
    flush = QTextBlockFormat()
    flush.setBottomMargin(0)
    for table in _tables(_root(document)):
        if table.columns() == _QUOTE_COLUMNS and table.rows() == 1:
            for column in range(_QUOTE_COLUMNS):
                table.cellAt(0, column).lastCursorPosition().mergeBlockFormat(flush)


def part_keys(document: QTextDocument) -> None:
    """Leave room for the boxes of keys, which are wider than their letters."""
    parted = QTextCharFormat()
    parted.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    parted.setFontLetterSpacing(KEY_ROOM)
    cursor = QTextCursor(document)
    for block in blocks(document.begin()):
        for start, end in _keys(block):
            for at in {start, end} - {block.position()}:
                cursor.setPosition(at - 1)
                cursor.setPosition(at, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(parted)


def _keys(block: QTextBlock) -> list[Span]:
    found = []
    piece = block.begin()
    while not piece.atEnd():
        fragment = piece.fragment()
        if Inline.of(fragment.charFormat()) is Inline.KEY:
            found.append((fragment.position(), fragment.position() + fragment.length()))
        piece += 1
    return found


def widen_tables(document: QTextDocument, room: int) -> None:
    """Give tables of many columns the room their words need, more than there is if need be.

    Qt would rather break every word than let a reader scroll to the side.

    Args:
        document: Its tables are changed.
        room: Width of its text.
    """
    letter = QFontMetricsF(document.defaultFont()).averageCharWidth() * _WIDER
    for table in _tables(_root(document)):
        if table.columns() < _MANY_COLUMNS:
            continue
        words = _longest_words(table)
        widths = [min(word, _LONGEST_WORD) * letter + _CELL_PADDING * letter for word in words]
        if sum(widths) > room:
            shape = table.format()
            fixed = QTextLength.Type.FixedLength
            shape.setColumnWidthConstraints([QTextLength(fixed, width) for width in widths])
            table.setFormat(shape)


def _longest_words(table: QTextTable) -> list[int]:
    """Return the length of each column's longest word, as far as that is looked for."""
    longest = [_LEAST_WORD] * table.columns()
    for row in range(min(table.rows(), _MEASURED_CELLS // table.columns())):
        for column in range(table.columns()):
            text = table.cellAt(row, column).firstCursorPosition().block().text()
            words = map(len, text.split())
            longest[column] = max(longest[column], *words, min(len(text), _SHORT_CELL))
    return longest


def place_pictures(document: QTextDocument, room: int, reserved: Reserved) -> None:
    """Let pictures be no wider than the list or quote they are in, and no hole be below them.

    The room between lines is a share of a line's height elsewhere; here it is that of letters.

    Args:
        document: Its pictures are placed.
        room: Width of its text.
        reserved: Returns how much room a picture takes, where that is known.
    """
    evenly = QTextBlockFormat()
    evenly.setLineHeight(QFontMetricsF(document.defaultFont()).height() / 2, _DISTANCE)
    for block in blocks(document.begin()):
        pictures = _pictures(block) if _OBJECT in block.text() else []
        if not pictures:
            continue
        QTextCursor(block).mergeBlockFormat(evenly)
        width = _room_for(block, document, room)
        for position, name in pictures:
            cursor = QTextCursor(document)
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            shape = cursor.charFormat().toImageFormat()
            if name.startswith("math:"):
                _set_on_line(shape, document.defaultFont())
            else:
                shape.setMaximumWidth(QTextLength(QTextLength.Type.FixedLength, width))
            if size := reserved(name, width):
                shape.setWidth(size.width())
                shape.setHeight(size.height())
            cursor.setCharFormat(shape)


def _pictures(block: QTextBlock) -> list[tuple[int, str]]:
    """Return where which pictures stand in ``block``; the boxes of tasks are none."""
    found = []
    piece = block.begin()
    while not piece.atEnd():
        shape = piece.fragment().charFormat()
        name = shape.toImageFormat().name() if shape.isImageFormat() else ""
        if name and not name.startswith(_BOXES):
            start = piece.fragment().position()  # the same picture twice is one fragment
            found += [(start + at, name) for at in range(piece.fragment().length())]
        piece += 1
    return found


def _room_for(block: QTextBlock, document: QTextDocument, room: int) -> int:
    cursor = QTextCursor(block)
    table, listed = cursor.currentTable(), cursor.currentList()
    if table is not None:
        room = room // table.columns() if table.rows() > 1 else room - round(document.indentWidth())
    if listed is not None:
        room -= round(listed.format().indent() * document.indentWidth())
    return max(room, 1)


def _set_on_line(shape: QTextImageFormat, face: QFont) -> None:
    """Let a formula's line be that of the text."""
    kinds = QTextCharFormat.VerticalAlignment
    deep = is_deep(unquote(shape.name().partition(":")[2]), face)
    shape.setVerticalAlignment(kinds.AlignMiddle if deep else kinds.AlignBaseline)


def _root(document: QTextDocument) -> QTextFrame:
    """Return the frame around all others.

    Not asked of the document itself: to Python that would own every one it ever gave away.
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
