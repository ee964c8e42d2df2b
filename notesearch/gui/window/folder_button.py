"""The button beside the field: in which folder is searched, and a cross to search in all again."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Theme, px

_WIDEST = 190


class FolderButton(QFrame):
    """Says "All folders", or the chosen one in the accent colour with a cross.

    Signals:
        pressed: The user wants to choose.
        cleared: The cross was clicked.
    """

    pressed = Signal()
    cleared = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folder = ""
        self._button = QToolButton()
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.clicked.connect(self.pressed)
        self._button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._cross = QToolButton()
        self._cross.setToolTip(translate("window", "Search all folders"))
        self._cross.setAccessibleName(translate("window", "Search all folders"))
        self._cross.clicked.connect(self.cleared)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._button)
        row.addWidget(self._cross)
        self.setFocusProxy(self._button)
        self.set_folder("")

    @property
    def text(self) -> str:
        """What it says, as it was before it was cut."""
        return self._folder or every_folder()

    def set_folder(self, folder: str) -> None:
        """Name the ``folder`` that is searched; empty for all of them."""
        self._folder = folder
        self._button.setProperty("chosen", bool(folder))
        self._cross.setVisible(bool(folder))
        told = translate("window", "Searching in: {folder}").format(folder=self.text)
        self._button.setAccessibleName(told)
        self._button.setToolTip(told)
        self.set_theme(self._theme)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours, and the sizes of the font."""
        self._theme = theme
        colour = theme.accent if self._folder else theme.text2
        size = px(15)
        self._button.setIcon(icons.icon("folder", colour, size))
        self._cross.setIcon(icons.icon("clear", theme.text2, px(12)))
        for button, width in ((self._button, size), (self._cross, px(12))):
            button.setIconSize(QSize(width, width))
            button.style().unpolish(button)
            button.style().polish(button)
        shown = self._button.fontMetrics().elidedText(
            self.text, Qt.TextElideMode.ElideMiddle, px(_WIDEST)
        )
        self._button.setText(shown.replace("&", "&&"))


def every_folder() -> str:
    """Return what stands for no folder in particular."""
    return translate("window", "All folders")
