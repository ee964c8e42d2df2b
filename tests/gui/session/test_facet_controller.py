"""The results are narrowed by what tells them apart, with a click or with the keyboard."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.widgets.popover import ChoicePopover
from tests.folders import write
from tests.gui.made import StartApp, StartQuick
from tests.gui.session.test_filters_in_the_field import NOTES
from tests.gui.using_quick import typed as typed_in_quick
from tests.gui.using_window import Key, listed, typed

ALT = Qt.KeyboardModifier.AltModifier


def offered(popover: ChoicePopover) -> list[tuple[str, str]]:
    return [(choice.text, choice.detail) for choice in popover.model.shown]


@pytest.fixture
def app(start: StartApp, vault: Path) -> App:
    write(vault, NOTES)
    return start(vault)


def test_a_chosen_facet_becomes_a_chip(qtbot: QtBot, app: App) -> None:
    button, popover = app.window.results.summary.narrow_button, app.window.facets
    assert not button.isVisible()
    typed(qtbot, app, "food")
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: popover.is_open)
    tags = [("tag:travel/japan", "2"), ("tag:deer", "1"), ("tag:repairs", "1")]
    assert offered(popover)[:3] == tags
    assert ("path:/travel/", "2") in offered(popover)
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.keyClicks(app.window.focusWidget(), "deer")
        QTest.keyClick(app.window.focusWidget(), Key.Key_Return)
    field = app.window.field
    assert (list(field.filters), field.text) == (["tag:deer"], "tag:deer food")
    assert listed(app) == ["Nara", "  Nara"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: popover.is_open)
    assert offered(popover) == []


def test_quick_search_narrows_with_a_key(
    qtbot: QtBot, start_quick: StartQuick, vault: Path
) -> None:
    write(vault, NOTES)
    quick: QuickSearch = start_quick(vault)
    quick.show()
    qtbot.waitUntil(quick.window.isActiveWindow)
    typed_in_quick(qtbot, quick, "food")
    QTest.keyClick(quick.window, Key.Key_N, ALT)
    qtbot.waitUntil(lambda: quick.window.facets.is_open)
    with qtbot.waitSignal(quick.pane.search.settled):
        quick.window.facets.chosen.emit(1)
    assert quick.window.field.text == "tag:deer food"
