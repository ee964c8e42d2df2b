"""The icon in the tray, where the desktop has one: a click is quick search, the rest a menu."""

import sys

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.window.status_bar import StatusLine, opening

_LOOK_MS = 5000
_GONE_MS = 10_000


class Tray(QObject):
    """Comes and goes with the tray of the desktop, which nobody announces: it is looked for.

    Signals:
        clicked: Quick search is wanted, or wanted no more.
        window_wanted: The main window is to be shown.
        gone: The tray went, and did not come back.
    """

    clicked = Signal()
    window_wanted = Signal()
    gone = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon: QSystemTrayIcon | None = None
        self.quick_search = QAction(translate("window", "Quick search"), self)
        self.open_window = QAction(translate("window", "Open notesearch"), self)
        self.state = QAction(opening().text, self)
        self.update_index = QAction(translate("window", "Update index now"), self)
        self.pause = QAction(translate("window", "Pause indexing"), self)
        self.pause.setCheckable(True)
        self.settings = QAction(translate("window", "Settings…"), self)
        self.quit = QAction(translate("window", "Quit notesearch"), self)
        self.state.setEnabled(False)
        self.quick_search.setShortcutVisibleInContextMenu(True)
        self.quick_search.triggered.connect(self.clicked)
        self.open_window.triggered.connect(self.window_wanted)
        self.menu = QMenu()
        self.menu.addActions([self.quick_search, self.open_window])
        self.menu.addSeparator()
        self.menu.addActions([self.state, self.update_index, self.pause])
        self.menu.addSeparator()
        self.menu.addActions([self.settings, self.quit])
        self._look = QTimer(self)
        self._look.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self.look)
        self._missing = QTimer(self)  # a panel that is started again is away for a moment
        self._missing.setSingleShot(True)
        self._missing.setInterval(_GONE_MS)
        self._missing.timeout.connect(self._on_missing)

    @property
    def present(self) -> bool:
        """The icon is in a tray, now."""
        return self._icon is not None and QSystemTrayIcon.isSystemTrayAvailable()

    def start(self) -> None:
        """Show the icon as soon as there is a tray."""
        self._look.start()
        self.look()

    def close(self) -> None:
        """Take the icon away."""
        self._look.stop()
        self._missing.stop()
        self._drop()

    @Slot()
    def look(self) -> None:
        """Show the icon, or put it away, as the desktop has a tray or none."""
        available = QSystemTrayIcon.isSystemTrayAvailable()
        if available:
            self._missing.stop()
        if available and self._icon is None:
            self._icon = self._make_icon()
            self._icon.show()
        elif not available and self._icon is not None:
            self._drop()
            self._missing.start()

    @Slot(object)
    def set_line(self, line: StatusLine) -> None:
        """Say how the index is."""
        self.state.setText(line.text.replace("&", "&&"))
        if self._icon is not None:
            self._icon.setToolTip(f"notesearch – {line.text}")

    def set_keys(self, keys: str) -> None:
        """Say which keys open quick search from anywhere, as the desktop names them.

        Only those that Qt knows by that name are shown. They are no keys of a window's.
        """
        named = QKeySequence.fromString(keys, QKeySequence.SequenceFormat.NativeText)
        known = bool(named.toString())
        self.quick_search.setShortcut(named if known else QKeySequence())

    def tell(self, text: str) -> None:
        """Show ``text`` beside the icon for a while."""
        if self._icon is not None:
            self._icon.showMessage("notesearch", text, icons.app_icon())

    def _make_icon(self) -> QSystemTrayIcon:
        icon = QSystemTrayIcon(_glyph(), self)
        icon.setContextMenu(self.menu)
        icon.setToolTip(f"notesearch – {self.state.text().replace('&&', '&')}")
        icon.activated.connect(self._on_activated)
        return icon

    def _drop(self) -> None:
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    @Slot()
    def _on_missing(self) -> None:
        self.gone.emit()

    @Slot(QSystemTrayIcon.ActivationReason)
    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        """Open quick search by a click; on macOS every click opens the menu."""
        if sys.platform == "darwin":
            return
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.clicked.emit()
        elif reason == QSystemTrayIcon.ActivationReason.MiddleClick:
            self.window_wanted.emit()


def _glyph() -> QIcon:
    """Return the icon as the desktop draws such things: a mask on macOS, else in its theme."""
    if sys.platform == "darwin":
        mask = icons.icon("search", "#000000", 18)
        mask.setIsMask(True)
        return mask
    return QIcon.fromTheme("notesearch-symbolic", icons.app_icon())
