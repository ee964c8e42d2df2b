"""The first look at a section: about as much as a window shows, and whatever that depends on."""

import pytest

from notesearch.markdown.render.qt_html import CUT_NOTICE
from notesearch.markdown.render.section_html import AT_ONCE, rendered
from notesearch.markdown.sections.section_texts import outline, read_at
from notesearch.results import Scope
from tests.markdown.html_compare import words

WINDOW = 3600
"""Characters in a window."""
PARAGRAPH = "Some words of a section that goes on and on.\n\n"
TABLE, ROW = "| a | b |\n|---|---|\n", "| c | d |\n"


def first(source: str, at_once: float = WINDOW) -> str:
    return rendered(source, seconds=-1, at_once=at_once).html


@pytest.mark.parametrize(
    "source",
    [
        PARAGRAPH * 200,
        "- an item\n\n" * 800,
        "```python\na = 1\n" + "b = 2\n\n" * 2000 + "```\n",
        f"{PARAGRAPH.strip()} " * 400 + "\n\n" + PARAGRAPH,
        "# A heading\n\n" * 800,
        "> [!tip]\n" + f"> {PARAGRAPH}>\n" * 2000,
    ],
    ids=["paragraphs", "a list", "code", "a paragraph", "headings", "a callout"],
)
def test_shows_little_more_than_a_window(source: str) -> None:
    whole = rendered(source, seconds=-1)
    page = rendered(f"{source}\n{PARAGRAPH}", seconds=-1, at_once=WINDOW)
    assert whole.whole
    assert not page.whole
    assert CUT_NOTICE not in page.html
    said = words(page.html)
    assert words(whole.html)[: len(said)] == said
    assert len("".join(said)) + len(said) + 9 * page.html.count("<") >= WINDOW
    assert len("".join(said)) < AT_ONCE


def test_a_short_section_is_whole_at_first_look() -> None:
    page = rendered(PARAGRAPH * 10, seconds=-1, at_once=WINDOW)
    assert page.whole
    assert page.html == rendered(PARAGRAPH * 10, seconds=-1).html


def test_a_section_as_long_as_the_window_is_whole() -> None:
    source = "- an item\n" * 10
    assert rendered(source, seconds=-1, at_once=99).whole
    assert not rendered(f"{source}\n- one more", seconds=-1, at_once=99).whole


def test_links_resolve_to_addresses_below_the_cut() -> None:
    source = f"A [link][there] and[^1]\n\n{PARAGRAPH * 99}[there]: There.md\n\n[^1]: a note\n"
    assert '<a href="note:There.md">link</a>' in first(source)
    assert "[^1]" not in first(source)


def test_a_table_is_cut_only_far_below_the_window() -> None:
    """Column widths depend on all rows, so a table that is cut in view would jump."""
    short, long = (f"{TABLE}{ROW * rows}\n{PARAGRAPH}" for rows in (900, 9000))
    assert first(short).count("<tr>") == first(short + PARAGRAPH, 0).count("<tr>") > 400
    assert "Some words" not in first(short)
    assert first(long).count("<tr>") < 3000


def test_the_first_look_is_the_beginning_of_the_whole(real_notes: list[tuple[str, str]]) -> None:
    for path, text in real_notes[::200]:
        for link in outline(path, text):
            source = read_at(path, text, link.line, Scope.SECTION).text
            page, whole = words(first(source)), words(rendered(source, seconds=-1).html)
            assert whole[: len(page)] == page, (path, link.line)
