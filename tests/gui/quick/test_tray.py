"""The tray: present only where there is one, and never a place to get lost in.

Offscreen there is none; a tray is made up by what Qt says of it. ``test_on_x11`` has a real one.
"""

import configparser
import plistlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings
from notesearch.gui.desktop import Desktop
from notesearch.gui.quick.tray import Tray
from notesearch.gui.system.desktop_entry import AutostartFile, LaunchAgent, login_item
from notesearch.gui.system.global_shortcut import active, unavailable, waiting
from notesearch.gui.system.single_instance import SEARCH
from notesearch.gui.widgets.theme import DARK
from notesearch.gui.window.status_bar import StatusLine
from tests.gui.fixture_types import StartQuick

Reason = QSystemTrayIcon.ActivationReason


class MadeUpTray:
    """A mock of the desktop's tray."""

    def __init__(self) -> None:
        self.available = True


@pytest.fixture
def panel(monkeypatch: pytest.MonkeyPatch) -> MadeUpTray:
    made = MadeUpTray()
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: made.available)
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda _: None)  # offscreen it complains
    return made


@pytest.fixture
def tray(qtbot: QtBot, panel: MadeUpTray) -> Iterator[Tray]:
    started = Tray()
    started.start()
    yield started
    started.close()


@pytest.fixture
def desktop(start_quick: StartQuick, panel: MadeUpTray) -> Desktop:
    found = start_quick(None).parent()
    assert isinstance(found, Desktop)
    found._app.settings.save(Paths.choose())
    return found


class TestIcon:
    def test_it_appears_and_disappears_with_the_tray(self, tray: Tray, panel: MadeUpTray) -> None:
        assert tray.present
        panel.available = False
        assert not tray.present, "also before anybody looked"
        tray.check()
        panel.available = True
        assert not tray.present
        tray.check()
        assert tray.present

    def test_a_short_absence_of_the_tray_is_ignored(
        self, qtbot: QtBot, tray: Tray, panel: MadeUpTray
    ) -> None:
        gone = QSignalSpy(tray.absence.timeout)
        tray.absence.setInterval(20)
        panel.available = False
        tray.check()
        panel.available = True
        tray.check()
        qtbot.wait(40)
        assert gone.count() == 0
        panel.available = False
        with qtbot.waitSignal(tray.absence.timeout):
            tray.check()

    def test_the_menu(self, tray: Tray) -> None:
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
        assert tray._icon is not None
        assert tray._icon.toolTip() == "notesearch – 1,204 notes & more, up to date"

    @pytest.mark.parametrize(
        ("keys", "shown"),
        [
            ("Ctrl+Shift+Space", "Ctrl+Shift+Space"),
            ("Press <Control><Shift>space", ""),  # a sentence of the desktop's is no name
        ],
    )
    def test_the_menu_shows_the_global_shortcut(
        self, desktop: Desktop, keys: str, shown: str
    ) -> None:
        quick = desktop.tray.quick_search
        desktop.shortcut.changed.emit(active(keys))
        assert quick.shortcut().toString() == shown
        desktop.shortcut.changed.emit(waiting())
        assert quick.shortcut().isEmpty()
        assert quick.isShortcutVisibleInContextMenu()

    @pytest.mark.skipif(sys.platform == "darwin", reason="a click opens the menu there")
    def test_clicks(self, qtbot: QtBot, tray: Tray) -> None:
        assert tray._icon is not None
        with qtbot.waitSignal(tray.quick_search.triggered):
            tray._icon.activated.emit(Reason.Trigger)
        with qtbot.waitSignal(tray.open_window.triggered):
            tray._icon.activated.emit(Reason.MiddleClick)


class TestClosingWindow:
    def closed(self, desktop: Desktop) -> bool:
        """Close the window and return whether the program ends."""
        spy = QSignalSpy(desktop._app.leaving)
        desktop._app.window.close()
        return spy.count() == 1

    def test_ends_the_program(self, desktop: Desktop) -> None:
        assert self.closed(desktop)

    def test_keeps_running_in_the_tray_if_chosen(self, desktop: Desktop) -> None:
        desktop._app.preferences.change(close_to_tray=True)
        desktop._app.preferences.close()
        assert Settings.load(Paths.choose()).close_to_tray
        assert not self.closed(desktop)
        desktop.tray.open_window.trigger()
        assert desktop._app.window.isVisible()

    def test_tells_once_that_it_keeps_running(
        self, desktop: Desktop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        monkeypatch.setattr(desktop.tray, "show_message", told.append)
        desktop._app.preferences.change(close_to_tray=True)
        for _ in range(2):
            desktop._app.window.show()
            desktop._app.window.close()
        assert len(told) == 1
        assert told[0].startswith("notesearch keeps running in the tray.")

    def test_never_hides_the_window_without_a_tray(
        self, desktop: Desktop, panel: MadeUpTray
    ) -> None:
        desktop._app.preferences.change(close_to_tray=True)
        panel.available = False
        assert self.closed(desktop)

    def test_the_window_returns_when_the_tray_disappears(self, desktop: Desktop) -> None:
        desktop._app.preferences.change(close_to_tray=True)
        desktop._app.window.close()
        desktop.tray.absence.timeout.emit()
        assert desktop._app.window.isVisible()

    def test_a_background_start_stays_in_the_background(self, desktop: Desktop) -> None:
        desktop._background = True
        assert not self.closed(desktop)
        desktop.tray.absence.timeout.emit()
        assert not desktop._app.window.isVisible()

    @pytest.mark.parametrize(("answer", "ends"), [("Keep running", False), ("Quit", True)])
    def test_a_global_shortcut_asks_once_whether_to_stay(
        self, qtbot: QtBot, desktop: Desktop, answer: str, ends: bool
    ) -> None:
        desktop.shortcut._show(active("Ctrl+Shift+Space"))
        spy = QSignalSpy(desktop._app.leaving)
        assert not self.closed(desktop)
        assert desktop.question is not None
        assert "Ctrl+Shift+Space" in desktop.question.text()
        buttons = {button.text(): button for button in desktop.question.buttons()}
        QTest.mouseClick(buttons[answer], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: desktop.question is None)
        assert (spy.count() == 1) == ends
        desktop._app.preferences.close()
        assert Settings.load(Paths.choose()).close_to_tray is not ends
        desktop._app.window.show()
        assert self.closed(desktop) == ends
        assert desktop.question is None, "it is asked once"

    def test_a_shortcut_that_is_not_registered_asks_nothing(self, desktop: Desktop) -> None:
        desktop.shortcut._show(unavailable())
        assert self.closed(desktop)

    def test_quit_always_ends_the_program(self, qtbot: QtBot, desktop: Desktop) -> None:
        desktop._app.preferences.change(close_to_tray=True)
        with qtbot.waitSignal(desktop._app.leaving):
            desktop.tray.quit.trigger()
        with qtbot.waitSignal(desktop._app.leaving):
            desktop._app.actions.quit.trigger()


def test_quick_search_opens_the_folder_that_the_command_line_chose(
    desktop: Desktop, notes: Path
) -> None:
    Settings(vault=str(notes)).save(Paths.choose())
    desktop._on_requested(SEARCH, "dashi", "")
    assert desktop._app.vault.path == notes
    assert desktop.quick.window.field.text == "dashi"


class TestMenuEntries:
    def test_indexing_needs_a_folder(self, desktop: Desktop) -> None:
        app, tray = desktop._app, desktop.tray
        entries = (
            *(app.actions.update_index, app.actions.pause, app.actions.tips, app.actions.why_not),
            *(desktop.quick.actions.update_index, tray.update_index, tray.pause),
        )
        assert not any(entry.isEnabled() for entry in entries)
        app.actions.sample_notes.trigger()
        desktop.quick.presence.show()
        assert all(entry.isEnabled() for entry in entries)

    def test_nothing_is_updated_while_indexing_is_paused(self, desktop: Desktop) -> None:
        app, tray = desktop._app, desktop.tray
        app.actions.sample_notes.trigger()
        for paused in (True, False):
            app.preferences.change(paused=paused)
            assert app.actions.update_index.isEnabled() is not paused
            assert tray.update_index.isEnabled() is not paused
            assert tray.pause.isEnabled()


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty configuration folder."""
    folder = tmp_path / "config"
    folder.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder


class TestLoginItem:
    def test_the_command_survives_both_levels_of_quoting(
        self, tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home = tmp_path / 'a "b" $c `d` \\e 50%'
        monkeypatch.setenv("NOTESEARCH_HOME", str(home))
        AutostartFile().set()
        entry = configparser.RawConfigParser(interpolation=None)
        entry.read(config / "autostart" / "notesearch.desktop", encoding="utf-8")
        line = entry["Desktop Entry"]["Exec"].replace("%%", "%").replace("\\\\", "\\")
        assert "50%%" in entry["Desktop Entry"]["Exec"]
        quoted = re.findall(r'"((?:\\.|[^"\\])*)"', line)
        assert [re.sub(r"\\(.)", r"\1", word) for word in quoted] == [
            "/usr/bin/env",
            f"NOTESEARCH_HOME={home}",
            sys.executable,
            *("-P", "-m", "notesearch", "open", "--background"),
        ]

    @pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled = false"])
    def test_an_entry_disabled_by_the_desktop_is_off(self, config: Path, line: str) -> None:
        item = AutostartFile()
        assert not item.is_set()
        item.set()
        assert item.is_set()
        with (config / "autostart" / "notesearch.desktop").open("a") as file:
            file.write(f"{line}\n")
        assert not item.is_set()
        item.set()
        assert item.is_set()

    def test_a_launch_agent_is_a_property_list(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        item = LaunchAgent()
        item.set()
        file = tmp_path / "Library" / "LaunchAgents" / "notesearch.plist"
        agent = plistlib.loads(file.read_bytes())
        assert agent["RunAtLoad"] is True
        assert agent["ProgramArguments"][-2:] == ["open", "--background"]
        assert item.is_set()
        item.clear()
        item.clear()
        assert not item.is_set()

    def test_each_platform_has_a_login_item(self) -> None:
        assert login_item().is_set() is False


def test_every_window_has_the_themes_colours(qtbot: QtBot, desktop: Desktop) -> None:
    app = desktop._app
    app.window.show()
    app.settings_controller.show()
    app.actions.keys.trigger()
    desktop.quick.presence.show()
    with qtbot.waitSignal(app.appearance.changed):
        app.preferences.change(theme="dark")
    shown = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
    assert len(shown) >= 4
    bare = [window for window in (*shown, desktop.tray.menu) if DARK.raised not in _sheets(window)]
    assert bare == []


def _sheets(widget: QWidget) -> str:
    """Return the style sheets of ``widget`` and its ancestors."""
    above = widget.parentWidget()
    return widget.styleSheet() + (_sheets(above) if above is not None else "")
