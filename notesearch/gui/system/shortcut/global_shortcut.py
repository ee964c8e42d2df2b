"""The interface of a global shortcut, and its state with a sentence for the user."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from notesearch.gui.system.shortcut.keys import Keys
from notesearch.gui.translation import translate


class Kind(StrEnum):
    """The states of the global shortcut."""

    OFF = "off"
    ACTIVE = "active"
    WAITING = "waiting"
    UNAVAILABLE = "unavailable"
    TAKEN = "taken"


class Remedy(StrEnum):
    """What the user can do in a state."""

    CHOOSE = "choose"
    CONFIGURE = "configure"
    TRY_AGAIN = "try again"
    COPY_COMMAND = "copy command"


@dataclass(frozen=True, slots=True)
class ShortcutState:
    """The state of the shortcut.

    Attributes:
        kind: The state.
        sentence: A sentence that tells the state to the user.
        remedy: What the user can do.
        keys: The shortcut in the desktop's notation; empty if no shortcut works.
    """

    kind: Kind
    sentence: str
    remedy: Remedy
    keys: str = ""


def off() -> ShortcutState:
    """Return the state without a shortcut."""
    return ShortcutState(
        Kind.OFF, translate("shortcut", "No global shortcut is set."), Remedy.CHOOSE
    )


def active(keys: str, remedy: Remedy = Remedy.CHOOSE, sentence: str = "") -> ShortcutState:
    """Return the state in which ``keys`` open quick search.

    ``sentence``, which may contain ``{keys}``, replaces the default one.
    """
    sentence = sentence or translate("shortcut", "Active: {keys} opens quick search from anywhere.")
    return ShortcutState(Kind.ACTIVE, sentence.format(keys=keys), remedy, keys)


def waiting() -> ShortcutState:
    """Return the state while the desktop or the user has not answered."""
    sentence = translate("shortcut", "Waiting for your desktop to confirm the shortcut.")
    return ShortcutState(Kind.WAITING, sentence, Remedy.TRY_AGAIN)


def taken(keys: str) -> ShortcutState:
    """Return the state in which another program uses ``keys``."""
    sentence = translate("shortcut", "{keys} is already used by another program. Choose another.")
    return ShortcutState(Kind.TAKEN, sentence.format(keys=keys), Remedy.CHOOSE)


def unavailable(sentence: str = "", remedy: Remedy = Remedy.COPY_COMMAND) -> ShortcutState:
    """Return the state in which no shortcut works.

    Args:
        sentence: Tells the user why. By default, it tells the command to bind to a key.
        remedy: What the user can do.
    """
    sentence = sentence or (
        translate(
            "shortcut",
            "Not available on this desktop. Bind the command “notesearch quick” to a key in"
            " your desktop's settings.",
        )
    )
    return ShortcutState(Kind.UNAVAILABLE, sentence, remedy)


class GlobalShortcut(QObject):
    """A key that reaches the program from any window; this base class supports no key.

    Attributes:
        is_exclusive: No window receives the keys, not even a window of this program.

    Signals:
        pressed: The key was pressed; carries a token that lets a window take the focus, or "".
        changed: The state has changed; carries the new ``ShortcutState``.
    """

    is_exclusive = False
    pressed = Signal(str)
    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = off()

    @property
    def state(self) -> ShortcutState:
        """The current state."""
        return self._state

    def grab(self, keys: Keys) -> None:
        """Register ``keys`` instead of the previous keys; ``changed`` reports the result."""
        self._set(unavailable())

    def release(self) -> None:
        """Give up the shortcut."""
        self._set(off())

    def configure(self) -> None:
        """Open the desktop's dialog for choosing the keys, if it has one."""

    def close(self) -> None:
        """Release everything when the program ends."""

    def _set(self, state: ShortcutState) -> None:
        if state != self._state:
            self._state = state
            self.changed.emit(state)
