"""Dialogs that only show something close with their button, Escape and Ctrl+W."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event, active_count
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QMessageBox,
    QProxyStyle,
    QPushButton,
    QScrollArea,
    QStyle,
    QWidget,
)
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.app import App
from notesearch.gui.settings.about_page import LicenceList
from notesearch.gui.widgets.dialogs import choose_folder, message_box, question
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.index_display import UnreadList
from notesearch.gui.window.key_page import KeyPage, key_groups
from notesearch.messages import Sentence
from notesearch.status import Unread
from tests.gui.fixture_types import StartApp

SHOWN: list[Callable[[App], QDialog]] = [
    lambda app: KeyPage(key_groups(app.actions), app.window.theme, app.window),
    lambda app: UnreadList((Unread("a.md", Sentence("file_not_text")),), app.window),
    lambda app: LicenceList(app.window),
]


@pytest.fixture(params=SHOWN, ids=["keys", "unread", "licences"])
def dialog(request: pytest.FixtureRequest, qtbot: QtBot, app: App) -> QDialog:
    shown: QDialog = request.param(app)
    shown.show()
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    return shown


class WithIcons(QProxyStyle):
    """The style of a desktop that puts icons on the buttons of dialogs."""

    def styleHint(self, hint: QStyle.StyleHint, *more: Any) -> int:
        if hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            return 1
        return super().styleHint(hint, *more)


def test_buttons_of_dialogs_have_no_icons(qtbot: QtBot, app: App, qapp: QApplication) -> None:
    qapp.setStyle(WithIcons("Fusion"))
    box = message_box(app.window, "Title", "Text", "Details")
    box.addButton(QMessageBox.StandardButton.Cancel)
    page = KeyPage(key_groups(app.actions), app.window.theme, app.window)
    buttons = [button for dialog in (box, page) for button in dialog.findChildren(QPushButton)]
    qapp.setStyle("Fusion")
    assert [button.text().replace("&", "") for button in buttons] == ["Cancel", "Close"]
    assert all(button.icon().isNull() for button in buttons)


def test_ctrl_w_closes_only_the_dialog(qtbot: QtBot, app: App, dialog: QDialog) -> None:
    with qtbot.waitSignal(dialog.destroyed):
        QTest.keyClick(dialog, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert app.window.isVisible()


def test_its_button_closes_it(qtbot: QtBot, dialog: QDialog) -> None:
    (foot,) = dialog.findChildren(QDialogButtonBox)
    with qtbot.waitSignal(dialog.destroyed):
        foot.button(QDialogButtonBox.StandardButton.Close).click()


def test_keys_fit_into_a_narrow_window(qtbot: QtBot, app: App) -> None:
    page = KeyPage(key_groups(app.actions), app.window.theme, app.window)
    (area,) = page.findChildren(QScrollArea)
    with qtbot.waitExposed(page):
        page.show()
    page.resize(px(340), page.height())
    qtbot.waitUntil(lambda: page.width() == px(340))
    assert area.horizontalScrollBar().maximum() == 0


def test_a_scroll_area_shows_its_focus(qtbot: QtBot, app: App) -> None:
    page = KeyPage(key_groups(app.actions), app.window.theme, app.window)
    (area,) = page.findChildren(QScrollArea)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    colours = []
    for focus in (page.findChildren(QDialogButtonBox)[0].buttons()[0], area):
        focus.setFocus()
        colours.append(page.grab().toImage().pixelColor(area.mapTo(page, area.rect().topLeft())))
    assert colours[0] != colours[1]
    assert colours[1].name().upper() == app.window.theme.accent.upper()
    page.close()


def test_no_dialog_is_larger_than_the_screen(
    qtbot: QtBot, start: StartApp, words_only: Settings
) -> None:
    app = start(None, replace(words_only, text_size=300))
    for make in SHOWN:
        shown = make(app)
        room = shown.screen().availableSize()
        assert shown.size().boundedTo(room) == shown.size()
        shown.show()
        with qtbot.waitSignal(shown.destroyed):
            shown.close()


def test_no_text_of_a_message_is_markup(qtbot: QtBot) -> None:
    box = message_box(None, "Title", "<b>Asked</b>", "<i>Details</i>")
    qtbot.addWidget(box)
    formats = {label.text(): label.textFormat() for label in box.findChildren(QLabel)}
    told = [formats[text] for text in ("<b>Asked</b>", "<i>Details</i>")]
    assert told == [Qt.TextFormat.PlainText] * 2


def test_a_message_has_room_around_it(qtbot: QtBot, app: App) -> None:
    app.actions.about.trigger()
    [box] = app.window.findChildren(QMessageBox)
    layout = box.layout()
    assert layout is not None
    margins = layout.contentsMargins()
    assert min(margins.left(), margins.top(), margins.right(), margins.bottom()) >= px(16)
    box.close()


def test_the_list_of_keys_can_be_filtered(qtbot: QtBot, app: App) -> None:
    page = KeyPage(key_groups(app.actions), app.window.theme, app.window)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    QTest.keyClicks(page.focusWidget(), "copy path")  # without a click before
    assert page.filter.text() == "copy path"
    assert "Copy path" in visible(page)
    assert "Update index" not in visible(page)
    assert ("Results" in visible(page), "Preview" in visible(page)) == (True, False)
    page.filter.setText("f5")
    assert "Update index" in visible(page)


def visible(page: KeyPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


def test_the_choice_of_a_folder_does_not_wait_for_a_dead_disk(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    answers, shown, before = Event(), list[str](), active_count()
    access = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: path != tmp_path or (answers.wait() and access(path, mode))
    )
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda _parent, _title, start: shown.append(start)
    )
    window = QDialog()
    qtbot.addWidget(window)
    choose_folder(window, tmp_path)
    answers.set()
    choose_folder(window, tmp_path)
    assert shown == [str(Path.home()), str(tmp_path)]
    qtbot.waitUntil(lambda: active_count() == before)


def test_a_question_keeps_the_same_distance_on_both_sides_of_its_text(
    qtbot: QtBot, qapp: QApplication
) -> None:
    """Qt once left twice as much room before the text, as if for an icon."""
    window = QWidget()
    qtbot.addWidget(window)
    dialog = question(
        window, "Remove", "Remove this folder?", "Your notes stay. " * 9, "Remove", window.close
    )
    dialog.show()
    qapp.processEvents()
    texts = [label for label in dialog.findChildren(QLabel) if label.text()]
    assert len(texts) == 2
    for label in texts:
        left, right = label.x(), dialog.width() - label.geometry().right() - 1
        assert 0 <= left - right <= 8
