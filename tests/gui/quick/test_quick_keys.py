"""The keys of quick search: actions, digits of rows, the preview."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.results.results_model import ResultRow
from notesearch.gui.window.key_page import KeyPage, key_groups
from tests.gui.opened_files import OpenedFiles
from tests.gui.using_quick import CONTROL, Key, app_of, press, selected, typed

ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


def test_ctrl_k_lists_the_actions_on_the_section(qtbot: QtBot, quick: QuickSearch) -> None:
    actions = quick.window.choices
    typed(qtbot, quick, "food")
    press(quick, Key.Key_K, CONTROL)
    assert [one.text for one in actions.model.shown][:3] == [
        "Open note",
        "Continue in the main window",
        "Show in the file manager",
    ]
    assert "Copy link to the section" in [one.text for one in actions.model.shown]
    main = [one.text for one in actions.model.shown if "main window" in one.text]
    assert main == ["Continue in the main window"]
    assert "Open notesearch" not in [one.text for one in actions.model.shown]
    press(quick, Key.Key_Escape)
    assert not actions.is_open
    assert quick.window.isVisible(), "only the list went"
    assert isinstance(quick.window.focusWidget(), QLineEdit)
    assert quick.window.field.text == "food"


def test_actions_can_be_filtered_by_name(qtbot: QtBot, quick: QuickSearch) -> None:
    typed(qtbot, quick, "stalls")
    press(quick, Key.Key_K, CONTROL)
    QTest.keyClicks(quick.window.focusWidget(), "copy link")
    press(quick, Key.Key_Return)
    assert QGuiApplication.clipboard().text() == "[[Trip to Japan#Kyoto#Food]]"
    assert quick.window.isVisible()


def test_the_first_action_is_the_one_of_enter(
    qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles
) -> None:
    typed(qtbot, quick, "dashi")
    press(quick, Key.Key_K, CONTROL)
    press(quick, Key.Key_Return)
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])
    assert opened.visible == [True], "the window is there while the editor starts"
    assert not quick.window.isVisible()


def test_without_a_section_there_are_actions_of_the_window(quick: QuickSearch) -> None:
    press(quick, Key.Key_K, CONTROL)
    offered = [one.text for one in quick.window.choices.model.shown]
    assert {
        "Continue in the main window",
        "Starred and earlier queries",
        "Show or hide the preview",
        "Settings…",
    } <= set(offered)


@pytest.mark.parametrize("digit", [1, 4])
def test_alt_and_a_digit_open_a_row(
    qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles, digit: int
) -> None:
    typed(qtbot, quick, "food")
    rows = [row for row in quick.model.rows if isinstance(row, ResultRow)]
    press(quick, Key(Key.Key_0 + digit), ALT)
    assert selected(quick) == rows[digit - 1].result.section
    qtbot.waitUntil(lambda: opened.files == [rows[digit - 1].result.path.rpartition("/")[2]])
    assert not quick.window.isVisible()


def test_quick_rows_show_digits_while_alt_is_held(qtbot: QtBot, quick: QuickSearch) -> None:
    typed(qtbot, quick, "food")
    plain = quick.window.results.view.grab().toImage()
    field = quick.window.focusWidget()
    QTest.keyPress(field, Key.Key_Alt)
    qtbot.waitUntil(lambda: quick.window.results.view.grab().toImage() != plain)
    QTest.keyRelease(field, Key.Key_Alt)
    assert quick.window.results.view.grab().toImage() == plain


def test_digits_disappear_even_if_the_desktop_swallows_the_release_of_alt(
    qtbot: QtBot, quick: QuickSearch
) -> None:
    typed(qtbot, quick, "food")
    view, field = quick.window.results.view, quick.window.focusWidget()
    plain = view.grab().toImage()
    QTest.keyPress(field, Key.Key_Alt)
    qtbot.waitUntil(lambda: view.grab().toImage() != plain)
    QTest.keyPress(field, Key.Key_Shift, ALT)
    assert view.grab().toImage() != plain
    QTest.keyPress(field, Key.Key_Shift)
    assert view.grab().toImage() == plain


def test_matches_in_the_title_are_marked(qtbot: QtBot, quick: QuickSearch) -> None:
    typed(qtbot, quick, "japan food")
    [first, *_] = [row for row in quick.model.rows if isinstance(row, ResultRow)]
    title = first.breadcrumb[0]
    assert [title.text[start:end] for start, end in title.marks] == ["Japan"]


def test_the_text_size_of_the_preview_can_be_changed(qtbot: QtBot, quick: QuickSearch) -> None:
    typed(qtbot, quick, "food")
    sizes = []
    for key in (Key.Key_Plus, Key.Key_Plus, Key.Key_Minus, Key.Key_0):
        press(quick, key, CTRL)
        sizes.append(quick.window.preview.zoom)
    assert sizes == [110, 120, 110, 100]


def test_the_hints_name_the_chosen_editor(qtbot: QtBot, quick: QuickSearch) -> None:
    typed(qtbot, quick, "food")
    app_of(quick).preferences.change(editor="obsidian")
    assert "Open in Obsidian" in [hint.label for hint in quick.window.hints]


def test_the_page_on_quick_search_tells_its_keys_from_those_of_the_window(
    quick: QuickSearch,
) -> None:
    docs = Path(__file__).resolve().parents[3] / "docs"
    keys_of_window = (docs / "window.md").read_text("utf-8").partition("## Keys")[2]
    told = (docs / "quick-search.md").read_text("utf-8").partition("## Its keys")[2]
    but, _, rows = told.partition("except")[2].partition(". Some lead elsewhere")
    listed = {keys.replace("Return", "Enter") for _, row in key_groups(quick.actions)
              for _, all_keys in row for keys in all_keys}  # fmt: skip
    assert named(keys_of_window) - named(but) == listed
    assert named(rows.partition("\n\n|")[2].partition("\n\n")[0]) <= listed
    assert named(but) <= named(keys_of_window)


def named(text: str) -> set[str]:
    """Return the keys that ``text`` names in code."""
    return set(re.findall(r"`((?:(?:Ctrl|Alt|Shift)\+)*(?:F?\d+|\w+|[+=?,-]))`", text))


def test_f10_opens_the_menu_even_with_a_selected_section(qtbot: QtBot, quick: QuickSearch) -> None:
    with qtbot.waitSignal(quick.pane.preview.shown):
        typed(qtbot, quick, "food")
    press(quick, Key.Key_F10)
    offered = [one.text for one in quick.window.choices.model.shown]
    assert offered[:2] == ["Continue in the main window", "Update index"]
    assert "Quit" in offered


def test_f1_lists_the_keys_of_quick_search(qtbot: QtBot, quick: QuickSearch) -> None:
    press(quick, Key.Key_F1)
    page = next(one for one in quick.window.children() if isinstance(one, KeyPage))
    qtbot.waitUntil(page.isVisible)
    said = {label.text() for label in page.findChildren(QLabel)}
    assert {"Continue in the main window", "Note outline", "Keyboard shortcuts"} <= said
    QTest.keyClick(page, Key.Key_Escape)
    main = app_of(quick).window
    main.activateWindow()  # a desktop may activate another window when a dialog closes
    qtbot.waitUntil(main.isActiveWindow)
    qtbot.waitUntil(quick.window.isActiveWindow)


def test_the_outline_leads_to_other_sections(
    qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles
) -> None:
    with qtbot.waitSignal(quick.pane.preview.shown):
        typed(qtbot, quick, "food")
    press(quick, Key.Key_O, CTRL | Qt.KeyboardModifier.ShiftModifier)
    outline = quick.window.choices
    assert outline.is_open
    qtbot.waitUntil(lambda: any(choice.badge for choice in outline.model.choices))
    QTest.keyClicks(quick.window.focusWidget(), "temp")
    with qtbot.waitSignal(quick.pane.preview.shown):
        press(quick, Key.Key_Return)
    assert quick.window.preview.browser.toPlainText().startswith("Temples")
    assert not outline.is_open
    quick.actions.outline.trigger()
    press(quick, Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: opened.files == ["Trip to Japan.md"])
    assert not quick.window.isVisible()


def test_one_note_is_searched_until_its_chip_is_removed(qtbot: QtBot, quick: QuickSearch) -> None:
    with qtbot.waitSignal(quick.pane.preview.shown):
        typed(qtbot, quick, "food")
    everywhere = len(quick.model.rows)
    with qtbot.waitSignal(quick.pane.search.settled):
        press(quick, Key.Key_F, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert quick.window.field.chip == "in: Trip to Japan"
    assert {row.result.title for row in quick.model.rows if isinstance(row, ResultRow)} == {
        "Trip to Japan"
    }
    assert len(quick.model.rows) < everywhere
    quick.window.field.clear()
    quick.hide()
    quick.show()
    assert quick.window.field.chip == ""
    typed(qtbot, quick, "food")
    assert len(quick.model.rows) == everywhere


def test_alt_p_gives_the_room_of_the_preview_to_the_list(qtbot: QtBot, quick: QuickSearch) -> None:
    typed(qtbot, quick, "food")
    size, narrow = quick.window.size(), quick.window.results.width()
    press(quick, Key.Key_P, ALT)
    qtbot.waitUntil(lambda: quick.window.results.width() > 2 * narrow)
    assert not quick.window.preview.isVisible()
    press(quick, Key.Key_P, ALT)
    qtbot.waitUntil(lambda: quick.window.results.width() == narrow)
    assert (quick.window.preview.isVisible(), quick.window.size()) == (True, size)
