"""When quick search appears and disappears, and what it says while the folder is not ready."""

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.desktop import Desktop
from notesearch.gui.quick import quick_search
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.theme import DARK, px
from notesearch.gui.window.appearance import stylesheet
from notesearch.status import Phase, Progress
from tests.clock import Clock
from tests.gui.fixture_types import StartQuick
from tests.gui.using_quick import CONTROL, Key, app_of, press, selected, typed

_ON_TWO_SCREENS = """
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication
from notesearch.gui.quick.quick_search import QuickWindow
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.widgets.theme import LIGHT
application = QApplication([])
window = QuickWindow(ResultsModel(), LIGHT)
for x in (1900, 100):
    QCursor.setPos(QPoint(x, 200))
    window.place()
    window.show()
    print(*window.geometry().getRect())
    window.hide()
"""


@pytest.mark.parametrize("translucent", [False, True])
def test_the_foot_has_round_corners_where_windows_can_be_translucent(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, translucent: bool
) -> None:
    monkeypatch.setattr(quick_search, "has_translucency", lambda: translucent)
    window = quick_search.QuickWindow(ResultsModel(), DARK)
    qtbot.addWidget(window)
    window.setStyleSheet(stylesheet(DARK))
    window.resize(600, 400)
    window.show_results()
    picture = window.grab().toImage()
    corner = window.bar.mapTo(window, window.bar.rect().bottomLeft())
    is_filled = (
        picture.pixelColor(corner * picture.devicePixelRatio()).name() == DARK.window.lower()
    )
    assert is_filled is not translucent


@pytest.mark.parametrize("translucent", [False, True])
def test_a_popover_is_beside_the_edge_not_beside_the_shadow(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, translucent: bool
) -> None:
    monkeypatch.setattr(quick_search, "has_translucency", lambda: translucent)
    window = quick_search.QuickWindow(ResultsModel(), DARK)
    qtbot.addWidget(window)
    window.show()
    window.choices.offer("", [Choice(f"{number}") for number in range(90)], print, prompt="")
    edge, card = window.card.geometry(), window.choices.card.geometry()
    assert edge.right() - card.right() == px(12)
    assert edge.left() == (14 if translucent else 0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time for quick search, in which nothing happened for ten seconds."""
    clock = Clock(time.monotonic() + 10)
    monkeypatch.setattr(quick_search, "time", clock)
    return clock


@pytest.fixture
def bare(qtbot: QtBot, start_quick: StartQuick) -> QuickSearch:
    """Quick search without a folder, visible."""
    shown = start_quick(None)
    shown.show()
    qtbot.waitUntil(shown.window.isActiveWindow)
    return shown


class TestShowingAndHiding:
    def test_toggle_shows_and_hides(self, bare: QuickSearch, clock: Clock) -> None:
        clock.advance(1)
        bare.toggle()
        assert not bare.window.isVisible()
        clock.advance(1)
        bare.toggle()
        assert bare.window.isVisible()

    def test_a_held_key_counts_as_one_request(self, bare: QuickSearch, clock: Clock) -> None:
        clock.advance(1)
        for _ in range(5):
            clock.advance(0.03)
            bare.toggle()
        assert not bare.window.isVisible()

    def test_toggle_raises_a_covered_window(
        self, qtbot: QtBot, start_quick: StartQuick, notes: Path, clock: Clock
    ) -> None:
        quick = start_quick(notes, Settings(model="none", quick_hides=False))
        quick.show()
        _turn_to_main(qtbot, quick)
        assert quick.window.isVisible()
        clock.advance(1)
        quick.toggle()
        qtbot.waitUntil(quick.window.isActiveWindow)

    def test_losing_the_focus_hides_it_and_the_same_click_does_not_reopen_it(
        self, qtbot: QtBot, bare: QuickSearch, clock: Clock
    ) -> None:
        _turn_to_main(qtbot, bare)
        qtbot.waitUntil(lambda: not bare.window.isVisible())
        clock.advance(0.1)
        bare.toggle()
        assert not bare.window.isVisible()
        clock.advance(1)
        bare.toggle()
        assert bare.window.isVisible()

    def test_its_own_menu_does_not_hide_it(
        self, bare: QuickSearch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Where a menu takes the keyboard, no window is the active one meanwhile.
        monkeypatch.setattr(QApplication, "activeWindow", lambda: None)
        menu = QMenu(bare.window)
        menu.addAction("Paste")
        seen: list[bool] = []

        def look() -> None:
            bare._leave()
            seen.append(bare.window.isVisible())
            menu.close()

        QTimer.singleShot(0, look)
        menu.exec()
        assert seen == [True]

    def test_it_stays_while_its_settings_are_open_and_gets_the_focus_back(
        self, qtbot: QtBot, bare: QuickSearch
    ) -> None:
        press(bare, Key.Key_Comma, CONTROL)
        flow = app_of(bare).settings_controller
        qtbot.waitUntil(lambda: flow.dialog is not None and flow.dialog.isActiveWindow())
        assert flow.dialog is not None
        bare._leave()
        assert bare.window.isVisible()
        handle = flow.dialog.windowHandle()
        assert handle.transientParent() is bare.window.windowHandle(), "it stands above"
        QTest.keyClick(flow.dialog.names, Key.Key_Escape)
        qtbot.waitUntil(bare.window.isActiveWindow)
        assert not flow.dialog.isVisible()
        assert handle.transientParent() is None
        _turn_to_main(qtbot, bare)
        qtbot.waitUntil(lambda: not bare.window.isVisible())

    def test_settings_of_the_main_window_do_not_keep_it_open(
        self, qtbot: QtBot, bare: QuickSearch
    ) -> None:
        app_of(bare).actions.settings.trigger()
        qtbot.waitUntil(lambda: not bare.window.isVisible())

    def test_it_is_not_hidden_before_its_first_activation(self, bare: QuickSearch) -> None:
        bare.hide()
        bare.window.blockSignals(True)
        bare.show()
        bare.window.blockSignals(False)
        bare._leave()
        assert bare.window.isVisible(), "Wayland may never let it be active"

    def test_escape_clears_new_text_and_then_hides(self, qtbot: QtBot, quick: QuickSearch) -> None:
        typed(qtbot, quick, "food")
        press(quick, Key.Key_Escape)
        assert quick.window.field.text == ""
        assert quick.window.isVisible()
        press(quick, Key.Key_Escape)
        assert not quick.window.isVisible()

    def test_escape_hides_at_once_if_nothing_was_typed(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        typed(qtbot, quick, "food")
        quick.hide()
        quick.show()
        press(quick, Key.Key_Escape)
        assert not quick.window.isVisible()

    def test_escape_in_the_list_and_with_the_setting_to_always_hide(
        self, qtbot: QtBot, start_quick: StartQuick, notes: Path
    ) -> None:
        quick = start_quick(notes, Settings(model="none", quick_escape_hides=True))
        quick.show()
        typed(qtbot, quick, "food")
        quick.window.results.view.setFocus()
        press(quick, Key.Key_Escape)
        assert not quick.window.isVisible()

    def test_the_query_stays_for_a_while(
        self, qtbot: QtBot, quick: QuickSearch, clock: Clock
    ) -> None:
        field = quick.window.focusWidget()
        assert isinstance(field, QLineEdit)
        for keep, away, kept in ((90, 89, "food"), (-1, 1e6, "food"), (90, 91, ""), (0, 0.3, "")):
            app_of(quick).preferences.change(quick_keep_s=keep)
            quick.window.field.clear()
            typed(qtbot, quick, "food")
            press(quick, Key.Key_Down)
            chosen = selected(quick)
            quick.hide()
            clock.advance(away)
            quick.show()
            assert field.text() == kept
            if kept:
                assert selected(quick) == chosen
                assert field.selectedText() == kept, "typing replaces it"

    def test_it_appears_in_the_upper_part_of_the_screen(self, bare: QuickSearch) -> None:
        room = QGuiApplication.primaryScreen().availableGeometry()
        frame = bare.window.geometry()
        assert abs(frame.center().x() - room.center().x()) <= 1
        assert room.contains(frame)

    def test_it_fits_the_screen_that_it_appears_on(self, tmp_path: Path) -> None:
        """The second screen is smaller than the window usually is."""
        screens = [
            {"name": "large", "x": 0, "y": 0, "width": 1600, "height": 900},
            {"name": "small", "x": 1600, "y": 0, "width": 640, "height": 420},
        ]
        file = tmp_path / "screens.json"
        file.write_text(json.dumps({"screens": screens}))
        platform = {"QT_QPA_PLATFORM": f"offscreen:configfile={file}"}
        done = subprocess.run(
            [sys.executable, "-c", _ON_TWO_SCREENS],
            env=os.environ | platform,
            capture_output=True,
            text=True,
            check=True,
        )
        small, large = (QRect(*map(int, line.split())) for line in done.stdout.splitlines())
        assert QRect(1600, 0, 640, 420).contains(small)
        assert large.width() > 640

    def test_ctrl_w_hides_and_ctrl_q_quits(self, qtbot: QtBot, bare: QuickSearch) -> None:
        with qtbot.waitSignal(app_of(bare).leaving):
            bare.actions.quit.trigger()
        bare.actions.close_window.trigger()
        assert not bare.window.isVisible()


class TestGoingOn:
    def test_the_main_window_continues_with_query_and_selection(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        app = app_of(quick)
        app.window.hide()
        typed(qtbot, quick, "food")
        press(quick, Key.Key_End, CONTROL)
        chosen = selected(quick)
        with qtbot.waitSignal(app.pane.search.settled):
            press(quick, Key.Key_Return, CONTROL)
        assert not quick.window.isVisible()
        assert app.window.isVisible()
        assert app.window.field.text == "food"
        section = app.window.results.view.section
        assert section is not None
        assert section.section == chosen

    def test_the_main_window_continues_even_with_the_same_query(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        app = app_of(quick)
        with qtbot.waitSignal(app.pane.search.settled):
            app.window.field.set_text("food")
        typed(qtbot, quick, "food")
        for _ in range(5):
            press(quick, Key.Key_Down)
        chosen = selected(quick)
        press(quick, Key.Key_Return, CONTROL)
        section = app.window.results.view.section
        assert section is not None
        assert section.section == chosen

    def test_the_main_window_leaves_a_folder_without_the_selection(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        app = app_of(quick)
        typed(qtbot, quick, "food")
        chosen = quick.window.results.view.section
        assert chosen is not None
        for folder in ("elsewhere", chosen.path.partition("/")[0]):
            app.pane.scope.set_folder(folder)
            quick.show()
            with qtbot.waitSignal(app.pane.search.settled):
                press(quick, Key.Key_Return, CONTROL)
            section = app.window.results.view.section
            assert section is not None
            assert section.path == chosen.path
        assert app.pane.search.within

    def test_without_a_query_the_main_window_is_just_shown(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        app = app_of(quick)
        app.window.hide()
        press(quick, Key.Key_Return, CONTROL)
        assert app.window.isVisible()
        assert app.window.field.text == ""

    def test_a_second_start_of_the_program_shows_it(
        self, qtbot: QtBot, quick: QuickSearch, clock: Clock
    ) -> None:
        desktop = quick.parent()
        assert isinstance(desktop, Desktop)
        clock.advance(1)
        desktop.server.requested.emit("toggle", "", "")
        assert not quick.window.isVisible()
        with qtbot.waitSignal(quick.pane.search.settled):
            desktop.server.requested.emit("search", "dashi", "")
        assert quick.window.isVisible()
        assert selected(quick) == "Dashi"
        clock.advance(1)
        desktop.server.requested.emit("search", "", "")
        assert quick.window.isVisible(), "who asks to search wants to see it"

    def test_the_menu_of_the_main_window_opens_it(
        self, start_quick: StartQuick, notes: Path
    ) -> None:
        quick = start_quick(notes)
        app_of(quick).actions.quick_search.trigger()
        assert quick.window.isVisible()


class TestStates:
    def test_before_a_folder_is_chosen(self, start_quick: StartQuick) -> None:
        quick = start_quick(None)
        app_of(quick).window.hide()
        quick.show()
        assert quick.window.page.page.title == "Choose your notes folder"
        assert quick.window.bar.text == "No notes folder yet"
        quick.window.page.buttons[0].click()
        assert app_of(quick).window.isVisible()

    def test_a_folder_without_notes(self, start_quick: StartQuick, vault: Path) -> None:
        quick = start_quick(vault)
        assert quick.window.page.page.title == "No Markdown files in this folder"

    def test_a_missing_folder_is_reported_beside_the_results(
        self, qtbot: QtBot, quick: QuickSearch, notes: Path
    ) -> None:
        typed(qtbot, quick, "dashi")
        notes.rename(notes.with_name("away"))
        app = app_of(quick)
        with qtbot.waitSignal(app.vault.idle):
            app.actions.update_index.trigger()
        assert quick.window.bar.text == "The folder cannot be reached"
        assert selected(quick) == "Dashi"

    def test_while_notes_are_indexed(self, qtbot: QtBot, quick: QuickSearch) -> None:
        vault = app_of(quick).vault
        assert vault.status is not None
        vault.status = replace(vault.status, last_scan=0.0)  # read for the first time
        vault._on_progress(Progress(Phase.WORDS, 431, 1204))
        assert quick.window.bar.text == "Indexing 431 of 1,204 notes – you can search already"
        typed(qtbot, quick, "dashi")
        assert quick.window.summary.count_text == "1 section so far · 431 of 1,204 notes"

    def test_it_has_the_theme_of_the_main_window(self, qtbot: QtBot, quick: QuickSearch) -> None:
        app_of(quick).preferences.change(theme="dark")
        qtbot.waitUntil(lambda: quick.window.theme == DARK)
        assert quick.window.styleSheet() == app_of(quick).window.styleSheet()


def _turn_to_main(qtbot: QtBot, quick: QuickSearch) -> None:
    main = app_of(quick).window
    qtbot.waitUntil(quick.window.isActiveWindow)
    main.show()
    main.activateWindow()
    qtbot.waitUntil(main.isActiveWindow)
