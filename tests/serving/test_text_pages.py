"""Long texts come in pages: nothing is lost, and a changed text is noticed."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.errors import PageMissingError
from notesearch.serving.served_text import TextPage, text_page

NOTE = "/notes/a.md"


def pages(text: str, size: int) -> list[TextPage]:
    found = [text_page(NOTE, text, size=size)]
    while found[-1].continuation:
        found.append(text_page(NOTE, text, found[-1].continuation, size))
    return found


@given(st.text("ab \n.", max_size=300), st.integers(1, 60))
def test_the_pages_together_are_the_text(text: str, size: int) -> None:
    found = pages(text, size)
    assert "".join(one.text for one in found) == text
    assert all(len(one.text) <= size for one in found)
    before = accumulate((one.text for one in found[:-1]), initial="")
    assert [one.line for one in found] == [start.count("\n") for start in before]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("short", "short"),
        ("one two. three", "one two. three"),
        ("one two.\n\nthree\nfour five", "one two.\n\n"),
        ("one two three\nfour five", "one two three\n"),
        ("one two thr. our five", "one two thr. "),
        ("one two three four five", "one two three "),
        ("x" * 40, "x" * 14),
    ],
)
def test_a_page_ends_at_the_best_break(text: str, first: str) -> None:
    assert text_page(NOTE, text, size=14).text == first


def test_headings_go_to_the_page_with_their_text() -> None:
    paragraph = f"{'a' * 30}\nbbbbbb\n\n"
    assert text_page(NOTE, f"{paragraph}# H\n\n## I\n\n{'c' * 20}", size=51).text == paragraph
    one_line = f"{'a' * 60}\n\n"
    assert text_page(NOTE, f"{one_line}# H\n\n{'c' * 60}", size=70).text == one_line


TEXT = "one two three four five"


@pytest.mark.parametrize(
    ("place", "text", "told"),
    [
        (NOTE, "another text of some length", "The note has changed since"),
        ("/notes/b.md", "another text of some length", "belongs to another note, section or list"),
        (f"{NOTE} > Heading", TEXT[4:], "belongs to another note, section or list"),
    ],
)
def test_other_continuations_are_told_as_what_they_are(place: str, text: str, told: str) -> None:
    continuation = text_page(place, text, size=14).continuation
    with pytest.raises(PageMissingError, match=told):
        text_page(NOTE, TEXT, continuation)


def test_the_same_text_may_be_named_in_another_way() -> None:
    first = text_page(NOTE, TEXT, size=14)
    for copied in (" {}\n", "continuation={}", "`{}`", "Continued: continuation={}"):
        again = text_page(f"{NOTE} > One", TEXT, copied.format(first.continuation))
        assert again.text == TEXT[14:]


DIGEST = "0123456789ab"


@pytest.mark.parametrize(
    "continuation",
    [
        *("0", "250", "5-", "-1-abc", "x", "999999999999-0", "٣-0", f"7-{DIGEST}"),
        *(f"7-{DIGEST}-{DIGEST}x", f"7-{DIGEST}-{DIGEST}-1"),
        *(f"-1-{DIGEST}-{DIGEST}", f"٣-{DIGEST}-{DIGEST}", f"{'9' * 99}-{DIGEST}-{DIGEST}"),
    ],
)
def test_what_is_no_continuation_is_unknown(continuation: str) -> None:
    with pytest.raises(PageMissingError, match="This continuation is unknown"):
        text_page(NOTE, TEXT, continuation)


def test_no_page_comes_after_the_last() -> None:
    continuation = text_page(NOTE, TEXT, size=14).continuation
    assert text_page(NOTE, TEXT, continuation.replace("14-", "99-")).text == ""


@pytest.mark.parametrize("heading", ["# a\n", "#\n", "a\n-\n", "## b\n\n"])
def test_a_text_of_headings_alone_comes_in_full_pages(heading: str) -> None:
    """Each page once had only one heading, and the pages took quadratic time."""
    text = heading * 20_000
    found = pages(text, 24_000)
    assert "".join(page.text for page in found) == text
    assert len(found) <= 1 + len(text) // 20_000
