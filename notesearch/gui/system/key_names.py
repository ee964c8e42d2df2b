"""The names of keys as the platform and the user's language write them."""

from PySide6.QtGui import QKeySequence

from notesearch.gui.translation import translate


def native_text(keys: str | QKeySequence) -> str:
    """Return one combination as platform and language write it: Strg+K."""
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    for own in ("Return", "Enter"):  # Qt leaves them as they are; to people they are one key
        if native.endswith(own):
            return native.removesuffix(own) + translate("keys", "Enter")
    return native
