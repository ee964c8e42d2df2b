"""TeX formulas: drawn for the preview, and in Unicode for rows and breadcrumbs.

``formula_drawing`` draws one. The preview shows the source of a formula that cannot be drawn.
"""

import re
import time
import warnings
from collections import OrderedDict
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from notesearch.markdown.bounds import Check, never_cancel

if TYPE_CHECKING:
    from collections.abc import Callable

    from notesearch.markdown.render.formula_drawing import Formula

MAX_LENGTH = 1500
MAX_FORMULAS = 300
MAX_PARTS = 1000
"""Parts of long formulas in one section; Qt takes a moment to lay out each of them."""

_MAX_DRAWINGS = 2000
"""Drawings that are kept, those used last, because a section is drawn again and again."""

_CHARACTERS_PER_SECOND = 3_000
"""Drawing speed; a formula that would take longer than the time limit is not drawn."""
_LOADING_S = 0.1
"""Seconds to load the drawing libraries. If the time limit is shorter, they are not loaded."""

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


class FormulaPainter:
    """Draws the formulas of one section within a time limit.

    Attributes:
        whole: False if a formula was not drawn because there was too little time.
        drawings: The drawings in the section, each by the ``drawing`` in its ``ADDRESS``.
    """

    def __init__(self, seconds: float, check: Check = never_cancel) -> None:
        """Draw for up to ``seconds``; call ``check`` before each drawing."""
        self._check = check
        self._deadline = time.monotonic() + seconds
        self._max_length = seconds * _CHARACTERS_PER_SECOND
        self._may_load = seconds >= _LOADING_S
        self._left = {False: MAX_FORMULAS, True: MAX_PARTS}
        self.whole = True
        self.drawings: dict[str, bytes] = {}

    def draw(self, source: str, *, display: bool, is_part: bool = False) -> "Formula | None":
        """Return ``source`` drawn, with ``display`` as in a paragraph of its own; None if it fails.

        Parts of long formulas (``is_part``) have a limit of their own.
        """
        source = source.strip()
        if not 0 < len(source) <= MAX_LENGTH or self._left[is_part] <= 0:
            return None
        if (source, display) not in _drawings():
            # Drawing cannot be interrupted: a long formula would take the time of all others.
            if (
                time.monotonic() > self._deadline
                or len(source) > self._max_length
                or not (self._may_load or _library.cache_info().currsize)
            ):
                self.whole = False
                return None
            self._check()
        self._left[is_part] -= 1
        return _drawn(source, display=display)

    def show(self, drawn: "Formula", source: str, copied: str, *, display: bool) -> str:
        """Keep the drawing of ``source``, which is copied as ``copied``; return its ``ADDRESS``."""
        sizes = f"{drawn.width:.3f}/{drawn.height:.3f}/{drawn.depth:.3f}"
        drawing = f"{'display' if display else 'inline'}/{quote(source.strip(), safe='')}"
        self.drawings[drawing] = drawn.svg
        return f"math:{sizes}/{drawing}/{quote(copied, safe='')}"


def _drawn(source: str, *, display: bool) -> "Formula | None":
    known = _drawings().pop((source, display), None)
    if known is None:
        known = [_library()(without_chemistry(source), display=display)]
    _drawings()[source, display] = known
    if len(_drawings()) > _MAX_DRAWINGS:
        _drawings().popitem(last=False)
    return known[0]


ADDRESS = re.compile(
    r"math:(\d+\.\d+)/(\d+\.\d+)/(\d+\.\d+)/(?:(?P<ink>[0-9a-f]{6})/)?"
    r"(?P<drawing>(?:display|inline)/[\w.~%-]+)/(?P<copied>[\w.~%-]*)"
)
"""The address of a formula: width, height and depth below the baseline in em, the colour of the
surrounding text as ``rrggbb`` if it is not the usual one, the TeX to draw, and the TeX to copy."""


@cache
def _drawings() -> "OrderedDict[tuple[str, bool], list[Formula | None]]":
    """Return the drawings of this process by TeX and ``display``, the one used last at the end.

    None stands for a formula that cannot be drawn. All threads share the drawings, and each
    operation on them is atomic.
    """
    return OrderedDict()


@cache
def _library() -> "Callable[..., Formula | None]":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ziamath causes one at its import
        from notesearch.markdown.render.formula_drawing import draw_formula
    return draw_formula


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


# Chemical formulas

_BRACES = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_CHEMICAL = re.compile(rf"\\ce\s*({_BRACES})")
_CHEMICAL_PART = re.compile(
    rf"(?P<arrow><=>>?|<<=>|<-->|<->|-->|->|<-)(?:\[(?P<above>[^\[\]]*)\])?(?:\[(?P<below>[^\[\]]*)\])?"
    rf"|(?P<tex>\$[^$]*\$|\\[A-Za-z]+(?:{_BRACES})*)"
    rf"|(?P<script>[\^_](?:{_BRACES}|\d*[+-]|\d+|[A-Za-z]))"
    r"|(?P<gas>\^)"
    r"|(?P<solid>(?<!\S)v(?!\S))"
    r"|(?P<charge>(?<=[A-Za-z0-9)\]}])[+-](?![A-Za-z0-9(]))"
    r"|(?P<count>(?<=[A-Za-z)\]}])\d+)"
    r"|(?P<letters>[A-Za-z]+)"
    r"|(?P<bond>[#*.])"
    r"|(?P<other>\s+|.)",
    re.DOTALL,
)
_ARROWS = {
    "<=>": r"\rightleftharpoons",
    "<=>>": r"\rightleftharpoons",
    "<<=>": r"\rightleftharpoons",
    "<->": r"\leftrightarrow",
    "<-->": r"\leftrightarrow",
    "<-": r"\longleftarrow",
}
_BONDS = {"#": r"\equiv ", "*": r"\cdot ", ".": r"\cdot "}
_IN_TEX = {
    "charge": r"^{\g<0>}",
    "count": r"_{\g<0>}",
    "letters": r"\\mathrm{\g<0>}",
    "gas": r"\\uparrow ",
    "solid": r"\\downarrow ",
}
"""TeX for the kinds of parts, as templates of their matches."""


def without_chemistry(source: str) -> str:
    r"""Return TeX with the chemical formulas ``\ce{…}`` of the package mhchem as usual TeX."""
    return _CHEMICAL.sub(lambda found: f"{{{_chemical(found[1][1:-1])}}}", source)


def _chemical(content: str) -> str:
    parts: list[str] = []
    for part in _CHEMICAL_PART.finditer(content):
        kind, text = part.lastgroup, part[0]
        if part["arrow"]:  # ``kind`` may be the text above or below it
            text = _arrow(part)
        elif kind == "tex":
            text = text.strip("$")
        elif kind == "script":
            before = "" if parts and parts[-1].strip() else "{}"
            text = f"{before}{text[0]}{{{text[1:]}}}"
        elif kind == "bond":
            text = _BONDS[text]
        elif kind in _IN_TEX:
            text = part.expand(_IN_TEX[kind])
        parts.append(text)
    return "".join(parts)


def _arrow(part: re.Match[str]) -> str:
    arrow = _ARROWS.get(part["arrow"], r"\longrightarrow")
    if part["above"]:
        arrow = rf"\overset{{{_chemical(part['above'])}}}{{{arrow}}}"
    if part["below"]:
        arrow = rf"\underset{{{_chemical(part['below'])}}}{{{arrow}}}"
    return rf"\;{arrow}\;"


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
    text = without_chemistry(formula[1] or formula[2])
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
