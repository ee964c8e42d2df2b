"""The button row of a dialog that only shows something."""

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox

_CLOSE_KEY = "Ctrl+W"
"""As in the windows; Escape closes any dialog anyway."""


def closing(dialog: QDialog) -> QDialogButtonBox:
    """Return a row with a Close button for ``dialog``, and give it a keyboard shortcut."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    QShortcut(QKeySequence(_CLOSE_KEY), dialog).activated.connect(dialog.reject)
    return buttons
