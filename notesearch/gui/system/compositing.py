"""Whether a window may have soft corners: on X11 only while something composes the windows."""

from PySide6.QtGui import QGuiApplication

from notesearch.gui.system.xlib import XDisplay


def has_translucency() -> bool:
    """Return whether what is transparent shows what lies behind it, and not black."""
    return QGuiApplication.platformName() != "xcb" or _is_composed()


def _is_composed() -> bool:
    display = XDisplay.open()
    if display is None:
        return False
    try:
        return display.is_composed
    finally:
        display.close()
