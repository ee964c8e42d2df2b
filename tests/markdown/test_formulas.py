"""Formulas are drawn within a time: short ones at once, long ones when there is time for them."""

import subprocess
import sys

from notesearch.markdown.formulas import Drawing

LONG = r"\sum_{i=1}^{n} i^2 = \frac{n(n+1)(2n+1)}{6} + \alpha_0"


def test_a_long_one_waits_for_the_second_look() -> None:
    at_once = Drawing(0.01)
    assert at_once.formula(LONG, display=True) is None
    assert not at_once.whole
    later = Drawing(2.0)
    drawn = later.formula(LONG, display=True)
    assert drawn is not None
    assert later.whole


def test_a_short_one_is_drawn_at_once() -> None:
    Drawing(60).formula("x", display=False)  # loads the library
    drawing = Drawing(1)
    assert drawing.formula("n + 1", display=False) is not None
    assert drawing.whole


def test_one_that_was_drawn_before_takes_no_time() -> None:
    first = Drawing(60).formula(LONG + "+ 1", display=True)
    without = Drawing(-1)
    assert without.formula(LONG + "+ 1", display=True) == first
    assert without.whole


def test_what_is_not_understood_is_source_however_long_there_is() -> None:
    drawing = Drawing(60)
    assert drawing.formula(r"\href{http://evil.example}{x}", display=False) is None
    assert drawing.formula("", display=False) is None
    assert drawing.whole


_FIRST_LOOK = """
import sys
from notesearch.markdown.render import rendered
for seconds in (0.01, 2.0, 0.01):
    print(rendered(f"$a_{len(str(seconds))}$", seconds=seconds).whole, "ziamath" in sys.modules)
"""


def test_what_draws_is_loaded_for_the_first_formula_where_there_is_time() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_LOOK], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:3] == ["False False", "True True", "True True"]
