"""Highlights in the preview: marks of matches and found words, and the nearest sentence's tint."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import islice
from operator import itemgetter

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QTextDocument
from PySide6.QtWidgets import QTextEdit

from notesearch.gui.preview.document import selection, text_rectangles, utf16_spans
from notesearch.gui.widgets.theme import Theme, px
from notesearch.notes import Span

MAX_MARKS = 2000
"""Maximum number of matches in one text that are marked."""
MAX_PAINTED = 200
"""Maximum number of marks in view that are painted."""
_MAX_COLOURED = 100
"""Maximum marks in view that get a text colour. Qt draws a line again for each of them."""


class MatchMarks:
    """The matches in one document, one of which is the current one, with the index ``current``.

    ``spans`` are sorted and do not overlap. At first, the current match is the first one that ends
    after the position ``start``.

    Attributes:
        is_chosen: Whether the user has chosen the current match by going to it.
    """

    def __init__(
        self, spans: Sequence[Span] = (), start: int = 0, *, is_chosen: bool = False
    ) -> None:
        self.spans = list(spans[:MAX_MARKS])
        first = bisect_right(self.spans, start, key=itemgetter(1))
        self.current = first % len(self.spans) if self.spans else -1
        self.is_chosen = is_chosen

    @property
    def span(self) -> Span | None:
        """The current match; None without matches."""
        return self.spans[self.current] if self.spans else None

    def step(self, by: int) -> None:
        """Make the next (1) or previous (-1) match the current one; wrap around at the ends."""
        if self.spans:
            self.current = (self.current + by) % len(self.spans)
            self.is_chosen = True

    def in_view(self, visible: Span, limit: int) -> range:
        """Return the indexes of at most ``limit`` marks in ``visible``.

        If the current mark is visible, it is among them.
        """
        start = bisect_right(self.spans, visible[0], key=itemgetter(1))
        stop = bisect_left(self.spans, visible[1], lo=start, key=itemgetter(0))
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
        self.matches = MatchMarks()
        self.found = MatchMarks()
        self.tinted: Span | None = None

    def seek(self, text: str, start: int) -> None:
        """Find ``text``, whatever its case and spaces; the first match after ``start`` is current.

        Empty text removes the marks.
        """
        self._words = text.split()
        self.find_again(start)

    def find_again(self, start: int = 0) -> None:
        """Find the same words in a changed document; the first after ``start`` is current."""
        spans: list[Span] = []
        if self._words:
            pattern = re.compile(r"[\s\u200b]+".join(map(re.escape, self._words)), re.IGNORECASE)
            text = self._document.toPlainText()
            matches = islice(pattern.finditer(text), MAX_MARKS)
            spans = utf16_spans(text, [match.span() for match in matches])
        self.found = MatchMarks(spans, start)

    @property
    def stepped(self) -> MatchMarks:
        """The marks between which the user steps: the words to find, else those of the query."""
        return self.found if self._words else self.matches

    def coloured(self, visible: Span) -> tuple[range, range]:
        """Return the indexes of the found words and of the matches whose text gets a colour.

        They are the first ones in ``visible``, because colouring text is slow.
        """
        found, matches = (
            marks.in_view(visible, _MAX_COLOURED) for marks in (self.found, self.matches)
        )
        return found, matches

    def selections(
        self, indexes: tuple[range, range], theme: Theme
    ) -> list[QTextEdit.ExtraSelection]:
        """Return the text colours of the marks with these indexes, as from ``coloured``."""
        selections = []
        # Of two that touch each other, Qt paints only the first one.
        sets = (
            (self.found, indexes[0], theme.text, theme.accent_text),
            (self.matches, indexes[1], theme.mark_text, theme.mark_current_text),
        )
        for marks, shown, colour, current in sets:
            for index in shown:
                marked = QTextEdit.ExtraSelection()
                marked.cursor = selection(self._document, marks.spans[index])
                is_current = self._looks_current(marks, index)
                marked.format.setForeground(QColor(current if is_current else colour))
                selections.append(marked)
        return selections

    def paint(self, painter: QPainter, theme: Theme, visible: Span) -> None:
        """Paint the tint and the backgrounds of the marks in ``visible``, in document coordinates.

        Of many marks, only the first ones are painted.
        """
        painter.setPen(Qt.PenStyle.NoPen)
        tinted = self.tinted
        if tinted and tinted[0] <= visible[1] and tinted[1] >= visible[0]:
            painter.setBrush(QColor(theme.accent_soft))
            self._paint_boxes(painter, tinted, 2, 1.5)
        sets = (
            (self.matches, theme.mark, theme.mark_current),
            (self.found, theme.accent_soft, theme.accent),
        )
        for marks, colour, current in sets:
            for index in marks.in_view(visible, MAX_PAINTED):
                is_current = self._looks_current(marks, index)
                painter.setBrush(QColor(current if is_current else colour))
                self._paint_boxes(painter, marks.spans[index], 0.5, 0)

    def _paint_boxes(self, painter: QPainter, span: Span, beside: float, above: float) -> None:
        for rectangle in text_rectangles(self._document, span):
            box = rectangle.adjusted(-beside, -above, beside, above)
            painter.drawRoundedRect(box, px(3), px(3))

    def _looks_current(self, marks: MatchMarks, index: int) -> bool:
        """Return whether a mark has the colours of the current one.

        A current match that overlaps found words looks like the other matches, because Qt does not
        paint the text colour that it needs on its background.
        """
        if index != marks.current:
            return False
        first, last = marks.spans[index]
        others = () if marks is self.found else self.found.spans
        return not any(start <= last and end >= first for start, end in others)
