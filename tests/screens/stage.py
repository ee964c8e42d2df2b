"""The real program on a stage: opened on a folder, used by keys, and photographed."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer, SignalInstance
from PySide6.QtGui import QKeySequence, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from notesearch.config import Paths, Settings, resources
from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.front import Front

_LIMIT_MS = 60_000
_SETTLE_MS = 600
_LOOK_MS = 20


class Stage:
    """One program with folders of its own.

    Args:
        folder: For its notes, index and settings; what is embedded in it stays for the next one.
        theme: ``light`` or ``dark``.
    """

    def __init__(self, folder: Path, theme: str) -> None:
        self.folder, self.theme = folder, theme
        self.app: App
        self.desktop: Desktop

    def notes(self) -> Path:
        """Return a copy of the sample notes that may be damaged."""
        vault = self.empty_folder()
        shutil.copytree(resources() / "sample-vault", vault, dirs_exist_ok=True)
        return vault

    def empty_folder(self, name: str = "Notes") -> Path:
        """Return a folder without any notes."""
        vault = self.folder / name
        shutil.rmtree(vault, ignore_errors=True)
        vault.mkdir()
        return vault

    def start(self, vault: Path | None, settings: Settings | None = None) -> None:
        """Start the program; wait until its index is up to date."""
        self.begin(vault, settings)
        if vault is not None:
            self.wait_for(self.app.vaults.idle)
        self.settle()

    def begin(self, vault: Path | None, settings: Settings | None = None) -> None:
        """Start the program without waiting."""
        os.environ["NOTESEARCH_HOME"] = str(self.folder / "home")
        paths = Paths.choose()
        for kept in paths.data.glob("*.json"):  # sizes, former queries: not those of another state
            kept.unlink()
        chosen = replace(settings or Settings(), theme=self.theme)
        chosen.save(paths)
        self.app = App(Front(chosen, paths))
        self.desktop = Desktop(self.app, paths)
        self.app.window.resize(self.app.window.sizeHint())
        self.app.window.show()
        self.app.window.activateWindow()
        self.app.start(vault)
        self.desktop.begin()

    def end(self) -> None:
        """End the program."""
        self.desktop.close()
        self.app.close()
        self.app.window.hide()

    def search(self, text: str) -> None:
        """Type ``text`` over what is in the field; wait for all of the answer."""
        self.app.window.field.clear()
        loop = _Waiting(self.app.search.settled)
        QTest.keyClicks(_focus(), text)
        loop.run()
        app = self.app
        self.until(lambda: app.preview.text is not None or not app.window.shows_results)
        self.settle()

    def press(self, *keys: str) -> None:
        """Press keys, such as ``Ctrl+K``, where the keyboard is."""
        for key in keys:
            pressed = QKeySequence(key)[0]  # type: ignore[index]  # missing in the stubs
            QTest.keyClick(_focus(), pressed.key(), pressed.keyboardModifiers())
            self.settle()

    def type(self, text: str) -> None:
        """Type where the keyboard is."""
        QTest.keyClicks(_focus(), text)
        self.settle()

    def hold_alt(self) -> None:
        """Press Alt and keep it down."""
        QTest.keyPress(_focus(), Qt.Key.Key_Alt)
        self.settle(1000)

    def settle(self, milliseconds: int = _SETTLE_MS) -> None:
        """Let the program do what it is about to."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def wait_for(self, signal: SignalInstance) -> None:
        """Wait for ``signal``."""
        _Waiting(signal).run()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        for _ in range(_LIMIT_MS // _LOOK_MS):
            if holds():
                return
            self.settle(_LOOK_MS)

    def picture(self, window: QWidget | None = None) -> QPixmap:
        """Return ``window`` as it looks, else the main window, with an open menu over it."""
        shown = window or self.app.window
        picture = shown.grab()
        for menu in QApplication.topLevelWidgets():
            if isinstance(menu, QMenu) and menu.isVisible():
                _put_over(picture, shown, menu)
        return picture


def _focus() -> QWidget:
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


class _Waiting:
    """Waits for a signal that may come before it is waited for."""

    def __init__(self, signal: SignalInstance) -> None:
        self._came = False
        self._loop = QEventLoop()
        signal.connect(self._on_signal)

    def _on_signal(self, *_: object) -> None:
        self._came = True
        self._loop.quit()

    def run(self) -> None:
        if not self._came:
            QTimer.singleShot(_LIMIT_MS, self._loop.quit)
            self._loop.exec()


def _put_over(picture: QPixmap, window: QWidget, menu: QWidget) -> None:
    painter = QPainter(picture)
    painter.drawPixmap(menu.mapToGlobal(QPoint()) - window.mapToGlobal(QPoint()), menu.grab())
    painter.end()
