"""The thin progress line under the search field while notes are indexed for the first time."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import Theme, px


class ProgressLine(QWidget):
    """Hidden until there is progress to show."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self.setAccessibleName(translate("window", "Indexing"))
        self.set_theme(theme)
        self.hide()

    @property
    def share(self) -> float:
        """The share that is done, 0 to 1."""
        return self._share

    def set_progress(self, done: int, total: int) -> None:
        """Show ``done`` of ``total``; hide the line if nothing is left to do."""
        self._share = done / total if total else 0.0
        self.setVisible(total > 0 and done < total)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours and the font's sizes."""
        self._theme = theme
        self.setFixedHeight(px(4))
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint the finished share in the accent colour."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.border))
            done = QRectF(0, 0, self.width() * self._share, self.height())
            painter.fillRect(done, QColor(self._theme.accent))
