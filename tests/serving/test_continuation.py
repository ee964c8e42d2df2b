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
    if not continuation:
        continuation = text_page("another text of some length", size=14).continuation
    with pytest.raises(PageMissingError, match="Read it again from the start"):
        text_page(text, continuation)
