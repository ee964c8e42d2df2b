"""Which kind of global shortcut this desktop has."""

import os
import sys

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from notesearch.gui.system.shortcut.shortcut import GlobalShortcut


def global_shortcut(parent: QObject | None = None) -> GlobalShortcut:
    """Return what this desktop has; only that is imported."""
    platform = QGuiApplication.platformName()
    if sys.platform == "win32":
        from notesearch.gui.system.shortcut.windows import WindowsShortcut

        return WindowsShortcut(parent)
    if sys.platform == "darwin":
        from notesearch.gui.system.shortcut.macos import MacShortcut

        return MacShortcut(parent)
    # A window may be one of X11 on a Wayland desktop: a key grabbed there reaches X11 alone.
    if platform.startswith("wayland") or (platform == "xcb" and _is_wayland()):
        from notesearch.gui.system.shortcut.portal import PortalShortcut

        return PortalShortcut(parent)
    if platform == "xcb":
        from notesearch.gui.system.shortcut.x11 import X11Shortcut

        return X11Shortcut(parent)
    return GlobalShortcut(parent)


def _is_wayland() -> bool:
    return bool(os.environ.get("WAYLAND_DISPLAY"))
