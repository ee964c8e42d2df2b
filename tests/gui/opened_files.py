"""Records the files and links that the program opens, in place of the desktop."""

from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtWidgets import QApplication


class OpenedFiles(QObject):
    """Opens files in place of the desktop, and lists them.

    Attributes:
        files: The names of the opened files.
        visible: Whether quick search was visible, for each of them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.files: list[str] = []
        self.visible: list[bool] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.files.append(Path(url.toLocalFile()).name)
        windows = QApplication.topLevelWidgets()
        self.visible.append(any(w.objectName() == "quick" and w.isVisible() for w in windows))


class OpenedLinks(QObject):
    """Opens links in place of the desktop, and lists them."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.urls.append(bytes(url.toEncoded().data()).decode())
