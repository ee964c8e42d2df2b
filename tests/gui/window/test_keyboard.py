"""The keys of the main window, in the real program on a real folder."""

import re
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAction, QColor, QImage
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.settings.settings_dialog import SettingsDialog
from notesearch.gui.widgets.keys import caps_of
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.key_page import KeyPage, key_groups
from tests.gui.fixture_types import StartApp
from tests.gui.opened_files import OpenedFiles
from tests.gui.using_window import (
    ALT,
    CONTROL,
    NONE,
    SHIFT,
    Key,
    Modifier,
    has_tick,
    heading,
    listed,
    press,
    typed,
)


def test_ctrl_k_lists_the_actions_on_the_section(qtbot: QtBot, app: App) -> None:
    actions = app.window.choices
    press(qtbot, app, Key.Key_K, CONTROL)
    listed = [one.text for one in actions.model.shown]
    assert {"Choose folder…", "Starred and earlier queries"} <= set(listed), "nothing is selected"
    press(qtbot, app, Key.Key_Escape)
    typed(qtbot, app, "food")
    press(qtbot, app, Key.Key_K, CONTROL)
    listed = [one.text for one in actions.model.shown]
    assert listed[0] == app.pane.opener.label
    assert "Show parent section" in listed
    assert {"Settings…", "Choose folder…"} <= set(listed), "all actions are listed"
    press(qtbot, app, Key.Key_K, CONTROL)
    assert not actions.is_open
    assert isinstance(app.window.focusWidget(), QLineEdit)


def dialogs() -> list[QDialog]:
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog)]


@pytest.mark.parametrize("opens", ["keys", "settings"])
def test_escape_while_a_window_opens_is_for_it(qtbot: QtBot, app: App, opens: str) -> None:
    """The desktop gives it the focus later; the key cleared the query."""
    typed(qtbot, app, "food")
    getattr(app.actions, opens).trigger()
    assert [dialog for dialog in dialogs() if dialog.isVisible()]
    assert app.window.isActiveWindow()
    QTest.keyClick(app.window.windowHandle(), Key.Key_Escape)
    assert not [dialog for dialog in dialogs() if dialog.isVisible()]
    assert app.window.field.text == "food"
    QTest.keyClick(app.window.windowHandle(), Key.Key_Escape)
    assert app.window.field.text == "", "the closed dialog takes no more keys"


def test_text_typed_while_the_keys_open_filters_them(qtbot: QtBot, app: App) -> None:
    """The desktop gives the list the focus later; the text replaced the query."""
    typed(qtbot, app, "food")
    app.actions.keys.trigger()
    (page,) = app.window.findChildren(KeyPage)
    QTest.keyClick(app.window.windowHandle(), Key.Key_C)
    assert (page.filter.text(), app.window.field.text) == ("c", "food")
    with qtbot.assertNotEmitted(app.actions.keys.triggered):
        QTest.keyClick(app.window.windowHandle(), Key.Key_F1)
    page.close()
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow)
    QTest.keyClick(app.window.windowHandle(), Key.Key_S)
    assert app.window.field.text == "foods"


def test_an_arrow_key_while_the_settings_open_turns_to_another_page(app: App) -> None:
    app.actions.settings.trigger()
    (dialog,) = (one for one in dialogs() if isinstance(one, SettingsDialog))
    QTest.keyClick(app.window.windowHandle(), Key.Key_Down)
    assert dialog.names.currentRow() == 1
    dialog.close()


def test_the_list_of_keys_opens_once(app: App) -> None:
    for _ in range(2):
        app.actions.keys.trigger()
    (page,) = app.window.findChildren(KeyPage)
    page.close()
    app.actions.keys.trigger()
    assert [page.isVisible() for page in app.window.findChildren(KeyPage)][-1]


def test_the_outline_closes_even_if_the_former_focus_is_gone(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "dashi")
    qtbot.waitUntil(lambda: app.pane.preview.place is not None)
    app.window.preview.browser.setFocus()
    press(qtbot, app, Key.Key_O, CONTROL | SHIFT)
    assert app.window.choices.is_open
    press(qtbot, app, Key.Key_P, ALT)
    assert not app.window.preview.isVisible()
    press(qtbot, app, Key.Key_Escape)
    assert not app.window.choices.is_open
    QTest.keyClicks(QApplication.focusWidget(), "x")
    assert app.window.field.text == "dashix"


def test_enter_in_the_action_list_triggers_the_action(
    qtbot: QtBot, app: App, opened: OpenedFiles
) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_K, CONTROL)
    press(qtbot, app, Key.Key_Return)
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])


@pytest.mark.parametrize("digit", [1, 3])
def test_alt_and_a_digit_open_a_visible_row(
    qtbot: QtBot, app: App, opened: OpenedFiles, digit: int
) -> None:
    typed(qtbot, app, "food")
    sections = [section for note in app.model.notes for section in note.sections]
    press(qtbot, app, Key(Key.Key_0 + digit), ALT)
    assert heading(app) == sections[digit - 1].section
    qtbot.waitUntil(lambda: opened.files == [sections[digit - 1].path.rpartition("/")[2]])
    assert app.window.field.text == "food"


def test_alt_and_a_digit_without_a_row_do_nothing(
    qtbot: QtBot, app: App, opened: OpenedFiles
) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_9, ALT)
    press(qtbot, app, Key.Key_Escape)
    press(qtbot, app, Key.Key_1, ALT)
    assert opened.files == []


def test_rows_show_digits_while_alt_is_held(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    plain = app.window.results.view.grab().toImage()
    field = app.window.focusWidget()
    QTest.keyPress(field, Key.Key_Alt)
    qtbot.waitUntil(lambda: app.window.results.view.grab().toImage() != plain)
    QTest.keyRelease(field, Key.Key_Alt)
    assert app.window.results.view.grab().toImage() == plain


def test_digits_leave_the_snippets_readable(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    view = app.window.results.view
    plain = view.viewport().grab().toImage()
    field = app.window.focusWidget()
    QTest.keyPress(field, Key.Key_Alt)
    qtbot.waitUntil(lambda: view.viewport().grab().toImage() != plain)
    with_digits = view.viewport().grab().toImage()
    rows = range(view.model().rowCount())
    rectangles = [view.visualRect(view.model().index(row, 0)) for row in rows]
    metrics = view._delegate._metrics
    above = metrics.padding + metrics.line_height + metrics.line_gap
    snippets = [row.adjusted(0, above, 0, 0) for row in rectangles]
    assert all(with_digits.copy(part) == plain.copy(part) for part in snippets)
    QTest.keyRelease(field, Key.Key_Alt)


def scrolled(app: App) -> int:
    return app.window.preview.browser.verticalScrollBar().value()


LONG = "# Long\n\n" + "".join(f"food in line {n}\n\n" for n in range(200))


@pytest.fixture
def long_app(qtbot: QtBot, start: StartApp, vault: Path) -> App:
    """The program with a section that is longer than the preview."""
    (vault / "long.md").write_text(LONG)
    app = start(vault)
    with qtbot.waitSignal(app.pane.search.settled):  # not letter by letter, each with an answer
        app.window.field.set_text("food")
    qtbot.waitUntil(
        lambda: "200" in app.window.preview.head._matches.text()
    )  # all, not the first look
    return app


def test_shift_and_arrows_scroll_the_preview(qtbot: QtBot, long_app: App) -> None:
    """The keyboard is in the field, and its text stays."""
    seen = [scrolled(long_app)]
    for key in (Key.Key_Down, Key.Key_PageDown, Key.Key_PageUp, Key.Key_Up):
        press(qtbot, long_app, key, SHIFT)
        seen.append(scrolled(long_app))
    assert seen[0] == 0 < seen[1] < seen[2]
    assert seen[2] > seen[3] > seen[4] == 0
    assert long_app.window.field.text == "food"
    long_app.window.results.view.setFocus()
    press(qtbot, long_app, Key.Key_Down, SHIFT)
    assert scrolled(long_app) > 0


@pytest.mark.parametrize(
    ("forth", "back"),
    [
        ((Key.Key_F3, NONE), (Key.Key_F3, SHIFT)),
        ((Key.Key_G, CONTROL), (Key.Key_G, CONTROL | SHIFT)),
    ],
)
def test_f3_steps_through_the_matches(
    qtbot: QtBot, long_app: App, forth: tuple[Key, Modifier], back: tuple[Key, Modifier]
) -> None:
    seen: list[int] = []
    long_app.window.preview.browser.marks_changed.connect(lambda current, _: seen.append(current))
    for key, modifier in (forth, forth, back, back, back):
        press(qtbot, long_app, key, modifier)
    assert seen == [2, 3, 2, 1, 200]


@pytest.mark.parametrize("key", [Key.Key_F, Key.Key_L])
def test_the_search_field_is_reached_from_anywhere(qtbot: QtBot, app: App, key: Key) -> None:
    typed(qtbot, app, "food")
    app.window.results.view.setFocus()
    press(qtbot, app, key, CONTROL)
    field = app.window.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.selectedText() == "food"


def test_escape_moves_to_the_field_and_then_clears_it(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    app.window.results.view.setFocus()
    press(qtbot, app, Key.Key_Escape)
    field = app.window.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.selectedText() == "food"
    press(qtbot, app, Key.Key_Escape)
    assert field.text() == ""
    press(qtbot, app, Key.Key_Escape)
    assert app.window.isVisible(), "never closes the window"


def test_tab_follows_the_reading_order(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "dashi")
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    window, seen = app.window, list[QWidget]()
    for _ in range(20):
        press(qtbot, app, Key.Key_Tab)
        now = window.focusWidget()
        places = (window.results.view, app.window.preview, window.folder, window.menu_button)
        place = next((p for p in places if p is now or p.isAncestorOf(now)), None)
        if place is not None and (not seen or seen[-1] is not place):
            seen.append(place)
        if place is window.menu_button:
            break
    assert seen == [window.results.view, app.window.preview, window.folder, window.menu_button]
    for _ in range(20):
        press(qtbot, app, Key.Key_Backtab, SHIFT)
        if isinstance(window.focusWidget(), QLineEdit):
            break
    assert isinstance(window.focusWidget(), QLineEdit)


def test_tab_wraps_around_and_includes_the_breadcrumb(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "dashi")
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    first, seen = app.window.focusWidget(), list[QWidget]()
    for _ in range(40):
        press(qtbot, app, Key.Key_Tab)
        seen.append(app.window.focusWidget())
        if seen[-1] is first:
            break
    assert seen[-1] is first, "Tab never came back to the field"
    assert seen[0] is app.window.results.view
    assert seen[1].objectName() == "crumb", "links of the breadcrumb come before the buttons"


def test_right_unfolds_a_note(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "food")
    app.window.results.view.setFocus()
    for _ in range(3):
        press(qtbot, app, Key.Key_Down)
    rows = len(app.model.rows)
    press(qtbot, app, Key.Key_Right)
    assert app.window.results.view.section is not None
    assert len(app.model.rows) == rows, "one hidden section took the place of the row"


def test_right_at_the_end_of_the_query_unfolds_a_note(qtbot: QtBot, app: App) -> None:
    """The field keeps the keyboard, and the selection stays."""
    typed(qtbot, app, "food")
    before = app.window.results.view.section
    for key in (Key.Key_Left, Key.Key_Right):
        press(qtbot, app, key)
    assert "  +1" in listed(app), "it moved in the text"
    press(qtbot, app, Key.Key_Right)
    assert "  +1" not in listed(app)
    assert app.window.results.view.section == before


def test_ctrl_w_closes_the_window_and_ctrl_q_quits(qtbot: QtBot, app: App) -> None:
    leaving = QSignalSpy(app.leaving)
    press(qtbot, app, Key.Key_Q, CONTROL)
    assert leaving.count() == 1
    press(qtbot, app, Key.Key_W, CONTROL)
    assert not app.window.isVisible()


def test_f5_updates_the_index(qtbot: QtBot, app: App) -> None:
    with qtbot.waitSignal(app.vault.idle):
        press(qtbot, app, Key.Key_F5)
        assert app.window.bar.text == "Looking for changes…"
        assert not has_tick(app)
    qtbot.waitUntil(lambda: app.window.bar.text == app.display.line.text)


def test_without_a_picture_there_is_nothing_to_enlarge(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_E, ALT)
    assert app.window.bar.text == "No picture in view"
    assert not has_tick(app)


def test_the_text_size_of_the_preview_is_stored(
    qtbot: QtBot, app: App, start: StartApp, notes: Path
) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "dashi")
    heights = [app.window.preview.browser.document().size().height()]
    for key in (Key.Key_Plus, Key.Key_Equal, Key.Key_Minus):
        press(qtbot, app, key, CONTROL)
        heights.append(app.window.preview.browser.document().size().height())
    assert heights[0] < heights[1] < heights[2]
    assert heights[3] == heights[1]
    app.window.close()
    again = start(notes)
    assert again.window.preview.zoom == 110
    press(qtbot, again, Key.Key_0, CONTROL)
    assert again.window.preview.zoom == 100
    for _ in range(30):
        press(qtbot, again, Key.Key_Minus, CONTROL)
    assert again.window.preview.zoom == 50


@pytest.mark.parametrize(("key", "modifier"), [(Key.Key_F1, NONE), (Key.Key_Question, CONTROL)])
def test_all_keys_are_listed(
    qtbot: QtBot, qapp: QApplication, app: App, key: Key, modifier: Modifier
) -> None:
    press(qtbot, app, key, modifier)
    (page,) = (window for window in qapp.topLevelWidgets() if isinstance(window, KeyPage))
    labels = page.findChildren(QLabel)
    said = {label.text() for label in labels}
    assert [label.text() for label in labels if label.width() < label.sizeHint().width()] == []
    assert {"Note outline", "Next and previous match", "Previous and next query"} <= said
    (area,) = page.findChildren(QScrollArea)
    most = page.screen().availableSize() * 0.9
    assert page.width() <= most.width()
    fits = not area.horizontalScrollBar().maximum() and not area.verticalScrollBar().maximum()
    assert fits or page.width() == most.width() or page.height() == most.height()
    QTest.keyClick(page, Key.Key_Escape)
    assert not page.isVisible()


def test_a_narrow_list_of_keys_has_one_column(qtbot: QtBot, app: App) -> None:
    press(qtbot, app, Key.Key_F1)
    (page,) = app.window.findChildren(KeyPage)
    (area,) = page.findChildren(QScrollArea)
    page.resize(px(600), px(500))
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    assert area.horizontalScrollBar().maximum() == 0
    page.close()


def test_what_is_open_follows_the_theme_and_the_size_of_text(qtbot: QtBot, app: App) -> None:
    app.preferences.change(theme="light", text_size=100)
    press(qtbot, app, Key.Key_F1)
    (page,) = app.window.findChildren(KeyPage)
    arrow = next(label for label in page.findChildren(QLabel) if not label.pixmap().isNull())
    press(qtbot, app, Key.Key_K, CONTROL)
    palette = app.window.choices
    assert palette.is_open

    def dark(widget: QWidget) -> bool:
        return widget.grab().toImage().pixelColor(3, 3).lightness() < 128

    before = arrow.pixmap().toImage(), palette.card.width()
    assert not dark(page)
    with qtbot.waitSignal(app.appearance.changed):
        app.preferences.change(theme="dark", text_size=150)
    assert dark(page)
    assert dark(palette.card)
    assert dark(palette.list.viewport())
    assert arrow.pixmap().toImage() != before[0]
    assert palette.card.width() > before[1]
    page.close()


def test_every_key_of_an_action_is_listed_once(app: App) -> None:
    listed = [
        keys for _, entries in key_groups(app.actions) for _, all_ in entries for keys in all_
    ]
    assert len(listed) == len(set(listed))
    for action in app.actions.findChildren(QAction):
        assert not action.shortcuts() or action.shortcut().toString() in listed, action.text()


@pytest.mark.parametrize(
    ("keys", "caps"),
    [("Ctrl+Shift+Up", ["Ctrl", "Shift", "↑"]), ("F3", ["F3"]), ("Ctrl++", ["Ctrl", "+"])],
)
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS writes keys as one word")
@pytest.mark.usefixtures("qapp")
def test_keys_are_shown_as_key_caps(keys: str, caps: list[str]) -> None:
    assert list(caps_of(keys)) == caps


@pytest.mark.parametrize(
    ("group", "text"),
    [
        ("Search", "Search tips"),
        ("Results", "Narrow the results"),
        ("Preview", "Show backlinks"),
        ("Window", "Choose folder"),
    ],
)
def test_keys_are_listed_where_they_act(app: App, group: str, text: str) -> None:
    listed = {title: [name for name, _ in rows] for title, rows in key_groups(app.actions)}
    assert text in listed[group]


def test_the_page_on_the_window_lists_all_keys(app: App) -> None:
    page = Path(__file__).resolve().parents[3] / "docs/window.md"
    found = re.findall(r"^(`.+?) \| (.+)$", page.read_text("utf-8"), re.MULTILINE)
    told = dict(found)
    assert len(told) == len(found), "each once"
    listed = key_groups(app.actions)
    assert told == {_on_the_page(text, keys): text for _, rows in listed for text, keys in rows}


def _on_the_page(text: str, keys: tuple[str, ...]) -> str:
    """Return ``keys`` as the page writes them: the first and last of a row, and Return as Enter."""
    named = dict.fromkeys(f"`{one.replace('Return', 'Enter')}`" for one in keys)
    return (" … " if "1 … 9" in text else ", ").join(named)


def test_the_focused_widget_is_outlined(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "stalls")
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    seen: list[tuple[QWidget, QImage]] = []
    while not seen or app.window.focusWidget() is not seen[0][0]:
        widget = app.window.focusWidget()
        seen.append((widget, app.window.grab().toImage()))
        press(qtbot, app, Key.Key_Tab)
    assert app.window.preview.browser in [widget for widget, _ in seen]
    for number, (widget, picture) in enumerate(seen):
        ringed = app.window.field if isinstance(widget, QLineEdit) else widget
        around = QRect(ringed.mapTo(app.window, QPoint()), ringed.size())
        other = seen[number - 1][1]
        assert accented(app, picture, around) > accented(app, other, around), widget


def accented(app: App, picture: QImage, around: QRect) -> int:
    """Return the share of the pixels ``around`` in the colour of the focus."""
    part = picture.copy(around).convertToFormat(QImage.Format.Format_RGB32)
    return memoryview(part.constBits()).cast("I").tolist().count(QColor(app.theme.accent).rgb())


def test_the_about_dialog_leaves_nothing_behind(qtbot: QtBot, app: App) -> None:
    app.actions.about.trigger()
    (told,) = app.window.findChildren(QMessageBox)
    with qtbot.waitSignal(told.destroyed):
        QTest.keyClick(told, Key.Key_Escape)
    assert not app.window.findChildren(QMessageBox)
