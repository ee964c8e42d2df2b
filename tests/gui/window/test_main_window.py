"""The main window as a user sees it: real widgets, a real folder, the real library."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu, QStyle
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.results.results_model import HeaderRow
from notesearch.gui.window.main_window import STATE_FILE
from tests.gui.fixture_types import StartApp
from tests.gui.opened_files import OpenedFiles
from tests.gui.using_window import (
    ALT,
    CONTROL,
    NONE,
    SHIFT,
    Key,
    heading,
    listed,
    press,
    previewed,
    typed,
)


def current_row(app: App) -> int:
    return app.window.results.view.currentIndex().row()


def top_of_current_row(app: App) -> int:
    view = app.window.results.view
    return view.visualRect(view.currentIndex()).top()


def current_row_is_whole(app: App) -> bool:
    """Return whether the list shows the selected row from its first to its last pixel."""
    view = app.window.results.view
    return view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def set_text_size(app: App, percent: int) -> None:
    app.preferences.change(text_size=percent)
    app.appearance.update()


def test_typing_shows_sections_grouped_by_note(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    assert app.window.shows_results
    assert listed(app)[0] == "Trip to Japan"
    assert "  Kyoto > Food" in listed(app)
    assert "  Pickles" in listed(app)
    assert app.window.results.summary.count_text == "6 sections in 3 notes"


def test_a_note_shows_three_sections_and_unfolds_in_place(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    rows = listed(app)
    more = rows.index("  +1")
    assert more == 4
    press(qtbot, app, Key.Key_Right)
    assert listed(app)[:4] == rows[:4]
    assert listed(app)[4].strip().endswith("Shoes")
    assert current_row(app) == 1


def test_arrows_move_the_selection_and_the_preview_follows(qtbot: QtBot, app: App) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "food")
    assert heading(app) == "Food"
    assert "still warm" in previewed(app)
    assert "Rain until noon" not in previewed(app), "only the section itself is shown"
    with qtbot.waitSignal(app.pane.preview.shown):
        press(qtbot, app, Key.Key_Down)
    assert heading(app) in {"Day 3", "Snacks", "Shoes"}
    assert "still warm" not in previewed(app)


def test_the_selection_skips_headers(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    headers = {n for n, row in enumerate(app.model.rows) if isinstance(row, HeaderRow)}
    press(qtbot, app, Key.Key_End, CONTROL)
    visited = {current_row(app)}
    for _ in range(current_row(app)):
        press(qtbot, app, Key.Key_Up)
        visited.add(current_row(app))
    assert len(headers) == 3
    assert not visited & headers


def test_the_selection_stops_at_both_ends(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    first, last = 1, len(app.model.rows) - 1
    for key, modifier, row in (
        (Key.Key_Up, NONE, first),
        (Key.Key_End, CONTROL, last),
        (Key.Key_Down, NONE, last),
        (Key.Key_PageUp, NONE, first),
        (Key.Key_PageDown, NONE, last),
    ):
        press(qtbot, app, key, modifier)
        assert current_row(app) == row, key


def test_home_and_end_belong_to_the_text(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_Down)
    field = app.window.focusWidget()
    assert isinstance(field, QLineEdit)
    for key, position in ((Key.Key_Home, 0), (Key.Key_End, len("food"))):
        press(qtbot, app, key)
        assert field.cursorPosition() == position
        assert current_row(app) == 2


@pytest.mark.parametrize("modifier", [NONE, CONTROL])
def test_enter_opens_the_note(
    qtbot: QtBot, app: App, opened: OpenedFiles, modifier: Qt.KeyboardModifier
) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_Return, modifier)
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])


def test_a_held_enter_opens_once(qtbot: QtBot, app: App, opened: OpenedFiles) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_Return)
    held = QKeyEvent(QKeyEvent.Type.KeyPress, Key.Key_Return, NONE, "\r", autorep=True)
    QApplication.sendEvent(app.window.focusWidget(), held)
    qtbot.waitUntil(lambda: bool(opened.files))
    app.pane.opener.stop()
    QApplication.processEvents()
    assert len(opened.files) == 1


def test_enter_waits_for_the_results_of_the_text(
    qtbot: QtBot, app: App, opened: OpenedFiles
) -> None:
    with qtbot.waitSignal(app.window.results.view.opened):
        QTest.keyClicks(app.window.focusWidget(), "dashi")
        press(qtbot, app, Key.Key_Return)
        assert opened.files == []
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])


def test_a_missing_editor_is_named(qtbot: QtBot, start: StartApp, notes: Path) -> None:
    settings = Settings(model="none", editor="no-such-editor {path}:{line}")
    app = start(notes, settings)
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_Return)
    qtbot.waitUntil(app.window.notice.isVisible)
    assert app.window.notice.text.startswith("“no-such-editor” was not found.")


def test_escape_clears_and_the_page_returns(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_Escape)
    assert app.window.field.text == ""
    assert not app.window.shows_results
    assert app.window.page.page.title == "Search 3 notes"
    assert previewed(app) == ""


def test_typing_in_the_list_goes_to_the_field(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "foo")
    app.window.results.view.setFocus()
    typed(qtbot, app, "d")
    assert app.window.field.text == "food"


def test_a_slash_in_the_preview_selects_the_query(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    app.window.preview.setFocus()
    press(qtbot, app, Key.Key_Slash)
    field = app.window.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.selectedText() == "food"


def test_a_click_anywhere_in_the_frame_goes_to_the_field(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "stalls")
    field, window = app.window.field, app.window.windowHandle()
    middle = field.rect().center()
    for place in (
        QPoint(14, middle.y()),  # the magnifier
        QPoint(middle.x(), 3),  # above the text
        QPoint(middle.x(), field.height() - 4),  # below it
    ):
        press(qtbot, app, Key.Key_Tab)
        assert app.window.results.view.hasFocus()
        click = field.mapTo(app.window, place)
        QTest.mouseClick(window, Qt.MouseButton.LeftButton, NONE, click)
        focused, before = app.window.focusWidget(), field.text.count("!")
        assert isinstance(focused, QLineEdit), place
        QTest.keyClicks(focused, "!")
        assert field.text.count("!") == before + 1, place


def test_f6_cycles_through_the_panes(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    window = app.window
    focused = []
    for _ in range(3):
        app.actions.next_pane.trigger()
        focused.append(window.focusWidget())
    assert focused[0] is window.results.view
    assert window.preview.isAncestorOf(focused[1])
    assert isinstance(focused[2], QLineEdit)


def test_the_menu_offers_enabled_actions_and_returns_the_focus(qtbot: QtBot, app: App) -> None:
    offered: list[str] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        offered.extend(action.text() for action in menu.actions() if action.text())
        QTest.keyClick(menu, Key.Key_Escape)

    QTimer.singleShot(0, look)
    press(qtbot, app, Key.Key_F10)
    assert offered[:3] == ["Open quick search", "Update index", "Pause indexing"]
    assert "Settings…" in offered
    assert isinstance(app.window.focusWidget(), QLineEdit)


def test_a_query_without_results_says_why(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "xyzzy")
    assert not app.window.shows_results
    page = app.window.page.page
    assert page.title == "No sections match “xyzzy”"
    assert page.text == "“xyzzy” is not in your notes."
    assert page.detail.startswith("Searched 3 notes. ")


def test_new_results_leave_the_selection_where_it_is(qtbot: QtBot, app: App, notes: Path) -> None:
    typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_Down)
    section, top = heading(app), top_of_current_row(app)
    (notes / "kitchen/Street food.md").write_text("# Street food\n\nFood, food and food.\n")
    qtbot.waitUntil(lambda: "Street food" in listed(app))
    assert heading(app) == section
    assert top_of_current_row(app) == top


def test_the_preview_follows_its_file(qtbot: QtBot, app: App, notes: Path) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "dashi")
    file = notes / "kitchen/Recipes.md"
    file.write_text(file.read_text().replace("miso soup", "noodle soup"))
    qtbot.waitUntil(lambda: "noodle soup" in previewed(app))


@pytest.fixture
def missing_folder(qtbot: QtBot, app: App, notes: Path) -> Path:
    """Where the notes folder was moved while the window shows it; the window has noticed it."""
    away = notes.rename(notes.with_name("away"))
    with qtbot.waitSignal(app.vault.idle):
        app.actions.update_index.trigger()
    return away


@pytest.mark.usefixtures("missing_folder")
class TestAMissingFolder:
    def test_is_reported(self, app: App, notes: Path) -> None:
        assert app.window.banner.isVisible()
        assert app.window.banner.text.startswith(f"The notes folder {notes} cannot be reached.")
        assert app.window.bar.line.text == "The folder cannot be reached"

    def test_is_reported_below_another_problem(self, app: App) -> None:
        report, buttons = app.window.banner.text, app.window.banner.buttons
        for _ in range(2):
            app.preferences.failed.emit("The settings cannot be written.")
        assert app.window.banner.text == f"The settings cannot be written.\n{report}"
        assert app.window.banner.buttons == buttons

    def test_is_searched_as_last_indexed(self, qtbot: QtBot, app: App) -> None:
        typed(qtbot, app, "dashi")
        qtbot.waitUntil(lambda: app.pane.preview.is_complete)
        assert heading(app) == "Dashi"
        first_line = previewed(app).splitlines()[0]
        assert first_line == "This is the text as last indexed, without formatting."
        assert "Base for miso soup." in previewed(app)
        press(qtbot, app, Key.Key_Up, ALT | SHIFT)
        qtbot.waitUntil(lambda: "Goes with any fried food." in previewed(app))

    def test_takes_only_its_own_report_away_when_it_comes_back(
        self, qtbot: QtBot, app: App, notes: Path, missing_folder: Path
    ) -> None:
        app.preferences.failed.emit("The settings cannot be written.")
        missing_folder.rename(notes)
        with qtbot.waitSignal(app.vault.idle):
            app.actions.try_again.trigger()
        assert app.window.banner.text == "The settings cannot be written."
        app.preferences.stored.emit()
        assert app.window.banner.isHidden()
        assert app.window.bar.line.text.startswith("3 notes")


def test_without_a_folder_the_first_page_asks_for_one(
    qtbot: QtBot,
    start: StartApp,
    notes: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = start(None)
    assert app.window.page.page.title == "Choose your notes folder"
    assert app.window.bar.line.text == "No notes folder yet"
    button = app.window.page.buttons[0]
    assert app.window.focusWidget() is button
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(notes))
    with qtbot.waitSignal(app.vault.idle):
        QTest.keyClick(button, Key.Key_Space)
    typed(qtbot, app, "dashi")
    assert heading(app) == "Dashi"
    app.preferences.close()
    assert Settings.load(Paths.choose()).vault == str(notes)


def test_a_folder_without_notes_says_so_with_and_without_a_query(
    qtbot: QtBot, start: StartApp, vault: Path
) -> None:
    app = start(vault)
    for query in ("", "kyoto"):
        if query:
            typed(qtbot, app, query)
        assert app.window.page.page.title == "No Markdown files in this folder"
        buttons = [button.text() for button in app.window.page.buttons]
        assert buttons == ["Choose folder…", "Try the sample notes"]


def test_a_folder_without_notes_opened_during_a_query_offers_another(
    qtbot: QtBot, app: App, tmp_path: Path
) -> None:
    typed(qtbot, app, "food")
    (tmp_path / "empty").mkdir()
    with qtbot.waitSignal(app.vault.idle):
        app.vault.open(tmp_path / "empty")
    qtbot.waitUntil(lambda: app.window.page.page.title == "No Markdown files in this folder")
    qtbot.waitUntil(lambda: len(app.window.page.buttons) == 2)


def test_another_folder_replaces_the_first(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    with qtbot.waitSignal(app.vault.idle):
        app.actions.sample_notes.trigger()
    with qtbot.waitSignal(app.pane.search.settled):
        app.window.field.set_text("food tofu")
    assert "Trip to Japan" in listed(app)


def test_the_sample_notes_lead_back_to_the_own_folder(qtbot: QtBot, app: App) -> None:
    own_folder, samples = app.vault.path, app.actions.sample_notes
    app.preferences.change(vault=str(own_folder))
    with qtbot.waitSignal(app.vault.idle):
        samples.trigger()
    assert samples.text() == "Leave the sample notes"
    with qtbot.waitSignal(app.vault.idle):
        samples.trigger()
    assert samples.text() == "Try the sample notes"
    assert app.vault.path == own_folder


def test_a_narrow_window_puts_the_preview_below(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    splitter = app.window.panes
    app.window.resize(900, 700)
    assert splitter.orientation() == Qt.Orientation.Horizontal
    app.window.resize(600, 700)
    assert splitter.orientation() == Qt.Orientation.Vertical


def test_larger_text_makes_a_window_narrow(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    app.window.resize(900, 700)
    side_by_side, below = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    for size, orientation in ((100, side_by_side), (150, below), (100, side_by_side)):
        set_text_size(app, size)
        assert app.window.panes.orientation() == orientation, size


def test_a_narrow_window_leaves_out_whole_parts_of_the_count(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    count = app.window.results.summary._count
    assert count.text() == "6 sections in 3 notes"
    description = app.window.preview.head._description
    for width in (1120, 760, 560):
        app.window.resize(width, 700)
        app.window.grab()
        assert count.shown in {"6 sections in 3 notes", "6 sections", "6"}
        if description.shown:
            assert f"{description.text()} · ".startswith(f"{description.shown} · ")


@pytest.mark.parametrize("text_size", [100, 200])
def test_a_small_window_shows_the_best_section_whole(
    qtbot: QtBot, app: App, text_size: int
) -> None:
    app.preferences.change(text_size=text_size)
    app.window.resize(app.window.minimumSize())
    typed(qtbot, app, "food")
    assert current_row_is_whole(app)


def test_a_menu_that_is_higher_than_the_screen_scrolls(app: App) -> None:
    menu = app.window.menu
    menu.ensurePolished()
    assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu)


def test_a_narrow_window_shows_the_folder_as_an_icon(qtbot: QtBot, app: App) -> None:
    with_name, icon_only = (
        Qt.ToolButtonStyle.ToolButtonTextBesideIcon,
        Qt.ToolButtonStyle.ToolButtonIconOnly,
    )
    for width, style in ((900, with_name), (600, icon_only), (900, with_name)):
        app.window.resize(width, 700)
        assert app.window.folder.button.toolButtonStyle() == style, width


def test_large_text_does_not_make_the_window_larger_than_the_screen(app: App) -> None:
    set_text_size(app, 300)
    screen, least = app.window.screen().availableSize(), app.window.minimumSize()
    assert least.width() < screen.width()
    assert least.height() < screen.height()


def test_a_window_that_grows_with_the_text_stays_on_the_screen(app: App) -> None:
    window, screen = app.window, app.window.screen().availableGeometry()
    window.resize(window.minimumSize())
    window.move(screen.right() - window.width(), screen.bottom() - window.height())
    set_text_size(app, 150)
    assert screen.contains(window.frameGeometry())


def test_other_colours_leave_a_window_where_the_user_put_it(app: App) -> None:
    window, screen = app.window, app.window.screen().availableGeometry()
    window.move(20, screen.bottom() - window.height() // 2)
    place = window.pos()
    app.preferences.change(theme="dark")
    app.appearance.update()
    assert window.pos() == place


class TestTheLargestText:
    @pytest.fixture(autouse=True)
    def largest_text(self, app: App) -> None:
        set_text_size(app, 300)

    def test_shows_the_best_row_whole_in_a_low_window(self, qtbot: QtBot, app: App) -> None:
        app.window.resize(800, app.window.minimumHeight())
        typed(qtbot, app, "food")
        qtbot.waitUntil(lambda: current_row_is_whole(app))

    def test_leaves_room_for_a_row_and_the_head_of_the_preview(
        self, qtbot: QtBot, app: App
    ) -> None:
        app.window.resize(1298, 718)  # a small screen
        typed(qtbot, app, "food")
        qtbot.waitUntil(lambda: current_row_is_whole(app))
        qtbot.waitUntil(app.window.preview.head.breadcrumb.isVisible)

    def test_hides_the_preview_while_a_message_takes_its_room(self, qtbot: QtBot, app: App) -> None:
        app.window.resize(1298, 718)
        typed(qtbot, app, "food")
        app.window.banner.show_message("The disk with your notes folder is almost full. " * 4)
        qtbot.waitUntil(lambda: not app.window.preview.isVisible())
        assert app.window.panes.wants_preview
        app.window.close_message()
        qtbot.waitUntil(app.window.preview.head.breadcrumb.isVisible)


def test_matches_in_the_title_of_a_note_are_marked_calmly_in_the_dark(
    qtbot: QtBot, app: App
) -> None:
    app.preferences.change(theme="dark")
    typed(qtbot, app, "recipes")
    view = app.window.results.view
    header = view.viewport().grab(view.visualRect(app.model.index(0))).toImage()
    pixels = product(range(header.width()), range(header.height()))
    assert "#5c4a12" in {header.pixelColor(*pixel).name() for pixel in pixels}


def test_the_window_restores_its_layout(
    qtbot: QtBot, start: StartApp, notes: Path, home: Path
) -> None:
    app = start(notes)
    app.window.resize(760, 600)
    typed(qtbot, app, "food")
    app.window.panes.moveSplitter(400, 1)
    sizes = app.window.panes.sizes()
    app.window.close()
    assert (home / "data" / STATE_FILE).is_file()
    again = start(notes)
    assert again.window.size() == app.window.size()
    typed(qtbot, again, "food")
    assert again.window.panes.sizes() == sizes


def test_a_new_window_fits_the_screen(start: StartApp, words_only: Settings) -> None:
    window = start(None, replace(words_only, text_size=120)).window
    room = window.screen().availableSize()
    assert window.sizeHint().width() > room.width()
    assert window.size().boundedTo(room) == window.size()


def test_a_narrow_window_does_not_change_the_sizes_of_a_wide_one(qtbot: QtBot, app: App) -> None:
    panes = app.window.panes
    app.window.resize(1120, 700)
    typed(qtbot, app, "food")
    before = panes.sizes()
    app.window.resize(560, 420)  # too narrow for list and preview side by side
    app.window.field.set_text("xyzzy")
    qtbot.waitUntil(lambda: not app.window.shows_results)
    app.window.resize(1120, 700)
    typed(qtbot, app, " OR food")
    qtbot.waitUntil(lambda: panes.sizes() == before)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"panes": 3}',
        '{"panes": {}, "geometry": "%%"}',
        '{"panes": {"side by side": [300, 400], "stacked": [100, 200]}, "zoom": 1e999}',
        '{"panes": {"side by side": [300, 400], "stacked": [1000000000000, 200]}}',
    ],
)
def test_a_damaged_state_file_keeps_no_window_from_opening(
    start: StartApp, notes: Path, home: Path, text: str
) -> None:
    (home / "data").mkdir(parents=True)
    (home / "data" / STATE_FILE).write_text(text)
    assert start(notes).window.isVisible()
