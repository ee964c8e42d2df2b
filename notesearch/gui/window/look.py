"""What the program wears: the theme and the size of the text, as settings and desktop have them."""

import time
from weakref import WeakSet

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.widgets import high_contrast
from notesearch.gui.widgets.theme import Theme, choose_theme, dressed, palette, scaled
from notesearch.gui.window.stylesheet import stylesheet

_SETTINGS = {"theme", "text_size", "density", "snippets", "related_tag", "preview_font"}
_PAUSE_MS = 50


class Look(QObject):
    """Dresses the application, at once and whenever settings or desktop want it otherwise.

    Signals:
        changed: Windows are to wear another ``Theme``, or text has another size.
    """

    changed = Signal(object)

    def __init__(self, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._font = QApplication.font()
        self._windows: WeakSet[QWidget] = WeakSet()
        self._sheet = ""
        self._renewed_at = 0.0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PAUSE_MS)
        self._soon.timeout.connect(self.renew)
        self._theme = self._put_on()
        preferences.changed.connect(self._on_settings_changed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.renew)
        high_contrast.follow(self.renew)

    @property
    def theme(self) -> Theme:
        """What the windows wear."""
        return self._theme

    def dress(self, window: QWidget) -> None:
        """Have ``window`` and all that belongs to it wear the style sheet, now and later.

        Set for the whole application it took Qt four times as long to change.
        """
        self._windows.add(window)
        window.setStyleSheet(self._sheet)

    @Slot()
    def renew(self) -> None:
        """Put on what settings and desktop say now."""
        self._soon.stop()
        self._theme = self._put_on()
        self.changed.emit(self._theme)
        self._renewed_at = time.monotonic()

    def close(self) -> None:
        """Give the application its own font back."""
        self._soon.stop()
        QApplication.setFont(self._font)

    def _put_on(self) -> Theme:
        settings = self._preferences.settings
        scheme = QGuiApplication.styleHints().colorScheme()
        chosen = choose_theme(settings.theme, scheme)
        if high_contrast.wanted():
            QApplication.setPalette(QPalette())  # the desktop's own shows again below ours
            chosen = high_contrast.high_contrast(QApplication.palette(), dark=chosen.dark)
        theme = dressed(chosen, settings)
        QApplication.setFont(scaled(self._font, settings.text_size))
        QApplication.setPalette(palette(theme))
        sheet, before = stylesheet(theme), self._sheet
        self._sheet = sheet
        if sheet != before:  # else Qt would polish every part of all windows for nothing
            for window in self._windows:
                window.setStyleSheet(sheet)
        return theme

    @Slot(object)
    def _on_settings_changed(self, names: frozenset[str]) -> None:
        if not names & _SETTINGS:
            return
        # Keys pressed in a list of sizes choose one after the other: all windows wear the last.
        if time.monotonic() - self._renewed_at > _PAUSE_MS / 1000:
            self.renew()
        else:
            self._soon.start()
