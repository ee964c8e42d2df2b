"""What the tray, the global shortcut and later starts of the program ask for, and when it ends."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.system.global_shortcut import active, unavailable, waiting
from notesearch.gui.system.single_instance import SEARCH
from notesearch.gui.widgets.theme import DARK
from tests.gui.fixture_types import StartApp
from tests.gui.mock_tray import MockTray


@pytest.fixture
def app(start: StartApp) -> App:
    """The program without a folder."""
    started = start(None)
    started.settings.save(Paths.choose())
    return started


@pytest.fixture
def desktop(app: App, desktop_tray: MockTray) -> Iterator[Desktop]:
    started = Desktop(app)
    yield started
    started.close()


@pytest.fixture
def kept_running(app: App, desktop: Desktop) -> None:
    """The user has chosen that the program keeps running in the tray."""
    app.preferences.change(close_to_tray=True)


def close_window(app: App) -> bool:
    """Close the window and return whether the program ends."""
    ends = QSignalSpy(app.leaving)
    app.window.close()
    return ends.count() == 1


class TestClosingTheWindow:
    @pytest.mark.usefixtures("desktop")
    def test_ends_the_program(self, app: App) -> None:
        assert close_window(app)

    @pytest.mark.usefixtures("kept_running")
    def test_keeps_the_program_in_the_tray_if_chosen(self, app: App, desktop: Desktop) -> None:
        app.preferences.close()
        assert Settings.load(Paths.choose()).close_to_tray
        assert not close_window(app)
        desktop.tray.open_window.trigger()
        assert app.window.isVisible()

    @pytest.mark.usefixtures("kept_running")
    def test_says_once_that_the_program_keeps_running(
        self, app: App, desktop: Desktop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        messages: list[str] = []
        monkeypatch.setattr(desktop.tray, "show_message", messages.append)
        app.window.close()
        app.window.show()
        app.window.close()
        (message,) = messages
        assert message.startswith("notesearch keeps running in the tray.")

    @pytest.mark.usefixtures("kept_running")
    def test_ends_the_program_on_a_desktop_without_a_tray(
        self, app: App, desktop_tray: MockTray
    ) -> None:
        desktop_tray.is_available = False
        assert close_window(app)

    @pytest.mark.usefixtures("kept_running")
    def test_is_undone_when_the_tray_disappears(self, app: App, desktop: Desktop) -> None:
        app.window.close()
        assert not app.window.isVisible()
        desktop.tray.absence.timeout.emit()
        assert app.window.isVisible()

    def test_changes_nothing_after_a_start_in_the_background(
        self, app: App, desktop_tray: MockTray
    ) -> None:
        desktop = Desktop(app, background=True)
        assert not close_window(app)
        desktop.tray.absence.timeout.emit()
        assert not app.window.isVisible()
        desktop.close()

    @pytest.mark.parametrize(("answer", "ends"), [("Keep running", False), ("Quit", True)])
    def test_asks_once_whether_to_stay_for_the_global_shortcut(
        self, qtbot: QtBot, app: App, desktop: Desktop, answer: str, ends: bool
    ) -> None:
        desktop.shortcut._show(active("Ctrl+Shift+Space"))
        spy = QSignalSpy(app.leaving)
        assert not close_window(app)
        assert desktop.question is not None
        assert "Ctrl+Shift+Space" in desktop.question.text()
        buttons = {button.text(): button for button in desktop.question.buttons()}
        QTest.mouseClick(buttons[answer], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: desktop.question is None)
        assert (spy.count() == 1) is ends
        app.preferences.close()
        assert Settings.load(Paths.choose()).close_to_tray is not ends
        app.window.show()
        assert close_window(app) is ends
        assert desktop.question is None

    def test_asks_nothing_without_an_active_shortcut(self, app: App, desktop: Desktop) -> None:
        desktop.shortcut._show(unavailable())
        assert close_window(app)


@pytest.mark.usefixtures("kept_running")
def test_quit_always_ends_the_program(qtbot: QtBot, app: App, desktop: Desktop) -> None:
    with qtbot.waitSignal(app.leaving):
        desktop.tray.quit.trigger()
    with qtbot.waitSignal(app.leaving):
        app.actions.quit.trigger()


def test_the_menu_of_the_tray_follows_the_global_shortcut(desktop: Desktop) -> None:
    desktop.shortcut.changed.emit(active("Ctrl+Shift+Space"))
    assert desktop.tray.quick_search.shortcut().toString() == "Ctrl+Shift+Space"
    desktop.shortcut.changed.emit(waiting())
    assert desktop.tray.quick_search.shortcut().isEmpty()


def test_a_later_start_opens_quick_search_on_the_folder_that_it_chose(
    app: App, desktop: Desktop, notes: Path
) -> None:
    Settings(vault=str(notes)).save(Paths.choose())
    desktop.server.requested.emit(SEARCH, "dashi", "")
    assert app.vault.path == notes
    assert desktop.quick.window.field.text == "dashi"


class TestMenuEntries:
    def test_entries_about_indexing_need_a_folder(self, app: App, desktop: Desktop) -> None:
        entries = [
            app.actions.update_index,
            app.actions.pause,
            app.actions.tips,
            app.actions.why_not,
            desktop.quick.actions.update_index,
            desktop.tray.update_index,
            desktop.tray.pause,
        ]
        assert not any(entry.isEnabled() for entry in entries)
        app.actions.sample_notes.trigger()
        desktop.quick.show()
        assert all(entry.isEnabled() for entry in entries)

    @pytest.mark.parametrize("paused", [True, False])
    def test_the_index_cannot_be_updated_while_indexing_is_paused(
        self, app: App, desktop: Desktop, paused: bool
    ) -> None:
        app.actions.sample_notes.trigger()
        app.preferences.change(paused=not paused)
        app.preferences.change(paused=paused)
        assert app.actions.update_index.isEnabled() is not paused
        assert desktop.tray.update_index.isEnabled() is not paused
        assert desktop.tray.pause.isEnabled()


def test_every_window_has_the_colours_of_the_theme(
    qtbot: QtBot, app: App, desktop: Desktop
) -> None:
    app.settings_controller.show()
    app.actions.keys.trigger()
    desktop.quick.show()
    with qtbot.waitSignal(app.appearance.changed):
        app.preferences.change(theme="dark")
    windows = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
    assert len(windows) >= 4
    assert all(DARK.raised in style_sheets(window) for window in (*windows, desktop.tray.menu))


def style_sheets(widget: QWidget) -> str:
    """Return the style sheets of ``widget`` and its ancestors."""
    parent = widget.parentWidget()
    return widget.styleSheet() + (style_sheets(parent) if parent is not None else "")
