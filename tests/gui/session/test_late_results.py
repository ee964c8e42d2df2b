"""Late results in any order leave a row that the user selected in place."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.app import App
from notesearch.gui.results.results_model import MoreRow, SectionKey
from notesearch.gui.session.search_worker import SearchAnswer
from notesearch.results import NoteResult
from tests.gui.fixture_types import StartApp
from tests.gui.sample_results import note, result
from tests.gui.session.search_bench import Bench
from tests.gui.using_window import listed, typed

Found = Sequence[tuple[int, Sequence[int]]]
"""Numbers of notes and of their sections, the best first."""

FOUND: st.SearchStrategy[Found] = st.lists(
    st.tuples(st.integers(0, 7), st.lists(st.integers(0, 6), min_size=1, max_size=7, unique=True)),
    min_size=1,
    max_size=8,
    unique_by=lambda one: one[0],
)

STEPS = st.one_of(
    st.tuples(st.just("press"), st.sampled_from([Qt.Key.Key_Down, Qt.Key.Key_Up])),
    st.tuples(st.just("press"), st.sampled_from([Qt.Key.Key_PageDown, Qt.Key.Key_PageUp])),
    st.tuples(st.just("unfold"), st.integers(0, 3)),
    st.tuples(st.just("scroll"), st.integers(-200, 200)),
    st.tuples(st.just("final"), FOUND),
    st.tuples(st.just("repeat"), FOUND),
    st.tuples(st.just("sharpen"), FOUND),
)


def notes_of(found: Found) -> list[NoteResult]:
    return [
        note(f"n{number}.md", *(f"n{number} s{section}" for section in sections))
        for number, sections in found
    ]


class Hand:
    """A user who moves in the list while answers arrive."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.view = bench.window.results.view

    @property
    def place(self) -> tuple[str, tuple[str, ...]] | None:
        """The selected section."""
        section = self.view.section
        return (section.path, section.section_path) if section else None

    def do(self, step: str, what: object) -> None:
        bench, model = self.bench, self.bench.model
        if step == "press":
            bench.press(what)  # type: ignore[arg-type]
        elif step == "scroll":
            bar = self.view.verticalScrollBar()
            bar.setValue(bar.value() + what)  # type: ignore[operator]
        elif step == "unfold":
            rows = [n for n, row in enumerate(model.rows) if isinstance(row, MoreRow)]
            if rows:
                model.expand(model.index(rows[what % len(rows)]))  # type: ignore[operator]
        else:
            self._receive(step, notes_of(what))  # type: ignore[arg-type]

    def _receive(self, step: str, notes: list[NoteResult]) -> None:
        bench, before, y = self.bench, self.place, self.bench.y
        listed = {(row.path, s.section_path) for row in bench.model.notes for s in row.sections}
        if step == "repeat":
            bench.controller.repeat()
        if step == "sharpen":
            answer = SearchAnswer(bench.requests[-1], result("q", *notes), final=True)
            bench.controller.update_snippets(answer)
        elif not bench.controller.answered:
            bench.answer(*notes, final=True)
            listed = {(row.path, s.section_path) for row in bench.model.notes for s in row.sections}
        if before is None:
            return
        if before not in listed:
            return
        assert self.place == before
        bar = self.view.verticalScrollBar()
        assert bench.y == y or bar.value() in {bar.minimum(), bar.maximum()}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(first=FOUND, steps=st.lists(STEPS, max_size=8))
def test_late_results_never_move_the_selected_row(
    bench: Bench, first: Found, steps: list[tuple[str, object]]
) -> None:
    bench.type("")
    bench.type("kyoto")
    bench.answer(*notes_of(first))
    bench.press(Qt.Key.Key_Down)
    hand = Hand(bench)
    for step, what in steps:
        hand.do(step, what)


def test_a_selected_section_that_drops_in_rank_is_not_folded_away(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(*notes_of([(0, [0, 1])]))
    bench.window.results.view.select_section(bench.model.first_section())
    bench.answer(*notes_of([(0, [5, 4, 3, 2, 1, 0])]), final=True)
    assert bench.selected == "n0 s0"
    key = SectionKey("n0.md", ("n0 s0",), 10)
    assert bench.model.find(key).isValid()


FOUND_FIRST = notes_of([(0, [0]), (1, [0, 1]), (2, [0])])


def test_a_row_near_the_top_stays_when_an_edit_changes_the_ranking(bench: Bench) -> None:
    """What is below the selected row follows the new ranking, and new notes are there, too."""
    bench.type("kyoto")
    bench.answer(*FOUND_FIRST, final=True)
    bench.press(Qt.Key.Key_Down)
    selected, y = bench.selected, bench.y
    bench.controller.repeat()
    bench.answer(*notes_of([(3, [0]), (2, [0]), (1, [1, 0]), (0, [0])]), final=True)
    assert (bench.selected, bench.y) == (selected, y)
    assert bench.sections == ["n0 s0", "n1 s0", "n1 s1", "n3 s0", "n2 s0"]


def test_lines_written_above_it_do_not_move_its_row(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(*FOUND_FIRST, final=True)
    bench.press(Qt.Key.Key_Down)
    selected, y = bench.selected, bench.y
    bench.controller.repeat()
    bench.answer(*notes_of([(1, [5, 1, 0]), (0, [0])]), final=True)
    assert (bench.selected, bench.y) == (selected, y)
    assert bench.sections == ["n0 s0", "n1 s0", "n1 s1", "n1 s5"]


def test_a_deleted_section_leaves_the_rows_above_the_selected_one(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(*FOUND_FIRST, final=True)
    bench.press(Qt.Key.Key_Down)
    bench.controller.repeat()
    bench.answer(*notes_of([(2, [0]), (1, [0])]), final=True)
    assert bench.selected == "n1 s0"
    assert bench.sections == ["n1 s0", "n2 s0"]


def test_a_section_that_others_outrank_stays_in_a_list_that_was_cut(bench: Bench) -> None:
    """While notes are read for the first time, others may take all places of a long list."""
    bench.type("kyoto")
    bench.answer(*FOUND_FIRST, final=True)
    bench.press(Qt.Key.Key_Down)
    selected, y = bench.selected, bench.y
    bench.controller.repeat()
    found = result("kyoto", *notes_of([(5, [0]), (6, [0])]), total=900)
    bench.controller.answer(SearchAnswer(bench.requests[-1], found, final=True))
    assert (bench.selected, bench.y) == (selected, y)
    assert bench.sections == ["n0 s0", "n1 s0", "n1 s1", "n5 s0", "n6 s0"]


def test_a_deleted_note_leaves_a_list_that_was_cut(
    qtbot: QtBot, start: StartApp, words_only: Settings, notes: Path
) -> None:
    app = start(notes, replace(words_only, results=4))
    typed(qtbot, app, "food")
    QTest.keyClick(app.window.focusWidget(), Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert app.model.notes[0].path == "travel/Trip to Japan.md"
    with qtbot.waitSignal(app.vault.index_changed):
        (notes / "travel/Trip to Japan.md").unlink()
    qtbot.waitUntil(lambda: app.pane.search.answered)
    assert "Trip to Japan" not in listed(app)


def test_an_edit_in_another_program_leaves_the_selected_row_in_place(
    qtbot: QtBot, app: App, notes: Path
) -> None:
    typed(qtbot, app, "food")
    QTest.keyClick(app.window.focusWidget(), Qt.Key.Key_Down)
    view = app.window.results.view
    assert view.section is not None
    before, y = SectionKey.of(view.section), view.visualRect(view.currentIndex()).top()
    with qtbot.waitSignal(app.vault.index_changed):
        (notes / "Food.md").write_text("# Food\n\n## Food\n\nFood, food and food.\n")
    qtbot.waitUntil(lambda: app.pane.search.answered and "Food" in listed(app))
    assert SectionKey.of(view.section) == before
    assert view.visualRect(view.currentIndex()).top() == y
