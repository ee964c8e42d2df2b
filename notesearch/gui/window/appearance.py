"""The theme and the text size of all windows, from the settings and the desktop."""

import time
from collections.abc import Iterable
from functools import cache
from weakref import WeakSet

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from notesearch.config import resources
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.widgets.theme import (
    Theme,
    choose_theme,
    connect_contrast_change,
    high_contrast,
    palette,
    prefers_high_contrast,
    scaled,
    with_look,
)
from notesearch.gui.window.stylesheet import stylesheet

_SETTINGS = {"theme", "text_size", "density", "snippets", "related_tag", "preview_font"}
_PAUSE_MS = 50

_MADE_FOR_DOCUMENTS = {
    *("arial", "bitstream vera sans", "dejavu sans", "freesans", "helvetica", "liberation sans"),
    *("luxi sans", "nimbus sans", "sans serif", "verdana"),
}
"""Fonts that Qt uses if the desktop names none. No desktop of today names one of these."""


class Appearance(QObject):
    """Styles the application at once, and again whenever the settings or the desktop change.

    Signals:
        changed: The ``Theme`` or the size of the text has changed; carries the theme. Visible
            windows have its style sheet.
        completed: Hidden windows have the style sheet, too; carries the theme.
    """

    changed = Signal(object)
    completed = Signal(object)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._desktop_font = QApplication.font()
        self._font = interface_font(self._desktop_font)
        self._windows: WeakSet[QWidget] = WeakSet()
        self._sheet = ""
        self._updated_at = 0.0
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._soon.timeout.connect(self.update)
        self._later = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._later.timeout.connect(self._complete)
        self._theme = self._apply()
        preferences.changed.connect(self._on_settings_changed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.update)
        connect_contrast_change(self.update)

    @property
    def theme(self) -> Theme:
        """The theme of the windows."""
        return self._theme

    def style(self, window: QWidget) -> None:
        """Apply the style sheet to ``window``, now and after each change.

        Qt takes four times as long if the style sheet is that of the whole application.
        """
        self._windows.add(window)
        window.setStyleSheet(self._sheet)

    @Slot()
    def update(self) -> None:
        """Apply the settings and the colours of the desktop."""
        self._soon.stop()
        self._theme = self._apply()
        self.changed.emit(self._theme)
        self._later.start()
        self._updated_at = time.monotonic()

    def close(self) -> None:
        """Restore the font of the application."""
        self._soon.stop()
        self._later.stop()
        QApplication.setFont(self._desktop_font)

    def _apply(self) -> Theme:
        settings = self._preferences.settings
        scheme = QGuiApplication.styleHints().colorScheme()
        chosen = choose_theme(settings.theme, scheme)
        if prefers_high_contrast():
            QApplication.setPalette(QPalette())  # then ``palette`` returns the desktop's own
            chosen = high_contrast(QApplication.palette(), dark=chosen.dark)
        theme = with_look(chosen, settings)
        QApplication.setFont(scaled(self._font, settings.text_size))
        QApplication.setPalette(palette(theme))
        self._sheet = stylesheet(theme)
        self._restyle([window for window in self._windows if window.isVisible()])
        return theme

    @Slot()
    def _complete(self) -> None:
        self._restyle(self._windows)
        self.completed.emit(self._theme)

    def _restyle(self, windows: Iterable[QWidget]) -> None:
        for window in windows:
            if window.styleSheet() != self._sheet:  # else Qt would style all widgets for nothing
                window.setStyleSheet(self._sheet)

    @Slot(object)
    def _on_settings_changed(self, names: frozenset[str]) -> None:
        if not names & _SETTINGS:
            return
        # A held arrow key in a list of sizes chooses one size after another: apply only the last.
        if time.monotonic() - self._updated_at > _PAUSE_MS / 1000:
            self.update()
        else:
            self._soon.start()


def interface_font(desktop: QFont) -> QFont:
    """Return ``desktop``, the font of the desktop; Inter in the same size if it is unsuitable."""
    if QFontInfo(desktop).family().casefold() not in _MADE_FOR_DOCUMENTS:
        return desktop
    chosen = QFont(desktop)
    chosen.setFamilies([_inter(), *desktop.families()])  # Inter lacks the letters of some scripts
    return chosen


@cache
def _inter() -> str:
    """Load the faces of Inter once for the program, and return the name of the family."""
    for face in sorted((resources() / "fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(face))
    return "Inter"
