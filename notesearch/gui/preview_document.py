"""Touches up a document after Qt has read its HTML, and finds what stands where in it."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFrame,
    QTextTable,
)

_OBJECT = "\ufffc"
_SINGLE = QTextBlockFormat.LineHeightTypes.SingleHeight.value


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the note that the document shows: its line in the file, where, how deep."""

    line: int
    position: int
    level: int


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """Yield the paragraphs of ``document``, those in tables too."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def headings(document: QTextDocument) -> list[Heading]:
    """Return the headings that ``markdown.render`` named by their line."""
    found = []
    for block in blocks(document):
        level = block.blockFormat().headingLevel()
        names = block.charFormat().anchorNames() if level else []
        line = next((name[5:] for name in names if name.startswith("line-")), "")
        if line.isdigit():
            found.append(Heading(int(line), block.position(), level))
    return found


def tables(frame: QTextFrame) -> Iterator[QTextTable]:
    """Yield the tables in ``frame``, outer before inner ones."""
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
            yield child
        yield from tables(child)


def find_code_boxes(document: QTextDocument) -> list[QTextTable]:
    """Return the tables that hold code.

    The view paints what is behind them: Qt would paint square corners, and over the marks.
    """
    return [table for table in tables(document.rootFrame()) if table.format().cellPadding() > 0]


def box_of(table: QTextTable) -> QRectF:
    """Return where a table of one cell stands, with its padding.

    Qt's own rectangle of the frame is off by that padding.
    """
    layout = table.document().documentLayout()
    first, last = (
        layout.blockBoundingRect(at.block())
        for at in (table.firstCursorPosition(), table.lastCursorPosition())
    )
    padding = table.format().cellPadding()
    return first.united(last).adjusted(-padding, -padding, padding, padding)


def tighten_pictures(document: QTextDocument) -> None:
    """Set lines with pictures tight: half as much again below a picture is a hole in the text."""
    cursor = QTextCursor(document)
    tight = QTextBlockFormat()
    tight.setLineHeight(100, _SINGLE)
    for block in blocks(document):
        if _OBJECT in block.text() and _holds_picture(block):
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(tight)


def _holds_picture(block: QTextBlock) -> bool:
    """Whether there is more than the box of a task in ``block``."""
    piece = block.begin()
    while not piece.atEnd():
        shape = piece.fragment().charFormat()
        if shape.isImageFormat() and not shape.toImageFormat().name().startswith("ui:"):
            return True
        piece += 1
    return False
