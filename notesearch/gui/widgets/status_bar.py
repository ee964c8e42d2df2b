"""The bar below a window: the state of the index, messages such as “Copied”, and useful keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import ElidedLabel, announce, plain_tip, set_margins
from notesearch.gui.widgets.keys import KeyHint, KeyHints
from notesearch.gui.widgets.theme import Theme, px


@dataclass(frozen=True, slots=True)
class StatusLine:
    """A line about the index.

    Attributes:
        icon: The name of the icon.
        tone: The name of a colour of the theme, for the icon.
        text: The text.
        explains: What a click on the text explains; empty if it is not a button.
        tip: A longer text, shown as a tooltip.
    """

    icon: str
    tone: str
    text: str
    explains: Literal["", "unread", "meaning"] = ""
    tip: str = ""


FLASH_MS = 2500
"""How long a short message is shown."""


def no_folder() -> StatusLine:
    """Return the line to show before a folder is chosen."""
    return StatusLine("folder", "text2", translate("No notes folder yet"))


def opening() -> StatusLine:
    """Return the line to show until the index is open."""
    return StatusLine("clock", "text2", translate("Opening your notes…"))


class StateBar(QFrame):
    """Shows the state of the index and some key hints. A subclass draws them and makes them fit.

    A short message replaces the state for ``FLASH_MS``.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.line = opening()
        self._flash: StatusLine | None = None
        self._flashing = QTimer(self, singleShot=True, interval=FLASH_MS)
        self._flashing.timeout.connect(self._end_flash)
        self._icon = QLabel()
        self._text = ElidedLabel(role="meta", tone="text2")
        self._hints = KeyHints()
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._icon)
        self._row.addWidget(self._text)
        self._row.addStretch(1)
        self._row.addWidget(self._hints)

    def set_line(self, line: StatusLine) -> None:
        """Show ``line`` as the state of the index."""
        if line != self.line:
            self.line = line
            self._draw()

    def flash(self, text: str, *, done: bool = True) -> None:
        """Show ``text`` for a moment, with a tick if it reports something ``done``."""
        icon, tone = ("check", "ok") if done else ("info", "text2")
        self._flash = StatusLine(icon, tone, text)
        self._flashing.start()
        self._draw()
        announce(self, text)

    @Slot()
    def _end_flash(self) -> None:
        self._flash = None
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the hints that do not fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        raise NotImplementedError

    def _draw(self) -> None:
        raise NotImplementedError

    def _draw_line(self, line: StatusLine) -> None:
        colour = getattr(self._theme, line.tone)
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(icons.pixmap(line.icon, colour, px(13), ratio, 2.2))
        self._text.setText(line.text)
        self.setAccessibleName(line.tip or line.text)


class StatusBar(StateBar):
    """The bar of the main window, with at most four key hints.

    The button ``more`` takes the place of the text if a click can explain it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setObjectName("statusBar")
        self._hovered = ""
        self._wants_hints = True
        self.more = QPushButton()
        self.more.setProperty("link", True)
        self.more.setProperty("role", "meta")
        self._row.insertWidget(2, self.more)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """The text at the left: about the index, a short message, or the target of a link."""
        return self._text.text()

    @Slot(str)
    def set_hovered(self, target: str) -> None:
        """Show the target of the link below the mouse; an empty ``target`` shows the line again."""
        if target.startswith("section:"):
            line = target.removeprefix("section:")
            target = translate("line {number}", number=line)
        self._hovered = unquote(target.removeprefix("note:"))
        self._draw()

    def set_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show keys and what they do."""
        self._hints.show_hints(hints, self._theme)
        self._fit()

    def set_hints_visible(self, visible: bool) -> None:
        """Show or hide the hints; without enough room they stay hidden."""
        self._wants_hints = visible
        self._fit()

    def _fit(self) -> None:
        line = (self.more if self.line.explains else self._text).sizeHint().width()
        some_fit = self._hints.fit(self.width() - line - px(70))
        self._hints.setVisible(self._wants_hints and some_fit)

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self._theme = theme
        self.setFixedHeight(px(28))
        # The border above takes one pixel. Only a button of odd height is then exactly in the
        # middle, so that its text stands as high as the text of the label.
        self.more.setFixedHeight(px(28) - 1 - 2 * px(2))
        set_margins(self._row, px(14), 0, px(16), 0)
        self._row.setSpacing(px(4))
        self._draw()

    def _draw(self) -> None:
        line = StatusLine("open", "text2", self._hovered) if self._hovered else self.line
        line = self._flash or line
        self._draw_line(line)
        self.more.setText(line.text)
        self._text.setVisible(not line.explains)
        self.more.setVisible(bool(line.explains))
        self.setToolTip(plain_tip(line.tip))
        self._fit()


class ProgressLine(QProgressBar):
    """A thin line that shows which part is done; hidden while nothing is done."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("progressLine")
        self.setAccessibleName(translate("Indexing"))
        self.setTextVisible(False)
        self.hide()

    def set_progress(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` is finished; hide the line if nothing is left."""
        self.setVisible(done < total)
        if total:
            self.setRange(0, total)
            self.setValue(done)
