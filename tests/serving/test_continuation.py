"""Long texts come in pages: nothing is lost, and a changed text is noticed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.errors import PageMissingError
from notesearch.serving.continuation import TextPage, text_page


def pages(text: str, size: int) -> list[TextPage]:
    found = [text_page(text, size=size)]
    while found[-1].continuation:
        found.append(text_page(text, found[-1].continuation, size))
    return found


@given(st.text("ab \n.", max_size=300), st.integers(1, 60))
def test_the_pages_together_are_the_text(text: str, size: int) -> None:
    found = pages(text, size)
    assert "".join(one.text for one in found) == text
    assert all(len(one.text) <= size for one in found)
    assert [one.line for one in found] == [text[: one.start].count("\n") for one in found]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("short", "short"),
        ("one two.\n\nthree\nfour five", "one two.\n\n"),
        ("one two three\nfour five", "one two three\n"),
        ("one two thr. our five", "one two thr. "),
        ("one two three four five", "one two three "),
        ("x" * 40, "x" * 14),
    ],
)
def test_a_page_ends_at_the_best_break(text: str, first: str) -> None:
    assert text_page(text, size=14).text == first


@pytest.mark.parametrize("continuation", ["", "0", "5-", "-1-abc", "x", "999999999999-0", "٣-0"])
def test_other_continuations_are_refused(continuation: str) -> None:
    text = "one two three four five"
    told = "This continuation is unknown" if continuation else "has changed since"
    if not continuation:
        continuation = text_page("another text of some length", size=14).continuation
    with pytest.raises(PageMissingError, match=told):
        text_page(text, continuation)


@pytest.mark.parametrize("levels", [(2,), (1, 2), (2, 3, 4), (6,)])
def test_headings_at_the_end_of_a_page_begin_the_next(levels: tuple[int, ...]) -> None:
    headings = "\n\n".join(f"{'#' * level} Heading {level}" for level in levels)
    for words in range(10, 40):
        text = f"{'word ' * words}\n\n{headings}\n\n{'more ' * 60}"
        page = text_page(text, size=len(text) - 250)
        lines = [line for line in page.text.split("\n") if line.strip()]
        assert not lines[-1].startswith("#"), words
        assert page.continuation


def test_a_page_of_nothing_but_a_heading_is_shown() -> None:
    assert text_page(f"# A\n\n{'word ' * 100}", size=5).text == "# A\n\n"
