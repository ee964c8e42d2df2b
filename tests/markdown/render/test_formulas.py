"""Formulas are drawn within a time limit: short ones at once, long ones in the second look."""

import html
import re
import subprocess
import sys
import zlib

import pytest

from notesearch.markdown.render import formulas
from notesearch.markdown.render.formulas import FormulaPainter, split_at_operators
from notesearch.markdown.render.section_html import rendered

LONG = r"\sum_{i=1}^{n} i^2 = \frac{n(n+1)(2n+1)}{6} + \alpha_0"


def test_a_long_formula_waits_for_the_second_look() -> None:
    at_once = FormulaPainter(0.01)
    assert at_once.draw(LONG, display=True) is None
    assert not at_once.whole
    later = FormulaPainter(2.0)
    drawn = later.draw(LONG, display=True)
    assert drawn is not None
    assert later.whole


def test_a_short_formula_is_drawn_at_once() -> None:
    FormulaPainter(60).draw("x", display=False)  # loads the library
    drawing = FormulaPainter(1)
    assert drawing.draw("n + 1", display=False) is not None
    assert drawing.whole


def test_a_known_formula_takes_no_time() -> None:
    first = FormulaPainter(60).draw(LONG + "+ 1", display=True)
    without = FormulaPainter(-1)
    assert without.draw(LONG + "+ 1", display=True) == first
    assert without.whole


def test_a_section_has_the_drawings_of_all_its_formulas() -> None:
    """The preview draws none, even after so many others that these are no longer kept."""
    long = " + ".join(f"x_{number}^2" for number in range(20))
    page = rendered(f"so $a/b = c$, ${long}$\n\n$$\na/b = c\n$$", seconds=60)
    addresses = [html.unescape(address) for address in re.findall('src="(math:[^"]*)"', page.html)]
    found = [formulas.ADDRESS.fullmatch(address) for address in addresses]
    assert len(found) == 22
    drawings = [page.formulas[address["drawing"]] for address in found if address]
    assert len(drawings) == len(found)
    assert all(zlib.decompress(drawing).startswith(b"<svg") for drawing in drawings)


def test_the_drawings_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A section that is shown again must not wait for its formulas after the next few."""
    monkeypatch.setattr(formulas, "_MAX_DRAWINGS", 2)
    formulas._drawings().clear()
    painter = FormulaPainter(60)
    for source in ("a_1", "a_2", "a_1", "a_3"):
        painter.draw(source, display=False)
    without = FormulaPainter(-1)
    assert without.draw("a_1", display=False)
    assert without.draw("a_2", display=False) is None


def test_formulas_for_which_there_is_no_time_displace_none_that_are_drawn() -> None:
    first = FormulaPainter(60).draw(LONG + "+ 2", display=True)
    without = FormulaPainter(-1)
    for number in range(3000):
        without.draw(f"x_{{{number}}}", display=True)
    assert without.draw(LONG + "+ 2", display=True) == first


def test_the_text_column_of_starred_cases_is_not_drawn_as_letters() -> None:
    starred = r"\begin{cases*} a & if $x > 0$ \\ b & otherwise \end{cases*}"
    assert FormulaPainter(60).draw(starred, display=True) is None


@pytest.mark.parametrize("source", [r"\text", r"a \mbox", r"\text{%}", r"\frac", r"\left("])
def test_a_formula_that_is_being_typed_stays_source(source: str) -> None:
    """``StopIteration`` of the library once ended the rendering of the whole section."""
    assert FormulaPainter(60).draw(source, display=False) is None


def test_a_formula_that_is_not_understood_stays_source() -> None:
    drawing = FormulaPainter(60)
    assert drawing.draw(r"\href{http://evil.example}{x}", display=False) is None
    assert drawing.draw("", display=False) is None
    assert drawing.whole


_FIRST_LOOK = """
import sys
import zlib
from notesearch.markdown.render.section_html import rendered
for seconds in (0.01, 2.0, 0.01):
    print(rendered(f"$a_{len(str(seconds))}$", seconds=seconds).whole, "ziamath" in sys.modules)
"""


def test_the_drawing_library_is_loaded_for_the_first_formula() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_LOOK], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:3] == ["False False", "True True", "True True"]


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        (r"x = 1 \tag{2a}", r"x = 1 \qquad\text{(2a)}"),
        (
            r"\begin{aligned} a &= b \tag*{*} \end{aligned}",
            r"\begin{aligned} a &= b \qquad\text{(*)} \end{aligned}",
        ),
        (r"a \bmod b", r"a\ \mathrm{mod}\ b"),
        (r"a \not= b", r"a \neq b"),
        (r"x := y", r"x \coloneqq y"),
        (r"\begin{matrix} 1 \\N \\\R \end{matrix}", r"\begin{matrix} 1 \\ N \\ \R \end{matrix}"),
        (r"\text{if x := y}", r"\text{if x ≔ y}"),
        (r"\left< x \middle| y \right>", r"\left\langle x \middle| y \right\rangle"),
        (r"\operatorname*{arg\,max}_x f", r"\argmax_x f"),
        (r"\mathop{\mathrm{arg\,min}}_x f", r"\argmin_x f"),
        (r"\hat a^\dag \in \R_+", r"\hat a^\dagger \in \mathbb{R}_+"),
        (r"a = b \\ c = d \\", r"a = b \\ c = d"),
        (
            r"\begin{dcases} a & b \\ c & d \end{dcases}",
            r"\begin{cases} a & b \\ c & d \end{cases}",
        ),
        (r"\begin{aligned}[t] a &= b \end{aligned}", r"\begin{aligned} a &= b \end{aligned}"),
        (r"\require{cancel} \cancel{x}", r"\cancel{x}"),
        (r"a \mathbin{/} b_{\mathclap{i}}", "a / b_{i}"),
        (r"\dbinom{n_{1}}{k_{2}}", r"\left(n_{1} \atop k_{2}\right)"),
        (r"\dv{f}{x}", r"\frac{\mathrm{d}f}{\mathrm{d}x}"),
        (r"\dv[2]{f}{x}", r"\frac{\mathrm{d}^{2}{f}}{\mathrm{d}{x}^{2}}"),
        (r"\pdv{x}", r"\frac{\partial}{\partial x}"),
        (r"\pdv{f}{x}{y}", r"\frac{\partial^2f}{\partial x\partial y}"),
        (r"\abs{\frac{a}{b}} \dd{x}", r"\left|\frac{a}{b}\right| \mathrm{d}x"),
        (r"\qty(\frac{a}{b})", r"\left(\frac{a}{b}\right)"),
        (r"\bra{a}\ket{b} + \braket{a}{b}", r"\langle a|b\rangle + \langle a|b\rangle"),
        (r"\ket{\psi_{1}}", r"|\psi_{1}\rangle"),
        (r"\tr A + \E[X]", r"\operatorname*{tr} A + \mathbb{E}[X]"),
    ],
)
def test_what_the_drawing_library_does_not_know_is_drawn(written: str, drawn: str) -> None:
    painter = FormulaPainter(60)
    shown = painter.draw(written, display=True)
    assert shown is not None
    assert shown == painter.draw(drawn, display=True)


def test_a_matrix_may_have_an_exponent() -> None:
    painter = FormulaPainter(60)
    bare = painter.draw(r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}", display=True)
    transposed = painter.draw(r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}^\top", display=True)
    assert bare
    assert transposed
    assert transposed.width > bare.width


@pytest.mark.parametrize("sign", r"\land \cup \times \sim \implies \hookrightarrow".split())
def test_signs_between_terms_have_space_beside_them(sign: str) -> None:
    painter = FormulaPainter(60)
    alone = painter.draw(rf"{{{sign}}}", display=True)
    spaced = painter.draw(rf"A {sign} B", display=True)
    close = painter.draw("A B", display=True)
    assert alone
    assert spaced
    assert close
    assert spaced.width > close.width + 0.6 * alone.width + 0.3


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("a = -b", "a = {} - b"),
        (r"\left(-b\right)", r"\left({} - b\right)"),
        (r"\operatorname*{Var}(X)", r"\operatorname*{Var}{(}X)"),
        (r"\partial f", r"\partial\, f"),
        (r"\hat{H} x", r"\widehat{H} x"),
    ],
)
def test_signs_and_names_belong_to_what_follows(narrow: str, wide: str) -> None:
    painter = FormulaPainter(60)
    close = painter.draw(narrow, display=True)
    spaced = painter.draw(wide, display=True)
    assert close
    assert spaced
    assert close.width < spaced.width - 0.1


@pytest.mark.parametrize("operator", r"\sup \inf \bigoplus \bigotimes".split())
def test_limits_stand_below_large_operators(operator: str) -> None:
    painter = FormulaPainter(60)
    bare = painter.draw(rf"{operator} x", display=True)
    limited = painter.draw(rf"{operator}_{{i}} x", display=True)
    assert bare
    assert limited
    assert limited.depth > bare.depth + 0.3


@pytest.mark.parametrize("bracket", r"\{ \| \langle \rfloor \lvert".split())
@pytest.mark.parametrize("size", [r"\big", r"\Bigl", r"\biggr"])
def test_large_brackets_are_drawn_without_a_backslash(size: str, bracket: str) -> None:
    painter = FormulaPainter(60)
    large = painter.draw(f"{size}{bracket} x", display=True)
    small = painter.draw(f"{bracket} x", display=True)
    assert large
    assert small
    assert large.height >= small.height
    assert large.width < small.width + 0.4


def test_words_of_several_letters_are_bold_and_upright() -> None:
    painter = FormulaPainter(60)
    one = painter.draw(r"\mathbf{a}\mathbf{b}", display=True)
    assert one is not None
    assert painter.draw(r"\mathbf{ab}", display=True) == one
    assert painter.draw(r"\boldsymbol{ab}", display=True) != one


@pytest.mark.parametrize(
    "operator", r"\sum \prod \coprod \bigcup \bigcap \bigvee \bigwedge".split()
)
@pytest.mark.parametrize("limit", ["_i", "^n"])
def test_brackets_are_about_as_high_as_the_sum_in_them(operator: str, limit: str) -> None:
    painter = FormulaPainter(60)
    bare = painter.draw(rf"{operator}{limit} x", display=True)
    inside = painter.draw(rf"\left( {operator}{limit} x \right)", display=True)
    assert bare
    assert inside
    assert bare.height <= inside.height < 2 * bare.height


def test_aligned_rows_do_not_touch_each_other() -> None:
    painter = FormulaPainter(60)
    one = painter.draw(r"\begin{aligned} a &= b \end{aligned}", display=True)
    two = painter.draw(r"\begin{aligned} a &= b \\ &= b \end{aligned}", display=True)
    assert one
    assert two
    row = two.height - one.height
    letters = 0.9
    assert letters + 0.3 < row < letters + 0.6


@pytest.mark.parametrize("name", ["align", "align*", "alignat", "eqnarray", "gather*", "multline"])
def test_equations_are_drawn_without_numbers_and_labels(name: str) -> None:
    rows = r"a &= b \\ c &= d" if name[0] in "ae" else r"a = b \\ c = d"
    numbered = rows.replace(r"\\", r"\label{first} \\ \nonumber")
    columns = "{2}" if name == "alignat" else ""
    painter = FormulaPainter(60.0)
    written = rf"\begin{{{name}}}{columns} {numbered} \end{{{name}}}"
    plain = "aligned" if name[0] in "ae" else "matrix"
    drawn = painter.draw(written, display=True)
    assert drawn is not None
    assert drawn == painter.draw(rf"\begin{{{plain}}} {rows} \end{{{plain}}}", display=True)


@pytest.mark.parametrize(
    ("formula", "parts"),
    [
        ("x^2 + y^2 = z^2", ["x^2 ", "{}+ y^2 ", "{}= z^2"]),
        (" -x = -y", ["-x ", "{}= -y"]),
        (r"x^- \le \alpha_+", ["x^- ", r"{}\le \alpha_+"]),
        (r"x \not= y", [r"x \not= y"]),
        (r"\frac{a + b}{2} \cdot (a = b)", [r"\frac{a + b}{2} \cdot (a = b)"]),
        (r"\left\{ x = 1 \right. = \{y = 2\}", [r"\left\{ x = 1 \right. ", r"{}= \{y = 2\}"]),
        (r"A = \begin{matrix} a = 1 \\ b \end{matrix}", None),
        (r"a = b \\ c = d", [r"a = b \\ c = d"]),
        (r"a + b \over c", [r"a + b \over c"]),
        (r"\lim_{x \rightarrow 0} x = 0", [r"\lim_{x \rightarrow 0} x ", "{}= 0"]),
        (r"a \leftarrow b = c", [r"a \leftarrow b ", "{}= c"]),
        (r"\bf x = \rm y + z", [r"\bf x ", r"\bf {}= \rm y ", r"\bf \rm {}+ z"]),
        (r"\bf -x = {\rm y} + z", [r"\bf -x ", r"\bf {}= {\rm y} ", r"\bf {}+ z"]),
    ],
)
def test_a_formula_is_split_before_operators_between_terms(
    formula: str, parts: list[str] | None
) -> None:
    expected = parts or ["A ", f"{{}}{formula[2:]}"]
    assert split_at_operators(formula) == expected


def test_a_long_formula_is_several_pictures_between_which_a_line_can_end() -> None:
    short, long = "x + y = z", " + ".join(f"x_{n} y_{n}" for n in range(9))
    assert rendered(f"${short}$ and\n$${short}$$", seconds=60).html.count("<img") == 2
    assert rendered(f"${long}$", seconds=60).html.count("<img") == 9
    assert rendered(f"${long}$\n\n" * 100, seconds=60).html.count("<img") == 900
    many = rendered(f"${long}$\n\n" * 299, seconds=60).html.count("<img")
    assert 999 < many < 1300, "then whole formulas, which Qt lays out faster"
