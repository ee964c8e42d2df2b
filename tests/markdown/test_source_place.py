"""A place in rendered text is found in the Markdown source, by its words and their context."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.markdown.render.source_place import find_again, line_and_column

NOTE = """# Trip to Kyoto

We walked to **Nishiki** [market](https://example.org/food/market) before nine.
The stalls open at nine, and the food is
still *warm*.

| Dish | Price |
|------|-------|
| food | 350   |

> [!note] Food
> Plane food is bad: bring `food` of your own.

東京の朝食は市場で食べるのが一番おいしい。

1. Book early
2. Bring food, and drink & water
3. See <https://nishiki.example/stalls/map.html>, or `stalls map.html`
"""


@pytest.mark.parametrize(
    ("shown", "line", "column"),
    [
        (
            "We walked to Nishiki market before nine. The stalls open at nine, and the *food* is",
            4,
            34,
        ),
        ("Trip to *Kyoto*", 1, 11),
        ("We walked to Nishiki *market* before nine.", 3, 27),
        ("the *food is still warm*.", 4, 34),
        ("Dish Price *food* 350", 9, 3),
        ("Plane *food* is bad: bring food of your own.", 12, 9),
        ("Plane food is bad: bring *food* of your own.", 12, 29),
        ("東京の*朝食*は市場で食べるのが一番", 14, 4),
        ("Book early Bring *food*, and drink & water", 17, 10),
        ("See https://nishiki.example/*stalls*/map.html, or stalls", 18, 33),
        ("We *walked to Nishiki market* before nine.", 3, 4),
        ("it is *nowhere* in the note", None, None),
        ("signs *?!* alone", None, None),
    ],
)
def test_places(shown: str, line: int | None, column: int | None) -> None:
    start = shown.index("*")
    end = shown.rindex("*") - 1
    place = find_again(NOTE, shown.replace("*", ""), (start, end))
    assert (place is None) == (line is None)
    if place is not None:
        assert line_and_column(NOTE, place) == (line, column)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_editors_do(end: str) -> None:
    text = end.join(["one", "two", "three four"])
    assert line_and_column(text, text.index("four")) == (3, 7)


@given(st.text(max_size=80), st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_any_texts(text: str, shown: str, start: int, end: int) -> None:
    place = find_again(text, shown, (start, end))
    assert place is None or 0 <= place <= len(text)


def test_of_equal_places_the_one_as_far_in_the_text_is_chosen() -> None:
    text = "boat " * 40
    for number in (10, 20, 30):
        assert find_again(text, text, (5 * number, 5 * number + 4)) == 5 * number
