"""Touches up a document after Qt has read its HTML, and finds what stands where in it."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
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


def take_code_boxes(document: QTextDocument) -> list[QTextTable]:
    """Return the tables that hold code, their background taken away.

    Qt would paint it over the marks, and with square corners; the view paints it first.
    """
    found = []
    for table in tables(document.rootFrame()):
        cell = table.cellAt(0, 0)
        shape = cell.format()
        if table.columns() == 1 and shape.background().style() != Qt.BrushStyle.NoBrush:
            shape.setBackground(QBrush(Qt.BrushStyle.NoBrush))
            cell.setFormat(shape)
            found.append(table)
    return found


def tighten_pictures(document: QTextDocument) -> None:
    """Set lines with pictures tight: half as much again below a picture is a hole in the text."""
    cursor = QTextCursor(document)
    tight = QTextBlockFormat()
    tight.setLineHeight(100, _SINGLE)
    for block in blocks(document):
        if _OBJECT in block.text():
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(tight)
