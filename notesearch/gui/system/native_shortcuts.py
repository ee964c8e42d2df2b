"""The global shortcut on X11, Windows and macOS, through a C library of each system.

On X11, the key is grabbed on the root window. The classes for Windows and macOS were not tested on
these systems yet.
"""

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Iterator
from functools import reduce
from typing import Self

from PySide6.QtCore import (
    QAbstractNativeEventFilter,
    QByteArray,
    QCoreApplication,
    QObject,
    QSocketNotifier,
    Slot,
)
from PySide6.QtGui import QGuiApplication

from notesearch.gui.system.global_shortcut import GlobalShortcut, Keys, active, taken, unavailable
from notesearch.gui.translation import shortcut_text, translate

KEY_PRESS = 2
MAPPING_NOTIFY = 34
SHIFT = 1
LOCK = 2
CONTROL = 4
ALT = 8
META = 64
_NUMBER_LOCK = 16
"""Mod2, to which every keyboard layout of X11 binds Num Lock."""

_LOCKS = (0, LOCK, _NUMBER_LOCK, LOCK | _NUMBER_LOCK)
"""The modifier bits of the four states of Caps Lock and Num Lock."""

_GRAB_ASYNC = 1
_EVENT_BYTES = 192  # of the union XEvent: 24 longs
_WORD = ctypes.c_ulong
_PTR = ctypes.c_void_p

_OnError = ctypes.CFUNCTYPE(ctypes.c_int, _PTR, _PTR)


_PROTOTYPES: dict[str, tuple[object, tuple[object, ...]]] = {
    "XOpenDisplay": (_PTR, (ctypes.c_char_p,)),
    "XCloseDisplay": (ctypes.c_int, (_PTR,)),
    "XDefaultScreen": (ctypes.c_int, (_PTR,)),
    "XDefaultRootWindow": (_WORD, (_PTR,)),
    "XConnectionNumber": (ctypes.c_int, (_PTR,)),
    "XInternAtom": (_WORD, (_PTR, ctypes.c_char_p, ctypes.c_int)),
    "XGetSelectionOwner": (_WORD, (_PTR, _WORD)),
    "XStringToKeysym": (_WORD, (ctypes.c_char_p,)),
    "XKeysymToKeycode": (ctypes.c_ubyte, (_PTR, _WORD)),
    "XGrabKey": (ctypes.c_int, (_PTR, ctypes.c_int, ctypes.c_uint, _WORD, *3 * (ctypes.c_int,))),
    "XUngrabKey": (ctypes.c_int, (_PTR, ctypes.c_int, ctypes.c_uint, _WORD)),
    "XUngrabKeyboard": (ctypes.c_int, (_PTR, _WORD)),
    "XSync": (ctypes.c_int, (_PTR, ctypes.c_int)),
    "XPending": (ctypes.c_int, (_PTR,)),
    "XNextEvent": (ctypes.c_int, (_PTR, _PTR)),
    "XRefreshKeyboardMapping": (ctypes.c_int, (_PTR,)),
    "XSetErrorHandler": (_PTR, (_PTR,)),
}


class XDisplay:
    """A connection to the X server of this session; use it in one thread only."""

    def __init__(self, library: ctypes.CDLL, display: int) -> None:
        self._x11 = library
        self._display = display
        self._root: int = library.XDefaultRootWindow(display)

    @classmethod
    def open(cls) -> Self | None:
        """Return a new connection; None without an X server or its library."""
        try:
            library = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        except OSError:
            return None
        for name, (result, arguments) in _PROTOTYPES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        display = library.XOpenDisplay(None)
        return cls(library, display) if display else None

    def close(self) -> None:
        """Close the connection, which releases every grabbed key."""
        self._x11.XCloseDisplay(self._display)

    @property
    def socket(self) -> int:
        """The file descriptor on which events arrive."""
        return int(self._x11.XConnectionNumber(self._display))

    @property
    def is_composed(self) -> bool:
        """Whether a compositor is running; then a certain selection has an owner."""
        name = f"_NET_WM_CM_S{self._x11.XDefaultScreen(self._display)}".encode("ascii")
        atom = self._x11.XInternAtom(self._display, name, 0)
        return bool(self._x11.XGetSelectionOwner(self._display, atom))

    def keycode(self, keysym: str) -> int:
        """Return the code of the key that types ``keysym`` on this keyboard; 0 if there is none."""
        symbol = self._x11.XStringToKeysym(keysym.encode("ascii"))
        return int(self._x11.XKeysymToKeycode(self._display, symbol)) if symbol else 0

    def grab(self, keycode: int, modifiers: int) -> bool:
        """Receive the key from now on, whichever window has the focus, with any lock key on.

        ``modifiers`` is the sum of their bits. Returns False if another program has the key.
        """
        refused: list[int] = []

        def record(_display: int, _error: int) -> int:
            refused.append(keycode)
            return 0

        on_error = _OnError(record)
        before = self._x11.XSetErrorHandler(ctypes.cast(on_error, _PTR))
        try:
            for locks in _LOCKS:
                held = modifiers | locks
                self._x11.XGrabKey(
                    self._display, keycode, held, self._root, 0, _GRAB_ASYNC, _GRAB_ASYNC
                )
            self._x11.XSync(self._display, 0)
        finally:
            self._x11.XSetErrorHandler(before)
        if refused:
            self.ungrab(keycode, modifiers)
        return not refused

    def ungrab(self, keycode: int, modifiers: int) -> None:
        """Stop receiving the key; the arguments are as for ``grab``."""
        for locks in _LOCKS:
            self._x11.XUngrabKey(self._display, keycode, modifiers | locks, self._root)
        self._x11.XSync(self._display, 0)

    def events(self) -> Iterator[int]:
        """Yield the types of the pending events, and release the keyboard after a key press."""
        event = ctypes.create_string_buffer(_EVENT_BYTES)
        while self._x11.XPending(self._display):
            self._x11.XNextEvent(self._display, event)
            kind = ctypes.cast(event, ctypes.POINTER(ctypes.c_int))[0]
            if kind == MAPPING_NOTIFY:
                self._x11.XRefreshKeyboardMapping(event)
            elif kind == KEY_PRESS:
                # Otherwise our window gets no keys until the user releases this key.
                self._x11.XUngrabKeyboard(self._display, 0)
                self._x11.XSync(self._display, 0)
            yield kind


def has_translucency() -> bool:
    """Return whether windows can be translucent; on X11, only if a compositor is running."""
    if QGuiApplication.platformName() != "xcb":
        return True
    display = XDisplay.open()
    if display is None:
        return False
    try:
        return display.is_composed
    finally:
        display.close()


_MASKS = {"Ctrl": CONTROL, "Alt": ALT, "Shift": SHIFT, "Meta": META}


class X11Shortcut(GlobalShortcut):
    """Grabs the key through a connection to the X server of its own, not through Qt's."""

    is_exclusive = True

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._display: XDisplay | None = None
        self._notifier: QSocketNotifier | None = None
        self._keys: Keys | None = None

    def grab(self, keys: Keys) -> None:
        """Grab ``keys`` in every state of the lock keys."""
        self.close()
        self._display = display = XDisplay.open()
        if display is None:
            self._set(unavailable())
            return
        keycode = display.keycode(keys.keysym)
        modifiers = reduce(int.__or__, (_MASKS[name] for name in keys.modifiers), 0)
        if not keycode:
            self.close()
            self._set(
                unavailable(translate("Your keyboard does not have this key. Choose another."))
            )
        elif not display.grab(keycode, modifiers):
            self.close()
            self._set(taken(shortcut_text(keys.text)))
        else:
            self._keys = keys
            self._notifier = QSocketNotifier(display.socket, QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(self._read)
            self._set(active(shortcut_text(keys.text)))

    def close(self) -> None:
        """Close the connection, which releases the key."""
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        if self._display is not None:
            self._display.close()
            self._display = None
        self._keys = None

    @Slot()
    def _read(self) -> None:
        if self._display is None:
            return
        kinds = set(self._display.events())
        if MAPPING_NOTIFY in kinds and self._keys is not None:
            self.grab(self._keys)  # the new layout may put the key elsewhere
        if KEY_PRESS in kinds:
            self.pressed.emit("")


WINDOWS_MODIFIERS = {"Alt": 0x1, "Ctrl": 0x2, "Shift": 0x4, "Meta": 0x8}
_NO_REPEAT = 0x4000
_WM_HOTKEY = 0x0312
_ALREADY_REGISTERED = 1409
_HOT_KEY = 1


def _codes(pairs: list[str]) -> dict[str, int]:
    """Return the codes of keys from pairs like ``Tab:09``; the codes are hexadecimal."""
    return {key: int(code, 16) for key, _, code in (pair.rpartition(":") for pair in pairs)}


_WINDOWS_CODES = _codes(
    r"""
    Backspace:08 Tab:09 Return:0D Pause:13 Space:20 PgUp:21 PgDown:22 End:23 Home:24
    Left:25 Up:26 Right:27 Down:28 Print:2C Ins:2D Del:2E ;:BA =:BB ,:BC -:BD .:BE /:BF
    `:C0 [:DB \:DC ]:DD ':DE
    """.split()
)
"""Virtual-key codes. The codes of punctuation are for a US keyboard."""


def windows_code(keys: Keys) -> int:
    """Return the virtual-key code of the key, without modifiers."""
    if keys.key in _WINDOWS_CODES:
        return _WINDOWS_CODES[keys.key]
    return ord(keys.key) if len(keys.key) == 1 else 0x6F + int(keys.key[1:])


if sys.platform == "win32":
    from ctypes import wintypes

    class WindowsShortcut(GlobalShortcut):
        """A hot key of this thread; Qt passes the thread's messages to a filter."""

        is_exclusive = True

        def __init__(self, parent: QObject | None = None) -> None:
            super().__init__(parent)
            self._filter = _WindowsMessages(self)
            self._user32 = ctypes.WinDLL("user32", use_last_error=True)
            window, number, bits = wintypes.HWND, ctypes.c_int, wintypes.UINT
            self._user32.RegisterHotKey.argtypes = [window, number, bits, bits]
            self._user32.RegisterHotKey.restype = wintypes.BOOL
            self._user32.UnregisterHotKey.argtypes = [window, number]

        def grab(self, keys: Keys) -> None:
            """Register ``keys`` as the hot key, instead of the previous keys."""
            self.close()
            modifiers = sum(WINDOWS_MODIFIERS[name] for name in keys.modifiers) | _NO_REPEAT
            if self._user32.RegisterHotKey(None, _HOT_KEY, modifiers, windows_code(keys)):
                application = QCoreApplication.instance()
                assert application is not None
                application.installNativeEventFilter(self._filter)
                self._set(active(shortcut_text(keys.text)))
            elif ctypes.get_last_error() == _ALREADY_REGISTERED:
                self._set(taken(shortcut_text(keys.text)))
            else:
                self._set(unavailable())

        def close(self) -> None:
            """Unregister the key and the message filter."""
            self._user32.UnregisterHotKey(None, _HOT_KEY)
            application = QCoreApplication.instance()
            if application is not None:
                application.removeNativeEventFilter(self._filter)

    class _WindowsMessages(QAbstractNativeEventFilter):
        """Receives the Windows messages of the thread before Qt does, and reports the hot key."""

        def __init__(self, shortcut: WindowsShortcut) -> None:
            super().__init__()
            self._shortcut = shortcut

        def nativeEventFilter(
            self, _kind: QByteArray | bytes | bytearray | memoryview, message: int
        ) -> tuple[bool, int]:
            """Report our hot key by ``pressed``, and let every other message pass."""
            received = wintypes.MSG.from_address(int(message))
            if received.message == _WM_HOTKEY and received.wParam == _HOT_KEY:
                self._shortcut.pressed.emit("")
                return True, 0
            return False, 0


MAC_MODIFIERS = {"Ctrl": 0x100, "Shift": 0x200, "Alt": 0x800, "Meta": 0x1000}
"""Carbon's bit for each modifier. Qt calls the command key Ctrl, and the control key Meta."""

_MAC_ROWS = {"ASDFHGZXCV": 0x00, "BQWERYT": 0x0B, "123465=97-80]OU[IP": 0x12, "LJ'K;\\,/NM.": 0x25}
"""Keys with consecutive codes on a US keyboard, and the code of the first key of each row."""

_MAC_CODES = _codes(
    r"""
    Return:24 Tab:30 Space:31 `:32 Backspace:33 Home:73 PgUp:74 Del:75 End:77 PgDown:79
    Left:7B Right:7C Down:7D Up:7E
    """.split()
)
_MAC_FUNCTIONS = (
    *(0x7A, 0x78, 0x63, 0x76, 0x60, 0x61, 0x62, 0x64, 0x65, 0x6D),
    *(0x67, 0x6F, 0x69, 0x6B, 0x71, 0x6A, 0x40, 0x4F, 0x50, 0x5A),
)
_KEYBOARD = int.from_bytes(b"keyb", "big")
_OUR_SIGNATURE = int.from_bytes(b"note", "big")
_HOT_KEY_PRESSED = 5
_EXISTS = -9878


def mac_code(keys: Keys) -> int | None:
    """Return Carbon's code of the key, without modifiers; None if Macs do not have the key."""
    key = keys.key
    if key in _MAC_CODES:
        return _MAC_CODES[key]
    for row, first in _MAC_ROWS.items():
        if key in row:
            return first + row.index(key)
    if key[0] == "F" and key[1:].isdigit() and int(key[1:]) <= len(_MAC_FUNCTIONS):
        return _MAC_FUNCTIONS[int(key[1:]) - 1]
    return None


class _MacId(ctypes.Structure):
    _fields_ = [("signature", ctypes.c_uint32), ("number", ctypes.c_uint32)]


class _MacEventType(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("number", ctypes.c_uint32)]


_OnMacEvent = ctypes.CFUNCTYPE(ctypes.c_int32, _PTR, _PTR, _PTR)

if sys.platform == "darwin":
    _CARBON = "/System/Library/Frameworks/Carbon.framework/Carbon"

    class MacShortcut(GlobalShortcut):
        """A hot key of the application; Carbon calls a function when it is pressed."""

        is_exclusive = True

        def __init__(self, parent: QObject | None = None) -> None:
            super().__init__(parent)
            self._carbon = carbon = ctypes.CDLL(_CARBON)
            carbon.GetApplicationEventTarget.restype = _PTR
            number, pointer = ctypes.c_uint32, ctypes.POINTER(_PTR)
            carbon.RegisterEventHotKey.argtypes = [number, number, _MacId, _PTR, number, pointer]
            carbon.UnregisterEventHotKey.argtypes = [_PTR]
            kinds = ctypes.POINTER(_MacEventType)
            carbon.InstallEventHandler.argtypes = [
                _PTR,
                _OnMacEvent,
                ctypes.c_ulong,
                kinds,
                _PTR,
                pointer,
            ]
            self._key = _PTR()
            self._on_event = _OnMacEvent(self._on_pressed)  # kept alive while Carbon may call it
            self._listens = False

        def grab(self, keys: Keys) -> None:
            """Register ``keys`` as the hot key, instead of the previous keys."""
            self.close()
            code = mac_code(keys)
            if code is None or not self._listen():
                self._set(unavailable())
                return
            modifiers = reduce(int.__or__, (MAC_MODIFIERS[name] for name in keys.modifiers), 0)
            target = self._carbon.GetApplicationEventTarget()
            status = self._carbon.RegisterEventHotKey(
                code, modifiers, _MacId(_OUR_SIGNATURE, 1), target, 0, ctypes.byref(self._key)
            )
            if not status:
                self._set(active(shortcut_text(keys.text)))
            else:
                self._set(taken(shortcut_text(keys.text)) if status == _EXISTS else unavailable())

        def close(self) -> None:
            """Unregister the key."""
            if self._key:
                self._carbon.UnregisterEventHotKey(self._key)
                self._key = _PTR()

        def _listen(self) -> bool:
            if not self._listens:
                pressed_event = _MacEventType(_KEYBOARD, _HOT_KEY_PRESSED)
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


def native_shortcut(parent: QObject) -> GlobalShortcut:
    """Return the implementation for this system; on Wayland, the desktop's portal."""
    if sys.platform == "win32":
        return WindowsShortcut(parent)
    if sys.platform == "darwin":
        return MacShortcut(parent)
    platform = QGuiApplication.platformName()
    # Under XWayland, a key grabbed through X11 works only in X11 windows.
    if platform.startswith("wayland") or (platform == "xcb" and os.environ.get("WAYLAND_DISPLAY")):
        from notesearch.gui.system.portal_shortcut import PortalShortcut

        return PortalShortcut(parent)
    return X11Shortcut(parent) if platform == "xcb" else GlobalShortcut(parent)
