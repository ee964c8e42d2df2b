"""The global shortcut from the settings to the desktop: asked for, told about, changed."""

import os
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from notesearch.gui.system.shortcut.global_shortcut import (
    GlobalShortcut,
    Kind,
    Remedy,
    ShortcutState,
    off,
    unavailable,
)
from notesearch.gui.system.shortcut.keys import objection, parse

COMMAND = "notesearch quick"
"""What a user binds to a key where the program cannot do so itself."""


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


class ShortcutController(QObject):
    """Asks the desktop for the shortcut that was chosen; whoever shows its state listens here.

    Args:
        chosen: The shortcut of the settings; empty for none.
        keep: Puts another one into the settings.
        make: Makes the desktop's kind of shortcut, when one is first wanted.

    Signals:
        pressed: As of ``GlobalShortcut``.
        changed: As of ``GlobalShortcut``.
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
        self._chosen = chosen
        self._keep = keep
        self._make = make
        self._shortcut: GlobalShortcut | None = None
        self._state = off()
        self._is_away = False

    @property
    def chosen(self) -> str:
        """The shortcut that is wanted; empty for none."""
        return self._chosen

    @property
    def state(self) -> ShortcutState:
        """How it stands."""
        return self._state

    @property
    def is_active(self) -> bool:
        """Quick search can be opened by a key."""
        return self._state.kind is Kind.ACTIVE

    def begin(self) -> None:
        """Ask for what the settings have."""
        if self._chosen:
            self._ask()

    def choose(self, text: str) -> None:
        """Want another shortcut from now on, or with an empty ``text`` none."""
        keys = parse(text)
        if text and (reason := objection(keys)):
            self._show(unavailable(reason, Remedy.CHOOSE))
            return
        self._chosen = keys.text if keys else ""
        self._keep(self._chosen)
        self._ask_or_let_go()

    def follow(self, chosen: str) -> None:
        """Want what the settings have now, which somebody else may have written."""
        if chosen != self._chosen:
            self._chosen = chosen
            self._ask_or_let_go()

    @Slot()
    def try_again(self) -> None:
        """Ask once more for what is wanted."""
        self.begin()

    @Slot()
    def pause(self) -> None:
        """Want no key for now."""
        if self._shortcut is not None:
            self._shortcut.release()
        self._show(off())

    def let_go(self) -> None:
        """Leave the keys to our own windows, while others are chosen in one of them."""
        if self._shortcut is not None and self._shortcut.is_exclusive:
            self._shortcut.close()
            self._is_away = True

    def take_back(self) -> None:
        """Have the keys open quick search again, whatever was refused in place of them."""
        if self._is_away:
            self._ask_or_let_go()
        elif not self._chosen:
            self._show(off())
        elif self._shortcut is not None:
            self._show(self._shortcut.state)

    @Slot()
    def help(self) -> None:
        """Do what the state offers, as far as that is not up to the user."""
        match self._state.remedy:
            case Remedy.CONFIGURE if self._shortcut is not None:
                self._shortcut.configure()
            case Remedy.TRY_AGAIN:
                self.try_again()
            case Remedy.COPY_COMMAND:
                QGuiApplication.clipboard().setText(COMMAND)

    def close(self) -> None:
        """Let go of everything; the program ends."""
        if self._shortcut is not None:
            self._shortcut.close()

    def _ask_or_let_go(self) -> None:
        self._is_away = False
        if self._chosen:
            self._ask()
        else:
            self.pause()

    def _ask(self) -> None:
        keys = parse(self._chosen)
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
        if state != self._state:
            self._state = state
            self.changed.emit(state)
