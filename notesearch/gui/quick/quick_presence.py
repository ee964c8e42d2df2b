"""When the quick window is there: asked for, turned away from, escaped from, asked for again."""

import time

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from notesearch.gui.quick.quick_window import QuickWindow
from notesearch.gui.session.preferences import Preferences

_SWALLOWED_S = 0.25
_MISSED_MS = 150
"""More than the time for which Qt, on X11, hopes that the keyboard comes back."""


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
        self._leaving = QTimer(self)  # in a moment: the next window may be one of ours
        self._leaving.setSingleShot(True)
        self._leaving.timeout.connect(self._leave)
        self._coming = QTimer(self)
        self._coming.setSingleShot(True)
        self._coming.setInterval(_MISSED_MS)
        self._coming.timeout.connect(self._come)
        self._returning = QTimer(self)  # the desktop first gives the keyboard to some other window
        self._returning.setSingleShot(True)
        self._returning.setInterval(_MISSED_MS)
        self._returning.timeout.connect(self._return)
        app = QApplication.instance()
        app.focusWindowChanged.connect(self._on_focus_window)  # type: ignore[union-attr]
        window.activated.connect(self._on_activated)
        window.deactivated.connect(self._leaving.start)
        window.field.text_changed.connect(self._on_typed)

    @Slot()
    def toggle(self) -> None:
        """Show the window, or hide it where the user looks at it already.

        A click that took the focus away has hidden it: then it stays hidden. Wishes in quick
        succession, such as those of a key that is held down, are one.
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
        """Show the window and give it the keyboard, on ``query`` or what it had lately."""
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
        if not window.isVisible() and _is_missed(window):
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
        """Hide the window; what it shows is kept for a while."""
        self._leaving.stop()
        self._coming.stop()
        if self._window.isVisible():
            self._hidden_at = time.monotonic()
            self._window.hide()

    def stay_for(self, dialog: QDialog) -> None:
        """Stay as long as ``dialog``, which is about to be shown from here, is on show."""
        self._leaving.stop()
        if dialog is not self._dialog:
            self._dialog = dialog
            dialog.finished.connect(self._on_dialog_closed)
        dialog.hide()  # what stands above all is known of a window when it is mapped
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
        """Clear what was typed since the window was shown; hide where nothing was."""
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
        kept = self._preferences.settings.quick_keep_s
        return kept < 0 or time.monotonic() - self._hidden_at < kept

    @Slot(str)
    def _on_typed(self, _text: str) -> None:
        self._typed = True

    @Slot()
    def _on_activated(self) -> None:
        self._was_active = True
        self._leaving.stop()

    @Slot()
    def _leave(self) -> None:
        """Hide because the user turned elsewhere, unless that belongs to this window."""
        window = self._window
        # Wayland may never have let it be the active one.
        if not (self._preferences.settings.quick_hides and self._was_active and window.isVisible()):
            return
        popup, active = QApplication.activePopupWidget(), QApplication.activeWindow()
        if popup is not None or (active is not None and _belongs(active, window)):
            return
        if self._returning.isActive() or (self._dialog is not None and self._dialog.isVisible()):
            return
        self._left_at = time.monotonic()
        self.hide()


def _is_missed(window: QWidget) -> bool:
    """Whether Qt takes a window that was just hidden for the one that has the keyboard.

    Shown again meanwhile, on X11, it has it, but Qt sees no change and never makes it active:
    letters arrive, but no key such as Ctrl+Enter works, and nobody hears that the user turns away.
    """
    focus = QGuiApplication.focusWindow()
    return (
        QGuiApplication.platformName() == "xcb"
        and focus is not None
        and focus is window.windowHandle()
    )


def _put_above(dialog: QWidget, window: QWidget | None) -> None:
    """Have ``dialog`` stand above ``window``, which stays above all others; or above none."""
    dialog.winId()  # without which it has no handle
    above = window.windowHandle() if window else None
    dialog.windowHandle().setTransientParent(above)  # type: ignore[arg-type]  # or None, says Qt


def _belongs(window: QWidget, to: QWidget) -> bool:
    """Whether ``window`` is ``to``, or a dialog of it, or a dialog of that."""
    above: QWidget | None = window
    while above is not None and above is not to:
        above = above.parentWidget()
    return above is to
