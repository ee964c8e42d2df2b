"""Draws TeX formulas as SVG pictures; the preview shows the source of those it cannot draw."""

import re
import time
import warnings
import zlib
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ziamath.zmath import Math

MAX_LENGTH = 1500
MAX_BRACES = 12
"""Depth of nested groups; a formula with deeper groups is shown as source."""
MAX_FORMULAS = 300

_CHARACTERS_PER_SECOND = 3_000
"""Drawing speed; a formula that would take longer than the time limit is not drawn."""
_LOADING_S = 0.1
"""Seconds to load the drawing libraries. If the time limit is shorter, they are not loaded."""
_EM = 20
_MARGIN = 1.0
_NOT_IN_FONT = "[\u0590-\u1dff\u2e80-\ud7ff\uf900-\ufdff\ufe30-\uffff\U0001f000-\U0003ffff]"
"""A pattern for characters that the font lacks. It is compiled late, because that is slow."""

_UNKNOWN_COMMAND = re.compile(r">\s*\\[A-Za-z]+\s*<")
_FORBIDDEN = re.compile(r"\\(?:href|url|class|style|cssId|require|def|newcommand|input|include)\b")
_UNSTARRED = {r"\begin{align*}": r"\begin{align}", r"\end{align*}": r"\end{align}"}

_ROW_SPACING = 'rowspacing="3pt"', 'rowspacing="0.5em"'
"""The space between aligned rows: as latex2mathml writes it, and so wide that they do not touch."""


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
        svg = urlsafe_b64encode(self.svg).decode("ascii")
        return f"math:{self.width:.3f}/{self.height:.3f}/{self.depth:.3f}/{svg}"


class FormulaPainter:
    """Draws the formulas of one section within a time limit.

    Attributes:
        whole: False if a formula was not drawn because there was too little time.
    """

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._max_length = seconds * _CHARACTERS_PER_SECOND
        self._may_load = seconds >= _LOADING_S
        self._drawn = 0
        self.whole = True

    def draw(self, source: str, *, display: bool) -> Formula | None:
        """Return the drawn formula, with ``display`` for its own paragraph; else None."""
        source = source.strip()
        if not 0 < len(source) <= MAX_LENGTH or self._drawn >= MAX_FORMULAS:
            return None
        cached = _cache_slot(source, display)
        if not cached:
            # Drawing cannot be interrupted: a long formula would take the time of all others.
            if (
                time.monotonic() > self._deadline
                or len(source) > self._max_length
                or not (self._may_load or _library.cache_info().currsize)
            ):
                self.whole = False
                return None
            cached.append(_drawn_or_none(source, display))
        self._drawn += 1
        return cached[0]


@lru_cache(maxsize=1000)
def _cache_slot(_source: str, _display: bool) -> list[Formula | None]:
    return []


def _drawn_or_none(source: str, display: bool) -> Formula | None:
    if re.search(_NOT_IN_FONT, source) or _FORBIDDEN.search(source) or _depth(source) > MAX_BRACES:
        return None
    for starred, plain in _UNSTARRED.items():
        source = source.replace(starred, plain)
    try:
        return _drawn(source, display)
    except _errors():
        return None


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
    mathml = to_mathml(source, inline=not display)
    if _UNKNOWN_COMMAND.search(mathml):
        return None
    mathml = mathml.replace(*_ROW_SPACING)
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


def _depth(source: str) -> int:
    deepest = depth = 0
    for brace in re.findall(r"(?<!\\)[{}]|\\(?:left|right|begin|end)\b", source):
        depth += 1 if brace in {"{", r"\left", r"\begin"} else -1
        deepest = max(deepest, depth)
    return deepest
