"""Highlights in the preview: the marks of the matches, and the tint of the nearest sentence."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from notesearch.gui.preview.geometry import text_rectangles
from notesearch.gui.widgets.theme import Theme, px
from notesearch.notes import Span

MAX_MARKS = 2000
"""Maximum number of matches in one text that are marked."""
MAX_PAINTED = 200
"""Maximum number of marks in view that are painted."""
_MAX_COLOURED = 100
"""Maximum marks in view that get a text colour. Qt draws a line again for each of them."""


@dataclass(frozen=True, slots=True)
class MarkColours:
    """Background and text colour of the marks, and different ones of the current mark."""

    mark: str
    text: str
    current: str
    current_text: str

    @classmethod
    def of_query(cls, theme: Theme) -> "MarkColours":
        """Return the colours for matches of the query."""
        return cls(theme.mark, theme.mark_text, theme.mark_current, theme.mark_current_text)

    @classmethod
    def of_found(cls, theme: Theme) -> "MarkColours":
        """Return the colours for matches of the words in the find bar."""
        return cls(theme.accent_soft, theme.text, theme.accent, theme.accent_text)


class MatchMarks:
    """The matches in one document, one of which is the current one.

    ``spans`` are sorted and do not overlap. The current match has the index ``current`` if that is
    valid; else it is the first one after the position ``start``.

    Attributes:
        is_chosen: Whether the user has chosen the current match by going to it.
    """

    def __init__(
        self,
        document: QTextDocument,
        spans: Sequence[Span] = (),
        start: int = 0,
        current: int | None = None,
    ) -> None:
        self._document = document
        self.spans = list(spans[:MAX_MARKS])
        self._ends = [end for _, end in self.spans]
        first = bisect_right(self._ends, start)
        self.current = first % len(self.spans) if self.spans else -1
        self.is_chosen = current is not None and 0 <= current < len(self.spans)
        if current is not None and self.is_chosen:
            self.current = current

    @property
    def span(self) -> Span | None:
        """The current match; None without matches."""
        return self.spans[self.current] if self.spans else None

    def step(self, by: int) -> None:
        """Make the next (1) or previous (-1) match the current one; wrap around at the ends."""
        if self.spans:
            self.current = (self.current + by) % len(self.spans)
            self.is_chosen = True

    def coloured(self, visible: Span) -> range:
        """Return the indexes of the marks whose text gets a colour: the first ones in ``visible``.

        Colouring text is slow, so there is a maximum. The current mark is among them if visible.
        """
        return self._in_view(visible, _MAX_COLOURED)

    def selections(self, indexes: range, colours: MarkColours) -> list[QTextEdit.ExtraSelection]:
        """Return the text colours of the marks with these ``indexes``."""
        selected = []
        for index in indexes:
            cursor = QTextCursor(self._document)
            cursor.setPosition(self.spans[index][0])
            cursor.setPosition(self.spans[index][1], QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            colour = colours.current_text if index == self.current else colours.text
            selection.format.setForeground(QColor(colour))
            selected.append(selection)
        return selected

    def paint(self, painter: QPainter, colours: MarkColours, visible: Span) -> None:
        """Paint the backgrounds of the marks in the span ``visible``, in document coordinates."""
        painter.setPen(Qt.PenStyle.NoPen)
        radius = px(3)
        for index in self._in_view(visible, MAX_PAINTED):
            painter.setBrush(QColor(colours.current if index == self.current else colours.mark))
            for rectangle in text_rectangles(self._document, self.spans[index]):
                painter.drawRoundedRect(rectangle.adjusted(-0.5, 0, 0.5, 0), radius, radius)

    def _in_view(self, visible: Span, limit: int) -> range:
        """Return the indexes of at most ``limit`` marks in ``visible``.

        If the current mark is visible, it is among them.
        """
        start = bisect_right(self._ends, visible[0])
        stop = bisect_left(self.spans, visible[1], lo=start, key=lambda span: span[0])
        if start <= self.current < stop:
            start = max(start, self.current - limit // 2)
        return range(start, min(stop, start + limit))


def paint_tint(painter: QPainter, document: QTextDocument, span: Span, theme: Theme) -> None:
    """Tint ``span``: the block to which a link leads, or the sentence nearest to the query.

    ``snippets.nearest_sentence`` chooses the sentence.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.accent_soft))
    for rectangle in text_rectangles(document, span):
        painter.drawRoundedRect(rectangle.adjusted(-2, -1.5, 2, 1.5), px(3), px(3))
