"""Whether a window may have soft corners: on X11 only while something composes the windows."""

import ctypes
import ctypes.util

from PySide6.QtGui import QGuiApplication


def has_translucency() -> bool:
    """Return whether what is transparent shows what lies behind it, and not black."""
    return QGuiApplication.platformName() != "xcb" or _is_composed()


def _is_composed() -> bool:
    """Ask the X server whether the selection of the compositing program has an owner."""
    try:
        x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
    except OSError:
        return False
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
    x11.XDefaultScreen.argtypes = [ctypes.c_void_p]
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XGetSelectionOwner.restype = ctypes.c_ulong
    x11.XGetSelectionOwner.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(None)
    if not display:
        return False
    try:
        name = f"_NET_WM_CM_S{x11.XDefaultScreen(display)}".encode("ascii")
        return bool(x11.XGetSelectionOwner(display, x11.XInternAtom(display, name, 0)))
    finally:
        x11.XCloseDisplay(display)
