"""The marks of the preview: where the query's words stand in its document, and their painting."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from notesearch.gui.preview.document import links
from notesearch.gui.preview.geometry import text_rectangles
from notesearch.gui.widgets.marked_line import utf16_places
from notesearch.gui.widgets.theme import Theme, px
from notesearch.notes import Linked, Span

MAX_MARKS = 2000
"""More than that in one text are not marked."""
MAX_IN_VIEW = 200
_MAX_COLOURED = 100
"""So many are painted at once, and that many have letters of their own colour: for each of those Qt
draws its lines once more."""
_LAST_OF_BMP = "\uffff"


def utf16_spans(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return ``spans`` of code points as spans of UTF-16 units, in which Qt counts."""
    if not text or max(text) <= _LAST_OF_BMP:
        return list(spans)
    astral = [at for at, character in enumerate(text) if character > _LAST_OF_BMP]
    return [
        (start + bisect_left(astral, start), end + bisect_left(astral, end)) for start, end in spans
    ]


def characters(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return ``spans`` of UTF-16 units, in which Qt counts, as spans of code points."""
    if not text or max(text) <= _LAST_OF_BMP:
        return list(spans)
    places = utf16_places(text)
    return [(bisect_left(places, start), bisect_left(places, end)) for start, end in spans]


def linked(document: QTextDocument, text: str) -> tuple[Linked, ...]:
    """Return where links out of the notes stand in ``document``, in characters of its ``text``."""
    found = links(document)
    spans = characters(text, [span for span, _ in found])
    return tuple(zip(spans, (address for _, address in found), strict=True))


def same_start(one: str, other: str) -> int:
    """Return up to where both texts are the same, in UTF-16 units."""
    end = len(one)
    if not other.startswith(one):
        ends = range(min(end, len(other)) + 1)
        end = bisect_left(ends, True, lo=1, key=lambda end: one[:end] != other[:end]) - 1
    return utf16_spans(one, [(0, end)])[0][1]


class Marks:
    """The matches in one document, one of them the current one.

    Args:
        document: What is marked.
        spans: Positions in the document, in order and apart from each other.
        start: The current match is the first one from here on,
        match: or rather the one of this number, from 0, where that is not the first.

    Attributes:
        nearest: A sentence that is tinted: the nearest to a query none of whose words is there.
    """

    def __init__(
        self, document: QTextDocument, spans: Sequence[Span] = (), start: int = 0, match: int = 0
    ) -> None:
        self._document = document
        self.spans = list(spans[:MAX_MARKS])
        self.nearest: Span | None = None
        self._ends = [end for _, end in self.spans]
        self._coloured = range(0)
        after = bisect_right(self._ends, start)
        self.current = after % len(self.spans) if self.spans else -1
        if 0 < match < len(self.spans):
            self.current = match

    @property
    def span(self) -> Span | None:
        """The current match."""
        return self.spans[self.current] if self.spans else None

    def up_to(self, end: int) -> "Marks":
        """Return these marks of the document's first ``end`` letters: it goes on otherwise now."""
        kept = Marks(self._document, self.spans[: bisect_right(self._ends, end)], 0, self.current)
        kept.nearest = self.nearest if self.nearest and self.nearest[1] <= end else None
        return kept

    def step(self, by: int) -> None:
        """Make the next (1) or previous (-1) match the current one, round and round."""
        if self.spans:
            self.current = (self.current + by) % len(self.spans)

    def forget_colours(self) -> None:
        """Have all of them coloured anew."""
        self._coloured = range(0)

    def are_coloured(self, first: int, last: int) -> bool:
        """Return whether those between two positions, which are seen now, have their colours.

        If not, those that ``selections`` returns after this are theirs, and of some around them.
        """
        seen = self._in_view(first, last, _MAX_COLOURED)
        if not seen or (seen[0] in self._coloured and seen[-1] in self._coloured):
            return True
        spare = (_MAX_COLOURED - len(seen)) // 2
        self._coloured = range(len(self.spans))[max(0, seen.start - spare) : seen.stop + spare]
        return False

    def selections(self, theme: Theme) -> list[QTextEdit.ExtraSelection]:
        """Return the text colours; Qt would paint a background square and over the whole line."""
        return [self._selection(self.spans[at], theme, at == self.current) for at in self._coloured]

    def paint(self, painter: QPainter, theme: Theme, first: int, last: int) -> None:
        """Paint the marks between two positions, in document coordinates, before the text."""
        painter.setPen(Qt.PenStyle.NoPen)
        radius = px(3)
        if self.nearest and self.nearest[0] <= last and self.nearest[1] >= first:
            painter.setBrush(QColor(theme.accent_soft))
            for rectangle in text_rectangles(self._document, self.nearest):
                painter.drawRoundedRect(rectangle.adjusted(-2, -1.5, 2, 1.5), radius, radius)
        for at in self._in_view(first, last, MAX_IN_VIEW):
            colour = theme.mark_current if at == self.current else theme.mark
            painter.setBrush(QColor(colour))
            for rectangle in text_rectangles(self._document, self.spans[at]):
                painter.drawRoundedRect(rectangle.adjusted(-1.5, 0, 1.5, 0), radius, radius)

    def _in_view(self, first: int, last: int, most: int) -> range:
        """Return which of them to show between two positions: the current one and its like."""
        start = bisect_right(self._ends, first)
        stop = bisect_left(self.spans, last, lo=start, key=lambda span: span[0])
        if start <= self.current < stop:
            start = max(start, self.current - most // 2)
        return range(start, min(stop, start + most))

    def _selection(self, span: Span, theme: Theme, current: bool) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self._document)
        cursor.setPosition(span[0])
        cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        colour = theme.mark_current_text if current else theme.mark_text
        selection.format.setForeground(QColor(colour))
        return selection
