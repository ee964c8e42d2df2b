"""The foot of quick search: how the index is, what was found, and the keys that matter."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from notesearch.gui.results.found_line import FoundLine
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.elided_label import ElidedLabel
from notesearch.gui.widgets.key_hints import Hint, KeyHints
from notesearch.gui.widgets.theme import Theme, px
from notesearch.gui.window.status_bar import StatusLine, opening


class QuickFoot(QFrame):
    """Says what was found; how the index is where nothing is asked, or something is wrong."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quickFoot")
        self._theme = theme
        self._line = opening()
        self._told: tuple[Hint, ...] = ()
        self._sections = True
        self._finds = False
        self.found = FoundLine(theme, tells_order=False)
        self._icon = QLabel()
        self._text = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._text.setProperty("role", "meta")
        self._text.setProperty("tone", "text2")
        self._hints = KeyHints()
        self._row = QHBoxLayout(self)
        for widget in (self.found, self._icon, self._text):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self._row.addWidget(self._hints)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """What is said about the index; empty while results say enough."""
        return "" if self._text.isHidden() else self._text.text()

    def set_line(self, line: StatusLine) -> None:
        """Say how the index is."""
        self._line = line
        self._draw()

    def show_for(self, *, sections: bool) -> None:
        """Say what was found and how to open it, or leave the place to the line about the index."""
        self._finds = sections and bool(self.found.found)
        if self._sections != sections:
            self._sections = sections
            self._show_hints()
        self._draw()

    def set_hints(self, opening: Hint, *others: Hint) -> None:
        """Show keys with what they do; ``opening`` only where there is something to open."""
        if self._told != (opening, *others):
            self._told = (opening, *others)
            self._show_hints()

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours, and the sizes of the font."""
        self._theme = theme
        self.setFixedHeight(px(32))
        self._row.setContentsMargins(px(16), 0, px(16), 0)
        self._row.setSpacing(px(5))
        self.found.set_theme(theme)
        self._show_hints()
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the hints where there is no room for them."""
        super().resizeEvent(event)
        self._fit()

    def _show_hints(self) -> None:
        self._hints.show_hints(self._told if self._sections else self._told[1:], self._theme)
        self._fit()

    def _fit(self) -> None:
        shown = [w for w in (self.found, self._icon, self._text) if not w.isHidden()]
        wanted = sum(widget.sizeHint().width() + px(5) for widget in shown)
        room = self.width() - 2 * px(16) - self._hints.sizeHint().width()
        self._hints.setVisible(wanted <= room)

    def _draw(self) -> None:
        line, wrong = self._line, self._line.tone == "warn"
        self.found.setVisible(self._finds)
        self._icon.setVisible(wrong)
        self._text.setVisible(wrong or not self._finds)
        ratio = self.devicePixelRatioF()
        colour = getattr(self._theme, line.tone)
        self._icon.setPixmap(icons.pixmap(line.icon, colour, px(13), ratio, 2.2))
        self._text.setText(line.text)
        self._text.setToolTip(line.tip)
        self.setAccessibleName(line.tip or line.text)
        self._fit()
