"""Reads and writes shortcuts, in the settings' notation (``Ctrl+Shift+Space``) and others."""

from dataclasses import dataclass

from PySide6.QtGui import QKeySequence

from notesearch.gui.translation import translate

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
"""The modifier keys as Qt names them; on macOS, Ctrl is the command key, Meta the control key."""

PROPOSED = "Ctrl+Shift+Space"
"""The shortcut to offer if the user has not chosen one."""

NAMED = {
    "Space": "space",
    "Tab": "Tab",
    "Return": "Return",
    "Backspace": "BackSpace",
    "Ins": "Insert",
    "Del": "Delete",
    "Home": "Home",
    "End": "End",
    "PgUp": "Page_Up",
    "PgDown": "Page_Down",
    "Left": "Left",
    "Right": "Right",
    "Up": "Up",
    "Down": "Down",
    "Pause": "Pause",
    "Print": "Print",
    ",": "comma",
    ".": "period",
    ";": "semicolon",
    "'": "apostrophe",
    "`": "grave",
    "-": "minus",
    "=": "equal",
    "[": "bracketleft",
    "]": "bracketright",
    "\\": "backslash",
    "/": "slash",
}
"""Keys other than letters, digits and function keys, with their X11 names."""

_FUNCTIONS = tuple(f"F{number}" for number in range(1, 25))


@dataclass(frozen=True, slots=True)
class Keys:
    """A shortcut: a key with its modifiers.

    Attributes:
        key: ``A`` to ``Z``, ``0`` to ``9``, ``F1`` to ``F24`` or a key of ``NAMED``.
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
        if self.key in NAMED:
            return NAMED[self.key]
        return self.key.lower() if len(self.key) == 1 else self.key


def parse(text: str) -> Keys | None:
    """Return the shortcut that ``text`` names in the settings' notation; None if it is unknown."""
    words, key = _split(text)
    known = {name.casefold(): name for name in MODIFIERS}
    modifiers = {known.get(word.strip().casefold(), "") for word in words}
    names = {name.casefold(): name for name in (*NAMED, *_FUNCTIONS)}
    if len(key) == 1 and key.isascii() and key.isalnum():
        key = key.upper()
    else:
        key = names.get(key.casefold(), "")
    if not key or "" in modifiers:
        return None
    return Keys(key, tuple(name for name in MODIFIERS if name in modifiers))


def objection(keys: Keys | None) -> str:
    """Return a sentence on why ``keys`` is a bad global shortcut; empty if it is a good one."""
    if keys is None:
        return translate("shortcut", "This can't be a global shortcut. Choose another.")
    strong = set(keys.modifiers) - {"Shift"}
    if not strong and keys.key not in _FUNCTIONS:
        return translate(
            "shortcut", "A global shortcut needs Ctrl, Alt or a function key. Choose another."
        )
    if keys.text == "Alt+Space":
        return translate(
            "shortcut", "Alt+Space opens the window menu on many desktops. Choose another."
        )
    if {"Ctrl", "Alt"} <= strong and len(keys.key) == 1:
        return translate(
            "shortcut",
            "Ctrl+Alt with a letter types a character on many keyboards. Choose another.",
        )
    if strong == {"Ctrl"} and "Shift" not in keys.modifiers and len(keys.key) == 1:
        return translate("shortcut", "Other programs use Ctrl with a letter. Choose another.")
    return ""


def _split(text: str) -> tuple[list[str], str]:
    """Return the modifiers and the key in ``text``, which are joined by plus signs."""
    before, _, key = text.strip().rpartition("+")
    return before.split("+") if before else [], key.strip()


def native_text(keys: str | QKeySequence) -> str:
    """Return one key combination in the platform's notation and the user's language: Strg+K."""
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    for own in ("Return", "Enter"):  # Qt does not translate these; for users, they are one key
        if native.endswith(own):
            return native.removesuffix(own) + translate("keys", "Enter")
    return native
