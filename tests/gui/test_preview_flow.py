"""When the preview asks for the next section, and when what it shows is made anew."""

from dataclasses import replace

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.session.preview_flow import PreviewFlow
from notesearch.gui.session.read_worker import MatchRequest, Reading, ReadRequest
from notesearch.gui.widgets.theme import LIGHT
from notesearch.results import Scope, SectionResult, SectionText, Why
from tests.gui.made import section
from tests.gui.using_window import typed


class Reader:
    """The reading thread: what it was asked for, and what it tells when it is let."""

    def __init__(self, flow: PreviewFlow) -> None:
        self._flow = flow
        self.asked: list[ReadRequest] = []
        flow.asked.connect(self._on_asked)

    def _on_asked(self, request: ReadRequest | MatchRequest) -> None:
        if isinstance(request, ReadRequest):
            self.asked.append(request)

    @property
    def names(self) -> list[str]:
        return [request.result.section for request in self.asked]

    def tell(self, request: ReadRequest, *, whole: bool = True) -> None:
        heading = request.result.section
        text = SectionText(request.path, "Title", heading, (heading,), 2, 1, 5, f"## {heading}\n")
        html = f"<h2>{heading}</h2>" + "<p>The rest." * whole
        self._flow.loaded(Reading(request, text, html=html, whole=whole))


@pytest.fixture
def flow(qtbot: QtBot) -> PreviewFlow:
    pane = PreviewPane(LIGHT)
    qtbot.addWidget(pane)
    return PreviewFlow(pane, pane)


@pytest.fixture
def reader(flow: PreviewFlow) -> Reader:
    return Reader(flow)


ONE, TWO, THREE, FOUR = (section("a.md", name) for name in ("One", "Two", "Three", "Four"))


def test_what_is_selected_is_asked_for_at_once(flow: PreviewFlow, reader: Reader) -> None:
    for selected in (ONE, TWO, THREE):
        flow.show(selected, "q")
        reader.tell(reader.asked[-1])
    assert reader.names == ["One", "Two", "Three"]


def test_while_one_is_read_only_the_newest_is_asked_for_next(
    flow: PreviewFlow, reader: Reader
) -> None:
    shown = QSignalSpy(flow.shown)
    for selected in (ONE, TWO, THREE):
        flow.show(selected, "q")
    assert reader.names == ["One"]
    reader.tell(reader.asked[-1])
    assert (reader.names, shown.count()) == (["One", "Three"], 0)
    reader.tell(reader.asked[-1])
    assert shown.count() == 1


def test_who_does_not_wait_for_a_slow_one_any_more_gets_the_next(
    qtbot: QtBot, flow: PreviewFlow, reader: Reader
) -> None:
    flow.show(ONE, "q")
    flow.show(FOUR, "q")
    qtbot.waitUntil(lambda: reader.names == ["One", "Four"])


def test_a_section_that_is_found_once_more_leaves_the_reader_where_he_is(
    flow: PreviewFlow, reader: Reader
) -> None:
    flow.show(ONE, "q")
    reader.tell(reader.asked[-1])
    flow.whole_note()
    reader.tell(reader.asked[-1])
    again = replace(ONE, score=0.5)
    flow.show(again, "q")
    assert (reader.asked[-1].scope, reader.asked[-1].result) == (Scope.NOTE, again)
    reader.tell(reader.asked[-1])
    flow.show(ONE, "another")
    assert reader.asked[-1].scope is Scope.SECTION


@pytest.mark.parametrize(
    ("changed", "made_anew"),
    [
        (replace(ONE, score=2.0, why=Why(1, 4, ("body",))), False),  # meaning ranked it, too
        (replace(ONE, line=7), True),
        (replace(ONE, why=Why(None, 1), passage="Nearest."), True),
    ],
)
def test_a_section_that_is_ranked_anew_is_not_shown_anew(
    monkeypatch: pytest.MonkeyPatch,
    flow: PreviewFlow,
    reader: Reader,
    changed: SectionResult,
    made_anew: bool,
) -> None:
    made: list[object] = []
    show = PreviewPane.show_section

    def counted(*args: object, **named: object) -> None:
        made.append(args)
        show(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(PreviewPane, "show_section", counted)
    for result in (ONE, changed):
        flow.show(result, "q")
        reader.tell(reader.asked[-1])
    assert len(made) == 1 + made_anew
    assert flow.request is not None
    assert (flow.request.result, flow.request.scope) == (changed, Scope.SECTION)


def test_what_is_on_show_as_a_whole_is_not_shown_in_parts_again(
    flow: PreviewFlow, reader: Reader, qtbot: QtBot
) -> None:
    pane = flow.parent()
    assert isinstance(pane, PreviewPane)
    shown = QSignalSpy(pane.browser.document().contentsChanged)
    for query in ("q", "qu"):
        flow.show(ONE, query)
        for whole in (False, True):
            reader.tell(reader.asked[-1], whole=whole)
            assert ("The rest." in pane.browser.plain_text()) == (whole or query == "qu")
        if query == "q":
            flow.show(replace(ONE, score=2.0), query)
            before = shown.count()
            for whole in (False, True):
                reader.tell(reader.asked[-1], whole=whole)
            assert shown.count() == before
    reader.tell(replace(reader.asked[-1], result=TWO), whole=False)
    flow.show(TWO, "qu")
    reader.tell(reader.asked[-1], whole=False)
    assert pane.browser.plain_text() == "Two"


def test_the_first_section_is_asked_for_as_wide_as_it_will_be(qtbot: QtBot, app: App) -> None:
    """Before it, the list and the preview are hidden, and so is the text in the preview."""
    rooms: list[int] = []
    app.reading.asked.connect(lambda asked: rooms.append(getattr(asked, "room", 0)))
    with qtbot.waitSignal(app.reading.shown):
        typed(qtbot, app, "dashi")
    first = next(room for room in rooms if room)
    assert first == app.preview.browser.picture_room(app.preview.browser.width())


def test_nor_in_parts_when_the_window_has_another_width(flow: PreviewFlow, reader: Reader) -> None:
    """It is made narrower before the answer by meaning comes."""
    pane = flow.parent()
    assert isinstance(pane, PreviewPane)
    pane.resize(680, 400)
    pane.show()
    flow.show(ONE, "q")
    reader.tell(reader.asked[-1])
    pane.resize(651, 400)
    flow.show(replace(ONE, score=2.0), "q")
    first, again = reader.asked[0], reader.asked[-1]
    assert again.room < first.room
    reader.tell(again, whole=False)
    assert "The rest." in pane.browser.plain_text()
