"""Labels that show text without markup, even if it looks like some: wrapped, or elided."""

import html
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


def all_folders() -> str:
    """Return the name of the choice to search all notes folders at once."""
    return translate("window", "All folders")


def everywhere() -> str:
    """Return the name of the choice to search in all of a notes folder."""
    return translate("window", "Everywhere")


def text_label(text: str = "", *, role: str = "", tone: str = "", wrap: bool = True) -> QLabel:
    """Return a label for ``text``; the style sheet knows its ``role`` and its ``tone``."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    label.setProperty("role", role)
    label.setProperty("tone", tone)
    return label


def plain_tip(text: str) -> str:
    """Return a tooltip that shows ``text`` as it is; Qt would take parts of it for markup."""
    if "<" not in text and "&" not in text:
        return text
    return f"<span>{html.escape(text)}</span>".replace("\n", "<br>")


def fitted(text: str, metrics: QFontMetrics, room: int) -> str:
    """Return ``text`` if it fits into ``room`` pixels, else its first words and an ellipsis.

    Only a first word that does not fit is cut.
    """
    if metrics.horizontalAdvance(text) <= room:
        return text
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
    for end in [space.start() for space in _SPACE.finditer(text, 0, len(cut) + 1)][::-1]:
        words = f"{text[:end]}{_ELLIPSIS}"
        if end and metrics.horizontalAdvance(words) <= room:
            return words
    return cut


def shortenings(count: int) -> Iterator[tuple[int, ...]]:
    """Yield which of the ``count`` parts of a path to show: first all, then fewer and fewer.

    Whole parts give way, those in the middle first. The last one stays.
    """
    yield tuple(range(count))
    for kept_from in range(2, count):
        yield (0, *range(kept_from, count))
    if count > 1:
        yield (count - 1,)


def with_gaps(parts: Sequence[Part], kept: Sequence[int], gap: Part) -> list[Part]:
    """Return the ``kept`` ones of ``parts``, and ``gap`` in place of those between them."""
    shown = list[Part]()
    following = 0
    for place in kept:
        if place != following:
            shown.append(gap)
        shown.append(parts[place])
        following = place + 1
    return shown


def _without_folders(path: str) -> Iterator[str]:
    """Yield ``path`` with fewer and fewer of its folders; those in the middle give way first."""
    end = path[len(path.rstrip("/")) :]
    parts = path.rstrip("/").split("/")
    for kept in shortenings(len(parts)):
        yield "/".join(with_gaps(parts, kept, _ELLIPSIS)) + end


class ElidedLabel(QLabel):
    """A single line that gives way to a narrow window: whole words or folders, never letters.

    Of several parts with ``SEPARATOR`` between them, the last ones give way first.

    Args:
        path: It shows a path, whose folders give way in the middle.
    """

    def __init__(self, parent: QWidget | None = None, *, path: bool = False) -> None:
        super().__init__(parent)
        self._is_path = path
        self._shorter: tuple[str, ...] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def set_texts(self, text: str, *shorter: str) -> None:
        """Show ``text``, or the first of the ``shorter`` ones that fits."""
        self._shorter = shorter
        self.setText(text)
        self.update()

    @property
    def shown(self) -> str:
        """The part of the text that fits and is shown."""
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
        if self._is_path:
            yield from _without_folders(text)
        yield from self._shorter

    def minimumSizeHint(self) -> QSize:
        """Return the width of a few letters."""
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, as much as fits."""
        room, role, text = self.contentsRect(), self.foregroundRole(), self.shown
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        style: QStyle = self.style()
        with QPainter(self) as painter:
            style.drawItemText(painter, room, flags, self.palette(), self.isEnabled(), text, role)
