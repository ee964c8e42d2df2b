"""Breadcrumbs and snippets as lines: what is cut, and where the marks are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.gui.results.results_delegate import BreadcrumbText, breadcrumb_line, snippet_line
from notesearch.gui.widgets.marked_line import Line, clip, cut, utf16_places
from notesearch.gui.widgets.theme import LIGHT
from notesearch.results import Marked
from tests.gui.made import marked


def letters(line: Line) -> float:
    """Measure a line; each character is one wide."""
    return len(line.text)


def starred(line: Line) -> str:
    """Return the text of a line with stars around its marks."""
    text = line.text
    for start, end in reversed(line.marks):
        text = f"{text[:start]}*{text[start:end]}*{text[end:]}"
    return text


@pytest.mark.parametrize(
    ("breadcrumb", "width", "shown"),
    [
        (["Kyoto", "*Food*"], 50, "Kyoto › *Food*"),
        (["*Food*"], 2, "*Food*"),
        # The parent headings are cut in their middle ...
        (["A very long parent heading", "*Food*"], 20, "A very…eading › *Food*"),
        (["*First* part and *last*", "Own"], 18, "*First*…d *last* › Own"),
        # ... or dropped, before the own heading is cut.
        (["Some parent", "An own *heading*"], 18, "An own *heading*"),
        (["Some parent", "An own *heading*"], 3, "An own *heading*"),
    ],
)
def test_breadcrumbs(breadcrumb: list[str], width: int, shown: str) -> None:
    line = breadcrumb_line(tuple(marked(part) for part in breadcrumb), LIGHT, width, letters)
    assert starred(line) == shown


def test_the_own_heading_is_strong_and_its_parents_are_quiet() -> None:
    line = BreadcrumbText.join((marked("Kyoto"), marked("Food"))).line(LIGHT)
    assert [(line.text[slice(*run.span)], run.colour, run.strong) for run in line.runs] == [
        ("Kyoto › ", LIGHT.text2, False),
        ("Food", LIGHT.text, True),
    ]


def test_an_ellipsis_is_never_marked() -> None:
    line = cut(snippet_line(marked("warm *food* here"), LIGHT), 8)
    assert starred(line) == "warm *foo*…"
    assert line.runs[-1].span == (0, 9)


HEADINGS = st.lists(
    st.text(min_size=1, max_size=30).map(lambda text: Marked(text, ((0, len(text)),))),
    min_size=1,
    max_size=5,
)


@given(HEADINGS, st.integers(0, 80))
def test_marks_stay_on_the_text_of_any_headings(parts: list[Marked], width: int) -> None:
    line = breadcrumb_line(tuple(parts), LIGHT, width, letters)
    for start, end in line.marks:
        assert 0 <= start < end <= len(line.text)
    covered = "".join(line.text[slice(*run.span)] for run in line.runs)
    assert covered == line.text


def test_clip() -> None:
    assert clip([(0, 4), (6, 9)], 2, 8) == ((2, 4), (6, 8))
    assert clip([(0, 4)], 4, 9) == ()
    assert clip([(5, 7)], 5, 9, offset=-5) == ((0, 2),)


@given(st.text())
def test_places_are_counted_in_utf16(text: str) -> None:
    places = utf16_places(text)
    for at in range(len(text) + 1):
        assert places[at] == len(text[:at].encode("utf-16-le", "surrogatepass")) // 2
