"""A right click on a result selects it and offers its actions."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.results.results_view import ResultsView
from tests.gui.using_quick import typed as typed_in_quick
from tests.gui.using_window import typed


def right_click(view: ResultsView, place: QPoint) -> QMenu | None:
    """Click with the right button, and return the menu that opens."""
    QTest.mousePress(view.viewport(), Qt.MouseButton.RightButton, pos=place)
    corner = view.viewport().mapToGlobal(place)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, place, corner))
    popup = QApplication.activePopupWidget()
    assert popup is None or isinstance(popup, QMenu)
    return popup


def centre_of(view: ResultsView, row: int) -> QPoint:
    return view.visualRect(view.model().index(row, 0)).center()


def test_a_right_click_offers_the_actions_for_a_section(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    view = app.window.results.view
    menu = right_click(view, centre_of(view, 2))
    assert menu is not None
    assert view.currentIndex().row() == 2
    offered = [action for group in app.actions.section_groups() for action in group]
    assert [action for action in menu.actions() if not action.isSeparator()] == offered
    section = view.section
    assert section is not None
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    assert view.section == section


@pytest.mark.parametrize("row", [0, None])
def test_a_right_click_elsewhere_offers_nothing(qtbot: QtBot, app: App, row: int | None) -> None:
    typed(qtbot, app, "food")
    view = app.window.results.view
    before = view.currentIndex()
    end = QPoint(20, view.viewport().height() - 1)
    assert right_click(view, end if row is None else centre_of(view, row)) is None
    assert view.currentIndex() == before


def test_quick_search_offers_its_own_actions(qtbot: QtBot, quick: QuickSearch) -> None:
    typed_in_quick(qtbot, quick, "food")
    view = quick.window.results.view
    menu = right_click(view, centre_of(view, 1))
    assert menu is not None
    assert quick.actions.go_on in menu.actions()
    assert quick.window.isVisible()
    menu.close()
