"""A better version of the section on screen: the position, the match and the selection stay."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QImage, QTextCursor
from pytestqt.qtbot import QtBot

from notesearch.config import resources
from notesearch.gui.preview.document import PreviewContent, parse_html
from notesearch.gui.preview.highlights import MAX_PAINTED
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.vault_images import Pictures
from notesearch.gui.widgets.theme import LIGHT
from notesearch.markdown.render.section_html import rendered
from notesearch.results import Scope, SectionText
from tests.gui.preview_contents import content_of
from tests.gui.sample_results import section

SAMPLE = resources() / "sample-vault"
WORD = "tide"
TEXT = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "")
PARAGRAPH = "<p>words of a long section</p>"
FIRST = 30 * PARAGRAPH + f"<p>the {WORD}</p>" + 60 * PARAGRAPH + f"<p>a {WORD}</p>"
WHOLE = FIRST + 20 * PARAGRAPH


class Preview:
    """A pane in which a section is shown, and updated."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.pane = PreviewPane(LIGHT)
        qtbot.addWidget(self.pane)
        self.pane.resize(600, 300)
        self.pane.show()

    def show(self, html: str, **more: Any) -> PreviewContent:
        content = content_of(TEXT, html, query=WORD, **more)
        self.pane.show_content(content)
        return content

    def update(self, html: str, **more: Any) -> None:
        content = content_of(TEXT, html, query=WORD, **more)
        self.pane.show_content(content, keep_position=True)

    @property
    def position(self) -> int:
        return self.pane.browser.verticalScrollBar().value()

    def scroll_to(self, value: int) -> None:
        browser, bar = self.pane.browser, self.pane.browser.verticalScrollBar()
        height = round(browser.document().size().height())
        end = max(0, height - browser.viewport().height())
        self._qtbot.waitUntil(lambda: bar.maximum() == end)  # Qt has laid everything out
        bar.setValue(value)

    @property
    def current(self) -> int:
        return self.pane.browser._highlights.matches.current

    def at_top(self) -> tuple[str, int]:
        """Return the paragraph at the top of the window, and where it begins."""
        browser = self.pane.browser
        browser.viewport().grab()  # only painted paragraphs have their places
        cursor = browser.cursorForPosition(QPoint(60, 14))
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        return cursor.block().text(), browser.cursorRect(cursor).top()


@pytest.fixture
def preview(qtbot: QtBot) -> Preview:
    return Preview(qtbot)


def test_the_first_match_is_scrolled_to(preview: Preview) -> None:
    preview.show(FIRST)
    position = preview.position
    assert position > 0
    preview.update(WHOLE)
    assert preview.position == position


def test_the_block_of_a_link_is_scrolled_to_rather_than_a_match(preview: Preview) -> None:
    preview.show(FIRST)
    at_match = preview.position
    preview.pane.browser.show_nothing()
    end = len(parse_html(WHOLE).toPlainText())
    preview.show(WHOLE, target=(end - 10, end))
    assert preview.position > at_match


def test_a_user_who_scrolled_back_is_not_moved_to_the_first_match(preview: Preview) -> None:
    preview.show(FIRST)
    preview.scroll_to(40)
    preview.update(WHOLE)
    assert preview.position == 40
    preview.pane.next_match()
    assert preview.position > 40, "stepping to the next match scrolls there"


def test_a_user_who_scrolled_is_not_moved_to_the_nearest_sentence(preview: Preview) -> None:
    content = replace(preview.show(FIRST), marks=(), nearest=(2000, 2020))
    preview.scroll_to(40)
    preview.pane.show_content(content, keep_position=True)
    assert preview.position == 40
    preview.pane.show_content(content)
    assert preview.position > 40, "another section is scrolled to its nearest sentence"


def test_the_current_match_stays_the_current_one(preview: Preview) -> None:
    preview.show(FIRST)
    preview.pane.next_match()
    position = preview.position
    assert preview.current == 1
    preview.update(WHOLE)
    assert (preview.current, preview.position) == (1, position)


def test_the_chosen_match_stays_current_when_a_formula_before_it_is_drawn(
    preview: Preview,
) -> None:
    source = f"<p><var>{WORD}+1</var> and {WORD}</p>"
    preview.show(source + FIRST)
    preview.pane.next_match()
    preview.pane.next_match()
    position = preview.position
    preview.update(f"<p>drawn and {WORD}</p>" + WHOLE)
    assert (preview.current, preview.position) == (1, position)


def test_the_match_of_the_snippet_is_current_although_the_first_look_lacks_it(
    preview: Preview,
) -> None:
    preview.show(FIRST)
    end = parse_html(WHOLE + f"<p>{WORD}</p>").toPlainText().rindex(WORD)
    preview.update(WHOLE + f"<p>{WORD}</p>", snippet_at=end)
    assert preview.current == 2


def test_another_section_begins_at_its_first_match(preview: Preview) -> None:
    preview.show(FIRST)
    position = preview.position
    preview.pane.next_match()
    preview.scroll_to(77)
    preview.show(WHOLE)
    assert (preview.current, preview.position) == (0, position)


def test_a_reader_of_the_whole_note_is_not_moved_to_the_result(preview: Preview) -> None:
    heading = '<h2 id="line-1">Found</h2>'
    html = 20 * PARAGRAPH + heading + FIRST
    note: dict[str, Any] = {"result": section("a.md", "A"), "scope": Scope.NOTE}
    preview.show(html, **note)
    assert preview.position > 0, "the result is pointed out"
    preview.scroll_to(10)
    preview.update(f"{html}{WHOLE}", **note)
    assert preview.position == 10


def test_space_is_reserved_for_a_picture_that_is_still_being_read(preview: Preview) -> None:
    """The text below it is already in its final place."""
    html = f'<p><img src="image:big.png"></p><p><img src="image:big.png#90"></p>{FIRST}'
    size = QSize(3000, 1000)
    heights = []
    preview.show(FIRST)
    for pictures in (
        Pictures(sizes={"big.png": size}, complete=False),
        Pictures(images={"big.png": QImage(1600, 533, QImage.Format.Format_RGB32)}),
    ):
        preview.update(html, pictures=pictures)
        heights.append(preview.pane.browser.document().size().height())
    assert abs(heights[0] - heights[1]) <= 3


def lines(start: int, count: int) -> str:
    """Return distinct paragraphs."""
    return "".join(f"<p>words of paragraph {n}</p>" for n in range(start, start + count))


@pytest.mark.parametrize("position", [700, 1700, 3800], ids=["above it", "below it", "the end"])
def test_the_text_at_the_top_stays_there(preview: Preview, position: int) -> None:
    """Other parts can grow when formulas are drawn and pictures arrive."""
    text = lines(0, 40) + "{}" + lines(40, 80)
    preview.show(text.format("<p>a formula</p>"))
    preview.scroll_to(position)
    before = preview.at_top()
    preview.update(text.format("<p>drawn</p>" * 9))
    assert preview.at_top() == before
    preview.pane.set_zoom(150)
    numbers = [int(text.split()[-1]) for text in (preview.at_top()[0], before[0])]
    assert abs(numbers[0] - numbers[1]) <= 1, "larger letters keep the position too"


def test_the_first_look_at_a_changed_note_does_not_move_the_reader(preview: Preview) -> None:
    preview.show(lines(0, 120))
    preview.scroll_to(1700)
    before = preview.at_top()
    preview.update(lines(500, 3) + lines(0, 20), complete=False)
    preview.update(lines(500, 3) + lines(0, 120))
    assert preview.at_top() == before
    preview.scroll_to(0)
    preview.update(lines(0, 20), complete=False)
    assert preview.at_top()[0] == "words of paragraph 0", "at the start, what is new shows at once"


def test_the_first_look_fills_the_window(preview: Preview) -> None:
    """Whatever the note and the size of the window, the missing part is out of view."""
    for width, height in ((600, 300), (1200, 1000)):
        preview.pane.resize(width, height)
        browser = preview.pane.browser
        for file in sorted(SAMPLE.rglob("*.md"))[::4]:
            text = file.read_text("utf-8").split("---\n")[-1] * 9
            page = rendered(text, at_once=browser.visible_lines() * 80)
            preview.show(page.html)
            shown, available = browser.document().size().height(), browser.viewport().height()
            assert page.whole or available < shown < 100 * browser.visible_lines(), file.name


def test_marks_are_coloured_before_they_are_painted(preview: Preview) -> None:
    """If they were coloured while they are painted, everything would be painted twice."""
    preview.show(f"<p>the {WORD}</p>" * 9)
    assert len(preview.pane.browser.extraSelections()) == 9


def test_marks_that_scroll_into_view_are_coloured(preview: Preview) -> None:
    """Only marks in view are coloured, because Qt's time grows with their number."""
    preview.show(f"<p>the {WORD}</p>" * 900)
    browser = preview.pane.browser
    layout = browser.document().documentLayout()
    for position in (0, 8000, 16_000):
        preview.scroll_to(position)
        browser.viewport().grab()
        coloured = {mark.cursor.blockNumber() for mark in browser.extraSelections()}
        assert len(coloured) <= MAX_PAINTED
        tops = {
            number: layout.blockBoundingRect(browser.document().findBlockByNumber(number)).top()
            for number in coloured
        }
        assert preview.position == position
        assert min(tops.values()) <= max(position, 40)
        assert max(tops.values()) + 40 >= position + browser.viewport().height()
