"""Dialogs: a Close button, messages, and questions."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QMessageBox, QWidget

_CLOSE_KEY = "Ctrl+W"
"""As in the windows; Escape closes any dialog anyway."""
_ROOM = 0.9


def close_button(dialog: QDialog) -> QDialogButtonBox:
    """Return a row with a Close button for ``dialog``, and give it a keyboard shortcut."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    QShortcut(QKeySequence(_CLOSE_KEY), dialog).activated.connect(dialog.reject)
    return buttons


def resize_on_screen(dialog: QDialog, size: QSize) -> None:
    """Resize ``dialog`` to ``size``, or to what the screen has room for."""
    dialog.resize(size.boundedTo(dialog.screen().availableSize() * _ROOM))


def question(parent: QWidget, title: str, text: str, details: str, yes: str) -> QMessageBox:
    """Return a dialog that asks ``text``: ``accepted`` reports a yes, and Cancel is the default."""
    box = message_box(parent, title, text, details)
    box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    return box


def choice(title: str, text: str, details: str, yes: str, no: str) -> QMessageBox:
    """Return a dialog on its own with two answers, ``accepted`` (the default) and ``rejected``."""
    box = message_box(None, title, text, details)
    accept = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(accept)
    box.setEscapeButton(accept)
    return box


def message_box(parent: QWidget | None, title: str, text: str, details: str) -> QMessageBox:
    """Return a dialog with ``text`` and smaller ``details``, both without markup."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(details)
    for label in box.findChildren(QLabel):  # Qt would take the details for markup
        label.setTextFormat(Qt.TextFormat.PlainText)
    return box
