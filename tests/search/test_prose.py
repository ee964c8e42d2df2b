"""Snippets as a person would read them aloud; ``[…]`` shows their marks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.results import Marked
from notesearch.search.snippets import readable
from tests.search.test_snippets import shown


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("see https://www.example.org/path/to?x=1 for [food].", "see example.org for [food]."),
        ("(https://docs.python.org/3/re.html#x), [re]", "(docs.python.org), [re]"),
        ("see https://example.org/[food]/x", "see https://example.org/[food]/x"),
        ("it grows as $n^2$ and [food]", "it grows as n² and [food]"),
        ("$\\alpha \\to \\infty$ [b]", "α → ∞ [b]"),
        ("$$\\frac{a}{b} \\leq x_0$$ [b]", "a/b ≤ x₀ [b]"),
        ("it costs $5 or $6 [b]", "it costs $5 or $6 [b]"),
        ("$x^{[food]}$", "$x^{[food]}$"),
        ('--8<-- "includes/abbr.md" The [b]', "The [b]"),
        ("{% include 'a/b.html' %} The [b]", "The [b]"),
        ("{{#include ../ch01/main.rs:here}} The [b]", "The [b]"),
        ("{!../../src/main.py!} The [b] {!> a/b.md!} c, !{d}", "The [b] c, !{d}"),
        ("tip\nPress [Enter].", "Press [Enter]."),
        ("… Summary\nPress [Enter].", "… Press [Enter]."),
        ("Save it:\nWarning\nPress [Enter].", "Save it: Press [Enter]."),
        ("Mind the gap\nPress [Enter].", "Mind the gap · Press [Enter]."),
        ("boat.png\nThe [sea].", "The [sea]."),
        ("… Pasted image 20260102030405.PNG\nThe [sea].\nmap.svg\nLand", "… The [sea]. Land"),
        ("See\nthe map.png\nand [sea]", "See · the map.png · and [sea]"),
        ("tip of the [iceberg]", "tip of the [iceberg]"),
        ("[tip] Press Enter.", "[tip] Press Enter."),
        ("Drop rows\nPickup from [Frankie]\nShip", "Drop rows · Pickup from [Frankie] · Ship"),
        ("To do:\nbuy [rice],\ncook it.\nEat", "To do: buy [rice], cook it. Eat"),
        ("买米\n做[饭]。\n吃", "买米 · 做[饭]。 吃"),
        ("f(x) {\nreturn [x]\n}", "f(x) { return [x] }"),
        ("[a] https://a.org/x [b] https://b.org/y [c]", "[a] a.org [b] b.org [c]"),
        ("[a] https://www.example.org – then", "[a] example.org – then"),
    ],
)
def test_snippets_are_prose(text: str, line: str) -> None:
    assert shown(readable(marked(text))) == line


@given(st.text(max_size=200), st.lists(st.integers(0, 200), max_size=8))
def test_marks_stay_on_their_words_in_prose(text: str, bounds: list[int]) -> None:
    ends = sorted({min(bound, len(text)) for bound in bounds})
    marks = tuple((a, b) for a, b in zip(ends[::2], ends[1::2], strict=False) if a < b)
    found = readable(Marked(text, marks))
    matches = [text[a:b].replace("\n", " ") for a, b in marks]
    assert [found.text[a:b] for a, b in found.marks] == matches


def marked(text: str) -> Marked:
    """Read ``[…]`` as marks."""
    plain, marks = "", list[tuple[int, int]]()
    for part in re.split(r"(\[\w+\])", text):
        if part.startswith("[") and part.endswith("]"):
            marks.append((len(plain), len(plain) + len(part) - 2))
        plain += part.strip("[]") if marks and marks[-1][0] == len(plain) else part
    return Marked(plain, tuple(marks))
