"""The real program on a stage: opened on a folder, used by keys, and photographed."""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer, SignalInstance
from PySide6.QtGui import QKeySequence, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QWidget

from notesearch.config import Paths, Settings, resources
from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.window.main_window import FirstPaint

_LIMIT_MS = 60_000
_SETTLE_MS = 600
_LOOK_MS = 20
_DAY_S = 86_400


Pictures = dict[str, QPixmap]
"""One for each theme, ``light`` or ``dark``, by its name."""


class Stage:
    """One program with folders of its own.

    Args:
        folder: For its notes, index and settings; its vectors stay for the next stage.
        themes: The themes to photograph; the program starts in the first.
    """

    def __init__(self, folder: Path, themes: Sequence[str]) -> None:
        self.folder, self.themes = folder, tuple(themes)
        self.app: App
        self.desktop: Desktop

    def notes(self) -> Path:
        """Return a copy of the sample notes, with dates of today and of former years, to damage."""
        vault = self.empty_folder()
        shutil.copytree(resources() / "sample-vault", vault, dirs_exist_ok=True)
        for place, note in enumerate(sorted(vault.rglob("*.md"), key=lambda note: note.name)):
            changed = time.time() - place**2 * _DAY_S
            os.utime(note, (changed, changed))
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
            self.wait_for(self.app.vault.idle)
        self.settle()

    @property
    def paths(self) -> Paths:
        """Where the program keeps its files."""
        os.environ["NOTESEARCH_HOME"] = str(self.folder / "home")
        return Paths.choose()

    def forget_indexes(self) -> None:
        """Delete all indexes, so that every folder is new."""
        shutil.rmtree(self.paths.data, ignore_errors=True)

    def prepare(self, settings: Settings | None = None) -> Settings:
        """Write the settings; forget sizes, queries and opened sections of the previous state."""
        with contextlib.suppress(OSError):  # on a disk that nothing is written to
            for folder in (self.paths.data, self.paths.recents):
                for kept in folder.glob("*.json"):
                    kept.unlink()
        chosen = replace(settings or Settings(), theme=self.themes[0])
        chosen.save(self.paths)
        return chosen

    def begin(self, vault: Path | None, settings: Settings | None = None) -> None:
        """Start the program without waiting."""
        chosen = replace(settings or Settings(), vault=str(vault or ""))
        chosen = self.prepare(chosen)
        self.app = App(FirstPaint(chosen, self.paths))
        room = self.app.window.screen().availableSize()
        self.app.window.resize(self.app.window.sizeHint().boundedTo(room))
        self.app.window.show()
        self.app.window.activateWindow()
        self.app.start(vault)
        self.desktop = Desktop(self.app)

    def end(self) -> None:
        """End the program."""
        self.desktop.close()
        self.app.close()
        self.app.window.hide()

    def search(self, text: str) -> None:
        """Replace the text in the field with ``text``, and wait for the final answer."""
        self.app.window.field.clear()
        loop = _Waiting(self.app.pane.search.settled)
        if text.isascii():
            QTest.keyClicks(_focus(), text)
        else:  # no key of Qt's has such letters
            self.app.window.field.set_text(text)
        loop.run()
        app = self.app
        self.until(lambda: app.pane.preview.content is not None or not app.window.shows_results)
        self.settle()

    def press(self, *keys: str) -> None:
        """Press keys, such as ``Ctrl+K``, in the focused widget."""
        for key in keys:
            pressed = QKeySequence(key)[0]  # type: ignore[index]  # missing in the stubs
            QTest.keyClick(_focus(), pressed.key(), pressed.keyboardModifiers())
            self.settle()

    def type(self, text: str) -> None:
        """Type into the focused widget."""
        QTest.keyClicks(_focus(), text)
        self.settle()

    def keyboard(self) -> QWidget:
        """Return the focused widget."""
        return _focus()

    def hold_alt(self) -> None:
        """Press Alt and keep it down."""
        QTest.keyPress(_focus(), Qt.Key.Key_Alt)
        self.settle(1000)

    def boxes(self) -> list[QCheckBox]:
        """Return the boxes to tick in the main window."""
        return self.app.window.findChildren(QCheckBox)

    def tray_menu(self) -> Pictures:
        """Open the menu of the icon in the tray, and return how it looks."""
        menu = self.desktop.tray.menu
        menu.popup(QPoint(200, 200))
        menu.setActiveAction(menu.actions()[0])
        self.settle()
        return self._in_each_theme(menu.grab)

    def settle(self, milliseconds: int = _SETTLE_MS) -> None:
        """Let the program finish pending work."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def wait_for(self, signal: SignalInstance) -> None:
        """Wait for ``signal``."""
        _Waiting(signal).run()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until ``holds()``."""
        for _ in range(_LIMIT_MS // _LOOK_MS):
            if holds():
                return
            self.settle(_LOOK_MS)

    def picture(self, window: QWidget | None = None) -> Pictures:
        """Return ``window`` as it looks, else the main window, with open menus and lists."""
        return self._in_each_theme(lambda: _with_menus(window or self.app.window))

    def _in_each_theme(self, grabbed: Callable[[], QPixmap]) -> Pictures:
        pictures = Pictures()
        for theme in self.themes:
            if theme != self.app.settings.theme:
                self.app.preferences.change(theme=theme)
                self.settle()
            pictures[theme] = grabbed()
        return pictures


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


def _with_menus(window: QWidget) -> QPixmap:
    picture = window.grab()
    for popup in QApplication.topLevelWidgets():
        if popup.windowType() == Qt.WindowType.Popup and popup.isVisible():
            _put_over(picture, window, popup)
    return picture


def _put_over(picture: QPixmap, window: QWidget, menu: QWidget) -> None:
    painter = QPainter(picture)
    painter.drawPixmap(menu.mapToGlobal(QPoint()) - window.mapToGlobal(QPoint()), menu.grab())
    painter.end()
