"""The global shortcut on X11: grabs the key on the root window, through the C library of X."""

import ctypes
import ctypes.util
from collections.abc import Iterator
from functools import reduce
from typing import Self

from PySide6.QtCore import QObject, QSocketNotifier, Slot
from PySide6.QtGui import QGuiApplication

from notesearch.gui.system.shortcut.global_shortcut import (
    GlobalShortcut,
    active,
    taken,
    unavailable,
)
from notesearch.gui.system.shortcut.keys import Keys, native_text
from notesearch.gui.translation import translate

KEY_PRESS, MAPPING_NOTIFY = 2, 34
SHIFT, LOCK, CONTROL, ALT, META = 1, 2, 4, 8, 64
_NUM_LOCK = 0xFF7F
_GRAB_ASYNC = 1
_EVENT_BYTES = 192  # of the union XEvent: 24 longs
_WORD, _PTR = ctypes.c_ulong, ctypes.c_void_p

_OnError = ctypes.CFUNCTYPE(ctypes.c_int, _PTR, _PTR)


class _Modifiers(ctypes.Structure):
    _fields_ = [("per_modifier", ctypes.c_int), ("keycodes", ctypes.POINTER(ctypes.c_ubyte))]


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
    "XGetModifierMapping": (ctypes.POINTER(_Modifiers), (_PTR,)),
    "XFreeModifiermap": (ctypes.c_int, (ctypes.POINTER(_Modifiers),)),
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
        """Receive the key in every window, in any state of Caps Lock and Num Lock.

        ``modifiers`` is the sum of their bits. Returns False if another program has the key.
        """
        refused: list[int] = []

        def record(_display: int, _error: int) -> int:
            refused.append(keycode)
            return 0

        on_error = _OnError(record)
        before = self._x11.XSetErrorHandler(ctypes.cast(on_error, _PTR))
        try:
            for locks in self._locks():
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
        """Stop receiving the key; the arguments are those of ``grab``."""
        for locks in self._locks():
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

    def _locks(self) -> tuple[int, ...]:
        """Return the modifier bits of the four states of Caps Lock and Num Lock."""
        number = self._number_lock()
        return 0, LOCK, number, LOCK | number

    def _number_lock(self) -> int:
        """Return the modifier bit of Num Lock; 0 if the keyboard has no such key."""
        keycode = self._x11.XKeysymToKeycode(self._display, _NUM_LOCK)
        mapping = self._x11.XGetModifierMapping(self._display)
        try:
            per_modifier = mapping.contents.per_modifier
            codes = mapping.contents.keycodes[: 8 * per_modifier]
        finally:
            self._x11.XFreeModifiermap(mapping)
        return 1 << codes.index(keycode) // per_modifier if keycode and keycode in codes else 0


def has_translucency() -> bool:
    """Return whether windows can be translucent; on X11, only if a compositor is running."""
    return QGuiApplication.platformName() != "xcb" or _is_composed()


def _is_composed() -> bool:
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
                unavailable(
                    translate("shortcut", "Your keyboard doesn't have this key. Choose another.")
                )
            )
        elif not display.grab(keycode, modifiers):
            self.close()
            self._set(taken(native_text(keys.text)))
        else:
            self._keys = keys
            self._notifier = QSocketNotifier(display.socket, QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(self._read)
            self._set(active(native_text(keys.text)))

    def release(self) -> None:
        """Release the key."""
        self.close()
        super().release()

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
