"""Registers the global shortcut that the user chose, in the way of the platform."""

import os
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from notesearch.gui.system.global_shortcut import (
    GlobalShortcut,
    Kind,
    Remedy,
    ShortcutState,
    objection,
    off,
    parse_keys,
    unavailable,
)


def global_shortcut(parent: QObject | None = None) -> GlobalShortcut:
    """Return the implementation for this platform."""
    platform = QGuiApplication.platformName()
    if sys.platform == "win32":
        from notesearch.gui.system.native_shortcuts import WindowsShortcut

        return WindowsShortcut(parent)
    if sys.platform == "darwin":
        from notesearch.gui.system.native_shortcuts import MacShortcut

        return MacShortcut(parent)
    # Under XWayland, a key grabbed through X11 works only in X11 windows.
    if platform.startswith("wayland") or (platform == "xcb" and os.environ.get("WAYLAND_DISPLAY")):
        from notesearch.gui.system.portal_shortcut import PortalShortcut

        return PortalShortcut(parent)
    if platform == "xcb":
        from notesearch.gui.system.native_shortcuts import X11Shortcut

        return X11Shortcut(parent)
    return GlobalShortcut(parent)


class ShortcutController(QObject):
    """Registers the shortcut ``chosen`` in the settings, and reports its state.

    ``keep`` saves a new choice. ``make`` creates the platform's implementation when first needed.
    ``chosen`` is empty for no shortcut; ``state`` is the current state.

    Signals:
        pressed, changed: As in ``GlobalShortcut``.
    """

    pressed = Signal(str)
    changed = Signal(object)

    def __init__(
        self,
        chosen: str,
        keep: Callable[[str], None],
        parent: QObject | None = None,
        make: Callable[[QObject], GlobalShortcut] = global_shortcut,
    ) -> None:
        super().__init__(parent)
        self.chosen = chosen
        self._keep = keep
        self._make = make
        self._shortcut: GlobalShortcut | None = None
        self.state = off()
        self._is_suspended = False

    @property
    def is_active(self) -> bool:
        """Whether the shortcut is registered."""
        return self.state.kind is Kind.ACTIVE

    def begin(self) -> None:
        """Register the shortcut that the settings have, if any."""
        if self.chosen:
            self._register()

    def choose(self, text: str) -> None:
        """Choose another shortcut, save it, and register it; an empty ``text`` means none.

        A bad shortcut is not saved; ``changed`` reports why.
        """
        keys = parse_keys(text)
        if text and (reason := objection(keys)):
            self._show(unavailable(reason, Remedy.CHOOSE))
            return
        self.chosen = keys.text if keys else ""
        self._keep(self.chosen)
        self._apply()

    def follow(self, chosen: str) -> None:
        """Register the shortcut ``chosen``, which has changed in the settings."""
        if chosen != self.chosen:
            self.chosen = chosen
            self._apply()

    @Slot()
    def pause(self) -> None:
        """Release the shortcut; the settings keep it."""
        if self._shortcut is not None:
            self._shortcut.release()
        self._show(off())

    def suspend(self) -> None:
        """Let a window of this program receive the keys, until ``resume``."""
        if self._shortcut is not None and self._shortcut.is_exclusive:
            self._shortcut.close()
            self._is_suspended = True

    def resume(self) -> None:
        """Undo ``suspend``: register the shortcut again if it was released; show its state."""
        if self._is_suspended:
            self._apply()
        elif not self.chosen:
            self._show(off())
        elif self._shortcut is not None:
            self._show(self._shortcut.state)

    @Slot()
    def help(self) -> None:
        """Do what the remedy of the state offers."""
        match self.state.remedy:
            case Remedy.CONFIGURE if self._shortcut is not None:
                self._shortcut.configure()
            case Remedy.TRY_AGAIN:
                self.begin()

    def close(self) -> None:
        """Release everything when the program ends."""
        if self._shortcut is not None:
            self._shortcut.close()

    def _apply(self) -> None:
        self._is_suspended = False
        if self.chosen:
            self._register()
        else:
            self.pause()

    def _register(self) -> None:
        keys = parse_keys(self.chosen)
        if keys is None:
            self._show(unavailable(objection(None), Remedy.CHOOSE))
            return
        if self._shortcut is None:
            self._shortcut = self._make(self)
            self._shortcut.pressed.connect(self.pressed)
            self._shortcut.changed.connect(self._show)
        self._shortcut.grab(keys)
        self._show(self._shortcut.state)

    @Slot(object)
    def _show(self, state: ShortcutState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
