"""Draws TeX formulas as SVG pictures, and writes short ones in Unicode for rows and breadcrumbs.

The preview shows the source of a formula that cannot be drawn.
"""

import re
import time
import warnings
import zlib
from base64 import urlsafe_b64encode
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ziamath.zmath import Math

MAX_LENGTH = 1500
MAX_BRACES = 12
"""Depth of nested groups; a formula with deeper groups is shown as source."""
MAX_FORMULAS = 300
MAX_PARTS = 1000
"""Parts of long formulas in one section; Qt takes a moment to lay out each of them."""

_MAX_DRAWINGS = 2000
"""Drawings that are kept. All those of one section must be: it may need several turns."""

_CHARACTERS_PER_SECOND = 3_000
"""Drawing speed; a formula that would take longer than the time limit is not drawn."""
_LOADING_S = 0.1
"""Seconds to load the drawing libraries. If the time limit is shorter, they are not loaded."""
_EM = 20
_MARGIN = 1.0
_NOT_IN_FONT = "[\u0590-\u1dff\u2e80-\ud7ff\uf900-\ufdff\ufe30-\uffff\U0001f000-\U0003ffff]"
"""A pattern for characters that the font lacks. It is compiled late, because that is slow."""

_UNKNOWN_COMMAND = re.compile(r">\s*\\[A-Za-z]+\s*<")
_FORBIDDEN = re.compile(
    r"\\(?:href|url|class|style|cssId|require|def|newcommand|input|include)\b|\\begin\{CD\}"
)
_END = "(?![A-Za-z])"
_GROUP = r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
_BIG = r"\\(left|middle|right|[bB]igg?[lmr]?)\s*"
_NOT_IN_ROW_BREAK = r"(?<!(?<!\\)\\)"
"""A place that is not between the two backslashes of a new row, which a letter may follow."""
_USUAL_TEX = [
    (re.compile(f"{_NOT_IN_ROW_BREAK}(?:{pattern})"), usual)
    for pattern, usual in (
        (r"\\(?:label\{[^{}]*\}|nonumber\b|notag\b)", ""),
        (r"\\require\s*\{\w*\}|\\def\s*\\arraystretch\s*\{[^{}]*\}", ""),
        (r"(?:\\\\|(?<!\\)\\|\s)+\Z", ""),  # a line break at the end
        (r"\\(?:text)?color\[\w+\]\{[^{}]*\}", ""),
        (r"\\tag\*?\{([^{}]*)\}", r"\\qquad\\text{(\1)}"),
        # Equations are drawn without numbers, which would all be 1.
        (r"\{(equation|[bBpvV]?matrix)\*\}", r"{\1}"),
        (
            r"\\(begin|end)\{(?:align(?:ed|at|edat)?|flalign|eqnarray)\*?\}(?:\[\w\]|\{\d\})*",
            r"\\\1{aligned}",
        ),
        (r"\\(begin|end)\{(?:gather|gathered|multline)\*?\}", r"\\\1{matrix}"),
        (r"\{dcases\}", "{cases}"),
        (r"\\bmod\b", r"\\ \\mathrm{mod}\\ "),
        (r"\\not=", r"\\neq "),
        (r":\s*=", "\u2254"),
        (rf"\\(d?dag){_END}", r"\\\1ger"),
        (rf"\\([CENQRZ]){_END}", r"\\mathbb{\1}"),
        # Else an exponent of the matrix would belong to its bracket.
        (r"\\begin(\{[bBpvV]matrix\})", r"{\\begin\1"),
        (r"\\end(\{[bBpvV]matrix\})", r"\\end\1}"),
        # Commands of the packages physics and braket, and names that many people define
        (rf"\\(d|pd)v\[(\w+)\]{_GROUP}{_GROUP}", r"\\frac{\\d\1^{\2}{\3}}{\\d\1{\4}^{\2}}"),
        (rf"\\pdv{_GROUP * 3}", r"\\frac{\\partial^2{\1}}{\\partial{\2}\\partial{\3}}"),
        (rf"\\(d|pd)v{_GROUP}{_GROUP}", r"\\frac{\\d\1{\2}}{\\d\1{\3}}"),
        (rf"\\(d|pd)v{_GROUP}", r"\\frac{\\d\1{}}{\\d\1{\2}}"),
        (rf"\\dpd{_END}", r"\\partial "),
        (rf"\\dd{_END}", r"\\mathrm{d}"),
        (rf"\\abs\*?{_GROUP}", r"\\left|\1\\right|"),
        (rf"\\norm\*?{_GROUP}", r"\\left\\|\1\\right\\|"),
        (rf"\\vb\*?{_GROUP}", r"\\mathbf{\1}"),
        (r"\\qty\s*\(([^()]*)\)", r"\\left(\1\\right)"),
        (rf"\\bra{_GROUP}\s*\\ket{_GROUP}|\\braket{_GROUP}{_GROUP}", r"\\braket{\1\3|\2\4}"),
        (rf"\\(?:[bB]raket|expval){_GROUP}", r"\\langle \1\\rangle "),
        (rf"\\[bB]ra{_GROUP}", r"\\langle \1|"),
        (rf"\\[kK]et{_GROUP}", r"|\1\\rangle "),
        (rf"\\(Cov|diag|rank|sgn|[tT]r|Var){_END}", r"\\operatorname*{\1}"),
        (rf"\\[dt]?binom{_GROUP}{_GROUP}", r"\\left(\1 \\atop \2\\right)"),
        (_BIG + "<", r"\\\1\\langle "),
        (_BIG + ">", r"\\\1\\rangle "),
        (r"\\mathop\s*\{\s*\\(?:mathrm|text)\s*\{([^{}]*)\}\s*\}", r"\\operatorname*{\1}"),
        (r"(\\operatorname\*?\s*\{[A-Za-z]+)(?:\\[,:; ]|~)([A-Za-z]+\})", "\\1\u2009\\2"),
        (rf"\\math(?:bin|[clr]lap|close|inner|op|open|ord|punct|rel){_END}", ""),
    )
]
"""TeX that ``latex2mathml`` does not read or that a picture does not need, and what replaces it."""

_USUAL_MATHML = [
    (re.compile(pattern), usual)
    for pattern, usual in (
        ('rowspacing="3pt"', 'rowspacing="0.5em"'),  # so that rows do not touch
        # As an operator that stretches, a sum would make brackets 50 lines high.
        ("<mo>(?=&#x0(?:2210|2211|220F|228E|22C[0-3]);)", '<mo stretchy="false">'),
        (' mathbackground="[^"]*"', ""),  # the theme decides on the ground
        ("<mo>(?=(?:inf|sup)</mo>)", '<mo movablelimits="true">'),
        # A name such as ``\operatorname{tr}`` needs space beside it.
        (
            r"(<mo movablelimits=[^<>]*)>(?!\w+</mo><mo stretchy=\"false\">(?:&#x00028;|\[))",
            r'\1 rspace="0.167em">',
        ),
        ("<m[io]>(&#x02A0[0-2];)</m[io]>", r'<mo largeop="true" movablelimits="true">\1</mo>'),
        (
            r'(accent="true">(?:(?!<mover).){1,99}?<mo)>&#x00302;',  # a hat as wide as a letter
            r'\1 stretchy="false">&#x002C6;',
        ),
        ("<mi>&#x0007E;", "<mi>&#x0223C;"),
        ('<mn mathvariant="double-struck">1', "<mn>\U0001d7d9"),
        # TeX has no space beside these signs, and more beside relations and between terms.
        ("<mo>(?=&#x0(?:0021|220[0247]|2203);)", '<mo lspace="0em" rspace="0em">'),
        (
            "(?<!</mpadded>)<m[io]>(&#x0(?:21A0|21A9|21AA|223C|2225|22A[78]|228[AB]|27C2|27F[5-9A-C]);)</m[io]>",
            r'<mo lspace="0.278em" rspace="0.278em">\1</mo>',
        ),
        (
            "<m[io]>(&#x0(?:00D7|2218|222[789A]|29F5);)</m[io]>",
            r'<mo lspace="0.222em" rspace="0.222em">\1</mo>',
        ),
        # A sign after a relation, a comma or an opening bracket belongs to what follows.
        (
            r"((?:&#x0(?:0028|002C|003[CDE]|21D2|2192|2248|2260|226[45]);|\[)</mo>)<mo>(?=&#x0(?:002B|00B1|2212);)",
            r'\1<mo form="prefix">',
        ),
        ("<mo>(?!(?:det|gcd|inf|lim|max|min|Pr|sup)<)([A-Za-z]{2,})</mo>", r"<mi>\1</mi>"),
        ('"bold"', '"bold normal"'),
        ('"sans-serif"', '"normal"'),
    )
]
"""MathML of ``latex2mathml`` that ``ziamath`` draws wrongly, and what replaces it."""

_BRACKET = re.compile(r"\\(?:[{}|]|[A-Za-z]+)(?=</mo>)")
"""A bracket after a command such as ``\\big``, which ``latex2mathml`` leaves as TeX."""

_TOKEN = re.compile(
    r"(?:(?P<opened>\\begin\b|\\left\b\s*\\?.|\\?[{(\[])|(?P<closed>\\end\b|\\right\b\s*\\?.|\\?[})\]])"
    r"|(?P<operator>[=<>+-]|\\(?:[lg]eq?|neq?|approx|equiv|sim|to|pm|i(?:n|ff)|(?:Left|Right|Leftright)arrow)"
    r"(?![A-Za-z]))|(?P<sign>[\^_][+-]?|\\(?:[A-Za-z]+|.)|.))\s*",
    re.DOTALL,
)
"""A sign or command of a formula, with the space after it."""
_PARTING = frozenset({r"\\", "&", r"\over", r"\atop", r"\choose"})
"""Signs and commands that concern all of the formula before and after them."""

_FONT_SWITCHES = frozenset(
    rf"\{name}" for name in "bf cal displaystyle it rm sf textstyle tt".split()
)
"""Commands that concern the rest of the formula."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, drawn in black on a transparent background.

    Attributes:
        width, height: Size in em.
        depth: Extent below the baseline, in em.
        svg: The picture, compressed with zlib.
    """

    width: float
    height: float
    depth: float
    svg: bytes

    @property
    def address(self) -> str:
        """The picture and its measures as one address with the scheme ``math``."""
        svg = _packed(self.svg)
        return f"math:{self.width:.3f}/{self.height:.3f}/{self.depth:.3f}/{svg}"


def named(address: str, source: str) -> str:
    """Return the ``address`` of a formula with its TeX ``source`` added, for copying."""
    return f"{address}={_packed(source.encode())}"


def _packed(content: bytes) -> str:
    return urlsafe_b64encode(content).decode("ascii").rstrip("=")


class FormulaPainter:
    """Draws the formulas of one section within a time limit.

    Attributes:
        whole: False if a formula was not drawn because there was too little time.
    """

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._max_length = seconds * _CHARACTERS_PER_SECOND
        self._may_load = seconds >= _LOADING_S
        self._left = {False: MAX_FORMULAS, True: MAX_PARTS}
        self.whole = True

    def draw(self, source: str, *, display: bool, is_part: bool = False) -> Formula | None:
        """Return ``source`` drawn, with ``display`` as in a paragraph of its own; None if it fails.

        Parts of long formulas (``is_part``) have a limit of their own.
        """
        source = source.strip()
        if not 0 < len(source) <= MAX_LENGTH or self._left[is_part] <= 0:
            return None
        drawn = _drawings().get((source, display))
        if drawn is None:
            # Drawing cannot be interrupted: a long formula would take the time of all others.
            if (
                time.monotonic() > self._deadline
                or len(source) > self._max_length
                or not (self._may_load or _library.cache_info().currsize)
            ):
                self.whole = False
                return None
            drawn = [_drawn_or_none(source, display)]
            _drawings()[source, display] = drawn
            if len(_drawings()) > _MAX_DRAWINGS:
                _drawings().popitem(last=False)
        self._left[is_part] -= 1
        return drawn[0]


@cache
def _drawings() -> OrderedDict[tuple[str, bool], list[Formula | None]]:
    """Return the drawings of this process by TeX and ``display``; None if one cannot be drawn.

    It is one for all threads, and each operation on it is atomic.
    """
    return OrderedDict()


def _drawn_or_none(source: str, display: bool) -> Formula | None:
    source = _without_chemistry(source)
    for pattern, usual in _USUAL_TEX:
        source = pattern.sub(usual, source)
    if re.search(_NOT_IN_FONT, source) or _FORBIDDEN.search(source) or _depth(source) > MAX_BRACES:
        return None
    try:
        return _drawn(source, display)
    except _errors():
        return None


def _without_chemistry(source: str) -> str:
    if r"\ce" not in source:
        return source
    from notesearch.markdown.render.chemistry import usual_tex

    return usual_tex(source)


@cache
def _errors() -> tuple[type[Exception], ...]:
    from latex2mathml import exceptions

    own = [kind for kind in vars(exceptions).values() if isinstance(kind, type)]
    usual = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError)
    return (*own, *usual, RuntimeError, SyntaxError, TypeError, ValueError)


@cache
def _library() -> "tuple[Callable[..., str], type[Math]]":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ziamath causes one at its import
        from ziamath.config import config
        from ziamath.tex import tex2mml
        from ziamath.zmath import Math
    config.svg2 = False  # draw each shape in place, without references between elements
    return tex2mml, Math


def _drawn(source: str, display: bool) -> Formula | None:
    to_mathml, math = _library()
    from notesearch.markdown.render.formula_tables import mark_lines

    mathml = to_mathml(mark_lines(source), inline=not display)
    mathml = _BRACKET.sub(_bracket, mathml)
    if _UNKNOWN_COMMAND.search(mathml):
        return None
    for pattern, usual in _USUAL_MATHML:
        mathml = pattern.sub(usual, mathml)
    drawn = math(mathml, size=_EM, margin=_MARGIN)
    width, height = drawn.getsize()
    svg = drawn.svg()
    if not width > 0 or not height > 0:
        return None
    depth = max(0.0, _MARGIN - drawn.getyofst())
    box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg)
    if box:
        width, height = float(box[1]), float(box[2])
    return Formula(width / _EM, height / _EM, depth / _EM, zlib.compress(svg.encode(), 6))


def _bracket(command: re.Match[str]) -> str:
    from latex2mathml.symbols_parser import convert_symbol

    code = convert_symbol(command[0])
    return f"&#x{code};" if code else command[0]


def split_at_operators(source: str) -> list[str]:
    """Return the parts of a formula that may stand on lines of their own, as TeX would break it.

    All parts but the first begin with a relation, or with a plus or minus between two terms.
    Brackets and environments stay whole.
    """
    parts = [""]
    depth = 0
    is_term = False
    switches = ""
    for token in _TOKEN.finditer(source.strip()):
        depth += bool(token["opened"]) - bool(token["closed"])
        if token["operator"] and is_term and depth == 0:
            parts.append(f"{switches}{{}}")  # a term, so that the operator keeps its space
        parts[-1] += token[0]
        if token["sign"] in _PARTING and depth == 0:
            return [source]
        is_switch = token["sign"] in _FONT_SWITCHES
        if is_switch and depth == 0:
            switches += token[0]
        is_term = not (token["operator"] or is_switch or token["sign"] in {"^", "_", r"\not"})
    return parts


def _depth(source: str) -> int:
    braces = re.findall(r"(?<!\\)[{}]|\\(?:left|right|begin|end)\b", source)
    steps = (1 if brace in {"{", r"\left", r"\begin"} else -1 for brace in braces)
    return max(accumulate(steps), default=0)


# Short formulas as text

FORMULA = re.compile(r"\$\$([^$]{1,80})\$\$|(?<![\w$])\$(?=\S)([^$]{1,60}?)(?<=\S)\$(?![\w$])")
"""A short TeX formula, between one or two dollars."""
_FRACTION = re.compile(r"\\[td]?frac\{([^{}]{1,20})\}\{([^{}]{1,20})\}")
_COMMAND = re.compile(r"\\([A-Za-z]+|[,;! ])")
_TEX_NAMES = """
alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ lambda λ mu μ nu ν xi ξ
pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Pi Π Sigma Σ
Phi Φ Psi Ψ Omega Ω to → rightarrow → leftarrow ← Rightarrow ⇒ leq ≤ le ≤ geq ≥ ge ≥ neq ≠ approx ≈
times × cdot · pm ± infty ∞ sum ∑ prod ∏ int ∫ sqrt √ in ∈ notin ∉ subset ⊂ cup ∪ cap ∩ forall ∀
exists ∃ partial ∂ nabla ∇ degree ° circ ° ldots … dots …
longrightarrow → longleftarrow ← leftrightarrow ↔ rightleftharpoons ⇌ uparrow ↑ downarrow ↓ equiv ≡
""".split()
_TEX_SIGNS = dict(zip(_TEX_NAMES[::2], _TEX_NAMES[1::2], strict=True))
_TEX_SIGNS |= dict.fromkeys([",", ";", "!", " "], " ")
_TEX_SIGNS |= dict.fromkeys(["left", "right", "text", "mathrm"], "")
_RAISED = dict(zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True))
_LOWERED = dict(zip("0123456789+-=()aeijkmnt", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₜ", strict=True))


def unicode_formulas(text: str) -> str:
    """Return ``text`` with its short formulas in Unicode."""
    return FORMULA.sub(unicode_of, text) if "$" in text else text


def unicode_of(formula: re.Match[str]) -> str:
    """Return a match of ``FORMULA`` as Unicode text without backslashes and braces."""
    text = _without_chemistry(formula[1] or formula[2])
    text = _FRACTION.sub(r"\1/\2", text)
    text = _COMMAND.sub(lambda command: _TEX_SIGNS.get(command[1], command[1]), text)
    for signs, mark in ((_RAISED, "^"), (_LOWERED, "_")):
        small = re.compile(rf"\{mark}(?:\{{([^{{}}]{{1,8}})\}}|(\w))")
        text = small.sub(partial(_small, signs=signs), text)
    return " ".join(text.replace("{", "").replace("}", "").split())


def _small(match: re.Match[str], signs: dict[str, str]) -> str:
    letters = match[1] or match[2]
    if all(letter in signs for letter in letters):
        return "".join(signs[letter] for letter in letters)
    return match[0]
