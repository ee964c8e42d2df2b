"""The selected text of the preview as plain text, to be copied, searched or looked for."""

from collections.abc import Callable, Iterator
from urllib.parse import unquote

from PySide6.QtGui import QTextBlock, QTextCursor

from notesearch.gui.preview.geometry import blocks_from, fragments_of

_INVISIBLE = str.maketrans({"\ufffc": None, "\u200b": None, "\u00a0": " ", "\u2028": "\n"})
_TASK_MARKS = {
    "ui:unchecked": "[ ]",
    "ui:checked": "[x]",
    "ui:started": "[/]",
    "ui:cancelled": "[-]",
}


def selected_text(selection: QTextCursor, source: Callable[[str], str]) -> str:
    """Return the text of ``selection``, with formulas as TeX and the boxes of tasks as ``[x]``.

    ``source`` returns the TeX of a formula, given its address.

    Each paragraph is a line. Tabs separate the cells of a table. Empty paragraphs, which Qt needs
    beside tables, are left out.
    """
    start, end = selection.selectionStart(), selection.selectionEnd()
    shown: list[str] = []
    for block in blocks_from(selection.document().findBlock(start)):
        if block.position() > end:
            break
        text = "".join(_parts(block, start, end, source)).translate(_INVISIBLE)
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


def _parts(block: QTextBlock, start: int, end: int, source: Callable[[str], str]) -> Iterator[str]:
    """Yield the text of ``block`` between two positions, with words in place of pictures."""
    for fragment in fragments_of(block):
        first = max(start, fragment.position())
        last = min(end, fragment.position() + fragment.length())
        if first >= last:
            continue
        name = fragment.charFormat().toImageFormat().name()
        if name.startswith("math:"):
            yield source(unquote(name)) * (last - first)
        elif name:
            yield _TASK_MARKS.get(name, "")
        else:
            yield _text_between(block, first, last)


def _text_between(block: QTextBlock, first: int, last: int) -> str:
    part = QTextCursor(block)
    part.setPosition(first)
    part.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    return part.selectedText()
