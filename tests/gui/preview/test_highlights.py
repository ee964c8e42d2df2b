"""The matches in the preview: counted, stepped through, painted and scrolled to."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.document import text_rectangles, utf16_spans
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import LIGHT
from notesearch.library import NoteLibrary
from notesearch.markdown.render import render
from notesearch.results import SectionText
from tests.gui.preview_contents import content_of, find_words
from tests.gui.trip_note import counter, opened, show, shown


@pytest.fixture
def library(vault: Path) -> Iterator[NoteLibrary]:
    yield from opened(vault)


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication, library: NoteLibrary) -> PreviewPane:
    return shown(qtbot, qapp)


def test_matches_are_counted_and_stepped_through(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library)
    assert counter(pane) == "1 of 6 matches"
    QTest.keyClick(pane, Qt.Key.Key_F3)
    assert counter(pane) == "2 of 6 matches"
    QTest.keyClick(pane, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(pane, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert counter(pane) == "6 of 6 matches"
    QTest.mouseClick(pane.head.next_button, Qt.MouseButton.LeftButton)
    assert counter(pane) == "1 of 6 matches"


def test_the_counter_is_hidden_without_matches(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library, query="walrus")
    assert counter(pane) == ""
    assert not pane.head.next_button.isVisible()
    show(pane, library, query="")
    assert counter(pane) == ""


def test_marks_are_painted_around_the_words(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library)
    picture = pane.browser.viewport().grab().toImage()
    document = pane.browser.document()
    text = pane.browser.toPlainText()
    spans = utf16_spans(text, find_words("kyoto food", text))
    assert spans != list(find_words("kyoto food", text)), "an emoji comes before some matches"
    for at, span in enumerate(spans):
        for place in text_rectangles(document, span):
            top = picture.pixelColor(int(place.center().x()), int(place.top()) + 1)
            expected = LIGHT.mark_current if at == 0 else LIGHT.mark
            assert top == QColor(expected), f"match {at}"


def test_a_mark_covers_no_comma_after_the_word(pane: PreviewPane) -> None:
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "One lugsail, two oars")
    pane.show_content(content_of(text, render(text.text), query="lugsail"))
    start = pane.browser.toPlainText().index("lugsail")
    [place] = text_rectangles(pane.browser.document(), (start, start + len("lugsail")))
    picture, middle = pane.browser.viewport().grab().toImage(), int(place.center().y())
    beside = picture.pixelColor(int(place.right()) + 1, middle)
    assert beside.blueF() > 0.9 > QColor(LIGHT.mark_current).blueF(), "at most its soft edge"


def test_the_nearest_sentence_is_tinted(pane: PreviewPane, library: NoteLibrary) -> None:
    text = show(pane, library, query="")
    start = pane.browser.toPlainText().index("We walked")
    content = replace(content_of(text, render(text.text)), nearest=(start, start + 30))
    pane.show_content(content, keep_position=True)
    picture = pane.browser.viewport().grab().toImage()
    tint = QColor(LIGHT.accent_soft)
    assert any(
        picture.pixelColor(x, y) == tint
        for x in range(0, picture.width(), 3)
        for y in range(0, picture.height(), 3)
    )
    assert counter(pane) == ""


def test_a_match_below_the_window_is_scrolled_to(pane: PreviewPane, library: NoteLibrary) -> None:
    pane.resize(680, 240)
    show(pane, library, query="kaiseki")
    assert pane.browser.verticalScrollBar().value() > 0
    show(pane, library, query="nishiki")
    assert pane.browser.verticalScrollBar().value() == 0


@pytest.mark.parametrize("size", [(420, 400), (680, 220), (420, 220)])
def test_the_current_match_stays_in_view_when_the_window_gets_smaller(
    pane: PreviewPane, size: tuple[int, int]
) -> None:
    pane.resize(680, 400)
    words = "\n\n".join(f"{n} {'plain words ' * 30}{'keel' * (n % 7 == 6)}" for n in range(40))
    pane.show_content(
        content_of(
            SectionText("a.md", "A", "A", ("A",), 1, 1, 9, words), render(words), query="keel"
        )
    )
    QTest.keyClick(pane, Qt.Key.Key_F3)
    browser = pane.browser
    span = browser._highlights.matches.span
    assert span is not None
    pane.resize(*size)
    [place] = text_rectangles(browser.document(), span)
    top = browser.verticalScrollBar().value()
    assert top < place.top() < place.bottom() < top + browser.viewport().height()


def test_what_the_user_has_scrolled_to_stays_when_the_window_gets_smaller(
    pane: PreviewPane,
) -> None:
    pane.resize(680, 400)
    words = "\n\n".join(f"Paragraph {n}. {'plain words ' * 30}" for n in range(40))
    pane.show_content(
        content_of(SectionText("a.md", "A", "A", ("A",), 1, 1, 9, words), render(words))
    )
    browser = pane.browser
    browser.verticalScrollBar().setValue(1200)
    before = browser.cursorForPosition(QPoint(30, 2)).block().text()
    pane.resize(420, 400)
    assert browser.cursorForPosition(QPoint(30, 2)).block().text() == before


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("plain food", "food"),
        ("🍜 food", "food"),
        ("👩‍👩‍👧 food 🍣🍣 food", "food"),
        ("京都 food 🍜", "food"),
        ("food", "food"),
        ("", "food"),
    ],
)
def test_spans_are_converted_to_utf16(text: str, word: str) -> None:
    spans = [m.span() for m in re.finditer(word, text)]
    utf16 = text.encode("utf-16-le")
    for start, end in utf16_spans(text, spans):
        assert utf16[2 * start : 2 * end].decode("utf-16-le") == word
