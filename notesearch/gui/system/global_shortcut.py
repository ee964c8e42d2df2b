"""The global shortcut of quick search: its keys, its state, and how it is registered.

The settings write the keys like this: ``Ctrl+Shift+Space``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.translation import translate

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
"""The modifier keys as Qt names them; on macOS, Ctrl is the command key, Meta the control key."""

PROPOSED = "Ctrl+Shift+Space"
"""The shortcut to offer if the user has not chosen one."""

COMMAND = "notesearch quick"
"""The command a user binds to a key where the program cannot register a shortcut."""

NAMED_KEYS = dict(
    pair.split(":")
    for pair in r"""
        Space:space Tab:Tab Return:Return Backspace:BackSpace Ins:Insert Del:Delete Home:Home
        End:End PgUp:Page_Up PgDown:Page_Down Left:Left Right:Right Up:Up Down:Down Pause:Pause
        Print:Print ,:comma .:period ;:semicolon ':apostrophe `:grave -:minus =:equal
        [:bracketleft ]:bracketright \:backslash /:slash
    """.split()
)
"""Keys other than letters, digits and function keys, with their X11 names."""

_FUNCTIONS = tuple(f"F{number}" for number in range(1, 25))


@dataclass(frozen=True, slots=True)
class Keys:
    """A shortcut: a key with its modifiers.

    Attributes:
        key: ``A`` to ``Z``, ``0`` to ``9``, ``F1`` to ``F24`` or a key of ``NAMED_KEYS``.
        modifiers: Some of ``MODIFIERS``, in that order.
    """

    key: str
    modifiers: tuple[str, ...]

    @property
    def text(self) -> str:
        """The shortcut in the notation of the settings."""
        return "+".join((*self.modifiers, self.key))

    @property
    def keysym(self) -> str:
        """The name of the key, without modifiers, in X11 and in desktop portals."""
        if self.key in NAMED_KEYS:
            return NAMED_KEYS[self.key]
        return self.key.lower() if len(self.key) == 1 else self.key


def parse_keys(text: str) -> Keys | None:
    """Return the shortcut that ``text`` names in the settings' notation; None if it is unknown."""
    before, _, key = text.strip().rpartition("+")
    key = key.strip()
    known = {name.casefold(): name for name in MODIFIERS}
    words = before.split("+") if before else []
    modifiers = {known.get(word.strip().casefold(), "") for word in words}
    names = {name.casefold(): name for name in (*NAMED_KEYS, *_FUNCTIONS)}
    if len(key) == 1 and key.isascii() and key.isalnum():
        key = key.upper()
    else:
        key = names.get(key.casefold(), "")
    if not key or "" in modifiers:
        return None
    return Keys(key, tuple(name for name in MODIFIERS if name in modifiers))


def objection(keys: Keys | None) -> str:
    """Return a sentence that says why ``keys`` is a bad global shortcut; empty if it is good.

    None, for keys that cannot be one at all, is bad, too.
    """
    if keys is None:
        return translate("This cannot be a global shortcut. Choose another.")
    strong = set(keys.modifiers) - {"Shift"}
    if not strong and keys.key not in _FUNCTIONS:
        return translate("A global shortcut needs Ctrl, Alt or a function key. Choose another.")
    if keys.text == "Alt+Space":
        return translate("Alt+Space opens the window menu on many desktops. Choose another.")
    if {"Ctrl", "Alt"} <= strong and len(keys.key) == 1:
        return translate(
            "Ctrl+Alt with a letter types a character on many keyboards. Choose another."
        )
    if strong == {"Ctrl"} and "Shift" not in keys.modifiers and len(keys.key) == 1:
        return translate("Other programs use Ctrl with a letter. Choose another.")
    return ""


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


@dataclass(frozen=True, slots=True)
class ShortcutState:
    """The state of the shortcut, a sentence that explains it, and what the user can do.

    ``keys`` is the shortcut in the desktop's notation; empty if no shortcut works.
    """

    kind: Kind
    sentence: str
    remedy: Remedy
    keys: str = ""


def off() -> ShortcutState:
    """Return the state without a shortcut."""
    return ShortcutState(Kind.OFF, translate("No global shortcut is set."), Remedy.CHOOSE)


def active(keys: str, remedy: Remedy = Remedy.CHOOSE, sentence: str = "") -> ShortcutState:
    """Return the state in which ``keys`` open quick search.

    ``sentence``, which may contain ``{keys}``, replaces the default one.
    """
    sentence = sentence or translate("Active: {keys} opens quick search from anywhere.")
    return ShortcutState(Kind.ACTIVE, sentence.format(keys=keys), remedy, keys)


def waiting() -> ShortcutState:
    """Return the state while the desktop or the user has not answered."""
    sentence = translate("Waiting for your desktop to confirm the shortcut.")
    return ShortcutState(Kind.WAITING, sentence, Remedy.TRY_AGAIN)


def taken(keys: str) -> ShortcutState:
    """Return the state in which another program uses ``keys``."""
    sentence = translate("{keys} is already used by another program. Choose another.")
    return ShortcutState(Kind.TAKEN, sentence.format(keys=keys), Remedy.CHOOSE)


def unavailable(sentence: str = "", remedy: Remedy = Remedy.CHOOSE) -> ShortcutState:
    """Return the state in which no shortcut works; the default sentence names a command to bind."""
    sentence = sentence or (
        translate(
            "Not available on this desktop. Bind the command “notesearch quick” to a key in"
            " your desktop’s settings."
        )
    )
    return ShortcutState(Kind.UNAVAILABLE, sentence, remedy)


class GlobalShortcut(QObject):
    """A shortcut that works in all windows of the desktop; this base class supports no key.

    Attributes:
        is_exclusive: Whether the keys reach no window, not even a window of this program.
        state: The current state.

    Signals:
        pressed: The key was pressed; carries a token that lets a window take the focus; empty if
            there is none.
        changed: The state has changed; carries the new ``ShortcutState``.
    """

    is_exclusive = False
    pressed = Signal(str)
    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = off()

    def grab(self, keys: Keys) -> None:
        """Register ``keys`` instead of the previous keys; ``changed`` reports the result."""
        self._set(unavailable())

    def release(self) -> None:
        """Give up the shortcut."""
        self.close()
        self._set(off())

    def configure(self) -> None:
        """Open the desktop's dialog for choosing the keys, if it has one."""

    def close(self) -> None:
        """Release everything when the program ends."""

    def _set(self, state: ShortcutState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)


class ShortcutController(QObject):
    """Registers the shortcut ``chosen`` in the settings, and reports its state.

    ``make`` creates the platform's implementation when first needed. ``keep`` saves a new choice.
    ``chosen`` is empty for no shortcut; ``state`` is the current state.

    Signals:
        pressed, changed: As in ``GlobalShortcut``.
    """

    pressed = Signal(str)
    changed = Signal(object)

    def __init__(
        self,
        chosen: str,
        keep: Callable[[str], None],
        make: Callable[[QObject], GlobalShortcut],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.chosen = chosen
        self._keep = keep
        self._make = make
        self._shortcut: GlobalShortcut | None = None
        self.state = off()
        self._is_suspended = False

    @property
    def is_active(self) -> bool:
        """Whether the shortcut is registered."""
        return self.state.kind is Kind.ACTIVE

    def begin(self) -> None:
        """Register the shortcut that the settings have, if any."""
        if self.chosen:
            self._register()

    def choose(self, text: str) -> None:
        """Choose another shortcut, save it, and register it; an empty ``text`` means none.

        A bad shortcut is not saved; ``changed`` reports why.
        """
        keys = parse_keys(text)
        reason = objection(keys) if text else ""
        if reason:
            self._show(unavailable(reason, Remedy.CHOOSE))
            return
        self.chosen = keys.text if keys else ""
        self._keep(self.chosen)
        self._apply()

    def follow(self, chosen: str) -> None:
        """Register the shortcut ``chosen``, which has changed in the settings."""
        if chosen != self.chosen:
            self.chosen = chosen
            self._apply()

    @Slot()
    def pause(self) -> None:
        """Release the shortcut; the settings keep it."""
        if self._shortcut is not None:
            self._shortcut.release()
        self._show(off())

    def suspend(self) -> None:
        """Let a window of this program receive the keys, until ``resume``."""
        if self._shortcut is not None and self._shortcut.is_exclusive:
            self._shortcut.close()
            self._is_suspended = True

    def resume(self) -> None:
        """Undo ``suspend``: register the shortcut again if it was released; show its state."""
        if self._is_suspended:
            self._apply()
        elif not self.chosen:
            self._show(off())
        elif self._shortcut is not None:
            self._show(self._shortcut.state)

    @Slot()
    def help(self) -> None:
        """Carry out the remedy that the state offers."""
        match self.state.remedy:
            case Remedy.CONFIGURE if self._shortcut is not None:
                self._shortcut.configure()
            case Remedy.TRY_AGAIN:
                self.begin()

    def close(self) -> None:
        """Release everything when the program ends."""
        if self._shortcut is not None:
            self._shortcut.close()

    def _apply(self) -> None:
        self._is_suspended = False
        if self.chosen:
            self._register()
        else:
            self.pause()

    def _register(self) -> None:
        keys = parse_keys(self.chosen)
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
        if state != self.state:
            self.state = state
            self.changed.emit(state)
