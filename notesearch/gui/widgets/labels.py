"""Labels that show text as it is, even if it looks like HTML; some shorten it to fit."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QStyle, QWidget

from notesearch.gui.translation import translate

Part = TypeVar("Part")

SEPARATOR = " · "
_ELLIPSIS = "…"
_SPACE = re.compile(r"\s+")
_MOST_PARTS = 40
"""Maximum number of parts of a path that are shown if not all fit; no line has room for more."""


def all_folders() -> str:
    """Return the label of the choice to search all notes folders at once."""
    return translate("window", "All folders")


def everywhere() -> str:
    """Return the label of the choice to search a notes folder with all its subfolders."""
    return translate("window", "Everywhere")


def text_label(text: str = "", *, role: str = "", tone: str = "", wrap: bool = True) -> QLabel:
    """Return a label for ``text``; ``role`` and ``tone`` are names in the style sheet."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(leading_alignment(label))
    label.setWordWrap(wrap)
    label.setProperty("role", role)
    label.setProperty("tone", tone)
    return label


def leading_alignment(widget: QWidget) -> Qt.AlignmentFlag:
    """Return the alignment with the side where ``widget`` begins, whatever direction a text has."""
    align = Qt.AlignmentFlag
    side = align.AlignRight if widget.isRightToLeft() else align.AlignLeft
    return align.AlignVCenter | align.AlignAbsolute | side


def plain_tip(text: str) -> str:
    """Return a tooltip that shows ``text`` as it is, even if Qt would take it for HTML."""
    if "<" not in text and "&" not in text:
        return text
    from html import escape

    return f"<span>{escape(text)}</span>".replace("\n", "<br>")


def fitted(text: str, metrics: QFontMetrics, room: int) -> str:
    """Return ``text`` if it fits into ``room`` pixels, else its first words and an ellipsis."""
    if metrics.horizontalAdvance(text) <= room:
        return text
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
    for end in [space.start() for space in _SPACE.finditer(text, 0, len(cut) + 1)][::-1]:
        words = f"{text[:end]}{_ELLIPSIS}"
        if end and metrics.horizontalAdvance(words) <= room:
            return words
    return cut


def shortenings(count: int) -> Iterator[tuple[int, ...]]:
    """Yield shorter and shorter choices of the ``count`` parts of a path, as indexes to show.

    The first choice has all parts. Parts in the middle are left out first; the last part stays.
    """
    yield tuple(range(count))
    for kept_from in range(max(2, count - _MOST_PARTS), count):
        yield (0, *range(kept_from, count))
    if count > 1:
        yield (count - 1,)


def with_gaps(parts: Sequence[Part], kept: Sequence[int], gap: Part) -> list[Part]:
    """Return the ``parts`` with the indexes ``kept``, and ``gap`` wherever parts are left out."""
    shown = list[Part]()
    following = 0
    for index in kept:
        if index != following:
            shown.append(gap)
        shown.append(parts[index])
        following = index + 1
    return shown


class ElidedLabel(QLabel):
    """A label of one line. If it is too narrow, it leaves out whole words or folders.

    Parts after a ``SEPARATOR`` are left out first; of a ``path``, the folders in the middle.
    """

    def __init__(self, *, path: bool = False) -> None:
        super().__init__()
        self._is_path = path
        self._shorter: tuple[str, ...] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def set_texts(self, text: str, *shorter: str) -> None:
        """Show ``text``, or the first of ``shorter`` that fits."""
        self._shorter = shorter
        self.setText(text)
        self.update()

    @property
    def shown(self) -> str:
        """The text as it is shown, shortened if necessary."""
        room, metrics = self.contentsRect().width(), self.fontMetrics()
        for text in self._forms():
            if metrics.horizontalAdvance(text) <= room:
                return text
        last = [*self._forms()][-1]
        if self._is_path:
            return metrics.elidedText(last, Qt.TextElideMode.ElideMiddle, room)
        return fitted(last, metrics, room)

    def _forms(self) -> Iterator[str]:
        text = self.text()
        yield text
        while SEPARATOR in text:
            text = text.rpartition(SEPARATOR)[0]
            yield text
        if self._is_path:  # with fewer and fewer folders
            end, parts = text[len(text.rstrip("/")) :], text.rstrip("/").split("/")
            for kept in shortenings(len(parts)):
                yield "/".join(with_gaps(parts, kept, _ELLIPSIS)) + end
        yield from self._shorter

    def minimumSizeHint(self) -> QSize:
        """Return a size with the width of a few letters, so that the label may become narrow."""
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as fits."""
        room, role, text = self.contentsRect(), self.foregroundRole(), self.shown
        style: QStyle = self.style()
        with QPainter(self) as painter:
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # of the text
            style.drawItemText(
                painter, room, leading_alignment(self), self.palette(), self.isEnabled(), text, role
            )
