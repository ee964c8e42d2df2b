"""Long texts in pages: nothing is lost, breaks fall where they may, a changed text is noticed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.errors import PageMissingError
from notesearch.serving.paging import Page, page


def pages(text: str, room: int) -> list[Page]:
    found = [page(text, room=room)]
    while found[-1].continuation:
        found.append(page(text, found[-1].continuation, room))
    return found


@given(st.text("ab \n.", max_size=300), st.integers(1, 60))
def test_the_pages_are_the_text(text: str, room: int) -> None:
    found = pages(text, room)
    assert "".join(one.text for one in found) == text
    assert all(len(one.text) <= room for one in found)
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
def test_a_page_ends_where_a_reader_would(text: str, first: str) -> None:
    assert page(text, room=14).text == first


@pytest.mark.parametrize("continuation", ["", "0", "5-", "-1-abc", "x", "999999999999-0", "٣-0"])
def test_only_what_was_given_continues(continuation: str) -> None:
    text = "one two three four five"
    if not continuation:
        continuation = page("another text of some length", room=14).continuation
    with pytest.raises(PageMissingError, match="Read it again from the start"):
        page(text, continuation)
