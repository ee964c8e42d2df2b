"""Names of keys as the platform and the user's language write them."""

from PySide6.QtGui import QKeySequence

from notesearch.gui.translation import translate


def native_text(keys: str | QKeySequence) -> str:
    """Return one key combination in the platform's notation and language, e.g. Strg+K."""
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    for own in ("Return", "Enter"):  # Qt does not translate these; users see one key
        if native.endswith(own):
            return native.removesuffix(own) + translate("keys", "Enter")
    return native
