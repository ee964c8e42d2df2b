"""The tray icon: a click shows or hides quick search, and a menu has all other actions."""

import sys

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from notesearch.gui.system.global_shortcut import ShortcutController, ShortcutState
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.status_bar import StatusLine, opening

_CHECK_MS = 5000
_GONE_MS = 10_000


class Tray(QObject):
    """Shows the icon while the desktop has a tray; checks every ``_CHECK_MS`` whether it has one.

    The timer ``absence`` times out ``_GONE_MS`` after the tray has disappeared.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon: QSystemTrayIcon | None = None
        self.quick_search = QAction(translate("Quick search"), self)
        self.open_window = QAction(translate("Open notesearch"), self)
        self.state = QAction(opening().text, self)
        self.update_index = QAction(translate("Update index now"), self)
        self.pause = QAction(translate("Pause indexing"), self)
        self.pause.setCheckable(True)
        self.settings = QAction(translate("Settings…"), self)
        self.quit = QAction(translate("Quit notesearch"), self)
        self.state.setEnabled(False)
        self.quick_search.setShortcutVisibleInContextMenu(True)
        self.menu = QMenu()
        self.menu.addActions([self.quick_search, self.open_window])
        self.menu.addSeparator()
        self.menu.addActions([self.state, self.update_index, self.pause])
        self.menu.addSeparator()
        self.menu.addActions([self.settings, self.quit])
        self._checks = QTimer(self, timerType=Qt.TimerType.VeryCoarseTimer, interval=_CHECK_MS)
        self._checks.timeout.connect(self.check)
        # A desktop's panel that restarts has no tray for a moment.
        self.absence = QTimer(self, singleShot=True, interval=_GONE_MS)

    @property
    def present(self) -> bool:
        """Whether the icon is in a tray now."""
        return self._icon is not None and QSystemTrayIcon.isSystemTrayAvailable()

    def start(self) -> None:
        """Show the icon, now or as soon as a tray appears."""
        self._checks.start()
        self.check()

    def close(self) -> None:
        """Remove the icon."""
        self._checks.stop()
        self.absence.stop()
        self._drop()

    @Slot()
    def check(self) -> None:
        """Show the icon if there is a tray; remove it if there is none."""
        if QSystemTrayIcon.isSystemTrayAvailable():
            self.absence.stop()
            if self._icon is None:
                self._icon = self._make_icon()
                self._icon.show()
        elif self._icon is not None:
            self._drop()
            self.absence.start()

    @Slot(object)
    def set_line(self, line: StatusLine) -> None:
        """Show ``line`` as the state of the index, in the menu and in the tooltip."""
        self.state.setText(line.text.replace("&", "&&"))
        if self._icon is not None:
            self._icon.setToolTip(f"notesearch – {line.text}")

    @Slot(object)
    def show_shortcut(self, state: ShortcutState) -> None:
        """Show the shortcut in the menu, if Qt can read how the desktop spells it."""
        named = QKeySequence.fromString(state.keys, QKeySequence.SequenceFormat.NativeText)
        self.quick_search.setShortcut(named if named.toString() else QKeySequence())

    def show_message(self, text: str) -> None:
        """Show a notification with ``text`` if there is a tray icon."""
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

    @Slot(QSystemTrayIcon.ActivationReason)
    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        """Handle a click on the icon; on macOS the menu opens at every click."""
        if sys.platform == "darwin":
            return
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.quick_search.trigger()
        elif reason == QSystemTrayIcon.ActivationReason.MiddleClick:
            self.open_window.trigger()


def _glyph() -> QIcon:
    """Return the icon: a mask on macOS, otherwise from the icon theme."""
    if sys.platform == "darwin":
        mask = icons.icon("search", "#000000", 18)
        mask.setIsMask(True)
        return mask
    return QIcon.fromTheme("notesearch-symbolic", icons.app_icon())


def can_stay(tray: Tray, shortcut: ShortcutController) -> bool:
    """Return whether the user can reach the program without its window: by tray or shortcut."""
    return tray.present or shortcut.is_active
