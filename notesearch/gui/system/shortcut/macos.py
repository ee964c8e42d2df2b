"""The global shortcut on macOS, by Carbon, which needs no permission. Not tested on a Mac yet."""

import ctypes
import sys
from functools import reduce

from PySide6.QtCore import QObject

from notesearch.gui.system.shortcut.global_shortcut import (
    GlobalShortcut,
    active,
    taken,
    unavailable,
)
from notesearch.gui.system.shortcut.keys import Keys, native_text

HELD = {"Ctrl": 0x100, "Shift": 0x200, "Alt": 0x800, "Meta": 0x1000}
"""Carbon's bit for each modifier. Qt calls the command key Ctrl, and the control key Meta."""

_ROWS = {
    "ASDFHGZXCV": 0x00,
    "BQWERYT": 0x0B,
    "123465=97-80]OU[IP": 0x12,
    "LJ'K;\\,/NM.": 0x25,
}
"""Keys with consecutive codes on a US keyboard, and the code of the first key of each row."""

_NAMED = {
    "Return": 0x24,
    "Tab": 0x30,
    "Space": 0x31,
    "`": 0x32,
    "Backspace": 0x33,
    "Home": 0x73,
    "PgUp": 0x74,
    "Del": 0x75,
    "End": 0x77,
    "PgDown": 0x79,
    "Left": 0x7B,
    "Right": 0x7C,
    "Down": 0x7D,
    "Up": 0x7E,
}
_FUNCTIONS = (
    *(0x7A, 0x78, 0x63, 0x76, 0x60, 0x61, 0x62, 0x64, 0x65, 0x6D),
    *(0x67, 0x6F, 0x69, 0x6B, 0x71, 0x6A, 0x40, 0x4F, 0x50, 0x5A),
)
_KEYBOARD = int.from_bytes(b"keyb", "big")
_OURS = int.from_bytes(b"note", "big")
_PRESSED = 5
_EXISTS = -9878


def key_code(keys: Keys) -> int | None:
    """Return Carbon's code of the key, without modifiers; None if Macs do not have the key."""
    key = keys.key
    if key in _NAMED:
        return _NAMED[key]
    for row, first in _ROWS.items():
        if key in row:
            return first + row.index(key)
    if key[0] == "F" and key[1:].isdigit() and int(key[1:]) <= len(_FUNCTIONS):
        return _FUNCTIONS[int(key[1:]) - 1]
    return None


class _Id(ctypes.Structure):
    _fields_ = [("signature", ctypes.c_uint32), ("number", ctypes.c_uint32)]


class _EventType(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("number", ctypes.c_uint32)]


_Pointer = ctypes.c_void_p
_OnEvent = ctypes.CFUNCTYPE(ctypes.c_int32, _Pointer, _Pointer, _Pointer)

if sys.platform == "darwin":
    _CARBON = "/System/Library/Frameworks/Carbon.framework/Carbon"

    class MacShortcut(GlobalShortcut):
        """A hot key of the application; Carbon calls a function when it is pressed."""

        is_exclusive = True

        def __init__(self, parent: QObject | None = None) -> None:
            super().__init__(parent)
            self._carbon = carbon = ctypes.CDLL(_CARBON)
            carbon.GetApplicationEventTarget.restype = _Pointer
            number, pointer = ctypes.c_uint32, ctypes.POINTER(_Pointer)
            carbon.RegisterEventHotKey.argtypes = [number, number, _Id, _Pointer, number, pointer]
            carbon.UnregisterEventHotKey.argtypes = [_Pointer]
            kinds = ctypes.POINTER(_EventType)
            carbon.InstallEventHandler.argtypes = [
                _Pointer,
                _OnEvent,
                ctypes.c_ulong,
                kinds,
                _Pointer,
                pointer,
            ]
            self._key = _Pointer()
            self._on_event = _OnEvent(self._on_pressed)  # kept alive while Carbon may call it
            self._listens = False

        def grab(self, keys: Keys) -> None:
            """Register ``keys``."""
            self.close()
            code = key_code(keys)
            if code is None or not self._listen():
                self._set(unavailable())
                return
            modifiers = reduce(int.__or__, (HELD[name] for name in keys.modifiers), 0)
            target = self._carbon.GetApplicationEventTarget()
            status = self._carbon.RegisterEventHotKey(
                code, modifiers, _Id(_OURS, 1), target, 0, ctypes.byref(self._key)
            )
            if not status:
                self._set(active(native_text(keys.text)))
            else:
                self._set(taken(native_text(keys.text)) if status == _EXISTS else unavailable())

        def release(self) -> None:
            """Unregister the key."""
            self.close()
            super().release()

        def close(self) -> None:
            """Unregister the key."""
            if self._key:
                self._carbon.UnregisterEventHotKey(self._key)
                self._key = _Pointer()

        def _listen(self) -> bool:
            if not self._listens:
                pressed_event = _EventType(_KEYBOARD, _PRESSED)
                status = self._carbon.InstallEventHandler(
                    self._carbon.GetApplicationEventTarget(),
                    self._on_event,
                    1,
                    ctypes.byref(pressed_event),
                    None,
                    None,
                )
                self._listens = not status
            return self._listens

        def _on_pressed(self, _call: int, _event: int, _ours: int) -> int:
            self.pressed.emit("")
            return 0
