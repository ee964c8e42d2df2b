"""Fault F9: a sign that an input method is still putting together is not searched yet."""

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.theme import LIGHT


def compose(field: SearchField, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    edit = field.focusProxy()
    assert edit
    QCoreApplication.sendEvent(edit, event)


@pytest.mark.fault("F9")
def test_f09_an_input_method_is_waited_for(qtbot: QtBot) -> None:
    field = SearchField(LIGHT)
    qtbot.addWidget(field)
    asked = QSignalSpy(field.text_changed)
    for preedit in ("s", "す", "すs", "すし"):
        compose(field, preedit)
    assert (field.text, asked.count()) == ("", 0)
    compose(field, "", commit="寿司")
    assert (field.text, asked.count()) == ("寿司", 1)
    assert asked.at(0) == ["寿司"]
