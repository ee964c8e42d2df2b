"""Labels that show text without markup, even if it looks like some: wrapped, or elided."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QStyle, QWidget

SEPARATOR = " · "


def text_label(text: str = "", *, role: str = "", tone: str = "", wrap: bool = True) -> QLabel:
    """Return a label for ``text``; the style sheet knows its ``role`` and its ``tone``."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    label.setProperty("role", role)
    label.setProperty("tone", tone)
    return label


class ElidedLabel(QLabel):
    """A single line that is elided to the available width.

    Of several parts with ``SEPARATOR`` between them, the last ones give way first, each as a whole.
    """

    def __init__(self, mode: Qt.TextElideMode, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        """Return the width of a few letters."""
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the elided text."""
        room = self.contentsRect()
        metrics, text = self.fontMetrics(), self.text()
        while SEPARATOR in text and metrics.horizontalAdvance(text) > room.width():
            text = text.rpartition(SEPARATOR)[0]
        shown = metrics.elidedText(text, self._mode, room.width())
        role = self.foregroundRole()
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        style: QStyle = self.style()
        with QPainter(self) as painter:
            style.drawItemText(painter, room, flags, self.palette(), self.isEnabled(), shown, role)
