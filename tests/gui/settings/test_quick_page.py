"""The Quick search and Editor pages: changes take effect at once."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.settings.editor_page import EditorRows
from notesearch.gui.settings.quick_page import KeysField
from notesearch.gui.system.desktop_entry import AutostartFile
from notesearch.gui.system.global_shortcut import Remedy, active
from tests.gui.settings_use import control, dialog_of, enter, pick, tick
from tests.gui.using_quick import Key, app_of, press, typed


@pytest.fixture
def app(quick: QuickSearch) -> App:
    return app_of(quick)


@pytest.fixture(autouse=True)
def own_autostart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    return tmp_path / "xdg" / "autostart" / "notesearch.desktop"


class TestQuickSearch:
    def test_escape_always_closes(self, qtbot: QtBot, quick: QuickSearch, app: App) -> None:
        tick(app, "Always close with Esc, even if the field has text")
        quick.show()
        qtbot.waitUntil(quick.window.isActiveWindow)
        typed(qtbot, quick, "food")
        press(quick, Key.Key_Escape)
        assert not quick.window.isVisible()

    def test_the_query_is_never_kept(self, qtbot: QtBot, quick: QuickSearch, app: App) -> None:
        typed(qtbot, quick, "food")
        pick(app, "Keep last query", "Never")
        quick.hide()
        quick.show()
        assert quick.window.field.text == ""

    def test_it_can_stay_open_without_focus(
        self, qtbot: QtBot, quick: QuickSearch, app: App
    ) -> None:
        tick(app, "Close when another window gets the focus")
        quick.show()
        qtbot.waitUntil(quick.window.isActiveWindow)
        app.window.activateWindow()
        qtbot.waitUntil(app.window.isActiveWindow)
        quick._leave()
        assert quick.window.isVisible()

    def test_it_opens_on_the_main_screen(
        self, quick: QuickSearch, app: App, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pick(app, "Open on", "The main screen")
        placed: list[bool] = []
        monkeypatch.setattr(
            quick.window, "place", lambda *, on_primary=False: placed.append(on_primary)
        )
        quick.hide()
        quick.show()
        assert placed == [True]

    @pytest.mark.skipif(sys.platform != "linux", reason="others have no autostart file")
    def test_it_starts_at_login(self, app: App, own_autostart: Path) -> None:
        tick(app, "Start at login")
        assert AutostartFile().is_set()
        assert own_autostart.is_file()
        tick(app, "Start at login")
        assert not own_autostart.exists()

    @pytest.mark.skipif(sys.platform != "linux", reason="others have no autostart file")
    def test_a_failed_start_at_login_is_reported(self, app: App, own_autostart: Path) -> None:
        own_autostart.parent.parent.mkdir(parents=True)
        own_autostart.parent.touch()
        tick(app, "Start at login")
        labels = dialog_of(app).page.findChildren(QLabel)
        shown = [label.text() for label in labels if label.isVisible()]
        assert any(text.startswith("The start at login could not be changed: ") for text in shown)
        assert not AutostartFile().is_set()

    def test_the_command_can_be_copied(self, app: App) -> None:
        QTest.mouseClick(control(app, QPushButton, "Copy command"), Qt.MouseButton.LeftButton)
        assert QGuiApplication.clipboard().text() == "notesearch quick"

    def test_the_command_box_follows_the_text_size(self, app: App) -> None:
        dialog_of(app).show_page("Quick search")
        labels = dialog_of(app).page.findChildren(QLabel)
        command = next(label for label in labels if label.text() == "notesearch quick")
        usual = command.fontMetrics().height()
        before = dialog_of(app).height()
        app.preferences.change(text_size=200)
        command.ensurePolished()
        assert command.fontMetrics().height() > 1.8 * usual
        most = dialog_of(app).screen().availableSize().height() * 0.9
        assert dialog_of(app).height() >= min(1.9 * before, most - 1), "the window grows, too"
        app.preferences.change(text_size=100)

    def test_the_keys_of_the_shortcut_are_never_cut(self, quick: QuickSearch, app: App) -> None:
        """The width of the button next to them depends on the desktop."""
        dialog_of(app).show_page("Quick search")
        desktop = quick.parent()
        assert isinstance(desktop, Desktop)
        desktop.shortcut.choose("Ctrl+Alt+Shift+Backspace")
        desktop.shortcut.changed.emit(active("Ctrl+Alt+Shift+Backspace", Remedy.CONFIGURE))
        (edit,) = dialog_of(app).page.findChildren(KeysField)
        dialog_of(app).resize(dialog_of(app).minimumSize())
        QApplication.sendPostedEvents()
        assert edit.text() == "Ctrl+Alt+Shift+Backspace"
        assert edit.fontMetrics().horizontalAdvance(edit.text()) < edit.width() - 16

    def test_a_missing_tray_is_explained(self, app: App) -> None:
        dialog_of(app).show_page("Quick search")
        shown = [label for label in dialog_of(app).page.findChildren(QLabel) if label.isVisible()]
        assert any("no tray" in label.text() for label in shown)

    def test_a_shortcut_lets_the_program_run_without_a_tray(
        self, quick: QuickSearch, app: App
    ) -> None:
        desktop = quick.parent()
        assert isinstance(desktop, Desktop)
        desktop.shortcut._show(active("Ctrl+Shift+Space"))
        tick(app, "Keep running in the tray when the window is closed")
        assert app.settings.close_to_tray
        shown = [label for label in dialog_of(app).page.findChildren(QLabel) if label.isVisible()]
        assert not any("no tray" in label.text() for label in shown)

    def test_the_settings_open_from_quick_search_and_the_tray(
        self, qtbot: QtBot, quick: QuickSearch, app: App
    ) -> None:
        quick.actions.settings.trigger()
        dialog = app.settings_controller.dialog
        assert dialog is not None
        dialog.close()
        desktop = quick.parent()
        assert isinstance(desktop, Desktop)
        desktop.tray.settings.trigger()
        assert dialog.isVisible()
        desktop.tray.pause.trigger()
        assert app.settings.paused
        assert app.actions.pause.isChecked()


class TestEditors:
    def test_choosing_a_known_editor(self, app: App) -> None:
        rows = control(app, EditorRows, "Open notes with")
        rows.setFocus()
        QTest.keyClick(rows, Qt.Key.Key_Down)
        assert app.settings.editor == "obsidian"
        assert "Obsidian" in rows.runs.text()
        assert app.pane.opener.label == "Open in Obsidian"

    def test_a_custom_command(self, app: App) -> None:
        rows = control(app, EditorRows, "Open notes with")
        rows.setFocus()
        QTest.keyClick(rows, Qt.Key.Key_End)
        enter(app, "Open notes with: command", "subl '{path}:{line}'")
        assert app.settings.editor == "subl '{path}:{line}'"
        assert rows.runs.text().startswith("Runs: subl '")
        assert rows.runs.text().endswith("Trip to Japan.md:42'")
        rows.command.setText("")
        QTest.keyClicks(rows.command, "vi 'x")
        assert "unclosed quote" in rows.runs.text()
        assert rows.runs.palette().windowText().color().name() == app.theme.danger.lower()

    def test_a_custom_command_that_is_not_typed_is_not_chosen(self, app: App) -> None:
        rows = control(app, EditorRows, "Open notes with")
        rows.setFocus()
        QTest.keyClick(rows, Qt.Key.Key_End)
        rows.setFocus()
        assert rows.currentText() == "System default (opens at the top)"
        assert not rows.command.isVisible()

    def test_a_custom_command_is_typed_while_another_setting_changes(self, app: App) -> None:
        rows = control(app, EditorRows, "Open notes with")
        rows.setFocus()
        QTest.keyClick(rows, Qt.Key.Key_End)
        QTest.keyClicks(rows.command, "subl")
        app.preferences.change(density="compact")
        QTest.keyClicks(rows.command, " {path}")
        QTest.keyClick(rows.command, Qt.Key.Key_Return)
        assert app.settings.editor == "subl {path}"
        assert rows.command.isVisible()

    def test_a_custom_command_chosen_again_is_kept(self, app: App) -> None:
        rows = control(app, EditorRows, "Open notes with")
        app.preferences.change(editor="subl {path}")
        rows.activated.emit(rows.count() - 1)
        assert rows.command.text() == "subl {path}"

    def test_the_second_editor(self, app: App) -> None:
        rows = control(app, EditorRows, "With Ctrl+Enter")
        rows.setFocus()
        QTest.keyClick(rows, Qt.Key.Key_Down)
        assert app.settings.second_editor == "obsidian"
        assert app.actions.open_second.text() == "Open in Obsidian"

    def test_the_format_of_copied_links(self, app: App) -> None:
        pick(app, "Link format", "For Obsidian: obsidian://open…")
        assert app.settings.copied_link == "obsidian"
