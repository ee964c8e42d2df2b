"""Notices: a bar across a window for problems or an offer, and the notices that it shows.

``window/index_display.py`` decides which problems with the folder and its index the bar shows.
"""

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
)

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import announce, icon_button, set_margins, text_label
from notesearch.gui.widgets.theme import Theme, px

_REBUILT_MS = 30_000

_LOOKS = {
    "banner": ("warning", "warn"),
    "notice": ("warning", "danger"),
    "offer": ("bulb", "accent"),
}
"""Icon and colour of each kind of bar; the style sheet has its background."""


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
            button.setEnabled(action.isEnabled())
            action.enabledChanged.connect(button.setEnabled)
            button.clicked.connect(action.trigger)
            self.insertWidget(number + self._on_page, button)
            button.show()


class Banner(QFrame):
    """A bar with a message; hidden until ``show_message``. ``kind`` is a key of ``_LOOKS``."""

    def __init__(self, theme: Theme, kind: str = "banner") -> None:
        super().__init__()
        self.setObjectName(kind)
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
        align = Qt.AlignmentFlag
        self._content.setAlignment(self._button_row, align.AlignLeading | align.AlignVCenter)
        self._row.addLayout(self._content, 1)
        self.close_button = icon_button(translate("Close"))
        self.close_button.setAccessibleName(translate("Close this message"))
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
        """Show ``text`` with a button for each of ``actions``; screen readers say a new text."""
        is_new = self.isHidden() or text != self._text.text()
        self._button_row.show_actions(actions)
        self._text.setText(text)
        self.setAccessibleName(text)
        self._place_buttons()
        self.show()
        if is_new:
            announce(self, text)

    def close_message(self) -> bool:
        """Hide the bar; return whether it was shown."""
        was_shown = not self.isHidden()
        self.hide()
        return was_shown

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        name, tone = _LOOKS[self.objectName()]
        colour = getattr(theme, tone)
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(icons.pixmap(name, colour, px(16), ratio))
        icons.set_icon(self.close_button, "clear", theme.text2, px(12))
        set_margins(self._row, px(15), px(7), px(10), px(7))
        for layout in (self._row, self._content, self._button_row):
            layout.setSpacing(px(7))
        self.setMinimumHeight(px(44))
        self._place_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the text for the new width."""
        super().resizeEvent(event)
        self._place_buttons()

    def _place_buttons(self) -> None:
        """Put the buttons beside the text, or below it if this makes the bar less high."""
        gap = px(7)
        buttons = self._button_row.sizeHint()
        margins = self._row.contentsMargins()
        ends = self._icon.sizeHint().width() + self.close_button.sizeHint().width() + 2 * gap
        room = self.width() - margins.left() - margins.right() - ends
        beside = self._text.heightForWidth(max(1, room - buttons.width() - gap))
        below = self._text.heightForWidth(max(1, room)) + gap + buttons.height()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._content.setDirection(down if below < beside else across)


class Cause(Enum):
    """What a notice is about."""

    INDEX = "index"
    REBUILT = "rebuilt"
    WATCHING = "watching"
    SETTINGS = "settings"
    OTHER = "other"


class Notices(QObject):
    """Shows in the bar what went wrong: the newest notice, and below it a problem with the index.

    A notice stays until the user closes it or ``end`` says that its cause has ended. The
    notice that the index is being rebuilt is shown only for a while.
    """

    def __init__(self, banner: Banner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._banner = banner
        # The text for the bar, and the actions that help; the newest last.
        self._open: dict[Cause, tuple[str, Sequence[QAction]]] = {}
        self._told: dict[Cause, str] = {}  # the last text of each cause, closed by the user or not
        self._rebuilt = QTimer(self, singleShot=True, interval=_REBUILT_MS)
        self._rebuilt.timeout.connect(self._hide_rebuilt)

    @property
    def is_shown(self) -> bool:
        """Whether the bar is shown, or will be as soon as the window is shown."""
        return not self._banner.isHidden()

    def shows(self, about: Cause) -> bool:
        """Return whether the bar shows a notice about this cause."""
        return self.is_shown and about in self._open

    def show(self, about: Cause, text: str, actions: Sequence[QAction] = ()) -> None:
        """Show a notice, unless the user has closed the same one before."""
        self._drop_closed()
        if self._told.get(about) == text and about not in self._open:
            return
        self._told[about] = text
        self._open.pop(about, None)
        self._open.pop(Cause.REBUILT, None)
        self._open[about] = text, actions
        self._draw()

    @Slot(str)
    def show_other(self, text: str, actions: Sequence[QAction] = ()) -> None:
        """Show the outcome of a user's action, even if it was the same before."""
        self._told.pop(Cause.OTHER, None)
        self.show(Cause.OTHER, text, actions)

    @Slot(str)
    def show_settings(self, text: str) -> None:
        """Show why the settings cannot be stored, until they can."""
        self._told.pop(Cause.SETTINGS, None)
        self.show(Cause.SETTINGS, text)

    @Slot()
    def settle_settings(self) -> None:
        """Hide the notice about the settings, which are stored now."""
        self.end(Cause.SETTINGS)

    def end(self, *causes: Cause) -> None:
        """Hide the notices about ``causes``, which have ended."""
        self._drop_closed()
        for about in causes:
            self._told.pop(about, None)
            self._open.pop(about, None)
        self._draw()

    @Slot()
    def forget_closed(self) -> None:
        """Show a problem with the index again although the user has closed it."""
        self._told.pop(Cause.INDEX, None)

    def _drop_closed(self) -> None:
        if not self.is_shown:
            self._open.clear()

    @Slot()
    def _hide_rebuilt(self) -> None:
        self._drop_closed()
        self._open.pop(Cause.REBUILT, None)
        self._draw()

    def _draw(self) -> None:
        if not self._open:
            self._rebuilt.stop()
            self._banner.hide()
            return
        about, newest = list(self._open.items())[-1]
        if about is not Cause.REBUILT:
            self._rebuilt.stop()
        elif not self._rebuilt.isActive():
            self._rebuilt.start()
        below = self._open.get(Cause.INDEX, newest)
        notices = [newest] if below is newest else [newest, below]
        texts: list[str] = []
        actions: list[QAction] = []
        for text, useful in notices:
            texts.append(text)
            actions = list(dict.fromkeys([*useful, *actions]))
        self._banner.show_message("\n".join(texts), actions)
