"""The first look at a section: as much as a window shows, and whatever that depends on."""

from math import inf

import pytest

from notesearch.markdown.render.qt_html import CUT_NOTICE
from notesearch.markdown.render.section_html import FirstLook, rendered
from notesearch.markdown.sections.section_texts import outline, read_at
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
def test_shows_no_more_than_a_window(source: str) -> None:
    whole = rendered(source, seconds=-1)
    page = rendered(f"{source}\n{PARAGRAPH}", seconds=-1, look=FirstLook(LINES))
    assert whole.whole
    assert not page.whole
    assert CUT_NOTICE not in page.html
    said = words(page.html)
    assert words(whole.html)[: len(said)] == said
    assert len(page.html.splitlines()) < 3 * LINES


def test_a_short_section_is_whole_at_first_look() -> None:
    page = rendered(PARAGRAPH * 10, seconds=-1, look=FirstLook(LINES))
    assert page.whole
    assert page.html == rendered(PARAGRAPH * 10, seconds=-1).html


def test_a_section_as_long_as_the_window_is_whole() -> None:
    source = "- an item\n" * 10
    assert rendered(source, seconds=-1, look=FirstLook(10)).whole
    assert not rendered(f"{source}- one more", seconds=-1, look=FirstLook(10)).whole


def test_links_and_footnotes_resolve_to_text_below_the_cut() -> None:
    source = f"A [link][there] and[^1]\n\n{PARAGRAPH * 99}[there]: There.md\n\n[^1]: a note\n"
    assert '<a href="note:There.md">link</a>' in first(source)
    assert "[^1]" not in first(source)


def test_a_table_is_cut_only_far_below_the_window() -> None:
    """Column widths depend on all rows, so a table that is cut in view would jump."""
    short, long = (f"{TABLE}{ROW * rows}\n{PARAGRAPH}" for rows in (90, 900))
    assert first(short).count("<tr>") == 91
    assert "Some words" not in first(short)
    assert 100 < first(long).count("<tr>") < 200


def test_the_first_look_at_a_note_reaches_below_the_selected_section() -> None:
    note = PARAGRAPH * 50 + "# Found\n" + PARAGRAPH * 50
    shown = first(note).count("Some words")
    assert shown < LINES
    assert 50 + shown - 2 < first(note, line=101).count("Some words") < 50 + LINES


def test_the_first_look_is_the_beginning_of_the_whole(real_notes: list[tuple[str, str]]) -> None:
    for path, text in real_notes[::200]:
        for link in outline(path, text):
            source = read_at(path, text, link.line, Scope.SECTION).text
            page, whole = words(first(source)), words(first(source, lines=inf))
            assert whole[: len(page)] == page, (path, link.line)
