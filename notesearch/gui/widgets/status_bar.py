"""The bar below a window: the state of the index, messages such as “Copied”, and useful keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from PySide6.QtCore import QEvent, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

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


_MARGIN = 15
_GAP = 4
FLASH_MS = 2500
"""How long a short message is shown."""


def no_folder() -> StatusLine:
    """Return the line to show before a folder is chosen."""
    return StatusLine("folder", "text2", translate("No notes folder yet"))


def opening() -> StatusLine:
    """Return the line to show until the index is open."""
    return StatusLine("clock", "text2", translate("Opening your notes…"))


class StatusBar(QFrame):
    """Shows the state of the index and some key hints.

    A short message replaces the state for ``FLASH_MS``, the target of a link while the mouse is
    over it. The button ``more`` takes the place of the text if a click can explain it.

    In quick search, ``summary`` replaces the state while it is shown, except a warning.
    """

    def __init__(self, theme: Theme, summary: QWidget | None = None) -> None:
        super().__init__()
        self.setObjectName("quickFoot" if summary else "statusBar")
        self._theme = theme
        self._summary = summary
        self._shows_summary = False
        self._wants_hints = True
        self.line = opening()
        self._flash: StatusLine | None = None
        self._flashing = QTimer(self, singleShot=True, interval=FLASH_MS)
        self._flashing.timeout.connect(self._end_flash)
        self._hovered = ""
        self._icon = QLabel()
        self._text = ElidedLabel(role="meta", tone="text2")
        self.more = QPushButton()
        self.more.setProperty("link", True)
        self.more.setProperty("role", "meta")
        self._hints = KeyHints()
        self._row = QHBoxLayout(self)
        for part in filter(None, (summary, self._icon, self._text, self.more)):
            self._row.addWidget(part)
        self._row.addStretch(1)
        self._row.addWidget(self._hints)

    @property
    def text(self) -> str:
        """The text at the left: about the index, a short message, or the target of a link.

        It is empty while the summary takes its place.
        """
        return "" if self._is_covered else self._text.text()

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

    @Slot(str)
    def set_hovered(self, target: str) -> None:
        """Show the target of the link below the mouse; an empty ``target`` shows the line again."""
        scheme, _, rest = target.partition(":")
        if scheme == "section":
            self._hovered = translate("line {number}", number=rest)
        else:
            self._hovered = unquote(target.removeprefix("note:"))
        self._draw()

    def show_summary(self, shown: bool) -> None:
        """Show the summary in place of the state, or the state."""
        self._shows_summary = shown
        self._draw()

    def set_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show keys and what they do, as many as there is room for."""
        self._hints.show_hints(hints, self._theme)
        self._fit()

    def set_hints_visible(self, visible: bool) -> None:
        """Show or hide the hints; without enough room they stay hidden."""
        self._wants_hints = visible
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self._theme = theme
        height = px(32 if self._summary else 28)
        self.setFixedHeight(height)
        # The border above takes one pixel. Only a button of odd height is then exactly in the
        # middle, so that its text stands as high as the text of the label.
        self.more.setFixedHeight(height - 1 - 2 * px(2))
        set_margins(self._row, px(_MARGIN), 0, px(_MARGIN), 0)
        self._row.setSpacing(px(_GAP))
        self._hints.set_theme(theme)
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the hints that do not fit."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Fit the hints again when another part of the bar wants more room or less."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    @Slot()
    def _end_flash(self) -> None:
        self._flash = None
        self._draw()

    def _fit(self) -> None:
        parts = (self._summary, self._icon, self._text, self.more)
        shown = [part for part in parts if part and not part.isHidden()]
        needed = sum(part.sizeHint().width() + px(_GAP) for part in shown) + 2 * px(_MARGIN)
        self._hints.setVisible(self._hints.fit(self.width() - needed) and self._wants_hints)

    @property
    def _shown(self) -> StatusLine:
        if self._flash or not self._hovered:
            return self._flash or self.line
        return StatusLine("open", "text2", self._hovered)

    @property
    def _is_covered(self) -> bool:
        """Whether the summary takes the place of the state."""
        return self._shows_summary and not self._flash and self.line.tone != "warn"

    def _draw(self) -> None:
        line = self._shown
        is_button = bool(line.explains) and self._summary is None
        colour = getattr(self._theme, line.tone)
        self._icon.setPixmap(icons.pixmap(line.icon, colour, px(13), self.devicePixelRatioF(), 2.2))
        self._text.setText(line.text)
        self.more.setText(line.text)
        if self._summary:
            self._summary.setVisible(self._shows_summary)
        self._icon.setVisible(not self._is_covered)
        self._text.setVisible(not self._is_covered and not is_button)
        self.more.setVisible(is_button)
        self.setAccessibleName(line.tip or line.text)
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
