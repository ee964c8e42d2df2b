"""The tray icon: present while the desktop has a tray. ``test_on_x11`` has a real tray."""

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from notesearch.gui.quick.tray import Tray
from notesearch.gui.system.global_shortcut import active, waiting
from notesearch.gui.widgets.status_bar import StatusLine
from tests.gui.mock_tray import MockTray

Reason = QSystemTrayIcon.ActivationReason


@pytest.fixture
def tray(qtbot: QtBot, desktop_tray: MockTray) -> Iterator[Tray]:
    started = Tray()
    started.start()
    yield started
    started.close()


def icon_of(tray: Tray) -> QSystemTrayIcon:
    icon = tray.findChild(QSystemTrayIcon)
    assert isinstance(icon, QSystemTrayIcon)
    return icon


class TestPresence:
    def test_ends_as_soon_as_the_desktop_has_no_tray(
        self, tray: Tray, desktop_tray: MockTray
    ) -> None:
        assert tray.present
        desktop_tray.is_available = False
        assert not tray.present

    def test_returns_at_the_next_check(self, tray: Tray, desktop_tray: MockTray) -> None:
        desktop_tray.is_available = False
        tray.check()
        desktop_tray.is_available = True
        assert not tray.present
        tray.check()
        assert tray.present

    def test_a_short_absence_is_not_reported(
        self, qtbot: QtBot, tray: Tray, desktop_tray: MockTray
    ) -> None:
        reports = QSignalSpy(tray.absence.timeout)
        tray.absence.setInterval(20)
        desktop_tray.is_available = False
        tray.check()
        desktop_tray.is_available = True
        tray.check()
        qtbot.wait(40)
        assert reports.count() == 0

    def test_a_long_absence_is_reported(
        self, qtbot: QtBot, tray: Tray, desktop_tray: MockTray
    ) -> None:
        tray.absence.setInterval(20)
        desktop_tray.is_available = False
        with qtbot.waitSignal(tray.absence.timeout):
            tray.check()


class TestMenu:
    def test_has_all_actions_and_the_state_of_the_index(self, tray: Tray) -> None:
        tray.set_line(StatusLine("check", "ok", "1,204 notes & more, up to date"))
        assert [action.text() for action in tray.menu.actions()] == [
            "Quick search",
            "Open notesearch",
            "",
            "1,204 notes && more, up to date",
            "Update index now",
            "Pause indexing",
            "",
            "Settings…",
            "Quit notesearch",
        ]
        assert not tray.state.isEnabled()

    @pytest.mark.parametrize(
        ("keys", "shown"),
        [
            ("Ctrl+Shift+Space", "Ctrl+Shift+Space"),
            ("Press <Control><Shift>space", ""),  # a sentence of the desktop's is no name
        ],
    )
    def test_shows_the_global_shortcut_while_it_is_active(
        self, tray: Tray, keys: str, shown: str
    ) -> None:
        tray.show_shortcut(active(keys))
        assert tray.quick_search.shortcut().toString() == shown
        assert tray.quick_search.isShortcutVisibleInContextMenu()
        tray.show_shortcut(waiting())
        assert tray.quick_search.shortcut().isEmpty()


class TestIcon:
    def test_its_tooltip_is_the_state_of_the_index(
        self, tray: Tray, desktop_tray: MockTray
    ) -> None:
        tray.set_line(StatusLine("check", "ok", "1,204 notes & more, up to date"))
        assert icon_of(tray).toolTip() == "notesearch – 1,204 notes & more, up to date"

    @pytest.mark.skipif(sys.platform == "darwin", reason="a click opens the menu there")
    @pytest.mark.parametrize(
        ("click", "action"),
        [(Reason.Trigger, "Quick search"), (Reason.MiddleClick, "Open notesearch")],
    )
    def test_a_click_triggers_an_action(
        self, qtbot: QtBot, tray: Tray, click: QSystemTrayIcon.ActivationReason, action: str
    ) -> None:
        actions = {found.text(): found for found in tray.findChildren(QAction)}
        with qtbot.waitSignal(actions[action].triggered):
            icon_of(tray).activated.emit(click)
