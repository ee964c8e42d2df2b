"""Finds the place of shown text in the note, so that an editor can open the note there."""

from PySide6.QtGui import QTextCursor, QTextDocument

from notesearch.gui.preview.document import PreviewContent, character_spans, headings, listed_line
from notesearch.notes import Span
from notesearch.results import SectionText

_KEEP = QTextCursor.MoveMode.KeepAnchor


def word_at(document: QTextDocument, position: int) -> Span:
    """Return the span of the word at ``position``."""
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.movePosition(QTextCursor.MoveOperation.StartOfWord)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfWord, _KEEP)
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
    cursor.setPosition(span[1], _KEEP)
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
