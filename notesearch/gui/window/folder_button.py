"""The button beside the field that names the folder being searched."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Theme, px

_WIDEST = 190


class FolderButton(QFrame):
    """Says "All folders", or names the chosen one in the accent colour beside a cross.

    Attributes:
        button: Offers the folders.
        cross: Chooses all folders again.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folder = ""
        self.button = QToolButton()
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.cross = QToolButton()
        self.cross.setToolTip(translate("window", "Search all folders"))
        self.cross.setAccessibleName(translate("window", "Search all folders"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.button)
        row.addWidget(self.cross)
        self.setFocusProxy(self.button)
        self.set_folder("")

    @property
    def text(self) -> str:
        """The label before it was shortened."""
        return self._folder or all_folders()

    def set_folder(self, folder: str) -> None:
        """Name the ``folder`` that is searched; empty for all folders."""
        self._folder = folder
        self.button.setProperty("chosen", bool(folder))
        self.cross.setVisible(bool(folder))
        text = translate("window", "Searching in: {folder}").format(folder=self.text)
        self.button.setAccessibleName(text)
        self.button.setToolTip(text)
        self.set_theme(self._theme)

    def set_compact(self, compact: bool) -> None:
        """Show only the icon, for a narrow window; the tooltip still names the folder."""
        style = Qt.ToolButtonStyle
        wanted = style.ToolButtonIconOnly if compact else style.ToolButtonTextBesideIcon
        if wanted != self.button.toolButtonStyle():
            self.button.setToolButtonStyle(wanted)

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self._theme = theme
        colour = theme.accent if self._folder else theme.text2
        size = px(15)
        self.button.setIcon(icons.icon("folder", colour, size))
        self.cross.setIcon(icons.icon("clear", theme.text2, px(12)))
        for button, width in ((self.button, size), (self.cross, px(12))):
            button.setIconSize(QSize(width, width))
            button.style().unpolish(button)
            button.style().polish(button)
        shown = self.button.fontMetrics().elidedText(
            self.text, Qt.TextElideMode.ElideMiddle, px(_WIDEST)
        )
        self.button.setText(shown.replace("&", "&&"))


def all_folders() -> str:
    """Return the label for all folders."""
    return translate("window", "All folders")
