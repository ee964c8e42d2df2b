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
from tests.gui.made import StartApp
from tests.gui.opened_files import Opened
from tests.gui.using_window import ALT, SHIFT, Key, heading, listed, press, previewed, typed


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
    assert app.window.results.view.currentIndex().row() == 1


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


def test_the_selection_skips_headers_and_stops_at_both_ends(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    control = Qt.KeyboardModifier.ControlModifier
    press(qtbot, app, Key.Key_Up)
    assert app.window.results.view.currentIndex().row() == 1
    press(qtbot, app, Key.Key_End, control)
    last = app.window.results.view.currentIndex().row()
    assert last == len(app.model.rows) - 1
    press(qtbot, app, Key.Key_Down)
    assert app.window.results.view.currentIndex().row() == last
    visited = {last}
    for _ in range(last):
        press(qtbot, app, Key.Key_Up)
        visited.add(app.window.results.view.currentIndex().row())
    headers = {n for n, row in enumerate(app.model.rows) if isinstance(row, HeaderRow)}
    assert not visited & headers
    press(qtbot, app, Key.Key_PageDown)
    assert app.window.results.view.currentIndex().row() == last
    press(qtbot, app, Key.Key_PageUp)
    assert app.window.results.view.currentIndex().row() == 1


def test_home_and_end_belong_to_the_text(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_Down)
    press(qtbot, app, Key.Key_Home)
    assert app.window.results.view.currentIndex().row() == 2
    field = app.window.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.cursorPosition() == 0


@pytest.mark.parametrize(
    "modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier]
)
def test_enter_opens_the_note(
    qtbot: QtBot, app: App, opened: Opened, modifier: Qt.KeyboardModifier
) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_Return, modifier)
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])


def test_a_held_enter_opens_once(qtbot: QtBot, app: App, opened: Opened) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_Return)
    again = QKeyEvent(
        QKeyEvent.Type.KeyPress, Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True
    )
    QApplication.sendEvent(app.window.focusWidget(), again)
    qtbot.waitUntil(lambda: bool(opened.files))
    app.pane.opener.stop()
    QApplication.processEvents()
    assert len(opened.files) == 1


def test_enter_waits_for_the_results_of_the_text(qtbot: QtBot, app: App, opened: Opened) -> None:
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


def test_typing_anywhere_goes_to_the_field(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "foo")
    app.window.results.view.setFocus()
    typed(qtbot, app, "d")
    assert app.window.field.text == "food"
    app.window.preview.setFocus()
    press(qtbot, app, Key.Key_Slash)
    field = app.window.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.selectedText() == "food"


@pytest.mark.parametrize("place", ["the magnifier", "above the text", "below the text"])
def test_a_click_anywhere_in_the_frame_goes_to_the_field(
    qtbot: QtBot, app: App, place: str
) -> None:
    typed(qtbot, app, "stalls")
    press(qtbot, app, Key.Key_Tab)
    assert app.window.results.view.hasFocus()
    field, window = app.window.field, app.window.windowHandle()
    y = {"above the text": 3, "below the text": field.height() - 4}.get(place, field.height() // 2)
    x = 14 if place == "the magnifier" else field.width() // 2
    point = field.mapTo(app.window, QPoint(x, y))
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    assert isinstance(app.window.focusWidget(), QLineEdit)
    QTest.keyClicks(app.window.focusWidget(), "!")
    assert "!" in field.text


def test_f6_cycles_through_the_panes(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    window = app.window
    seen = []
    for _ in range(3):
        app.actions.next_pane.trigger()
        seen.append(window.focusWidget())
    assert seen[0] is window.results.view
    assert app.window.preview.isAncestorOf(seen[1])
    assert isinstance(seen[2], QLineEdit)


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


def test_a_changed_note_changes_the_results(qtbot: QtBot, app: App, notes: Path) -> None:
    typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_Down)
    chosen, y = heading(app), _y(app)
    (notes / "kitchen/Street food.md").write_text("# Street food\n\nFood, food and food.\n")
    qtbot.waitUntil(lambda: "Street food" in listed(app))
    assert heading(app) == chosen, "the selected section stays selected"
    assert _y(app) == y, "and stays where it was"


def test_the_preview_follows_its_file(qtbot: QtBot, app: App, notes: Path) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "dashi")
    file = notes / "kitchen/Recipes.md"
    file.write_text(file.read_text().replace("miso soup", "noodle soup"))
    qtbot.waitUntil(lambda: "noodle soup" in previewed(app))


def test_a_missing_folder_is_reported_and_the_last_index_still_answers(
    qtbot: QtBot, app: App, notes: Path
) -> None:
    away = notes.with_name("away")
    notes.rename(away)
    with qtbot.waitSignal(app.vault.idle):
        app.actions.update_index.trigger()
    assert app.window.banner.isVisible()
    assert app.window.banner.text.startswith(f"The notes folder {notes} cannot be reached.")
    assert app.window.status.line.text == "The folder cannot be reached"
    trouble, remedies = app.window.banner.text, app.window.banner.buttons
    for _ in range(2):
        app.preferences.failed.emit("The settings cannot be written.")
    assert app.window.banner.text == f"The settings cannot be written.\n{trouble}"
    assert app.window.banner.buttons == remedies
    typed(qtbot, app, "dashi")
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    assert heading(app) == "Dashi"
    assert previewed(app).splitlines()[0] == "This is the text as last indexed, without formatting."
    assert "Base for miso soup." in previewed(app)
    press(qtbot, app, Key.Key_Up, ALT | SHIFT)
    qtbot.waitUntil(lambda: "Goes with any fried food." in previewed(app))
    away.rename(notes)
    with qtbot.waitSignal(app.vault.idle):
        app.actions.try_again.trigger()
    assert app.window.banner.text == "The settings cannot be written."
    app.preferences.stored.emit()
    assert app.window.banner.isHidden()
    assert app.window.status.line.text.startswith("3 notes")


def test_without_a_folder_the_first_page_asks_for_one(
    qtbot: QtBot,
    start: StartApp,
    notes: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = start(None)
    assert app.window.page.page.title == "Choose your notes folder"
    assert app.window.status.line.text == "No notes folder yet"
    button = app.window.page.buttons[0]
    assert app.window.focusWidget() is button
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(notes))
    with qtbot.waitSignal(app.vault.idle):
        QTest.keyClick(button, Key.Key_Space)
    typed(qtbot, app, "dashi")
    assert heading(app) == "Dashi"
    assert Settings.load(Paths.choose()).vault == str(notes)


@pytest.mark.parametrize("query", ["", "kyoto"])
def test_a_folder_without_notes_says_so(
    qtbot: QtBot, start: StartApp, vault: Path, query: str
) -> None:
    app = start(vault)
    if query:
        typed(qtbot, app, query)
    assert app.window.page.page.title == "No Markdown files in this folder"
    assert [button.text() for button in app.window.page.buttons] == [
        "Choose folder…",
        "Try the sample notes",
    ]


def test_another_folder_replaces_the_first(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    with qtbot.waitSignal(app.vault.idle):
        app.actions.sample_notes.trigger()
    with qtbot.waitSignal(app.pane.search.settled):
        app.window.field.set_text("food tofu")
    assert "Trip to Japan" in listed(app)


def test_the_sample_notes_lead_back_to_the_own_folder(qtbot: QtBot, app: App) -> None:
    own = app.vault.path
    app.preferences.change(vault=str(own))
    samples = app.actions.sample_notes
    with qtbot.waitSignal(app.vault.idle):
        samples.trigger()
    assert samples.text() == "Leave the sample notes"
    with qtbot.waitSignal(app.vault.idle):
        samples.trigger()
    assert (app.vault.path, samples.text()) == (own, "Try the sample notes")


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
    turned = list[Qt.Orientation]()
    for size in (100, 150, 100):
        app.preferences.change(text_size=size)
        app.appearance.update()
        turned.append(app.window.panes.orientation())
    side_by_side, below = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert turned == [side_by_side, below, side_by_side]


@pytest.mark.parametrize("width", [1120, 760, 560])
def test_a_narrow_window_cuts_no_words_of_the_count(qtbot: QtBot, app: App, width: int) -> None:
    typed(qtbot, app, "food")
    app.window.resize(width, 700)
    app.window.grab()
    found = app.window.results.summary._count
    whole = found.text()
    assert found.shown in {whole, whole.partition(" in ")[0], whole.partition(" ")[0]}
    description = app.window.preview.head._description
    assert f"{description.text()} · ".startswith(f"{description.shown} · ") or not description.shown


@pytest.mark.parametrize("text_size", [100, 200])
def test_a_small_window_shows_the_best_section_whole(
    qtbot: QtBot, app: App, text_size: int
) -> None:
    app.preferences.change(text_size=text_size)
    app.window.resize(app.window.minimumSize())
    typed(qtbot, app, "food")
    view = app.window.results.view
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_a_menu_that_is_higher_than_the_screen_scrolls(app: App) -> None:
    menu = app.window.menu
    menu.ensurePolished()
    assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu)


def test_a_narrow_window_shows_the_folder_as_an_icon(qtbot: QtBot, app: App) -> None:
    style = Qt.ToolButtonStyle
    for width, wanted in (
        (900, style.ToolButtonTextBesideIcon),
        (600, style.ToolButtonIconOnly),
        (900, style.ToolButtonTextBesideIcon),
    ):
        app.window.resize(width, 700)
        assert app.window.folder.button.toolButtonStyle() == wanted


def test_large_text_does_not_make_the_window_larger_than_the_screen(app: App) -> None:
    app.preferences.change(text_size=300)
    app.appearance.update()
    room = app.window.screen().availableSize()
    least = app.window.minimumSize()
    assert least.width() < room.width()
    assert least.height() < room.height()
    app.preferences.change(text_size=100)
    app.appearance.update()


def test_a_window_that_grows_with_the_text_stays_on_the_screen(app: App) -> None:
    window, screen = app.window, app.window.screen().availableGeometry()
    window.resize(window.minimumSize())
    window.move(screen.right() - window.width(), screen.bottom() - window.height())
    app.preferences.change(text_size=150)
    app.appearance.update()
    assert window.frameGeometry().right() <= screen.right()
    assert window.frameGeometry().left() >= screen.left()
    assert window.frameGeometry().bottom() <= screen.bottom()
    assert window.frameGeometry().top() >= screen.top()
    app.preferences.change(text_size=100)
    app.appearance.update()


def test_other_colours_leave_a_window_where_the_user_put_it(app: App) -> None:
    window, screen = app.window, app.window.screen().availableGeometry()
    window.move(20, screen.bottom() - window.height() // 2)
    place = window.pos()
    app.preferences.change(theme="dark")
    app.appearance.update()
    assert window.pos() == place


def test_the_best_row_is_whole_in_the_largest_text(qtbot: QtBot, app: App) -> None:
    app.preferences.change(text_size=300)
    app.appearance.update()
    app.window.resize(800, app.window.minimumHeight())
    typed(qtbot, app, "food")
    view = app.window.results.view
    qtbot.waitUntil(lambda: view.viewport().rect().contains(view.visualRect(view.currentIndex())))
    app.preferences.change(text_size=100)
    app.appearance.update()


def test_in_the_largest_text_a_row_and_the_head_of_the_preview_fit_a_small_screen(
    qtbot: QtBot, app: App
) -> None:
    app.preferences.change(text_size=300)
    app.appearance.update()
    app.window.resize(1298, 718)
    typed(qtbot, app, "food")
    view, head = app.window.results.view, app.window.preview.head
    qtbot.waitUntil(lambda: view.viewport().rect().contains(view.visualRect(view.currentIndex())))
    qtbot.waitUntil(head.breadcrumb.isVisible)
    app.window.banner.show_message("The disk with your notes folder is almost full. " * 4)
    qtbot.waitUntil(lambda: not app.window.preview.isVisible())
    assert app.window.panes.wants_preview
    app.window.close_message()
    qtbot.waitUntil(head.breadcrumb.isVisible)
    app.preferences.change(text_size=100)
    app.appearance.update()


def test_matches_in_the_title_of_a_note_are_marked_calmly_in_the_dark(
    qtbot: QtBot, app: App
) -> None:
    app.preferences.change(theme="dark")
    typed(qtbot, app, "recipes")
    view = app.window.results.view
    header = view.viewport().grab(view.visualRect(app.model.index(0))).toImage()
    points = product(range(header.width()), range(header.height()))
    assert "#5c4a12" in {header.pixelColor(*point).name() for point in points}


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
    app.window.resize(560, 420)  # too narrow for the preview beside that list
    app.window.field.set_text("xyzzy")
    qtbot.waitUntil(lambda: not app.window.shows_results)
    app.window.resize(1120, 700)
    typed(qtbot, app, " OR food")
    qtbot.waitUntil(lambda: panes.sizes() == before)


SIZES = '{"side by side": [300, 400], "stacked": [%s, 200]}'


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"panes": 3}', '{"panes": {}, "geometry": "%%"}',
     f'{{"panes": {SIZES % "100"}, "zoom": 1e999}}', f'{{"panes": {SIZES % 10**12}}}'],
)  # fmt: skip
def test_a_damaged_state_file_changes_nothing(
    start: StartApp, notes: Path, home: Path, text: str
) -> None:
    (home / "data").mkdir(parents=True)
    (home / "data" / STATE_FILE).write_text(text)
    assert start(notes).window.isVisible()


def _y(app: App) -> int:
    view = app.window.results.view
    return view.visualRect(view.currentIndex()).top()
