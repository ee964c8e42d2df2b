"""The program's place on the desktop: which window is shown when, and when the program ends."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication

from notesearch.gui.instance_server import InstanceServer, token_left

if TYPE_CHECKING:
    from notesearch.gui.app import App


class Desktop(QObject):
    """Shows and hides the windows as the user, or a later start of the program, asks for them.

    Args:
        app: The program; it ends after this object.
        background: It was started without a window, and stays when the window is closed.
    """

    def __init__(
        self, app: "App", *, background: bool = False, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._app = app
        self._background = background
        self.server = InstanceServer(self)
        self.server.requested.connect(self._on_requested)
        QApplication.setQuitOnLastWindowClosed(False)
        app.window.closing.connect(self._on_closing)
        app.leaving.connect(QApplication.quit)

    def begin(self) -> None:
        """Answer those who ask from now on."""
        self.server.answer()

    def close(self) -> None:
        """Leave the place to the next start of the program."""
        self.server.close()

    @Slot()
    def show_window(self) -> None:
        """Bring the main window to the front, whatever it was."""
        window = self._app.window
        if window.isMinimized():
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    @Slot(str, str, str)
    def _on_requested(self, command: str, query: str, token: str) -> None:
        with token_left(token):
            self._app.look_at_settings()
            self.show_window()

    @Slot()
    def _on_closing(self) -> None:
        if not self._background:
            QApplication.quit()
