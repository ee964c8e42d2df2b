"""The global shortcut on X11: grabs the key on the root window."""

from functools import reduce

from PySide6.QtCore import QObject, QSocketNotifier, Slot

from notesearch.gui.system import xlib
from notesearch.gui.system.key_names import native_text
from notesearch.gui.system.shortcut.global_shortcut import (
    GlobalShortcut,
    active,
    taken,
    unavailable,
)
from notesearch.gui.system.shortcut.keys import Keys
from notesearch.gui.system.xlib import XDisplay
from notesearch.gui.translation import translate

_MASKS = {"Ctrl": xlib.CONTROL, "Alt": xlib.ALT, "Shift": xlib.SHIFT, "Meta": xlib.META}


class X11Shortcut(GlobalShortcut):
    """Grabs the key through its own connection and leaves Qt's alone."""

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
        if xlib.MAPPING_NOTIFY in kinds and self._keys is not None:
            self.grab(self._keys)  # the new layout may put the key elsewhere
        if xlib.KEY_PRESS in kinds:
            self.pressed.emit("")
