"""Helpers that use the settings dialog as a user does."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from notesearch.gui.app import App
from notesearch.gui.settings.setting_controls import ChoiceSetting
from notesearch.gui.settings.settings_dialog import SettingsDialog
from tests.limits import WAIT_S

Kind = TypeVar("Kind", bound=QWidget)


def dialog_of(app: App) -> SettingsDialog:
    if app.settings_controller.dialog is None:
        app.actions.settings.trigger()
    dialog = app.settings_controller.dialog
    assert dialog is not None
    assert QTest.qWaitForWindowActive(dialog, 1000 * WAIT_S)
    return dialog


def control(app: App, kind: type[Kind], name: str) -> Kind:
    """Return the control with this accessible name, on its page."""
    dialog = dialog_of(app)
    for page in dialog.pages:
        for found in page.findChildren(kind):
            if name in found.accessibleName() or name == found.property("text"):
                dialog.show_page(page.title)
                return found
    raise AssertionError(name)


def tick(app: App, text: str) -> None:
    box = control(app, QCheckBox, text)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)


def pick(app: App, name: str, text: str) -> None:
    """Choose ``text`` in a drop-down by keyboard."""
    box = control(app, ChoiceSetting, name)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    while box.currentText() != text:
        before = box.currentIndex()
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() > before, text


def enter(app: App, name: str, text: str) -> None:
    field = control(app, QLineEdit, name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
