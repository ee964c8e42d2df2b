"""The list model: what Qt and a screen reader ask of it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QSignalSpy
from pytestqt.modeltest import ModelTester

from notesearch.gui.results.results_model import (
    CapRow,
    HeaderRow,
    MoreRow,
    ResultRow,
    ResultsModel,
    Row,
    SectionKey,
    find_row,
    grouped_rows,
    keep_order,
)
from notesearch.results import NoteResult
from tests.gui.sample_results import note, result, section

NOTES = (
    note("travel/Trip.md", "Kyoto > Food", "Kyoto > Day 3", "Packing", "Snacks", "Shoes"),
    note("Recipes.md", "Dashi~"),
)


def filled(cap: int = 0) -> ResultsModel:
    model = ResultsModel()
    model.set_notes(NOTES, cap=cap)
    return model


def test_it_is_a_correct_model(qtmodeltester: ModelTester) -> None:
    model = filled(cap=6)
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    model.expand(model.index(4))
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]


def test_only_sections_can_be_selected() -> None:
    model = filled(cap=6)
    selectable = [
        bool(model.flags(model.index(row)) & Qt.ItemFlag.ItemIsSelectable)
        for row in range(model.rowCount())
    ]
    assert selectable == [False, True, True, True, False, False, True, False]


def test_a_row_says_what_it_shows() -> None:
    model = filled(cap=6)
    spoken = [str(model.index(row).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(8)]
    assert spoken[0] == "Trip, travel/, 14 Nov 2023"
    assert spoken[1] == "Trip, Kyoto, Food. Some text"
    assert spoken[4] == "Show 2 more in this note"
    assert spoken[6] == "Recipes, Dashi. Related. Some text"
    assert spoken[7] == "Showing the best 6. Add a word to narrow it down."


def test_a_row_names_the_page_of_a_pdf() -> None:
    of_pdf = note("Paper.pdf", "Methods")
    model = ResultsModel()
    model.set_notes([replace(of_pdf, sections=(replace(of_pdf.sections[0], page="12"),))])
    spoken = str(model.index(1).data(Qt.ItemDataRole.AccessibleTextRole))
    assert spoken == "Paper.pdf, Methods, page 12. Some text"


def test_expanding_a_note_inserts_rows_in_place() -> None:
    model = filled()
    inserted, changed, reset = (
        QSignalSpy(signal) for signal in (model.rowsInserted, model.dataChanged, model.modelReset)
    )
    model.expand(model.index(4))
    assert (inserted.count(), changed.count(), reset.count()) == (1, 1, 0)
    rows = [row.result.section for row in model.rows if isinstance(row, ResultRow)]
    assert rows == ["Food", "Day 3", "Packing", "Snacks", "Shoes", "Dashi"]
    assert not any(isinstance(row, MoreRow) for row in model.rows)


def test_a_note_stays_unfolded_until_another_query() -> None:
    model = filled()
    model.expand(model.index(4))
    model.set_notes(NOTES, fold=False)
    assert model.rowCount() == 8
    model.set_notes(NOTES)
    assert model.rowCount() == 7


def test_better_snippets_do_not_move_the_rows() -> None:
    model = filled()
    model.expand(model.index(4))
    before = [SectionKey.of(row.result) for row in model.rows if isinstance(row, ResultRow)]
    resets, changes = QSignalSpy(model.modelReset), QSignalSpy(model.dataChanged)
    better = section("Recipes.md", "Dashi", "Four dried shiitake", line=10)
    model.update_snippets([better, section("Elsewhere.md", "Not listed", "Never shown")])
    rows = [row for row in model.rows if isinstance(row, ResultRow)]
    assert [SectionKey.of(row.result) for row in rows] == before
    assert [row.result.snippet.text for row in rows] == ["Some text"] * 5 + ["Four dried shiitake"]
    assert (resets.count(), changes.count()) == (0, 1)
    assert changes.at(0)[0].row() == 7
    assert model.notes[1].sections[0].snippet.text == "Four dried shiitake"


def test_a_section_is_found_by_its_key() -> None:
    model = filled()
    key = SectionKey("travel/Trip.md", ("Kyoto", "Day 3"), 20)
    assert model.find(key).row() == 2
    assert not model.find(SectionKey("travel/Trip.md", ("Kyoto",), 20)).isValid()


def test_an_empty_list_has_no_first_section() -> None:
    model = ResultsModel()
    assert not model.first_section().isValid()
    assert model.row(QModelIndex()) is None
    assert model.section(QModelIndex()) is None
    assert filled().section(filled().index(0)) is None


def test_the_cap_is_the_last_row() -> None:
    assert filled(cap=6).rows[-1] == CapRow(6)


def test_a_flat_list_keeps_the_rank_of_each_section() -> None:
    model = ResultsModel(flat=True)
    found = result("q", *NOTES)
    model.set_notes(model.arrange(found))
    rows = [row for row in model.rows if isinstance(row, ResultRow)]
    assert [row.result for row in rows] == list(found.sections)
    assert all(row.titled for row in rows)
    assert model.shown_per_note == 0


def test_a_flat_list_does_not_move_the_sections_on_screen() -> None:
    model = ResultsModel(flat=True)
    one, two, three = (section("a.md", name, line=n) for n, name in enumerate("ABC"))
    for sections in ((one, two), (three, two, one)):
        ranked = replace(result("q", replace(note("a.md"), sections=sections)), sections=sections)
        model.set_notes(model.arrange(ranked, model.notes, same=True), fold=False)
    names = [row.result.section for row in model.rows if isinstance(row, ResultRow)]
    assert names == ["A", "B", "C"]


def shown(rows: list[Row]) -> list[str]:
    lines = []
    for row in rows:
        match row:
            case HeaderRow(made, first):
                lines.append(f"{'first ' if first else ''}{made.title}")
            case ResultRow(found):
                lines.append(f"- {found.section}")
            case MoreRow(_, hidden):
                lines.append(f"+{hidden}")
            case CapRow(count):
                lines.append(f"={count}")
    return lines


FIVE = note("a.md", "one", "two", "three", "four", "five")
ONE = note("b.md", "single")


@pytest.mark.parametrize(
    ("notes", "expanded", "cap", "rows"),
    [
        ([], (), 0, []),
        ([ONE], (), 0, ["first b", "- single"]),
        ([FIVE, ONE], (), 0, ["first a", "- one", "- two", "- three", "+2", "b", "- single"]),
        ([FIVE], ("a.md",), 0, ["first a", "- one", "- two", "- three", "- four", "- five"]),
        ([note("c.md", "x", "y", "z")], (), 0, ["first c", "- x", "- y", "- z"]),
        ([ONE], (), 1, ["first b", "- single", "=1"]),
    ],
)
def test_rows(
    notes: list[NoteResult], expanded: tuple[str, ...], cap: int, rows: list[str]
) -> None:
    assert shown(list(grouped_rows(notes, expanded, cap=cap))) == rows


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        # A note on screen stays in place, whatever the new order.
        ([note("a.md", "A"), note("b.md", "B")], [note("b.md", "B"), note("a.md", "A")], "a:A b:B"),
        # New notes come last, and new sections come last in their note.
        ([note("a.md", "A")], [note("c.md", "C"), note("a.md", "A", "A2~")], "a:A,A2 c:C"),
        ([note("a.md", "A", "B")], [note("a.md", "A", "B", "C")], "a:A,B,C"),
        # Sections that the new results no longer contain stay.
        ([note("a.md", "A"), note("b.md", "B")], [note("b.md", "B", "C")], "a:A b:B,C"),
    ],
)
def test_keep_order(old: list[NoteResult], new: list[NoteResult], merged: str) -> None:
    kept = keep_order(old, new)
    assert " ".join(f"{n.title}:{','.join(s.section for s in n.sections)}" for n in kept) == merged


def test_a_section_is_found_after_its_line_has_moved() -> None:
    rows = [
        ResultRow(section("a.md", "Day > Food", line=10)),
        ResultRow(section("a.md", "Day > Food", line=90)),
        ResultRow(section("b.md", "Day > Food", line=12)),
    ]
    assert find_row(rows, SectionKey("a.md", ("Day", "Food"), 12)) == 0
    assert find_row(rows, SectionKey("a.md", ("Day", "Food"), 80)) == 1
    assert find_row(rows, SectionKey("a.md", ("Day", "Drink"), 10)) is None
