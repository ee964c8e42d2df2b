"""The punctuation around the words of a term that belong to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.search.patterns import Punctuation


@pytest.mark.parametrize(
    ("typed", "words", "before", "after"),
    [
        ("kyoto", (0, 5), "", ""),
        ("c++", (0, 1), "", "++"),
        (".env", (1, 4), ".", ""),
        ("~/a.md", (2, 6), "~/", ""),
        ("50%", (0, 2), "", "%"),
        # punctuation of the sentence
        ("(kyoto),", (1, 6), "", ""),
        ("“kyoto”?", (1, 6), "", ""),
        ("京都。", (0, 2), "", ""),
        ("- kyoto -", (2, 7), "", ""),
    ],
)
def test_signs_of_a_term(typed: str, words: tuple[int, int], before: str, after: str) -> None:
    assert Punctuation.of(typed, words) == Punctuation(before, after)


def test_signs_extend_spans_beside_them() -> None:
    text = "C++, C and c++"
    spans = Punctuation("", "++").extend([(0, 1), (5, 6), (11, 12)], text)
    assert [text[start:end] for start, end in spans] == ["C++", "C", "c++"]


@given(typed=st.text(max_size=20), text=st.text(max_size=20), data=st.data())
def test_spans_only_grow_and_stay_inside_the_text(
    typed: str, text: str, data: st.DataObject
) -> None:
    def span(of: str) -> tuple[int, int]:
        start = data.draw(st.integers(0, len(of)))
        return start, data.draw(st.integers(start, len(of)))

    (start, end), (first, last) = span(text), span(typed)
    ((wide_start, wide_end),) = Punctuation.of(typed, (first, last)).extend([(start, end)], text)
    assert 0 <= wide_start <= start <= end <= wide_end <= len(text)
