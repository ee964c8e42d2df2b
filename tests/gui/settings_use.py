"""Helpers that use the settings dialog as a user does."""

from collections.abc import Iterator
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from notesearch.gui.app import App
from notesearch.gui.settings.settings_dialog import SettingsDialog
from notesearch.gui.settings.settings_page import ChoiceSetting, SettingsPage
from tests.limits import WAIT_S

Kind = TypeVar("Kind", bound=QWidget)


def dialog_of(app: App) -> SettingsDialog:
    if app.settings_controller.dialog is None:
        app.actions.settings.trigger()
    dialog = app.settings_controller.dialog
    assert dialog is not None
    assert QTest.qWaitForWindowActive(dialog, 1000 * WAIT_S)
    return dialog


def pages_of(app: App) -> Iterator[tuple[str, SettingsPage]]:
    """Show one page after the other; yield its name and the page."""
    dialog = dialog_of(app)
    for title in dialog.titles:
        dialog.show_page(title)
        yield title, dialog.page


def control(app: App, kind: type[Kind], name: str) -> Kind:
    """Show the page with the control that has this accessible name; return the control."""
    for _, page in pages_of(app):
        for found in page.findChildren(kind):
            if name in found.accessibleName() or name == found.property("text"):
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
