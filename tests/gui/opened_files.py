"""Records the files and links that the program opens, in place of the desktop."""

from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtWidgets import QApplication


class Opened(QObject):
    """Stands in for the desktop when a file is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[str] = []
        self.visible: list[bool] = []
        self.window: object = None

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.files.append(Path(url.toLocalFile()).name)
        windows = QApplication.topLevelWidgets()
        self.visible.append(any(w.objectName() == "quick" and w.isVisible() for w in windows))


class Links(QObject):
    """Receives the links instead of the desktop."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.urls.append(bytes(url.toEncoded().data()).decode())
