"""Highlights in the preview: marks of matches and found words, and the nearest sentence's tint."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from notesearch.gui.preview.document import utf16_spans
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
    """The background and the text colour of marks, and both for the current mark."""

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


class Highlights:
    """The highlights of one document.

    Attributes:
        matches: The matches of the query.
        found: The matches of the words that ``seek`` looks for.
        tinted: The block to which a link leads, or the sentence nearest to the query, which
            ``search/nearest_sentence.py`` chooses; None for neither.
    """

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._words: list[str] = []
        self.matches = MatchMarks(document)
        self.found = MatchMarks(document)
        self.tinted: Span | None = None

    def seek(self, text: str, start: int) -> None:
        """Find ``text``, whatever its case and spaces; the first match after ``start`` is current.

        Empty text removes the marks.
        """
        self._words = text.split()
        self.find_again(start=start)

    def find_again(self, current: int | None = None, start: int = 0) -> None:
        """Find the same words in a changed document; ``current`` is the index of the match."""
        spans: list[Span] = []
        if self._words:
            pattern = re.compile(r"[\s\u200b]+".join(map(re.escape, self._words)), re.IGNORECASE)
            text = self._document.toPlainText()
            matches = islice(pattern.finditer(text), MAX_MARKS)
            spans = utf16_spans(text, [match.span() for match in matches])
        self.found = MatchMarks(self._document, spans, start, current)

    @property
    def current(self) -> Span | None:
        """The current match of the words to find, else of the query; None without one."""
        return (self.found if self._words else self.matches).span

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) match of the words to find, else of the query."""
        (self.found if self._words else self.matches).step(by)

    def coloured(self, visible: Span) -> tuple[range, range]:
        """Return the indexes of the found words and of the matches whose text gets a colour."""
        return self.found.coloured(visible), self.matches.coloured(visible)

    def selections(
        self, indexes: tuple[range, range], theme: Theme
    ) -> list[QTextEdit.ExtraSelection]:
        """Return the text colours of the marks with these indexes, as from ``coloured``."""
        found = self.found.selections(indexes[0], MarkColours.of_found(theme))
        matches = self.matches.selections(indexes[1], self._match_colours(theme))
        # Of two that touch each other, Qt paints only the first one.
        return [*found, *matches]

    def paint(self, painter: QPainter, theme: Theme, visible: Span) -> None:
        """Paint the tint and the backgrounds of the marks in ``visible``."""
        tinted = self.tinted
        if tinted and tinted[0] <= visible[1] and tinted[1] >= visible[0]:
            _paint_tint(painter, self._document, tinted, theme)
        self.matches.paint(painter, self._match_colours(theme), visible)
        self.found.paint(painter, MarkColours.of_found(theme), visible)

    def _match_colours(self, theme: Theme) -> MarkColours:
        """Return the colours of the query's marks.

        A current mark that overlaps found words looks like the other marks, because Qt does not
        paint the text colour of its own that it needs on its own background.
        """
        colours = MarkColours.of_query(theme)
        span = self.matches.span
        if span and any(start <= span[1] and end >= span[0] for start, end in self.found.spans):
            return replace(colours, current=colours.mark, current_text=colours.text)
        return colours


def _paint_tint(painter: QPainter, document: QTextDocument, span: Span, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.accent_soft))
    for rectangle in text_rectangles(document, span):
        painter.drawRoundedRect(rectangle.adjusted(-2, -1.5, 2, 1.5), px(3), px(3))
