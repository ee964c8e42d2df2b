"""The widths of the columns of tables, so that no word is broken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import takewhile
from math import ceil

from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QTextBlock,
    QTextDocument,
    QTextLength,
    QTextTable,
    QTextTableCell,
)

from notesearch.gui.preview.document import all_tables, depth, list_depth, tone_of
from notesearch.gui.preview.geometry import blocks_from, fragments_of
from notesearch.gui.preview.preview_style import CELL_SPACING, Inline
from notesearch.gui.preview.wide_tables import BAR_HEIGHT
from notesearch.gui.widgets.theme import px

_LEAST_COLUMNS = 2
_WIDE_TABLE_COLUMNS = 4
_MAX_MEASURED_CELLS = 600
_MAX_WORD = 28
_SHORTEST_WORD = "abc"
_MEASURED_WORDS = 20
"""How many of the longest words of a column are measured: "4000" is wider than "April"."""
_SHORT_CELL = 12
_LONG_CELL = 300


def widen_tables(document: QTextDocument, width: int, *, may_scroll: bool) -> None:
    """Set the widths of the columns of tables so that Qt breaks no words.

    A table whose words do not fit becomes wider than the text; ``WideTables`` scrolls it. If it may
    not scroll, its widest columns become narrower. Only tables of few columns may break very long
    words.
    """
    bold = QFont(document.defaultFont())
    bold.setWeight(QFont.Weight.Bold)
    metrics = QFontMetricsF(bold)
    gap = px(CELL_SPACING) + 1
    most = _MAX_WORD * metrics.averageCharWidth()
    for table in all_tables(document):
        if table.columns() < _LEAST_COLUMNS or tone_of(table):
            continue
        room = width - depth(table) * document.indentWidth() - table.format().leftMargin()
        has_few = table.columns() < _WIDE_TABLE_COLUMNS
        needed, pleasant = [], []
        for column in _columns(table):
            longest = nlargest(_MEASURED_WORDS, column.words, key=len)
            words = (_SHORTEST_WORD, column.text[:_SHORT_CELL], *longest)
            word = max(*map(metrics.horizontalAdvance, words), column.code)
            text = metrics.horizontalAdvance(column.text)
            least = max(min(word, most) if has_few else word, column.picture)
            beside = gap + column.lists * document.indentWidth()
            needed.append(ceil(least + beside))
            pleasant.append(max(least, text) + beside)
        if sum(pleasant) <= room:
            continue
        table_format = table.format()
        if sum(needed) <= room:
            # Each column gets the width it needs, and a share of the rest by the width it lacks.
            lacks = [max(0.0, much - least) for least, much in zip(needed, pleasant, strict=True)]
            share = (room - sum(needed)) / max(1.0, sum(lacks))
            widths = [least + lack * share for least, lack in zip(needed, lacks, strict=True)]
        elif not may_scroll:
            widths = _cut(needed, room)
        else:
            widths = [max(n, min(p, most)) for n, p in zip(needed, pleasant, strict=True)]
            table_format.setRightMargin(room - sum(widths))  # else the document would widen, too
            table_format.setBottomMargin(table_format.bottomMargin() + px(BAR_HEIGHT))
        fixed = QTextLength.Type.FixedLength
        table_format.setColumnWidthConstraints([QTextLength(fixed, width) for width in widths])
        table.setFormat(table_format)


def _cut(widths: Sequence[float], room: float) -> list[float]:
    """Return ``widths`` that fit into ``room`` together: the greatest are cut to one width."""
    most = rest = room
    for number, width in enumerate(sorted(widths)):
        most = rest / (len(widths) - number)
        if width > most:
            break
        rest -= width
    return [min(width, most) for width in widths]


@dataclass(slots=True)
class _Column:
    """The contents of a table's column that decide its width.

    Attributes:
        words: All words.
        text: The text of the longest cell; the beginning of a very long one.
        code: Width of the widest word or short piece of code, in pixels.
        picture: Width of the widest picture or formula, in pixels.
        lists: Depth of the deepest list.
    """

    words: set[str] = field(default_factory=set)
    text: str = ""
    code: float = 0.0
    picture: float = 0.0
    lists: int = 0


def _columns(table: QTextTable) -> list[_Column]:
    columns = [_Column() for _ in range(table.columns())]
    for row in range(min(table.rows(), _MAX_MEASURED_CELLS // table.columns())):
        for number, column in enumerate(columns):
            for block in _blocks_in(table.cellAt(row, number)):
                _measure(block, column)
    return columns


def _blocks_in(cell: QTextTableCell) -> Iterator[QTextBlock]:
    blocks = blocks_from(cell.firstCursorPosition().block())
    return takewhile(lambda block: block.position() <= cell.lastPosition(), blocks)


def _measure(block: QTextBlock, column: _Column) -> None:
    """Add the contents of ``block``, a paragraph in one of the column's cells, to ``column``."""
    text = block.text()
    column.words.update(text.split())
    column.text = max(column.text, text[:_LONG_CELL], key=len)
    if block.blockFormat().objectIndex() >= 0:  # an item of a list
        column.lists = max(column.lists, list_depth(block))
    for run in fragments_of(block):
        run_format = run.charFormat()
        if run_format.isImageFormat():
            column.picture = max(column.picture, run_format.toImageFormat().width())
        elif Inline.of(run_format) is Inline.CODE:
            word = max(run.text()[:_SHORT_CELL], *run.text().split(), key=len)
            width = QFontMetricsF(run_format.font()).horizontalAdvance(word)
            column.code = max(column.code, width)
