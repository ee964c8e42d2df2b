"""Words found in the preview: the bar, its keys, and marks beside those of the query."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.document import text_rectangles
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import LIGHT
from notesearch.library import NoteLibrary
from notesearch.results import Scope
from tests.gui.fixture_types import StartApp
from tests.gui.trip_note import counter, opened, show, shown
from tests.gui.using_window import ALT, press, typed

Key = Qt.Key
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def library(vault: Path) -> Iterator[NoteLibrary]:
    yield from opened(vault)


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication, library: NoteLibrary) -> PreviewPane:
    """Show the section about food, with the keyboard in its text."""
    pane = shown(qtbot, qapp)
    show(pane, library)
    pane.browser.setFocus()
    return pane


def find(pane: PreviewPane, text: str) -> None:
    """Open the bar with the keys and type."""
    QTest.keyClick(pane.browser, Key.Key_F, CONTROL)
    assert pane.find_bar.field.hasFocus()
    QTest.keyClicks(pane.find_bar.field, text)


def step(pane: PreviewPane, key: Key, modifier: Qt.KeyboardModifier | None = None) -> str:
    QTest.keyClick(pane.find_bar.field, key, modifier or Qt.KeyboardModifier.NoModifier)
    return pane.find_bar.count


def background(pane: PreviewPane, text: str, occurrence: int = 1) -> str:
    """Return the colour behind the start of ``text`` where it occurs, as a name in the theme."""
    cursor = QTextCursor(pane.browser.document())
    for _ in range(occurrence):
        cursor = pane.browser.document().find(text, cursor)
    span = cursor.selectionStart(), cursor.selectionEnd()
    place = next(text_rectangles(pane.browser.document(), span))
    y = round(place.top()) + 1 - pane.browser.verticalScrollBar().value()
    image = pane.browser.viewport().grab().toImage()
    pixel = image.pixelColor(round(place.center().x()), y)
    named = ("mark", "mark_current", "accent", "accent_soft", "base")
    return next((name for name in named if QColor(getattr(LIGHT, name)) == pixel), pixel.name())


def test_words_are_found_as_they_are_typed(pane: PreviewPane) -> None:
    find(pane, "NISHIKI")
    assert pane.find_bar.count == "1 of 2 matches"
    assert background(pane, "Nishiki") == "accent"
    assert background(pane, "Nishiki", 2) == "accent_soft"
    QTest.keyClicks(pane.find_bar.field, " market")
    assert pane.find_bar.count == "1 of 1 match", "the newest text counts"


def test_the_selected_words_are_found(pane: PreviewPane) -> None:
    pane.browser.setTextCursor(pane.browser.document().find("the stalls"))
    QTest.keyClick(pane.browser, Key.Key_F, CONTROL)
    assert pane.find_bar.field.text() == "the stalls"
    assert pane.find_bar.count == "1 of 1 match"


def test_found_words_are_not_hidden_by_the_selection(pane: PreviewPane) -> None:
    pane.browser.selectAll()
    find(pane, "ramen")
    assert background(pane, "ramen") == "accent"
    pane.browser.selectAll()
    step(pane, Key.Key_Return)
    assert not pane.browser.textCursor().hasSelection()


def test_keys_lead_through_the_places(pane: PreviewPane) -> None:
    find(pane, "nishiki")
    assert step(pane, Key.Key_Return) == "2 of 2 matches"
    assert step(pane, Key.Key_Return) == "1 of 2 matches", "it wraps around"
    assert step(pane, Key.Key_Return, SHIFT) == "2 of 2 matches"
    assert step(pane, Key.Key_Up) == "1 of 2 matches"
    assert step(pane, Key.Key_Down) == "2 of 2 matches"
    assert step(pane, Key.Key_F3) == "1 of 2 matches"
    assert step(pane, Key.Key_F3, SHIFT) == "2 of 2 matches"


def test_what_is_not_there_is_said(pane: PreviewPane) -> None:
    find(pane, "zzz")
    assert pane.find_bar.count == "Not found here"
    assert step(pane, Key.Key_Return) == "Not found here"
    enabled = [button.isEnabled() for button in pane.find_bar.findChildren(QAbstractButton)]
    assert enabled == [False, False, True], "only the button that closes the bar works"


def test_the_marks_of_the_query_stay(pane: PreviewPane) -> None:
    before = counter(pane), background(pane, "Food")
    find(pane, "nishiki")
    step(pane, Key.Key_F3)
    assert (counter(pane), background(pane, "Food")) == before
    step(pane, Key.Key_Escape)
    assert not pane.find_bar.is_open
    assert pane.browser.hasFocus()
    assert background(pane, "Nishiki") == "base"
    QTest.keyClick(pane.browser, Key.Key_F3)
    assert counter(pane).startswith("2 of "), "without the bar, F3 steps through the query again"


def test_sought_text_in_a_match_is_readable(pane: PreviewPane) -> None:
    """Qt paints one of two text colours that touch each other."""
    assert background(pane, "Food") == "mark_current"
    find(pane, "oo")
    colours = [one.format.foreground().color() for one in pane.browser.extraSelections()]
    assert colours[0] == QColor(LIGHT.accent_text), "that of the first is painted"
    assert background(pane, "F") == "mark"
    find(pane, "nishiki")
    assert background(pane, "Food") == "mark_current"


def test_escape_in_the_text_closes_the_bar(pane: PreviewPane) -> None:
    find(pane, "nishiki")
    pane.browser.setFocus()
    QTest.keyClick(pane.browser, Key.Key_Escape)
    assert not pane.find_bar.is_open


def test_the_words_are_found_in_the_next_section(pane: PreviewPane, library: NoteLibrary) -> None:
    find(pane, "kyoto")
    show(pane, library, scope=Scope.NOTE)
    assert pane.find_bar.count.startswith("1 of ")
    assert pane.find_bar.field.hasFocus()


def test_a_found_word_below_the_window_scrolls_into_view(pane: PreviewPane) -> None:
    pane.resize(680, 300)
    find(pane, "tofu lunch")
    [place] = text_rectangles(pane.browser.document(), pane.browser._highlights.found.spans[0])
    top = pane.browser.verticalScrollBar().value()
    assert top < place.top() < top + pane.browser.viewport().height()


def test_a_key_finds_from_the_search_field(qtbot: QtBot, start: StartApp, vault: Path) -> None:
    (vault / "a.md").write_text("# Kyoto\n\nFood in Kyoto.\n")
    app = start(vault)
    typed(qtbot, app, "kyoto")
    press(qtbot, app, Key.Key_F, ALT)
    bar = app.window.preview.find_bar
    assert bar.field.hasFocus()
    QTest.keyClick(bar.field, Key.Key_Escape)
    assert app.window.preview.browser.hasFocus()


def test_a_hidden_preview_takes_no_keys(qtbot: QtBot, start: StartApp, vault: Path) -> None:
    """What was typed went to a bar that nobody saw."""
    (vault / "a.md").write_text("# Kyoto\n\nFood in Kyoto.\n")
    app = start(vault)
    typed(qtbot, app, "kyoto")
    press(qtbot, app, Key.Key_P, ALT)
    press(qtbot, app, Key.Key_F, ALT)
    assert not app.window.preview.find_bar.is_open
    assert app.window.field.text == "kyoto"
    QTest.keyClicks(app.window.focusWidget(), "x")
    assert app.window.field.text == "kyotox"
