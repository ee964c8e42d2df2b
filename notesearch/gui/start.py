"""The entry of the desktop program: paints the window first, and makes all else after that."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QLocale, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from notesearch import __version__
from notesearch.config import Paths, Settings
from notesearch.gui import hooks, icons, translation
from notesearch.gui.collecting import Collector
from notesearch.gui.desktop_entry import APP_ID
from notesearch.gui.front import Front
from notesearch.gui.main_window import MainWindow

if TYPE_CHECKING:
    from notesearch.gui.app import App
    from notesearch.gui.desktop import Desktop

_PAINT_MS = 1000


def make_application() -> QApplication:
    """Return Qt's application, dressed and named as ours."""
    # A Python thread gives way every 0.5 ms instead of 5: typing stays smooth while indexing.
    sys.setswitchinterval(0.0005)
    QGuiApplication.setDesktopFileName(APP_ID)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("notesearch")
    application.setApplicationVersion(__version__)
    application.setWindowIcon(icons.app_icon())
    translation.install(application, QLocale.system())
    if sys.platform != "darwin":
        application.setStyle("Fusion")
    return application


def run(vault: Path | None, settings: Settings, paths: Paths, *, background: bool = False) -> int:
    """Show the window until the program is ended; return the exit status.

    Only the process that ``single_instance`` says is the one may call it.

    Args:
        vault: The notes folder; None asks for one.
        settings: What the user chose.
        paths: Where the program keeps its own files.
        background: Show no window yet.
    """
    application = make_application()
    collector = Collector()
    program = _Program(Front(settings, paths), vault, background=background)
    try:
        with hooks.installed(program.report_bug, application.quit):
            QTimer.singleShot(0, program.begin)
            return application.exec()
    finally:
        program.close()
        collector.stop()


class _Program:
    """The window, and the rest of the program as soon as there is time to make it."""

    def __init__(self, front: Front, vault: Path | None, *, background: bool) -> None:
        self._front = front
        self._vault = vault
        self._background = background
        self._app: App | None = None
        self._desktop: Desktop | None = None

    def begin(self) -> None:
        """Paint the window, make the rest, and open the vault."""
        if not self._background:
            _paint(self._front.window)
        try:
            self._make_the_rest()
        finally:
            if self._desktop is None:
                QApplication.exit(1)

    def _make_the_rest(self) -> None:
        paths = self._front.paths
        hooks.start_log(paths.log_file)  # first: a bug in what follows leaves no window to tell it
        from notesearch.gui.app import App
        from notesearch.gui.desktop import Desktop

        self._app = App(self._front)
        self._app.start(self._vault)
        self._desktop = Desktop(self._app, paths, background=self._background)
        self._desktop.server.listen()
        self._desktop.begin()

    def report_bug(self) -> None:
        """Say that something went wrong that nobody foresaw."""
        if self._app is not None:
            self._app.report_bug()

    def close(self) -> None:
        """Take down what was made, in order."""
        if self._desktop is not None:
            self._desktop.close()
        if self._app is not None:
            self._app.close()


def _paint(window: MainWindow) -> None:
    """Show ``window`` and wait for its first paint; what is typed meanwhile waits for the rest.

    A window that a desktop shows as an icon at once is not painted: nobody waits long for it, as
    later starts ask this one for it.
    """
    waiting = QEventLoop()
    window.painted.connect(waiting.quit)
    QTimer.singleShot(_PAINT_MS, waiting.quit)
    window.show()
    waiting.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
