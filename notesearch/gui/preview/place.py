"""Where the reader of the preview is: led to a match by us, or gone elsewhere since."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QScrollBar

from notesearch.gui.preview.geometry import blocks, first_below, texts

_ELSEWHERE = -1
_BESIDE = 60
"""Paragraphs from the top of the window on that may tell where the reader is."""
_OBJECT = "\ufffc"


class Place:
    """The place of one scroll bar in its document, and whether it is the one led to last."""

    def __init__(self, bar: QScrollBar, document: QTextDocument) -> None:
        self._bar = bar
        self._document = document
        self._led_to = bar.value()

    @property
    def has_moved(self) -> bool:
        """Whether the reader has scrolled: a reader on the way must not be led elsewhere."""
        return self._bar.value() != self._led_to

    def lead_to(self, value: int) -> None:
        """Scroll there; the bar is told late how long the document has become.

        To ask for that has all of the document laid out: it is not asked at its start.
        """
        if value:
            end = round(self._document.size().height()) - self._bar.pageStep()
            self._bar.setMaximum(max(self._bar.maximum(), end))
        self._bar.setValue(value)
        self._led_to = self._bar.value()

    @contextmanager
    def kept(self, *, again: bool) -> Iterator[None]:
        """Be at the text where the reader was, after a change, and as free to lead on as before.

        What is not there ``again`` is read from its start.
        """
        value, moved = (self._bar.value(), self.has_moved) if again else (0, False)
        read = _read_at(self._document, value) if value else []
        yield
        self.lead_to(_where(self._document, read, value))
        if moved:
            self._led_to = _ELSEWHERE


class _Paragraph(NamedTuple):
    """One that is read: which of those with its text it is, and how far below the window's top."""

    text: str
    which: int
    below: float


def _read_at(document: QTextDocument, top: int) -> list[_Paragraph]:
    """Return the paragraphs from ``top`` on that their text tells; with a picture it may change."""
    layout = document.documentLayout()
    at = first_below(document, top)
    before = Counter(islice(texts(document), at.blockNumber()))
    found: list[_Paragraph] = []
    for block in islice(blocks(at), _BESIDE):
        text = block.text()
        if text and _OBJECT not in text:
            below = layout.blockBoundingRect(block).top() - top
            found.append(_Paragraph(text, before[text], below))
        before[text] += 1
    return found


def _where(document: QTextDocument, read: list[_Paragraph], otherwise: int) -> int:
    """Return where the window's top is to be, so that what was read stands as it stood."""
    wanted = {paragraph.text for paragraph in read}
    there: dict[str, list[int]] = {}
    for number, text in enumerate(texts(document) if wanted else ()):
        if text in wanted:
            there.setdefault(text, []).append(number)
    for text, which, below in read:
        if which < len(there.get(text, ())):
            block = document.findBlockByNumber(there[text][which])
            rectangle = document.documentLayout().blockBoundingRect(block)
            return round(rectangle.top() - below)
    return otherwise
