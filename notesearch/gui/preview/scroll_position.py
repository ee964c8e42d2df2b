"""The scroll position of the preview: kept while its document is replaced."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QScrollBar

from notesearch.gui.preview.geometry import blocks_from, first_block_below, paragraph_texts

_UNKNOWN = -1
_MAX_LANDMARKS = 60
_OBJECT = "\ufffc"


class ScrollPosition:
    """The position of a scroll bar in its document, and whether the user has changed it."""

    def __init__(self, bar: QScrollBar, document: QTextDocument) -> None:
        self._bar = bar
        self._document = document
        self._last_set = bar.value()

    @property
    def moved_by_user(self) -> bool:
        """Whether the user has scrolled; the program must not scroll elsewhere then."""
        return self._bar.value() != self._last_set

    def scroll_to(self, value: int) -> None:
        """Scroll to ``value``, even if the scroll bar does not know the document's length yet.

        Asking for the length lays out the whole document, which position 0 does not need.
        """
        if value:
            end = round(self._document.size().height()) - self._bar.pageStep()
            self._bar.setMaximum(max(self._bar.maximum(), end))
        self._bar.setValue(value)
        self._last_set = self._bar.value()

    @contextmanager
    def kept(self, *, keep: bool) -> Iterator[None]:
        """Keep the text at the top of the window in place while the document changes.

        Without ``keep``, scroll to the start.
        """
        value, moved = (self._bar.value(), self.moved_by_user) if keep else (0, False)
        landmarks = _landmarks(self._document, value) if value else []
        yield
        self.scroll_to(_find_landmark(self._document, landmarks, default=value))
        if moved:
            self._last_set = _UNKNOWN


class _Landmark(NamedTuple):
    """A paragraph in view, recognised by its text.

    Attributes:
        text: Its text.
        number: How many paragraphs with the same text come before it.
        below: How far it is below the top of the window.
    """

    text: str
    number: int
    below: float


def _landmarks(document: QTextDocument, top: int) -> list[_Landmark]:
    """Return paragraphs from ``top`` on, without those whose pictures can change their height."""
    layout = document.documentLayout()
    start = first_block_below(document, top)
    seen = Counter(islice(paragraph_texts(document), start.blockNumber()))
    found: list[_Landmark] = []
    for block in islice(blocks_from(start), _MAX_LANDMARKS):
        text = block.text()
        if text and _OBJECT not in text:
            below = layout.blockBoundingRect(block).top() - top
            found.append(_Landmark(text, seen[text], below))
        seen[text] += 1
    return found


def _find_landmark(document: QTextDocument, landmarks: list[_Landmark], default: int) -> int:
    """Return the scroll position at which the first landmark still present is back in place."""
    texts = {landmark.text for landmark in landmarks}
    places: dict[str, list[int]] = {}
    for number, text in enumerate(paragraph_texts(document) if texts else ()):
        if text in texts:
            places.setdefault(text, []).append(number)
    for text, number, below in landmarks:
        if number < len(places.get(text, ())):
            block = document.findBlockByNumber(places[text][number])
            rectangle = document.documentLayout().blockBoundingRect(block)
            return round(rectangle.top() - below)
    return default
