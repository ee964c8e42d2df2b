"""What the selection may reach next is read ahead, shown at once, and read again after that."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.results.flat_model import FlatModel
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_rows import SectionRow
from notesearch.gui.results.results_view import ResultsView
from notesearch.gui.session.preview_flow import _FOLLOW_S, PreviewFlow
from notesearch.gui.session.read_worker import AheadRequest, Reading, ReadRequest
from notesearch.gui.widgets.keyboard import Move
from notesearch.gui.widgets.theme import LIGHT
from notesearch.results import Scope, SectionResult, SectionText
from tests.folders import write
from tests.gui.made import StartApp, note, section
from tests.gui.using_window import previewed, typed

ONE, TWO, THREE = (section("a.md", name, line=n * 10) for n, name in enumerate("ABC", 1))


class Reader:
    """The reading thread, which reads when it is told to: each note says its version."""

    def __init__(self, qtbot: QtBot, flow: PreviewFlow) -> None:
        self._qtbot, self._flow = qtbot, flow
        self.version = "first"
        self.asked: list[ReadRequest] = []
        self.ahead: list[AheadRequest] = []
        flow.asked.connect(self._on_asked)

    def _on_asked(self, request: object) -> None:
        if isinstance(request, ReadRequest):
            self.asked.append(request)
        elif isinstance(request, AheadRequest):
            self.ahead.append(request)

    def tell(self) -> None:
        """Answer what was asked for last, then what is to be read ahead once that is painted."""
        self._flow.loaded(self.read(self.asked[-1]))
        self.settle()
        for request in self.ahead[-1].sections:
            self._flow.loaded(replace(self.read(request), ahead=True))

    def settle(self) -> None:
        """Wait until what is asked for after a section was painted is asked for."""
        self._qtbot.waitUntil(
            lambda: not (self._flow._painted.isActive() or self._flow.ahead._pause.isActive())
        )

    def read(self, request: ReadRequest) -> Reading:
        """Return what the thread would."""
        name = request.result.section
        text = SectionText(request.path, "T", name, (name,), 2, request.line, 5, self.version)
        return Reading(request, text, html=f"<p>{name}, {self.version}</p>")


@pytest.fixture
def pane(qtbot: QtBot) -> PreviewPane:
    made = PreviewPane(LIGHT)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def flow(pane: PreviewPane) -> PreviewFlow:
    return PreviewFlow(pane, pane)


@pytest.fixture
def reader(qtbot: QtBot, flow: PreviewFlow) -> Reader:
    return Reader(qtbot, flow)


def beside(*sections: SectionResult) -> Callable[[], Sequence[SectionResult]]:
    return lambda: sections


def test_what_was_read_ahead_is_shown_at_once(
    flow: PreviewFlow, pane: PreviewPane, reader: Reader
) -> None:
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    assert [request.result for request in reader.ahead[-1].sections] == [TWO]
    flow.show(replace(TWO, score=0.5), "other words", beside(THREE))
    assert pane.browser.plain_text() == "B, first"
    assert flow.query == "other words"
    assert [request.result for request in reader.asked] == [ONE]


def test_it_is_read_again_and_a_change_since_is_shown(
    qtbot: QtBot, flow: PreviewFlow, pane: PreviewPane, reader: Reader
) -> None:
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    shown = QSignalSpy(flow.shown)
    reader.version = "second"
    flow.show(TWO, "q", beside(THREE))
    assert (pane.browser.plain_text(), shown.count()) == ("B, first", 1)
    qtbot.waitUntil(lambda: reader.asked[-1].result == TWO)
    reader.tell()
    assert (pane.browser.plain_text(), shown.count()) == ("B, second", 2)


def test_what_did_not_change_since_is_not_shown_anew(
    qtbot: QtBot, flow: PreviewFlow, reader: Reader
) -> None:
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    shown = QSignalSpy(flow.shown)
    flow.show(TWO, "q", beside(THREE))
    qtbot.waitUntil(lambda: reader.asked[-1].result == TWO)
    reader.tell()
    assert shown.count() == 1


def test_the_way_back_is_kept_and_the_rest_forgotten(
    flow: PreviewFlow, pane: PreviewPane, reader: Reader
) -> None:
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    flow.show(TWO, "q", beside(THREE, ONE))
    reader.settle()
    assert [request.result for request in reader.ahead[-1].sections] == [THREE]
    flow.show(ONE, "q", beside(TWO))
    assert pane.browser.plain_text() == "A, first"
    flow.show(THREE, "q", beside())
    assert pane.browser.plain_text() == "A, first"  # nobody let the reader read it
    assert reader.asked[-1].result == THREE


def test_a_wider_view_or_a_cleared_preview_is_read(flow: PreviewFlow, reader: Reader) -> None:
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    flow.show(TWO, "q", beside(THREE))
    flow.whole_note()
    assert reader.asked[-1].scope is Scope.NOTE
    flow.clear()
    flow.show(ONE, "q", beside(TWO))
    assert reader.asked[-1].result == ONE


def test_the_best_section_of_the_next_letter_too_is_shown_at_once(
    qtbot: QtBot, flow: PreviewFlow, pane: PreviewPane, reader: Reader
) -> None:
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    shown, wanted = QSignalSpy(flow.shown), QSignalSpy(pane.matches_wanted)
    reader.version = "second"
    flow.show(replace(ONE, score=0.5), "qu", beside(TWO))
    assert (shown.count(), pane.browser.plain_text()) == (1, "A, first")
    assert (wanted.count(), wanted.at(0)[1]) == (1, "qu"), "its marks are others"
    assert len(reader.asked) == 1
    assert flow._follow.interval() > round(_FOLLOW_S * 1000), "the next letter may come"
    qtbot.waitUntil(lambda: reader.asked[-1].query == "qu")
    reader.tell()
    assert pane.browser.plain_text() == "A, second"


def test_while_somebody_types_nothing_is_read_ahead(
    qtbot: QtBot, flow: PreviewFlow, reader: Reader
) -> None:
    pause = flow.ahead._pause
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    flow.show(ONE, "qu", beside(TWO, THREE))
    flow.loaded(reader.read(reader.asked[-1]))
    flow.loaded(replace(reader.read(reader.asked[-1]), modified=1.0))
    assert pause.interval() > 0, "the next letter may come, and the rest of the section"
    before, left = len(reader.ahead), 1
    pause.start(left)
    flow.ahead.put_off()
    assert pause.remainingTime() > left
    qtbot.waitUntil(lambda: len(reader.ahead) > before)
    assert [request.result for request in reader.ahead[-1].sections] == [THREE]


def test_a_letter_in_either_window_puts_that_off(
    qtbot: QtBot, app: App, quick: QuickSearch
) -> None:
    """Also where nothing is found, and so no section is selected."""
    long_ms = 60_000
    for search, reading in ((app.search, app.reading), (quick.search, quick.reading)):
        reading.ahead._pause.start(long_ms)
        with qtbot.waitSignal(search.asked):
            search.query("nowheretobefound")
        assert reading.ahead._pause.interval() < long_ms


def test_who_walks_through_the_list_has_the_next_read_at_once(
    flow: PreviewFlow, reader: Reader
) -> None:
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    flow.show(THREE, "q", beside(ONE))
    flow.loaded(reader.read(reader.asked[-1]))
    assert flow.ahead._pause.isActive()
    assert flow.ahead._pause.interval() == 0


def test_another_vault_shows_nothing_of_the_former(
    qtbot: QtBot, start: StartApp, tmp_path: Path
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    write(one, {"a.md": "# Food food\n\nOf one.\n", "b.md": "# B\n\nFood of one.\n"})
    write(other, {"b.md": "# B\n\nFood of the other.\n"})
    app = start(one)
    ahead: list[Reading] = []
    app.vaults.loaded.connect(lambda reading: ahead.append(reading) if reading.ahead else None)
    typed(qtbot, app, "food")
    qtbot.waitUntil(lambda: {reading.request.path for reading in ahead} == {"b.md"})
    seen: list[str] = []
    app.reading.shown.connect(lambda: seen.append(previewed(app)))
    app.vaults.open(other)
    qtbot.waitUntil(lambda: bool(seen))
    assert "the other" in seen[0]


def test_the_next_letter_in_another_vault_shows_nothing_of_the_former(
    flow: PreviewFlow, pane: PreviewPane, reader: Reader
) -> None:
    """Which may have the same note: what is typed before its first answer is another query."""
    flow.show(ONE, "q", beside(TWO))
    reader.tell()
    flow.ahead._pause.start(100)
    flow.stop()
    assert not flow.ahead._pause.isActive()
    reader.version = "of the other"
    flow.show(ONE, "qu", beside(TWO))
    assert reader.asked[-1].query == "qu"
    reader.tell()
    assert pane.browser.plain_text() == "A, of the other"
    flow.show(TWO, "qu", beside(ONE))
    assert pane.browser.plain_text() == "B, of the other"


def test_the_list_tells_what_arrows_reach_next(qtbot: QtBot) -> None:
    model = FlatModel()
    view = ResultsView(model, LIGHT)
    qtbot.addWidget(view)
    assert view.near() == ()
    rows = tuple(section(f"{n}.md", str(n)) for n in range(5))
    model.set_recent(rows)
    view.select(model.first_section())
    assert view.near() == (rows[1], rows[2])
    for move in (Move.DOWN, Move.DOWN):
        view.move_selection(move)
    assert view.near() == (rows[3], rows[4], rows[1])
    view.move_selection(Move.LAST)
    assert view.near() == (rows[3],)


def test_the_list_looks_past_headers_and_what_unfolds_a_note(qtbot: QtBot) -> None:
    model = ResultsModel()
    view = ResultsView(model, LIGHT)
    qtbot.addWidget(view)
    model.set_notes((note("a.md", "A", "B", "C", "D", "E"), note("b.md", "F")))
    view.select(model.first_section())
    shown = [row.result.section for row in model.rows if isinstance(row, SectionRow)]
    assert shown[-1] == "F"
    for _ in range(len(shown) - 2):
        view.move_selection(Move.DOWN)
    assert [near.section for near in view.near()] == ["F", shown[-3]]
