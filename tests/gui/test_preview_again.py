"""A section is shown at once and again when formulas, pictures and the rest are there."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QImage, QTextCursor
from pytestqt.qtbot import QtBot

from notesearch.config import resources
from notesearch.gui.preview.images import Pictures
from notesearch.gui.preview.marks import MAX_IN_VIEW
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.session.preview_flow import PreviewFlow
from notesearch.gui.session.read_worker import Matches, MatchRequest, Reading, ReadRequest
from notesearch.gui.widgets.theme import LIGHT
from notesearch.markdown.render.section_html import FirstLook, rendered
from notesearch.results import Scope, SectionText
from tests.gui.made import section

SAMPLE = resources() / "sample-vault"
WORD = "tide"
TEXT = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "")
PARAGRAPH = "<p>words of a long section</p>"
FIRST = 30 * PARAGRAPH + f"<p>the {WORD}</p>" + 60 * PARAGRAPH + f"<p>a {WORD}</p>"
WHOLE = FIRST + 20 * PARAGRAPH


class Pair:
    """A pane and its flow, without a thread: what was asked for is answered by hand."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.pane = PreviewPane(LIGHT)
        qtbot.addWidget(self.pane)
        self.pane.resize(600, 300)
        self.pane.show()
        self.flow = PreviewFlow(self.pane)
        self.asked: list[object] = []
        self.flow.asked.connect(self.asked.append)
        self.flow.show(section("a.md", "A"), WORD)
        request = self.asked[-1]
        assert isinstance(request, ReadRequest)
        self.first = Reading(
            request,
            TEXT,
            html=FIRST,
            pictures=Pictures(whole=False),
        )
        self.whole = replace(self.first, html=WHOLE, pictures=Pictures())

    @property
    def place(self) -> int:
        return self.pane.browser.verticalScrollBar().value()

    @place.setter
    def place(self, value: int) -> None:
        browser, bar = self.pane.browser, self.pane.browser.verticalScrollBar()
        height = round(browser.document().size().height())
        end = max(0, height - browser.viewport().height())
        self._qtbot.waitUntil(lambda: bar.maximum() == end)  # all is laid out
        bar.setValue(value)

    @property
    def current(self) -> int:
        return self.pane.browser._marks.current

    def at_top(self) -> tuple[str, int]:
        """The paragraph at the top of the window, and where it begins."""
        browser = self.pane.browser
        browser.viewport().grab()  # only what is painted has its place
        cursor = browser.cursorForPosition(QPoint(60, 14))
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        return cursor.block().text(), browser.cursorRect(cursor).top()

    def mark(self) -> None:
        """Answer the last question for matches, which is asked once the text is painted."""
        self._qtbot.waitUntil(lambda: not self.flow._painted.isActive())
        wanted = self.asked[-1]
        assert isinstance(wanted, MatchRequest)
        at = [i for i in range(len(wanted.text)) if wanted.text.startswith(WORD, i)]
        self.flow.matched(wanted.ticket, Matches(tuple((i, i + len(WORD)) for i in at)))


@pytest.fixture
def pair(qtbot: QtBot) -> Pair:
    return Pair(qtbot)


def test_the_first_match_is_scrolled_to(pair: Pair) -> None:
    pair.flow.loaded(pair.first)
    assert pair.place == 0
    pair.mark()
    led_to = pair.place
    assert led_to > 0
    pair.flow.loaded(pair.whole)
    assert pair.place == led_to
    pair.mark()
    assert pair.place == led_to


def test_who_has_scrolled_back_is_not_thrown_to_the_first_match(pair: Pair) -> None:
    pair.flow.loaded(pair.first)
    pair.mark()
    pair.place = 40
    pair.flow.loaded(pair.whole)
    assert pair.place == 40
    pair.mark()
    assert pair.place == 40


def test_who_has_scrolled_before_the_matches_were_found_stays(pair: Pair) -> None:
    pair.flow.loaded(pair.first)
    pair.place = 40
    pair.mark()
    assert pair.place == 40
    pair.pane.next_match()
    assert pair.place > 40, "asking for the next match leads there"


def test_the_current_match_stays_the_current_one(pair: Pair) -> None:
    pair.flow.loaded(pair.first)
    pair.mark()
    pair.pane.next_match()
    led_to = pair.place
    assert pair.current == 1
    pair.flow.loaded(pair.whole)
    pair.mark()
    assert (pair.current, pair.place) == (1, led_to)


def test_another_section_begins_at_its_start_and_first_match(pair: Pair) -> None:
    pair.flow.loaded(pair.first)
    pair.mark()
    pair.pane.next_match()
    pair.place = 77
    pair.pane.show_section(TEXT, None, WORD, html=WHOLE)
    assert pair.place == 0
    pair.mark()
    assert pair.current == 0
    assert pair.place > 0


def test_a_reader_of_the_whole_note_is_not_thrown_to_the_section(pair: Pair) -> None:
    pair.flow.loaded(pair.first)
    pair.flow.set_scope(Scope.NOTE)
    request = pair.flow.request
    assert request is not None
    heading = '<h2 id="line-1">Found</h2>'
    one = replace(pair.first, request=request, html=20 * PARAGRAPH + heading + FIRST)
    pair.flow.loaded(one)
    assert pair.place > 0, "the section is pointed out"
    pair.place = 10
    pair.flow.loaded(replace(one, html=f"{one.html}{WHOLE}", pictures=Pictures()))
    assert pair.place == 10


def test_room_is_left_for_a_picture_that_is_still_read(pair: Pair) -> None:
    """The text below it stands where it will stand."""
    html = f'<p><img src="image:big.png"></p><p><img src="image:big.png#90"></p>{FIRST}'
    size = QSize(3000, 1000)
    heights = []
    pair.flow.loaded(pair.first)
    for pictures in (
        Pictures(sizes={"big.png": size}, whole=False),
        Pictures(images={"big.png": QImage(1600, 533, QImage.Format.Format_RGB32)}),
    ):
        pair.flow.loaded(replace(pair.first, html=html, pictures=pictures))
        heights.append(pair.pane.browser.document().size().height())
    assert abs(heights[0] - heights[1]) <= 3


def lines(start: int, count: int) -> str:
    """Paragraphs that can be told from each other."""
    return "".join(f"<p>words of paragraph {n}</p>" for n in range(start, start + count))


@pytest.mark.parametrize("place", [700, 1700, 3800], ids=["above it", "below it", "the end"])
def test_the_text_that_is_read_stays_where_it_is(pair: Pair, place: int) -> None:
    """What is elsewhere may need more room: formulas are drawn, pictures and the rest come."""
    text = lines(0, 40) + "{}" + lines(40, 80)
    pair.flow.loaded(replace(pair.first, html=text.format("<p>a formula</p>")))
    pair.place = place
    read = pair.at_top()
    pair.flow.loaded(replace(pair.first, html=text.format("<p>drawn</p>" * 9)))
    assert pair.at_top() == read
    pair.pane.set_zoom(150)
    numbers = [int(text.split()[-1]) for text in (pair.at_top()[0], read[0])]
    assert abs(numbers[0] - numbers[1]) <= 1, "larger letters leave the reader where he is, too"


def test_marks_stay_while_the_rest_comes(pair: Pair) -> None:
    """They are looked for again, and until then they would flicker."""
    pair.flow.loaded(pair.first)
    pair.mark()
    marked = list(pair.pane.browser._marks.spans)
    assert len(marked) == 2
    pair.flow.loaded(pair.whole)
    assert pair.pane.browser._marks.spans == marked
    pair.flow.loaded(replace(pair.whole, html=WHOLE.replace(WORD, "ebb", 1)))
    assert pair.pane.browser._marks.spans == []


def test_the_first_look_fills_the_window(pair: Pair) -> None:
    """Nobody sees that there is more to come: notes of every kind, in a large window, too."""
    for width, height in ((600, 300), (1200, 1000)):
        pair.pane.resize(width, height)
        browser = pair.pane.browser
        for file in sorted(SAMPLE.rglob("*.md"))[::4]:
            text = file.read_text("utf-8").split("---\n")[-1] * 9
            page = rendered(text, look=FirstLook(browser.lines_shown()))
            pair.pane.show_section(TEXT, None, WORD, html=page.html)
            shown, room = browser.document().size().height(), browser.viewport().height()
            assert page.whole or room < shown < 3 * room + 1000, file.name


def test_marks_have_their_colours_before_they_are_painted(pair: Pair) -> None:
    """Given while they are painted, all would be painted a second time."""
    pair.flow.loaded(replace(pair.first, html=f"<p>the {WORD}</p>" * 9))
    pair.mark()
    assert len(pair.pane.browser.extraSelections()) == 9


def test_marks_that_come_into_view_have_their_colours(pair: Pair) -> None:
    """Only those in view are coloured: Qt's time grows with their number."""
    pair.flow.loaded(replace(pair.first, html=f"<p>the {WORD}</p>" * 900))
    pair.mark()
    browser = pair.pane.browser
    layout = browser.document().documentLayout()
    for place in (0, 8000, 16_000):
        pair.place = place
        browser.viewport().grab()
        coloured = {mark.cursor.blockNumber() for mark in browser.extraSelections()}
        assert len(coloured) <= MAX_IN_VIEW
        tops = {
            number: layout.blockBoundingRect(browser.document().findBlockByNumber(number)).top()
            for number in coloured
        }
        assert pair.place == place
        assert min(tops.values()) <= max(place, 40)
        assert max(tops.values()) + 40 >= place + browser.viewport().height()
