"""The global shortcut on Windows, by RegisterHotKey. Not tested on Windows yet."""

import ctypes
import sys

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication, QObject

from notesearch.gui.system.shortcut.global_shortcut import (
    GlobalShortcut,
    active,
    taken,
    unavailable,
)
from notesearch.gui.system.shortcut.keys import Keys, native_text

HELD = {"Alt": 0x1, "Ctrl": 0x2, "Shift": 0x4, "Meta": 0x8}
_NO_REPEAT = 0x4000
_HOTKEY_PRESSED = 0x0312  # WM_HOTKEY
_ALREADY_REGISTERED = 1409
_OURS = 1

NAMED = {
    "Backspace": 0x08,
    "Tab": 0x09,
    "Return": 0x0D,
    "Pause": 0x13,
    "Space": 0x20,
    "PgUp": 0x21,
    "PgDown": 0x22,
    "End": 0x23,
    "Home": 0x24,
    "Left": 0x25,
    "Up": 0x26,
    "Right": 0x27,
    "Down": 0x28,
    "Print": 0x2C,
    "Ins": 0x2D,
    "Del": 0x2E,
    ";": 0xBA,
    "=": 0xBB,
    ",": 0xBC,
    "-": 0xBD,
    ".": 0xBE,
    "/": 0xBF,
    "`": 0xC0,
    "[": 0xDB,
    "\\": 0xDC,
    "]": 0xDD,
    "'": 0xDE,
}
"""Virtual-key codes. The codes of punctuation are for a US keyboard."""


def virtual_key(keys: Keys) -> int:
    """Return the virtual-key code of the key, without modifiers."""
    if keys.key in NAMED:
        return NAMED[keys.key]
    return ord(keys.key) if len(keys.key) == 1 else 0x6F + int(keys.key[1:])


if sys.platform == "win32":
    from ctypes import wintypes

    class WindowsShortcut(GlobalShortcut):
        """A hot key of this thread; Qt passes the thread's messages to a filter."""

        is_exclusive = True

        def __init__(self, parent: QObject | None = None) -> None:
            super().__init__(parent)
            self._filter = _Messages(self)
            self._user32 = ctypes.WinDLL("user32", use_last_error=True)
            window, number, bits = wintypes.HWND, ctypes.c_int, wintypes.UINT
            self._user32.RegisterHotKey.argtypes = [window, number, bits, bits]
            self._user32.RegisterHotKey.restype = wintypes.BOOL
            self._user32.UnregisterHotKey.argtypes = [window, number]

        def grab(self, keys: Keys) -> None:
            """Register ``keys``."""
            self.close()
            modifiers = sum(HELD[name] for name in keys.modifiers) | _NO_REPEAT
            if self._user32.RegisterHotKey(None, _OURS, modifiers, virtual_key(keys)):
                application = QCoreApplication.instance()
                assert application is not None
                application.installNativeEventFilter(self._filter)
                self._set(active(native_text(keys.text)))
            elif ctypes.get_last_error() == _ALREADY_REGISTERED:
                self._set(taken(native_text(keys.text)))
            else:
                self._set(unavailable())

        def release(self) -> None:
            """Unregister the key."""
            self.close()
            super().release()

        def close(self) -> None:
            """Unregister the key and the message filter."""
            self._user32.UnregisterHotKey(None, _OURS)
            application = QCoreApplication.instance()
            if application is not None:
                application.removeNativeEventFilter(self._filter)

    class _Messages(QAbstractNativeEventFilter):
        """Receives the messages of the thread before Qt does."""

        def __init__(self, shortcut: WindowsShortcut) -> None:
            super().__init__()
            self._shortcut = shortcut

        def nativeEventFilter(
            self, _kind: QByteArray | bytes | bytearray | memoryview, message: int
        ) -> tuple[bool, int]:
            """Report our hot key by ``pressed``, and let every other message pass."""
            received = wintypes.MSG.from_address(int(message))
            if received.message == _HOTKEY_PRESSED and received.wParam == _OURS:
                self._shortcut.pressed.emit("")
                return True, 0
            return False, 0
