"""Draws mathematics: TeX -> a scalable picture, or nothing where it is not understood."""

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
"""Groups inside groups; deeper ones stay source."""
MAX_FORMULAS = 300

_LETTERS_A_SECOND = 3_000
"""Of TeX, drawn: 900 formulas of a mathematical wiki took 0.3 to 0.6 ms a letter."""
_LOADING_S = 0.1
"""What draws them takes so long to load, and 20 MB: only where there is a formula, and time."""
_EM = 20
_MARGIN = 1.0
_NOT_IN_FONT = "[\u0590-\u1dff\u2e80-\ud7ff\uf900-\ufdff\ufe30-\uffff\U0001f000-\U0003ffff]"
"""Not compiled before there is a formula: that takes as long as many a section."""

_NOT_KNOWN = re.compile(r">\s*\\[A-Za-z]+\s*<")
_NOT_DRAWN = re.compile(r"\\(?:href|url|class|style|cssId|require|def|newcommand|input|include)\b")
_ENDS = {r"\begin{align*}": r"\begin{align}", r"\end{align*}": r"\end{align}"}


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula drawn black on nothing.

    Attributes:
        width, height: In the height of a letter's box (em).
        depth: How far it reaches below the line, in em.
        svg: The picture, packed.
    """

    width: float
    height: float
    depth: float
    svg: bytes

    @property
    def address(self) -> str:
        """The picture with its measures as one address."""
        packed = urlsafe_b64encode(self.svg).decode("ascii")
        return f"math:{self.width:.3f}/{self.height:.3f}/{self.depth:.3f}/{packed}"


class Drawing:
    """Draws the formulas of one section within a time; those that are left stay source.

    Attributes:
        whole: None was left for want of time.
    """

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._longest = seconds * _LETTERS_A_SECOND
        self._may_load = seconds >= _LOADING_S
        self._drawn = 0
        self.whole = True

    def formula(self, source: str, *, display: bool) -> Formula | None:
        """Return the formula; None where it is not understood or there is no time left."""
        source = source.strip()
        if not 0 < len(source) <= MAX_LENGTH or self._drawn >= MAX_FORMULAS:
            return None
        known = _known(source, display)
        if not known:
            # One that has begun cannot be stopped: a long one would take all others' time.
            if (
                time.monotonic() > self._until
                or len(source) > self._longest
                or not (self._may_load or _library.cache_info().currsize)
            ):
                self.whole = False
                return None
            known.append(_draw(source, display))
        self._drawn += 1
        return known[0]


@lru_cache(maxsize=1000)
def _known(_source: str, _display: bool) -> list[Formula | None]:
    """Return where the picture of a formula is kept: empty until it is drawn."""
    return []


def _draw(source: str, display: bool) -> Formula | None:
    if re.search(_NOT_IN_FONT, source) or _NOT_DRAWN.search(source) or _depth(source) > MAX_BRACES:
        return None
    for starred, plain in _ENDS.items():
        source = source.replace(starred, plain)
    try:
        return _drawn(source, display)
    except _half_a_formula():
        return None


@cache
def _half_a_formula() -> tuple[type[Exception], ...]:
    """Return what the libraries raise at half a formula: many exceptions, few of them their own."""
    from latex2mathml import exceptions

    own = [kind for kind in vars(exceptions).values() if isinstance(kind, type)]
    usual = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError)
    return (*own, *usual, RuntimeError, SyntaxError, TypeError, ValueError)


@cache
def _library() -> "tuple[Callable[..., str], type[Math]]":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of its way to find its font
        from ziamath.config import config
        from ziamath.tex import tex2mml
        from ziamath.zmath import Math
    config.svg2 = False  # shapes drawn where they stand: nothing refers to anything
    return tex2mml, Math


def _drawn(source: str, display: bool) -> Formula | None:
    to_mathml, math = _library()
    mathml = to_mathml(source, inline=not display)
    if _NOT_KNOWN.search(mathml):
        return None
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
