"""The matches in the preview: counted, stepped through, painted, and found below the fold."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.geometry import text_rectangles
from notesearch.gui.preview.marks import utf16_spans
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import LIGHT
from notesearch.library import NoteLibrary
from tests.gui.trip import counter, found, opened, show, shown


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
    QTest.mouseClick(pane.head._next, Qt.MouseButton.LeftButton)
    assert counter(pane) == "1 of 6 matches"


def test_nothing_to_count_without_matches(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library, query="walrus")
    assert counter(pane) == ""
    assert not pane.head._next.isVisible()
    show(pane, library, query="")
    assert counter(pane) == ""


def test_the_newest_text_wins(pane: PreviewPane, library: NoteLibrary) -> None:
    tickets: list[int] = []
    pane.matches_wanted.disconnect()
    pane.matches_wanted.connect(lambda ticket, *_: tickets.append(ticket))
    show(pane, library)
    show(pane, library, 35)
    pane.show_matches(tickets[0], ((0, 4),))
    assert counter(pane) == ""
    pane.show_matches(tickets[1], ((0, 3),))
    assert counter(pane) == "1 of 1 match"


def test_marks_are_painted_around_the_words(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library)
    picture = pane.browser.viewport().grab().toImage()
    document = pane.browser.document()
    text = pane.browser.plain_text()
    spans = utf16_spans(text, found("kyoto food", text))
    assert spans != list(found("kyoto food", text)), "there is an emoji before some matches"
    for at, span in enumerate(spans):
        for place in text_rectangles(document, span):
            top = picture.pixelColor(int(place.center().x()), int(place.top()) + 1)
            expected = LIGHT.mark_current if at == 0 else LIGHT.mark
            assert top == QColor(expected), f"match {at}"


def test_the_nearest_sentence_is_tinted(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library, query="")
    before = pane.browser.viewport().grab().toImage()
    start = pane.browser.plain_text().index("We walked")
    pane.show_nearest(pane._ticket - 1, (start, start + 30))
    assert pane.browser.viewport().grab().toImage() == before, "it is of an earlier text"
    pane.show_nearest(pane._ticket, (start, start + 30))
    after = pane.browser.viewport().grab().toImage()
    tint = QColor(LIGHT.accent_soft)
    assert any(
        after.pixelColor(x, y) == tint
        for x in range(0, after.width(), 3)
        for y in range(0, after.height(), 3)
    )
    assert counter(pane) == ""


def test_a_match_below_the_fold_is_scrolled_to(pane: PreviewPane, library: NoteLibrary) -> None:
    pane.resize(680, 240)
    show(pane, library, query="kaiseki")
    assert pane.browser.verticalScrollBar().value() > 0
    show(pane, library, query="nishiki")
    assert pane.browser.verticalScrollBar().value() == 0


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
def test_spans_count_as_qt_counts(text: str, word: str) -> None:
    spans = [m.span() for m in re.finditer(word, text)]
    utf16 = text.encode("utf-16-le")
    for start, end in utf16_spans(text, spans):
        assert utf16[2 * start : 2 * end].decode("utf-16-le") == word
