"""Breadcrumbs and snippets as lines: what is cut, and where the marks are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont

from notesearch.gui.results.results_delegate import (
    breadcrumb_line,
    joined,
    lay_out_snippet,
    near_match,
    snippet_line,
)
from notesearch.gui.widgets.marked_line import Line, clip, cut, utf16_places
from notesearch.gui.widgets.theme import LIGHT
from notesearch.results import Marked
from tests.gui.sample_results import marked


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
        # Whole headings give way, those in the middle first ...
        (["Journal", "2025", "*May*", "Boat", "Hull"], 25, "Journal › … › Boat › Hull"),
        (["Journal", "2025", "*May*", "Boat", "Hull"], 24, "Journal › … › Hull"),
        (["Journal", "2025", "*May*", "Boat", "Hull"], 17, "… › Hull"),
        # ... then the last words of the first one ...
        (["A *very* long parent heading", "*Food*"], 20, "A *very* long… › *Food*"),
        (["*First* part - and *last*", "Boat", "Own"], 20, "*First* part… › Own"),
        (["*First* part and *last*", "Own"], 16, "… › Own"),
        # ... and never the own one.
        (["Some parent", "An own *heading*"], 17, "An own *heading*"),
        (["Some parent", "An own *heading*"], 3, "An own *heading*"),
    ],
)
def test_breadcrumbs(breadcrumb: list[str], width: int, shown: str) -> None:
    line = breadcrumb_line(tuple(marked(part) for part in breadcrumb), LIGHT, width, letters)
    assert starred(line) == shown


def test_the_own_heading_is_strong_and_its_parents_are_quiet() -> None:
    line = joined((marked("Kyoto"), marked("Food")), LIGHT)
    assert [(line.text[slice(*run.span)], run.colour, run.strong) for run in line.runs] == [
        ("Kyoto › ", LIGHT.text2, False),
        ("Food", LIGHT.text, True),
    ]


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("warm *food* here", 8, "warm…"),
        ("warm *food* here", 9, "warm *food*…"),
        ("warm *food* here", 10, "warm *food*…"),
        ("warm *food*, here", 10, "warm *food*…"),
        ("*Supercalifragilisticexpialidocious*", 5, "*Super*…"),
        ("a *Supercalifragilisticexpialidocious*", 30, "a *Supercalifragilisticexpialid*…"),
        ("東京の*朝食*は市場で", 4, "東京の*朝*…"),
        ("東京 の*朝食*は市場で", 5, "東京 の*朝*…"),
        ("ein *Kühlschrank* im Keller", 10, "ein…"),
        ("naïve café menu", 8, "naïve…"),
    ],
)
def test_lines_end_with_whole_words(text: str, length: int, shown: str) -> None:
    line = cut(snippet_line(marked(text), LIGHT), length)
    assert starred(line) == shown
    assert line.runs[-1].span == (0, len(line.text)), "an ellipsis is never marked"


@pytest.mark.parametrize(
    ("snippet", "letters", "shown"),
    [
        ("Warm *food* here", 20, "Warm *food* here"),
        ("After the garden we had lunch in the *food* hall", 30, "… in the *food* hall"),
        (
            "After the garden we had lunch in the *food* hall",
            45,
            "After the garden we had lunch in the *food* hall",
        ),
        ("Unbrokenwordsbeforethe*match*", 12, "… *match*"),
        (
            "No match, however long this sentence may be",
            10,
            "No match, however long this sentence may be",
        ),
        ("first item of a list · second *item* of it", 24, "… second *item* of it"),
    ],
)
def test_the_first_match_is_in_sight(snippet: str, letters: int, shown: str) -> None:
    assert starred(snippet_line(near_match(marked(snippet), letters), LIGHT)) == shown


HEADINGS = st.lists(
    st.text(min_size=1, max_size=30).map(lambda text: Marked(text, ((0, len(text)),))),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize("before", ["漢字", "WWWW ", "words "])
@pytest.mark.usefixtures("qapp")
def test_the_first_match_is_in_sight_however_wide_the_letters_are(before: str) -> None:
    for times in range(1, 140 // len(before)):
        snippet = marked(f"{before * times}*found*")
        shown = lay_out_snippet(snippet, LIGHT, QFont("Inter", 10), 380, 2)
        assert any(line.marked for line in shown), times


@given(HEADINGS, st.integers(0, 80))
def test_marks_stay_on_the_text_of_any_headings(parts: list[Marked], width: int) -> None:
    line = breadcrumb_line(tuple(parts), LIGHT, width, letters)
    for start, end in line.marks:
        assert 0 <= start < end <= len(line.text)
    covered = "".join(line.text[slice(*run.span)] for run in line.runs)
    assert covered == line.text


def test_boxes_and_signs_stay_with_their_words_when_a_snippet_is_split() -> None:
    line = snippet_line(marked("☑ rice · ☐ *miso* · leeks"), LIGHT)
    assert line.text.split(" ") == ["☑\xa0rice\xa0·", "☐\xa0miso\xa0·", "leeks"]
    assert [line.text[start:end] for start, end in line.marks] == ["miso"]


def test_clip() -> None:
    assert clip([(0, 4), (6, 9)], 2, 8) == ((2, 4), (6, 8))
    assert clip([(0, 4)], 4, 9) == ()
    assert clip([(5, 7)], 5, 9, offset=-5) == ((0, 2),)


@given(st.text())
def test_places_are_counted_in_utf16(text: str) -> None:
    places = utf16_places(text)
    for at in range(len(text) + 1):
        assert places[at] == len(text[:at].encode("utf-16-le", "surrogatepass")) // 2
