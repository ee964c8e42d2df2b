"""Bars across a window: a message with buttons for actions that help, and indexing progress.

The page with a message uses the same row of buttons.
"""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.labels import text_label
from notesearch.gui.widgets.theme import Theme, px

_WIDE = 520
"""The minimum width, in pixels before scaling, at which the buttons are beside the text."""


class ActionRow(QHBoxLayout):
    """A row of buttons for actions. On a page, it is centred, and the first button is primary."""

    def __init__(self, *, on_page: bool = False) -> None:
        super().__init__()
        self._on_page = on_page
        self._shown: list[tuple[QAction, str]] = []
        self.buttons: list[QPushButton] = []
        if on_page:
            self.addStretch(1)
            self.addStretch(1)

    def show_actions(self, actions: Sequence[QAction]) -> None:
        """Show buttons for ``actions``. Keep those already shown: the user may be clicking one."""
        wanted = [(action, action.text()) for action in actions]
        if wanted == self._shown:
            return
        self._shown = wanted
        for button in self.buttons:
            self.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [QPushButton(text, self.parentWidget()) for _, text in wanted]
        for number, (button, action) in enumerate(zip(self.buttons, actions, strict=True)):
            button.setProperty("primary", self._on_page and number == 0)
            button.setAutoDefault(self._on_page)
            button.clicked.connect(action.trigger)
            self.insertWidget(number + self._on_page, button)
            button.show()


class Banner(QFrame):
    """A bar with a message, red if ``danger``, else amber; hidden until ``show_message``."""

    def __init__(self, theme: Theme, *, danger: bool = False) -> None:
        super().__init__()
        self.setObjectName("notice" if danger else "banner")
        self._danger = danger
        self._icon = QLabel()
        self._text = text_label()
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._icon)
        self._content = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._content.addWidget(self._text, 1)
        self._button_row = ActionRow()
        self._content.addLayout(self._button_row)
        self._row.addLayout(self._content, 1)
        self.close_button = QToolButton()
        self.close_button.setToolTip(translate("window", "Close"))
        self.close_button.setAccessibleName(translate("window", "Close this message"))
        self.close_button.clicked.connect(self.hide)
        self._row.addWidget(self.close_button)
        self.set_theme(theme)
        self.hide()

    @property
    def text(self) -> str:
        """The message."""
        return self._text.text()

    @property
    def buttons(self) -> list[str]:
        """The labels of the buttons."""
        return [button.text() for button in self._button_row.buttons]

    def show_message(self, text: str, actions: Sequence[QAction] = ()) -> None:
        """Show ``text`` with a button for each of ``actions``."""
        self._button_row.show_actions(actions)
        self._text.setText(text)
        self.setAccessibleName(text)
        self.show()

    def close_message(self) -> bool:
        """Hide the bar; return whether it was shown."""
        was_shown = not self.isHidden()
        self.hide()
        return was_shown

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        colour = theme.danger if self._danger else theme.warn
        self._icon.setPixmap(icons.pixmap("warning", colour, px(16), self.devicePixelRatioF()))
        icons.set_icon(self.close_button, "clear", theme.text2, px(12))
        self._row.setContentsMargins(px(15), px(7), px(10), px(7))
        for layout in (self._row, self._content, self._button_row):
            layout.setSpacing(px(7))
        self.setMinimumHeight(px(44))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below the text in a narrow window."""
        super().resizeEvent(event)
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._content.setDirection(beside if self.width() >= px(_WIDE) else below)


class ProgressLine(QWidget):
    """A thin line that shows progress; hidden while there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._share = 0.0
        self.setAccessibleName(translate("window", "Indexing"))
        self.set_theme(theme)
        self.hide()

    @property
    def share(self) -> float:
        """The finished share, from 0 to 1."""
        return self._share

    def set_progress(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` is finished; hide the line if nothing is left."""
        self._share = done / total if total else 0.0
        self.setVisible(total > 0 and done < total)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self.setFixedHeight(px(4))
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint the finished part in the accent colour."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.border))
            done = QRectF(0, 0, self.width() * self._share, self.height())
            painter.fillRect(done, QColor(self._theme.accent))
