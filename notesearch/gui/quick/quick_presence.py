"""Shows and hides the window of quick search on request, and hides it when the user leaves it."""

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from notesearch.gui.quick.quick_window import QuickWindow
from notesearch.gui.session.preferences import Preferences

_SWALLOWED_S = 0.25
"""Time after a request to show or hide in which a second request is ignored."""
_MISSED_MS = 150
"""Time after which Qt on X11 has noticed which window has the keyboard focus."""


class QuickPresence(QObject):
    """Shows and hides the quick window.

    Signals:
        appearing: The window is about to be shown.
    """

    appearing = Signal()

    def __init__(
        self, window: QuickWindow, preferences: Preferences, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._preferences = preferences
        self._was_active = self._typed = False
        self._dialog: QDialog | None = None
        self._hidden_at = self._left_at = self._toggled_at = -1e9
        self._leaving = QTimer(self, singleShot=True)  # at its end, Qt knows the active window
        self._leaving.timeout.connect(self._leave)
        self._coming = QTimer(self, singleShot=True, interval=_MISSED_MS)
        self._coming.timeout.connect(self._come)
        # When a dialog closes, the desktop first activates some other window.
        self._returning = QTimer(self, singleShot=True, interval=_MISSED_MS)
        self._returning.timeout.connect(self._return)
        app = QApplication.instance()
        app.focusWindowChanged.connect(self._on_focus_window)  # type: ignore[union-attr]
        window.activated.connect(self._on_activated)
        window.deactivated.connect(self._leaving.start)
        window.field.text_changed.connect(self._on_typed)

    @Slot()
    def toggle(self) -> None:
        """Show the window, or hide it if it is the active window.

        Requests in quick succession, as from a held key, count as one. Right after the window hid
        itself, nothing happens: a click on the tray icon first takes the focus and so hides it.
        """
        now, before = time.monotonic(), self._toggled_at
        self._toggled_at = now
        if now - before < _SWALLOWED_S or now - self._left_at < _SWALLOWED_S:
            return
        if self._window.isVisible() and self._window.isActiveWindow():
            self.hide()
        else:
            self.show()

    def show(self, query: str = "") -> None:
        """Show and focus the window, with ``query``, else with its last contents if still kept."""
        window = self._window
        self._toggled_at = time.monotonic()
        if query:
            window.field.set_text(query)
        if not window.isVisible():
            self._was_active = False
            if not query and not self._keeps:
                window.field.set_text("")
            window.notice.hide()
            window.place(on_primary=self._preferences.settings.quick_screen == "primary")
            self.appearing.emit()
        self._typed = False
        if not window.isVisible() and _seems_focused(window):
            self._coming.start()
        else:
            self._come()

    @Slot()
    def _come(self) -> None:
        window = self._window
        self._coming.stop()
        window.show()
        window.raise_()
        window.activateWindow()
        window.field.focus_all()

    @Slot()
    def _on_focus_window(self) -> None:
        if self._coming.isActive():
            self._come()

    @Slot()
    def hide(self) -> None:
        """Hide the window. When it is shown again soon, it has the same contents."""
        self._leaving.stop()
        self._coming.stop()
        if self._window.isVisible():
            self._hidden_at = time.monotonic()
            self._window.hide()

    def stay_for(self, dialog: QDialog) -> None:
        """Keep the window visible while ``dialog``, which is about to open, is visible."""
        self._leaving.stop()
        if dialog is not self._dialog:
            self._dialog = dialog
            dialog.finished.connect(self._on_dialog_closed)
        dialog.hide()  # the desktop looks up the owner of a window only when it appears
        _put_above(dialog, self._window)

    @Slot()
    def _on_dialog_closed(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is None:
            return
        dialog.finished.disconnect(self._on_dialog_closed)
        _put_above(dialog, None)
        self._returning.start()

    @Slot()
    def _return(self) -> None:
        if self._window.isVisible():
            self._window.raise_()
            self._window.activateWindow()

    @Slot()
    def escape(self) -> None:
        """Clear the field if the user has typed since the window was shown, else hide the window.

        With the setting ``quick_escape_hides``, always hide the window.
        """
        if (
            self._window.field.text
            and self._typed
            and not self._preferences.settings.quick_escape_hides
        ):
            self._window.field.clear()
        else:
            self.hide()

    @property
    def _keeps(self) -> bool:
        seconds = self._preferences.settings.quick_keep_s
        return seconds < 0 or time.monotonic() - self._hidden_at < seconds

    @Slot(str)
    def _on_typed(self, _text: str) -> None:
        self._typed = True

    @Slot()
    def _on_activated(self) -> None:
        self._was_active = True
        self._leaving.stop()

    @Slot()
    def _leave(self) -> None:
        """Hide the window, because another one is active that does not belong to it."""
        window = self._window
        # On Wayland, the window may never have become the active one.
        if not (self._preferences.settings.quick_hides and self._was_active and window.isVisible()):
            return
        popup, active = QApplication.activePopupWidget(), QApplication.activeWindow()
        if popup is not None or (active is not None and _belongs(active, window)):
            return
        if self._returning.isActive() or (self._dialog is not None and self._dialog.isVisible()):
            return
        # A window manager may take the keyboard focus while the user drags the window.
        if QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            return
        self._left_at = time.monotonic()
        self.hide()


def _seems_focused(window: QWidget) -> bool:
    """Return whether Qt on X11 thinks that a window, which was just hidden, still has the focus.

    If such a window is shown again at once, Qt sees no change and never makes it active: letters
    arrive, but keys such as Ctrl+Enter do not work, and nothing reports that the user leaves.
    """
    focus = QGuiApplication.focusWindow()
    return (
        QGuiApplication.platformName() == "xcb"
        and focus is not None
        and focus is window.windowHandle()
    )


def _put_above(dialog: QWidget, window: QWidget | None) -> None:
    """Put ``dialog`` above ``window``, which is always on top; if ``window`` is None, undo that."""
    dialog.winId()  # creates the window handle
    above = window.windowHandle() if window else None
    dialog.windowHandle().setTransientParent(above)  # type: ignore[arg-type]  # or None, says Qt


def _belongs(window: QWidget, owner: QWidget) -> bool:
    """Return whether ``window`` is ``owner`` or a dialog of it, at any depth."""
    above: QWidget | None = window
    while above is not None and above is not owner:
        above = above.parentWidget()
    return above is owner
