"""A bar for a problem that does not stop the user, with the actions that help."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Theme, px


class Banner(QFrame):
    """Hidden until ``show_message``; red if ``danger``, otherwise amber."""

    def __init__(
        self, theme: Theme, *, danger: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("notice" if danger else "banner")
        self._danger = danger
        self._icon = QLabel()
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._icon)
        self._row.addWidget(self._text, 1)
        self.set_theme(theme)
        self.hide()

    @property
    def text(self) -> str:
        """The message."""
        return self._text.text()

    @property
    def buttons(self) -> list[str]:
        """The labels of the buttons."""
        return [button.text() for button in self._buttons]

    def show_message(self, text: str, actions: Sequence[QAction] = ()) -> None:
        """Show ``text`` with a button for each of ``actions``."""
        for button in self._buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [QPushButton(action.text(), self) for action in actions]
        for button, action in zip(self._buttons, actions, strict=True):
            button.clicked.connect(action.trigger)
            self._row.addWidget(button)
            button.show()
        self._text.setText(text)
        self.setAccessibleName(text)
        self.show()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours and the font's sizes."""
        colour = theme.danger if self._danger else theme.warn
        self._icon.setPixmap(icons.pixmap("warning", colour, px(16), self.devicePixelRatioF()))
        self._row.setContentsMargins(px(15), px(7), px(10), px(7))
        self._row.setSpacing(px(7))
        self.setMinimumHeight(px(44))
