"""Keeps the same text in view while the preview's document changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QScrollBar

from notesearch.gui.preview.geometry import blocks_from, first_block_below, paragraph_texts

_UNKNOWN = -1
_MAX_LANDMARKS = 60
_OBJECT = "\ufffc"


class ScrollPosition:
    """Scrolls a document, and knows whether the user has scrolled it afterwards."""

    def __init__(self, bar: QScrollBar, document: QTextDocument) -> None:
        self._bar = bar
        self._document = document
        self._last_set = bar.value()

    @property
    def moved_by_user(self) -> bool:
        """Whether the user has scrolled; then the program should not scroll elsewhere."""
        return self._bar.value() != self._last_set

    def scroll_to(self, value: int) -> None:
        """Scroll to ``value``, in pixels; unless it is 0, this lays out the whole document."""
        if value:
            end = round(self._document.size().height()) - self._bar.pageStep()
            self._bar.setMaximum(max(self._bar.maximum(), end))
        self._bar.setValue(value)
        self._last_set = self._bar.value()

    @contextmanager
    def scrolling_after(self, *, keep: bool) -> Iterator[None]:
        """After the ``with`` block, which changes the document, scroll to the start.

        With ``keep``, scroll to the text that was shown before, instead.
        """
        value, moved = (self._bar.value(), self.moved_by_user) if keep else (0, False)
        known = _paragraphs(self._document, value) if value else []
        yield
        place = _place_of(self._document, known)
        self.scroll_to(value if place is None else place)
        if moved:
            self._last_set = _UNKNOWN


def _paragraphs(document: QTextDocument, top: int) -> list[tuple[str, int, float]]:
    """Return paragraphs in view from ``top`` on: text, number, and pixels below ``top``."""
    layout, start = document.documentLayout(), first_block_below(document, top)
    return [
        (block.text(), block.blockNumber(), layout.blockBoundingRect(block).top() - top)
        for block in islice(blocks_from(start), _MAX_LANDMARKS)
        if block.text() and _OBJECT not in block.text()
    ]


def _place_of(document: QTextDocument, known: list[tuple[str, int, float]]) -> int | None:
    """Return the position that puts the first paragraph of ``known`` that is still there in place.

    If several paragraphs have its text, it is the one that has moved least. None if no paragraph of
    ``known`` is there.
    """
    texts = paragraph_texts(document) if known else []
    for text, before, below in known:
        numbers = (number for number, other in enumerate(texts) if other == text)
        number = min(numbers, key=lambda number: abs(number - before), default=None)
        if number is not None:
            block = document.findBlockByNumber(number)
            return round(document.documentLayout().blockBoundingRect(block).top() - below)
    return None
