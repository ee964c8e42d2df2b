"""What is copied from the preview: formulas, tasks and tables as text."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.preview_pane import PreviewPane
from tests.gui.preview_contents import show_note
from tests.gui.trip_note import shown


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    return shown(qtbot, qapp)


def test_formulas_and_tasks_are_copied_as_they_are_written(
    qapp: QApplication, pane: PreviewPane
) -> None:
    long = " + ".join(f"x_{n} y_{n}" for n in range(9))
    source = (
        f"so $a<b$ and ${long}$\n\n$$\nx^2\n$$\n\n"
        "| oak | ash |\n|---|---|\n| $E$ | <ul><li>one</li><li>two</li></ul> |\n\n"
        "- [ ] open\n- [x] *done* 🦊\n- [/] begun $y$"
    )
    show_note(pane, source)
    pane.browser.selectAll()
    pane.browser.copy()
    assert qapp.clipboard().text().split("\n") == [
        f"so $a<b$ and ${long}$",
        "$$x^2$$",
        "oak\tash",
        "$E$\tone two",
        "[ ] open",
        "[x] done 🦊",
        "[/] begun $y$",
    ]


def test_a_part_of_a_line_is_copied_with_its_formula(pane: PreviewPane) -> None:
    show_note(pane, "🦊 one $x$ two\n\nthree")
    document = pane.browser.document()
    start, end = document.find("ne").selectionStart(), document.find("tw").selectionEnd()
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    pane.browser.setTextCursor(cursor)
    assert pane.browser.selected_text() == "ne $x$ tw"


def test_an_empty_first_cell_begins_a_row(pane: PreviewPane) -> None:
    show_note(pane, "| oak | ash |\n|---|---|\n| | one |\n| two | |")
    pane.browser.selectAll()
    assert pane.browser.selected_text().split("\n")[:3] == ["oak\tash", "\tone", "two\t"]


def test_empty_lines_are_copied_in_code_only(pane: PreviewPane) -> None:
    show_note(pane, "> quote\n>\n> ```\n> x\n>\n> y\n> ```\n\n> [!tip] Do\n> it\n\nend")
    pane.browser.selectAll()
    assert pane.browser.selected_text() == "quote\nx\n\ny\nDo\nit\nend"


def middle_of(pane: PreviewPane, word: str) -> QPoint:
    cursor = pane.browser.document().find(word)
    cursor.setPosition((cursor.selectionStart() + cursor.selectionEnd()) // 2)
    return pane.browser.cursorRect(cursor).center()


def test_a_click_with_ctrl_chooses_a_place_once_and_follows_no_link(pane: PreviewPane) -> None:
    show_note(pane, "the keel and [the yard](https://example.org)")
    text, ctrl = pane.browser.viewport(), Qt.KeyboardModifier.ControlModifier
    places, links = QSignalSpy(pane.browser.place_chosen), QSignalSpy(pane.browser.link_activated)
    place = middle_of(pane, "yard")
    QTest.mouseClick(text, Qt.MouseButton.LeftButton, ctrl, place)
    assert places.count() == 1
    QTest.mouseDClick(text, Qt.MouseButton.LeftButton, ctrl, place)
    assert places.count() <= 3, "at most once for each click"
    assert links.count() == 0


def test_text_selected_while_ctrl_is_held_is_no_place(pane: PreviewPane) -> None:
    show_note(pane, "the keel is oak, and the mast is pine")
    text, ctrl = pane.browser.viewport(), Qt.KeyboardModifier.ControlModifier
    places = QSignalSpy(pane.browser.place_chosen)
    QTest.mousePress(text, Qt.MouseButton.LeftButton, ctrl, middle_of(pane, "keel"))
    QTest.mouseMove(text, middle_of(pane, "mast"))
    QTest.mouseRelease(text, Qt.MouseButton.LeftButton, ctrl, middle_of(pane, "mast"))
    assert "oak" in pane.browser.selected_text()
    assert places.count() == 0
