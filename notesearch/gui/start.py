"""Starts the windows: paints the main one first, then creates the rest; or saves a screenshot."""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEventLoop,
    QLocale,
    QObject,
    QSettings,
    QTimer,
    Signal,
    SignalInstance,
    Slot,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from notesearch import __version__
from notesearch.config import Paths, Settings
from notesearch.gui import translation
from notesearch.gui.system import hooks
from notesearch.gui.system.hooks import GarbageCollector
from notesearch.gui.system.single_instance import APP_ID, InstanceLock
from notesearch.gui.widgets import icons
from notesearch.gui.window.appearance import WidgetStyle
from notesearch.gui.window.main_window import FirstPaint, MainWindow
from notesearch.processes import END_S, ended_after

if TYPE_CHECKING:
    from notesearch.gui.app import App
    from notesearch.gui.desktop import Desktop


_PAINT_MS = 1000

_PICTURE_MS = 120_000
"""A picture of the window waits at most this long for each answer that it shows."""
_PREVIEW_S = 30.0
"""After this time, the preview is drawn even if it is not complete."""
_RETRY_MS = 3_000


def make_application() -> QApplication:
    """Return a new QApplication with the name, icon, language and style of this program."""
    # Switch threads every 0.5 ms instead of 5, so that typing is smooth while notes are indexed.
    sys.setswitchinterval(0.0005)
    # Qt's own file dialog would keep the folders that were visited in a file that others can read.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, os.devnull)
    QGuiApplication.setDesktopFileName(APP_ID)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("notesearch")
    application.setApplicationVersion(__version__)
    application.setWindowIcon(icons.app_icon())
    translation.install(application, QLocale.system())
    if sys.platform != "darwin":
        application.setStyle(WidgetStyle())
    return application


def run(
    vault: Path | None,
    settings: Settings,
    paths: Paths,
    lock: InstanceLock,
    *,
    background: bool = False,
) -> int:
    """Run the program until the user quits; return the exit status.

    Without ``vault``, the user is asked for a folder. Only the process that holds ``lock`` may call
    this.
    """
    application = make_application()
    collector = GarbageCollector()
    program = Program(FirstPaint(settings, paths), vault, background=background)
    try:
        with hooks.installed(program.report_bug, application.quit):
            QTimer.singleShot(0, program.begin)
            return application.exec()
    finally:
        with ended_after(END_S, lock.release):
            program.close()
        collector.stop()


class Program(QObject):
    """Creates the parts of the program after the first paint, and closes them.

    Attributes:
        app: The main window and its parts; None before the first paint.
        desktop: Tray, shortcut and quick search; None before the first paint.
    """

    _bug_met = Signal()  # in another thread

    def __init__(self, first: FirstPaint, vault: Path | None, *, background: bool) -> None:
        super().__init__()
        self._first = first
        self._vault = vault
        self._background = background
        self.app: App | None = None
        self.desktop: Desktop | None = None
        self._bug_met.connect(self._show_bug)

    @Slot()
    def begin(self) -> None:
        """Paint the window, create the other parts, and open the vault."""
        if not self._background:
            _paint(self._first.window)
        try:
            self._create_parts()
        except BaseException:
            QApplication.exit(1)
            raise

    def _create_parts(self) -> None:
        log_file = self._first.paths.log_file
        hooks.start_log(log_file)  # first, because after a bug below no window could report it
        from notesearch.gui.app import App

        self.app = app = App(self._first)
        app.leaving.connect(QApplication.quit)
        app.start(self._vault)  # a thread opens the index while the rest is created
        from notesearch.gui.desktop import Desktop

        self.desktop = Desktop(app, background=self._background)
        self.desktop.server.listen()

    def report_bug(self) -> None:
        """Tell the user about an unexpected error. Any thread may call this."""
        if self.thread().isCurrentThread():
            self._show_bug()  # not by a signal: an error in there must not lead here again
        else:
            self._bug_met.emit()

    @Slot()
    def _show_bug(self) -> None:
        if self.desktop is not None:
            self.desktop.report_bug()
        elif self.app is not None:
            self.app.report_bug()

    def close(self) -> None:
        """Close all parts in order, the socket first, so that another start can use it.

        Settings are written before threads end, because a thread may fail to end in time.
        """
        if self.desktop is not None:
            self.desktop.server.close()
        self._first.preferences.close()
        if self.desktop is not None:
            self.desktop.close()
        if self.app is not None:
            self.app.close()


def _paint(window: MainWindow) -> None:
    """Show ``window`` and wait for its first paint; typed keys are handled later."""
    window.show()
    _wait_for(window.painted, _PAINT_MS, QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)


def save_screenshot(
    vault: Path, settings: Settings, paths: Paths, target: Path, query: str
) -> None:
    """Save a picture of the window on ``vault`` with the results of ``query``."""
    from notesearch.gui.app import App

    application = make_application()
    application.setCursorFlashTime(0)
    base = application.font()
    base.setPointSizeF(10)
    application.setFont(base)
    app = App(FirstPaint(settings, paths))
    app.window.resize(app.window.sizeHint())
    app.window.show()
    app.start(vault)
    try:
        _wait_for(app.vault.idle)
        app.window.field.set_text(query)
        _wait_for(app.pane.search.settled)
        if app.window.results.view.section:
            _wait_for_preview(app)
        application.processEvents()  # lays a message out, too
        app.window.grab().save(str(target))
    finally:
        app.close()


def _wait_for(
    signal: SignalInstance,
    at_most_ms: int = _PICTURE_MS,
    events: QEventLoop.ProcessEventsFlag = QEventLoop.ProcessEventsFlag.AllEvents,
) -> None:
    """Run the event loop, for these ``events``, until ``signal`` or for ``at_most_ms``."""
    loop = QEventLoop()
    signal.connect(loop.quit)
    QTimer.singleShot(at_most_ms, loop.quit)
    loop.exec(events)


def _wait_for_preview(app: "App") -> None:
    """Wait until the preview shows all of the selected section, or at most ``_PREVIEW_S``."""
    preview = app.pane.preview
    view = app.window.results.view
    retry = QTimer(interval=_RETRY_MS)
    until = time.monotonic() + _PREVIEW_S
    retry.timeout.connect(preview.reload)
    retry.start()
    while time.monotonic() < until:
        if view.section and preview.shows(view.section) and preview.is_complete:
            break
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
