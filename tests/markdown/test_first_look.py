"""What is shown of a section first: as much as a window shows, and what it needs of the rest."""

from math import inf

import pytest

from notesearch.markdown.render.qt_html import CUT_NOTICE
from notesearch.markdown.render.section_html import FirstLook, rendered
from notesearch.markdown.sections.section_reader import outline, read_at
from notesearch.results import Scope
from tests.markdown.html_compare import words

LINES = 30
PARAGRAPH = "Some words of a section that goes on and on.\n\n"
TABLE, ROW = "| a | b |\n|---|---|\n", "| c | d |\n"


def first(source: str, *, line: int = 0, lines: float = LINES) -> str:
    return rendered(source, seconds=-1, look=FirstLook(lines, line)).html


@pytest.mark.parametrize(
    "source",
    [
        PARAGRAPH * 200,
        "- an item\n" * 200,
        "```python\na = 1\n" + "b = 2\n" * 200 + "```\n",
        f"{PARAGRAPH.strip()} " * 400 + PARAGRAPH,
        "# A heading\n" * 200,
        "> [!tip]\n" + f"> {PARAGRAPH}>\n" * 200,
    ],
    ids=["paragraphs", "a list", "code", "a paragraph", "headings", "a callout"],
)
def test_it_is_no_more_than_a_window_shows(source: str) -> None:
    whole = rendered(source, seconds=-1)
    page = rendered(f"{source}\n{PARAGRAPH}", seconds=-1, look=FirstLook(LINES))
    assert whole.whole
    assert not page.whole
    assert CUT_NOTICE not in page.html
    said = words(page.html)
    assert words(whole.html)[: len(said)] == said
    assert len(page.html.splitlines()) < 3 * LINES


def test_what_a_window_shows_is_not_shown_twice() -> None:
    page = rendered(PARAGRAPH * 10, seconds=-1, look=FirstLook(LINES))
    assert page.whole
    assert page.html == rendered(PARAGRAPH * 10, seconds=-1).html


def test_what_ends_with_the_window_is_whole() -> None:
    source = "- an item\n" * 10
    assert rendered(source, seconds=-1, look=FirstLook(10)).whole
    assert not rendered(f"{source}- one more", seconds=-1, look=FirstLook(10)).whole


def test_it_knows_what_links_and_footnotes_below_it_lead_to() -> None:
    source = f"A [link][there] and[^1]\n\n{PARAGRAPH * 99}[there]: There.md\n\n[^1]: a note\n"
    assert '<a href="note:There.md">link</a>' in first(source)
    assert "[^1]" not in first(source)


def test_a_table_is_cut_where_none_sees_it() -> None:
    """All rows tell how wide the columns are: it would change before the reader's eyes."""
    short, long = (f"{TABLE}{ROW * rows}\n{PARAGRAPH}" for rows in (90, 900))
    assert first(short).count("<tr>") == 91
    assert "Some words" not in first(short)
    assert 100 < first(long).count("<tr>") < 200


def test_of_a_note_it_reaches_below_the_section_that_is_pointed_out() -> None:
    note = PARAGRAPH * 50 + "# Found\n" + PARAGRAPH * 50
    shown = first(note).count("Some words")
    assert shown < LINES
    assert 50 + shown - 2 < first(note, line=101).count("Some words") < 50 + LINES


def test_each_section_begins_as_it_goes_on(real_notes: list[tuple[str, str]]) -> None:
    for path, text in real_notes[::200]:
        for link in outline(path, text):
            source = read_at(path, text, link.line, Scope.SECTION).text
            page, whole = words(first(source)), words(first(source, lines=inf))
            assert whole[: len(page)] == page, (path, link.line)
