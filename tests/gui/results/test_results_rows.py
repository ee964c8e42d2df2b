"""Groups of results become rows; new results do not move those on screen."""

import pytest

from notesearch.gui.results.results_rows import (
    CapRow,
    HeaderRow,
    MoreRow,
    ResultRow,
    Row,
    SectionKey,
    find_row,
    grouped_rows,
    keep_order,
)
from notesearch.results import NoteResult
from tests.gui.made import note, section


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
