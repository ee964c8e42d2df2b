"""What every kind of global shortcut has in common: keys, a state that can be said, a signal."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from notesearch.gui.system.shortcut.keys import Keys
from notesearch.gui.translation import translate


class Kind(StrEnum):
    """How it stands with the global shortcut."""

    OFF = "off"
    ACTIVE = "active"
    WAITING = "waiting"
    UNAVAILABLE = "unavailable"
    TAKEN = "taken"


class Remedy(StrEnum):
    """The one thing a user can do about it."""

    CHOOSE = "choose"
    CONFIGURE = "configure"
    TRY_AGAIN = "try again"
    COPY_COMMAND = "copy command"


@dataclass(frozen=True, slots=True)
class ShortcutState:
    """How it stands, in a sentence, with what can be done.

    Attributes:
        keys: The shortcut as the desktop names it; empty where it has none.
    """

    kind: Kind
    sentence: str
    remedy: Remedy
    keys: str = ""


def off() -> ShortcutState:
    """Return that no shortcut is wanted."""
    return ShortcutState(
        Kind.OFF, translate("shortcut", "No global shortcut is set."), Remedy.CHOOSE
    )


def active(keys: str, remedy: Remedy = Remedy.CHOOSE, sentence: str = "") -> ShortcutState:
    """Return that ``keys`` open quick search from anywhere."""
    sentence = sentence or translate("shortcut", "Active: {keys} opens quick search from anywhere.")
    return ShortcutState(Kind.ACTIVE, sentence.format(keys=keys), remedy, keys)


def waiting() -> ShortcutState:
    """Return that the desktop, or its user, has not answered yet."""
    sentence = translate("shortcut", "Waiting for your desktop to confirm the shortcut.")
    return ShortcutState(Kind.WAITING, sentence, Remedy.TRY_AGAIN)


def taken(keys: str) -> ShortcutState:
    """Return that ``keys`` belong to another program."""
    sentence = translate("shortcut", "{keys} is already used by another program. Choose another.")
    return ShortcutState(Kind.TAKEN, sentence.format(keys=keys), Remedy.CHOOSE)


def unavailable(sentence: str = "", remedy: Remedy = Remedy.COPY_COMMAND) -> ShortcutState:
    """Return that there is no global shortcut, and the way around: a command bound to a key."""
    sentence = sentence or (
        translate(
            "shortcut",
            "Not available on this desktop. Bind the command “notesearch quick” to a key in"
            " your desktop's settings.",
        )
    )
    return ShortcutState(Kind.UNAVAILABLE, sentence, remedy)


class GlobalShortcut(QObject):
    """A key that reaches the program wherever the user is; this one does so nowhere.

    Attributes:
        is_exclusive: No other window gets the keys, not even one of ours.

    Signals:
        pressed: The key was pressed; with the token, or none, that lets a window take the focus.
        changed: Another ``ShortcutState``.
    """

    is_exclusive = False
    pressed = Signal(str)
    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = off()

    @property
    def state(self) -> ShortcutState:
        """How it stands."""
        return self._state

    def grab(self, keys: Keys) -> None:
        """Ask for ``keys`` in place of what was asked for before; ``changed`` tells the answer."""
        self._set(unavailable())

    def release(self) -> None:
        """Want no shortcut any more."""
        self._set(off())

    def configure(self) -> None:
        """Open the place where the desktop lets its user choose the keys, if it has one."""

    def close(self) -> None:
        """Let go of everything; the program ends."""

    def _set(self, state: ShortcutState) -> None:
        if state != self._state:
            self._state = state
            self.changed.emit(state)
