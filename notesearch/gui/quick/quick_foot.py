"""The bottom of quick search: the number of results or the state of the index, and keys."""

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from notesearch.gui.results.results_pane import ResultsSummary
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.elided_label import ElidedLabel
from notesearch.gui.widgets.key_hints import Hint, KeyHints
from notesearch.gui.widgets.theme import Theme, px
from notesearch.gui.window.status_bar import FLASH_MS, StatusLine, done, opening


class QuickFoot(QFrame):
    """Shows the number of results, or the state of the index if nothing is searched or it fails."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quickFoot")
        self._theme = theme
        self._line = opening()
        self._all_hints: tuple[Hint, ...] = ()
        self._sections = True
        self._shows_found = False
        self._flash = ""
        self._flashing = QTimer(self, singleShot=True, interval=FLASH_MS)
        self._flashing.timeout.connect(self._end_flash)
        self.found = ResultsSummary(theme, shows_order=False)
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
        """The text about the index; empty while the number of results is shown."""
        return "" if self._text.isHidden() else self._text.text()

    def set_line(self, line: StatusLine) -> None:
        """Show ``line`` as the state of the index."""
        self._line = line
        self._draw()

    def flash(self, text: str) -> None:
        """Show ``text`` for a moment."""
        self._flash = text
        self._flashing.start()
        self._draw()

    @Slot()
    def _end_flash(self) -> None:
        self._flash = ""
        self._draw()

    def show_for(self, *, sections: bool) -> None:
        """Show the number of results and how to open one, or the line about the index."""
        self._shows_found = sections and bool(self.found.found)
        if self._sections != sections:
            self._sections = sections
            self._show_hints()
        self._draw()

    def set_hints(self, opening: Hint, *others: Hint) -> None:
        """Show keys and what they do; ``opening`` only while there is something to open."""
        if self._all_hints != (opening, *others):
            self._all_hints = (opening, *others)
            self._show_hints()

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self._theme = theme
        self.setFixedHeight(px(32))
        self._row.setContentsMargins(px(16), 0, px(16), 0)
        self._row.setSpacing(px(5))
        self.found.set_theme(theme)
        self._show_hints()
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the hints if they do not fit."""
        super().resizeEvent(event)
        self._fit()

    def _show_hints(self) -> None:
        self._hints.show_hints(
            self._all_hints if self._sections else self._all_hints[1:], self._theme
        )
        self._fit()

    def _fit(self) -> None:
        shown = [w for w in (self.found, self._icon, self._text) if not w.isHidden()]
        needed = sum(widget.sizeHint().width() + px(5) for widget in shown)
        room = self.width() - 2 * px(16) - self._hints.sizeHint().width()
        self._hints.setVisible(needed <= room)

    def _draw(self) -> None:
        line = done(self._flash) if self._flash else self._line
        is_marked = bool(self._flash) or line.tone == "warn"
        self.found.setVisible(self._shows_found)
        self._icon.setVisible(is_marked)
        self._text.setVisible(is_marked or not self._shows_found)
        ratio = self.devicePixelRatioF()
        colour = getattr(self._theme, line.tone)
        self._icon.setPixmap(icons.pixmap(line.icon, colour, px(13), ratio, 2.2))
        self._text.setText(line.text)
        self._text.setToolTip(line.tip)
        self.setAccessibleName(line.tip or line.text)
        self._fit()
