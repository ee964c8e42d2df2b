"""The foot of a dialog that only shows something: what closes it, by mouse and by key."""

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox

_CLOSES = "Ctrl+W"
"""As the windows are; Escape closes any dialog."""


def closing(dialog: QDialog) -> QDialogButtonBox:
    """Return the button that closes ``dialog``, and have a key do the same."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    QShortcut(QKeySequence(_CLOSES), dialog).activated.connect(dialog.reject)
    return buttons
