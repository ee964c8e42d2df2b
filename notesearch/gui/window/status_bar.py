"""The foot of the window: what the index is doing, and at the right the keys that matter."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.elided_label import ElidedLabel
from notesearch.gui.widgets.key_hints import Hint, KeyHints
from notesearch.gui.widgets.theme import Theme, px


@dataclass(frozen=True, slots=True)
class StatusLine:
    """What the foot says: a drawing in ``tone`` (a token of the theme) and a text.

    Attributes:
        explains: A click shows more.
        tip: The sentence behind a short text.
    """

    icon: str
    tone: str
    text: str
    explains: bool = False
    tip: str = ""


def no_folder() -> StatusLine:
    """Return what the foot says on the first run."""
    return StatusLine("folder", "text2", translate("window", "No notes folder yet"))


def opening() -> StatusLine:
    """Return what the foot says until the index is open."""
    return StatusLine("clock", "text2", translate("window", "Opening your notes…"))


class StatusBar(QFrame):
    """A line about the index and at most four key hints.

    Signals:
        explained: The user wants to know more about the line.
    """

    explained = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self._theme = theme
        self._line = opening()
        self._hovered = ""
        self._wants_hints = True
        self._icon = QLabel()
        self._text = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._text.setProperty("role", "meta")
        self._more = QPushButton()
        self._more.setProperty("link", True)
        self._more.setProperty("role", "meta")
        self._more.clicked.connect(self.explained)
        self._hints = KeyHints()
        self._row = QHBoxLayout(self)
        for widget in (self._icon, self._text, self._more):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self._row.addWidget(self._hints)
        self.set_theme(theme)

    @property
    def line(self) -> StatusLine:
        """What the foot says now."""
        return self._line

    @property
    def text(self) -> str:
        """What stands at the left: the line, or where a link leads."""
        return self._text.text()

    def set_line(self, line: StatusLine) -> None:
        """Say ``line``."""
        if line == self._line:
            return
        self._line = line
        self._draw_line()

    @Slot(str)
    def set_hovered(self, target: str) -> None:
        """Show where a link leads while the mouse is on it."""
        self._hovered = unquote(target.removeprefix("note:"))
        self._draw_line()

    def set_hints(self, hints: Sequence[Hint]) -> None:
        """Show key caps with what they do."""
        self._hints.show_hints(hints, self._theme)

    def set_hints_visible(self, visible: bool) -> None:
        """Hide the hints where the window is narrow or they would not work."""
        self._wants_hints = visible
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the hints where there is no room for them."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the hints if they are wanted and leave the line about the index its room."""
        line = (self._more if self._line.explains else self._text).sizeHint().width()
        room = self.width() - line - self._hints.sizeHint().width() - px(70)
        self._hints.setVisible(self._wants_hints and room >= 0)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours, and the sizes of the font."""
        self._theme = theme
        self.setFixedHeight(px(28))
        self._row.setContentsMargins(px(14), 0, px(16), 0)
        self._row.setSpacing(px(4))
        self._draw_line()

    def _draw_line(self) -> None:
        line = StatusLine("open", "text2", self._hovered) if self._hovered else self._line
        colour, ratio = getattr(self._theme, line.tone), self.devicePixelRatioF()
        self._icon.setPixmap(icons.pixmap(line.icon, colour, px(13), ratio, 2.2))
        self._text.setText(line.text)
        self._more.setText(line.text)
        self._text.setVisible(not line.explains)
        self._more.setVisible(line.explains)
        self.setToolTip(line.tip)
        self.setAccessibleName(line.tip or line.text)
        self._fit()
