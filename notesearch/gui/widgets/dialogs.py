"""Dialogs: messages, questions, and the choice of a folder; also the layout of other dialogs."""

import os
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QIcon, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QMessageBox,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px

_CLOSE_KEY = "Ctrl+W"
"""The key that closes a dialog, besides Escape. It closes windows, too."""
_ROOM = 0.9
_PATIENCE_S = 0.3
_EARLY_MS = 1000
_OF_SHORTCUTS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


def open_dialog(dialog: QDialog) -> None:
    """Show ``dialog``, or raise it if it is open. It takes keys even before it has the focus."""
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    former = QGuiApplication.focusWindow()
    if former is not None and former is not dialog.windowHandle():
        former.installEventFilter(_EarlyKeys(dialog))


class _EarlyKeys(QObject):
    """Passes keys from the window with the focus to a dialog, until the focus changes.

    A desktop gives the focus to a new window a moment later than it shows it. What is typed
    meanwhile must not change the query. Some desktops never give the focus to a new window; the
    keys then go to the old one again.
    """

    def __init__(self, dialog: QDialog) -> None:
        super().__init__(dialog)  # a second reference to it would form a cycle
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.focusWindowChanged.connect(self.deleteLater)
        QTimer.singleShot(_EARLY_MS, self, self.deleteLater)

    def eventFilter(self, _former: QObject, event: QEvent) -> bool:
        """Pass a key to the dialog; keys with Ctrl or Alt stay with the window with the focus."""
        dialog = self.parent()
        assert isinstance(dialog, QDialog)
        if not isinstance(event, QKeyEvent) or event.modifiers() & _OF_SHORTCUTS:
            return False
        if not dialog.isVisible():  # closed by a key before it had the focus
            self.deleteLater()
            return False
        event.accept()
        if event.type() != QEvent.Type.ShortcutOverride:  # the key is no shortcut
            _give(event, dialog)
        return True


def _give(event: QKeyEvent, dialog: QDialog) -> None:
    """Let the focused widget of ``dialog`` handle ``event``, or else a widget around it.

    ``QApplication.sendEvent`` would first look for a shortcut of the window with the focus.
    """
    receiver: QWidget | None = dialog.focusWidget() or dialog
    while receiver is not None:
        event.accept()
        is_handled = receiver.event(event) and event.isAccepted()
        if is_handled or receiver.isWindow():
            return
        receiver = receiver.parentWidget()


def fill(dialog: QDialog, *widgets: QWidget) -> None:
    """Lay out ``widgets`` from top to bottom, and a Close button; ``Ctrl+W`` closes, too."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(*_margins())
    column.setSpacing(px(12))
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.buttons()[0].setIcon(QIcon())  # some desktops put a cross before the word
    buttons.rejected.connect(dialog.reject)
    QShortcut(QKeySequence(_CLOSE_KEY), dialog).activated.connect(dialog.reject)
    for widget in (*widgets, buttons):
        column.addWidget(widget)


def _margins() -> tuple[int, int, int, int]:
    """Return the distances of a dialog's content from its edges: left, top, right, bottom."""
    return px(20), px(18), px(20), px(16)


def resize_on_screen(dialog: QDialog, size: QSize) -> None:
    """Resize ``dialog`` to ``size`` in pixels, but to at most 90 % of the screen."""
    dialog.resize(size.boundedTo(dialog.screen().availableSize() * _ROOM))


def choose_folder(parent: QWidget, near: Path) -> Path | None:
    """Let the user choose the notes folder, starting ``near`` if that exists; None if cancelled."""
    start = near if _answers(near) else Path.home()
    title = translate("Choose your notes folder")
    chosen = QFileDialog.getExistingDirectory(parent, title, str(start))
    return Path(chosen) if chosen else None


def _answers(folder: Path) -> bool:
    """Return whether ``folder`` can be read; False if its disk does not answer soon."""
    answers = list[bool]()
    asking = Thread(target=lambda: answers.append(os.access(folder, os.R_OK)), daemon=True)
    asking.start()
    asking.join(_PATIENCE_S)
    return any(answers)


def question(
    parent: QWidget, title: str, text: str, details: str, yes: str, agreed: Callable[[], object]
) -> QMessageBox:
    """Return a dialog that asks ``text``. Its button ``yes`` calls ``agreed``; Enter cancels."""
    box = message_box(parent, title, text, details)
    box.accepted.connect(agreed)
    box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    return box


def choice(title: str, text: str, details: str, yes: str, no: str) -> QMessageBox:
    """Return a dialog without a parent that asks ``text``, with the buttons ``yes`` and ``no``.

    ``yes`` emits ``accepted``, ``no`` emits ``rejected``. Enter and Escape answer ``yes``.
    """
    box = message_box(None, title, text, details)
    accept = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(accept)
    box.setEscapeButton(accept)
    return box


def message_box(
    parent: QWidget | None, title: str, text: str, details: str, icon: QIcon | None = None
) -> QMessageBox:
    """Return a dialog with ``text`` and smaller ``details``, both shown as plain text."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(details)
    if icon is not None:
        box.setIconPixmap(icon.pixmap(px(56), px(56)))
    layout = box.layout()  # Qt makes a new one for each text and for an icon
    if isinstance(layout, QGridLayout):
        layout.setContentsMargins(*_margins())
        layout.setColumnStretch(layout.columnCount() - 1, 1)
        indent = layout.itemAtPosition(0, 0)
        if isinstance(indent, QSpacerItem):  # in place of an icon, before the text
            indent.changeSize(0, 1)
    for label in box.findChildren(QLabel):  # Qt would take the details for markup
        label.setTextFormat(Qt.TextFormat.PlainText)
    return box
