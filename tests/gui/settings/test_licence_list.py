"""The licence list in the settings: every component with its licence."""

import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from notesearch import licences
from notesearch.gui.app import App
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.settings.about_page import LicenceList
from notesearch.licences import Component, components


@pytest.fixture
def shown(qtbot: QtBot, app: App) -> LicenceList:
    """The list, opened by its button on the About page."""
    app.actions.settings.trigger()
    dialog = app.settings_controller.dialog
    assert dialog
    dialog.show_page("About")
    buttons = {button.text(): button for button in dialog.page.findChildren(QPushButton)}
    buttons["All licences…"].click()
    opened = dialog.findChild(LicenceList)
    assert isinstance(opened, LicenceList)
    qtbot.waitUntil(lambda: opened.names.count() > 0)
    return opened


def test_every_component_has_its_licence(shown: LicenceList) -> None:
    parts = components()
    lines = [shown.names.item(row).text() for row in range(shown.names.count())]
    assert len(lines) == len(parts)
    assert lines[0] == f"notesearch {parts[0].version}: MIT"
    for row, part in enumerate(parts):
        shown.names.setCurrentRow(row)
        assert shown.text.toPlainText() == "\n".join([*part.inside, *part.texts])


def test_it_can_be_used_and_closed_by_keyboard(qtbot: QtBot, shown: LicenceList) -> None:
    assert shown.focusWidget() is shown.names
    before = shown.text.toPlainText()
    QTest.keyClick(shown.names, Qt.Key.Key_Down)
    assert shown.text.toPlainText() not in {"", before}
    QTest.keyClick(shown.names, Qt.Key.Key_Tab)
    assert shown.focusWidget() is shown.text
    with qtbot.waitSignal(shown.destroyed):
        QTest.keyClick(shown, Qt.Key.Key_Escape)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the thread read licences until it is told to end."""

    def read() -> tuple[Component, ...]:
        while not FileCall.is_ending():
            QThread.yieldCurrentThread()
        return ()

    monkeypatch.setattr(licences, "components", read)


@pytest.mark.usefixtures("endless")
def test_it_can_be_closed_before_it_is_filled(qtbot: QtBot) -> None:
    opened = LicenceList()
    opened.open()
    with qtbot.waitSignal(opened.destroyed):
        opened.close()


@pytest.mark.usefixtures("endless")
def test_it_can_be_destroyed_before_it_is_filled(qapp: QApplication) -> None:
    window = QWidget()
    LicenceList(window).open()
    (running,) = window.findChildren(QThread)
    delete(window)  # a thread that ran on would end the process
    assert not isValid(running)


@pytest.mark.usefixtures("endless")
def test_the_program_can_end_before_it_is_filled(app: App) -> None:
    app.actions.settings.trigger()
    assert app.settings_controller.dialog
    app.settings_controller.dialog.show_page("About")
    page = app.settings_controller.dialog.page
    {b.text(): b for b in page.findChildren(QPushButton)}["All licences…"].click()
    running = app.settings_controller.dialog.findChildren(QThread)
    assert running
    app.settings_controller.close()
    assert not any(isValid(one) and one.isRunning() for one in running)
