"""The entry of the desktop program: paints the window first, and makes all else after that."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QLocale, QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from notesearch import __version__
from notesearch.config import Paths, Settings
from notesearch.gui import translation
from notesearch.gui.front import Front
from notesearch.gui.system import hooks
from notesearch.gui.system.garbage_collector import GarbageCollector
from notesearch.gui.system.single_instance import APP_ID
from notesearch.gui.widgets import icons
from notesearch.gui.window.main_window import MainWindow

if TYPE_CHECKING:
    from notesearch.gui.app import App
    from notesearch.gui.desktop import Desktop
    from notesearch.gui.system.instance_server import InstanceServer

_PAINT_MS = 1000

_STARTED_MS = 3000
"""After that the rest is made, whatever is still to be answered."""

_MENU_MS = 200


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
    collector = GarbageCollector()
    program = Program(Front(settings, paths), vault, background=background)
    try:
        with hooks.installed(program.report_bug, application.quit):
            QTimer.singleShot(0, program.begin)
            return application.exec()
    finally:
        program.close()
        collector.stop()


class Program(QObject):
    """The window, and the rest of the program as soon as there is time to make it.

    Attributes:
        app: The window with all that belongs to it, once it is painted.
        desktop: Tray, shortcut and quick search, once what was asked at the start is answered.
    """

    def __init__(self, front: Front, vault: Path | None, *, background: bool) -> None:
        super().__init__()
        self._front = front
        self._vault = vault
        self._background = background
        self._server: InstanceServer | None = None
        self.app: App | None = None
        self.desktop: Desktop | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)

    @Slot()
    def begin(self) -> None:
        """Paint the window, make the rest, and open the vault."""
        if not self._background:
            _paint(self._front.window)
        with _ending_unless_done():
            self._make_the_rest()

    def _make_the_rest(self) -> None:
        log_file = self._front.paths.log_file
        hooks.start_log(log_file)  # first: a bug in what follows leaves no window to tell it
        from notesearch.gui.app import App

        self.app = app = App(self._front)
        app.start(self._vault)
        self._server = _listening(self)
        session = app.vaults.session
        if self._background or session is None:
            self._make_desktop()
            return
        # Who has typed a question waits for its answer; the tray and its like, nobody waits for.
        for time in (
            session.start_finished,
            session.main.words.failed,
            app.vaults.opening,
            self._later.timeout,
        ):
            time.connect(self._on_time)
        server = self._server
        for wanted in (
            app.settings_controller.creating,
            app.window.menu.aboutToShow,
            server.connected,
        ):
            wanted.connect(self._make_desktop)
        app.actions.quick_search.triggered.connect(self._on_quick)
        app.window.closing.connect(self._on_closing)
        app.leaving.connect(QApplication.quit)
        self._later.start(_STARTED_MS)

    @Slot()
    def _on_time(self) -> None:
        """Make the rest, but not while a menu is open, which the tray's icon would shut."""
        if QApplication.activePopupWidget() is None:
            self._make_desktop()
        else:
            self._later.start(_MENU_MS)

    @Slot()
    def _make_desktop(self) -> None:
        self._later.stop()
        if self.desktop is not None or self.app is None or self._server is None:
            return
        with _ending_unless_done():
            from notesearch.gui.desktop import Desktop

            self.desktop = Desktop(self.app, self._server, background=self._background)
            self.desktop.begin()

    @Slot()
    def _on_quick(self) -> None:
        if self.desktop is None:
            self._make_desktop()
            assert self.desktop is not None
            assert self.desktop.quick is not None
            self.desktop.quick.toggle()

    @Slot()
    def _on_closing(self) -> None:
        if self.desktop is None:
            self._make_desktop()
            assert self.desktop is not None
            self.desktop.close_window()

    def report_bug(self) -> None:
        """Say that something went wrong that nobody foresaw."""
        if self.app is not None:
            self.app.report_bug()

    def close(self) -> None:
        """Take down what was made, in order; its place is the next start's from here on."""
        if self._server is not None:
            self._server.close()
        if self.desktop is not None:
            self.desktop.close()
        if self.app is not None:
            self.app.close()


def _listening(parent: QObject) -> "InstanceServer":
    from notesearch.gui.system.instance_server import InstanceServer

    server = InstanceServer(parent)
    server.listen()
    return server


@contextlib.contextmanager
def _ending_unless_done() -> Iterator[None]:
    """End the program where what it needs cannot be made."""
    try:
        yield
    except BaseException:
        QApplication.exit(1)
        raise


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
