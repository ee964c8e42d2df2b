"""Draws one TeX formula as SVG with ``ziamath``, which is slow to import.

``latex2mathml`` does not say which lines an ``{array}`` has, and ``ziamath`` draws none. So
``_mark_lines`` marks them in the TeX, and ``LinedTable`` draws them, with space between the columns
as TeX has it.
"""

import itertools
import re
import zlib
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from latex2mathml import exceptions
from latex2mathml.symbols_parser import convert_symbol
from ziafont.fonttypes import BBox
from ziamath.config import config
from ziamath.drawable import HLine, VLine
from ziamath.nodes.mnode import Mnode
from ziamath.nodes.mtable import Mtable
from ziamath.tex import tex2mml
from ziamath.zmath import Math

MAX_BRACES = 12
"""Depth of nested groups; a formula with deeper groups is shown as source."""
_EM = 20
_MARGIN = 1.0
_NOT_IN_FONT = re.compile(
    "[\u0590-\u1dff\u2e80-\ud7ff\uf900-\ufdff\ufe30-\uffff\U0001f000-\U0003ffff]"
)
"""Characters that the font lacks."""

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


_ERRORS: tuple[type[Exception], ...] = (
    *(kind for kind in vars(exceptions).values() if isinstance(kind, type)),
    *(ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError),
    *(StopIteration, SyntaxError, TypeError, ValueError),
)
"""What the libraries raise for TeX that they do not understand."""

config.svg2 = False  # draw each shape in place, without references between elements


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, drawn in black on a transparent background.

    Attributes:
        width, height: Size in em.
        depth: Extent below the baseline, in em.
        svg: The picture, compressed with zlib, because many are kept.
    """

    width: float
    height: float
    depth: float
    svg: bytes


def draw_formula(source: str, *, display: bool) -> Formula | None:
    """Return ``source`` drawn, with ``display`` as in a paragraph of its own; None if it fails."""
    for pattern, usual in _USUAL_TEX:
        source = pattern.sub(usual, source)
    if _NOT_IN_FONT.search(source) or _FORBIDDEN.search(source) or _depth(source) > MAX_BRACES:
        return None
    try:
        mathml = tex2mml(_mark_lines(source), inline=not display)
        mathml = _BRACKET.sub(_bracket, mathml)
        if _UNKNOWN_COMMAND.search(mathml):
            return None
        for pattern, usual in _USUAL_MATHML:
            mathml = pattern.sub(usual, mathml)
        return _drawn(Math(mathml, size=_EM, margin=_MARGIN))
    except _ERRORS:
        return None


def _drawn(math: Math) -> Formula | None:
    width, height = math.getsize()
    svg = math.svg()
    if not width > 0 or not height > 0:
        return None
    depth = max(0.0, _MARGIN - math.getyofst())
    box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg)
    if box:
        width, height = float(box[1]), float(box[2])
    return Formula(width / _EM, height / _EM, depth / _EM, zlib.compress(svg.encode()))


def _bracket(command: re.Match[str]) -> str:
    code = convert_symbol(command[0])
    return f"&#x{code};" if code else command[0]


def _depth(source: str) -> int:
    braces = re.findall(r"(?<!\\)[{}]|\\(?:left|right|begin|end)\b", source)
    steps = (1 if brace in {"{", r"\left", r"\begin"} else -1 for brace in braces)
    return max(itertools.accumulate(steps), default=0)


# Lines and columns of tables

_COLUMN_SPACE = "0.9em"
_LINE_WIDTH = 0.04
"""Width of a line, in em."""
_UPRIGHT, _LEVEL = "0.0{}1em", "0.0002em"
"""The widths of spaces that stand for upright lines and a level line. Nobody writes such spaces."""
_MARK = re.compile(r"0\.0(?P<upright>[01]{1,40})1em|0\.0002em")

_ARRAY = re.compile(r"\\begin\{array\}\s*(?:\[\w\])?\s*\{((?:[^{}]|\{[^{}]*\}){1,80})\}")
_REPEATED = re.compile(r"\*\{?(\d{1,2})\}?\{([^{}]*)\}")
_BETWEEN = re.compile(r"[@!<>]\{[^{}]*\}")
_PARAGRAPH = re.compile(r"[pmb]\{[^{}]*\}")
_RULE = re.compile(r"(?:\\h(?:dash)?line(?![A-Za-z])\s*)+")


def _mark_lines(tex: str) -> str:
    """Return ``tex`` with spaces of certain widths in place of the lines of its arrays."""
    if r"\begin{array}" not in tex:
        return tex
    return _RULE.sub(rf"\\hspace{{{_LEVEL}}} ", _ARRAY.sub(_simple_array, tex))


def _simple_array(found: re.Match[str]) -> str:
    columns = _REPEATED.sub(lambda group: group[2] * int(group[1]), found[1])
    columns = _PARAGRAPH.sub("l", _BETWEEN.sub("", columns)).replace(":", "|")
    letters = re.findall(r"[lcr]", columns)
    lines = ["1" if "|" in gap else "0" for gap in re.split(r"[lcr]", columns)]
    upright = rf"\hspace{{{_UPRIGHT.format(''.join(lines))}}}" if "1" in lines else ""
    return rf"\begin{{array}}{{{''.join(letters)}}}{upright} "


class LinedTable(Mtable, tag="mtable"):
    """Draws a table of MathML, with the lines that ``_mark_lines`` has marked.

    ziamath registers the class for the tag, so that it draws all tables.
    """

    def __init__(self, element: ET.Element, parent: Mnode, **kwargs: object) -> None:
        element.attrib.setdefault("columnspacing", _COLUMN_SPACE)
        upright, level = _take_marks(element)
        super().__init__(element, parent, **kwargs)
        if upright or level:
            self._draw_lines(upright, level)

    def _draw_lines(self, upright: list[int], level: list[int]) -> None:
        """Add lines before the columns ``upright`` and above the rows ``level``, from 0."""
        columns, rows = self._extents()
        side = self.size_px("0.3em")
        xs = _between(columns, side)
        ys = _between(rows, side)
        width = self.size_px(f"{_LINE_WIDTH}em")
        left, right = (xs[0], xs[-1]) if upright else (columns[0][0], columns[-1][1])
        for number in upright:
            self.nodes.append(VLine(ys[-1] - ys[0], width, style=self.style))
            self.nodexy.append((xs[number], ys[0]))
        for number in level:
            self.nodes.append(HLine(right - left, width, style=self.style))
            self.nodexy.append((left, ys[number]))
        self.nodexy = [(x - left, y) for x, y in self.nodexy]
        self.bbox = BBox(-width, right - left + width, -ys[-1] - width, -ys[0] + width)

    def _extents(self) -> tuple[list["Extent"], list["Extent"]]:
        """Return where each column and each row of cells begins and ends."""
        columns: dict[int, list[Extent]] = {}
        rows: list[Extent] = []
        cells = iter(zip(self.nodes, self.nodexy, strict=True))
        for row in self.element:
            heights: list[Extent] = []
            for number, (node, (x, y)) in zip(range(len(row)), cells, strict=False):
                columns.setdefault(number, []).append((x + node.bbox.xmin, x + node.bbox.xmax))
                heights.append((y - node.bbox.ymax, y - node.bbox.ymin))
            rows.append(_union(heights))
        return [_union(widths) for widths in columns.values()], rows


Extent = tuple[float, float]
"""Where something begins and ends."""


def _union(extents: list[Extent]) -> Extent:
    return min(start for start, _ in extents), max(end for _, end in extents)


def _between(extents: list[Extent], side: float) -> list[float]:
    """Return where lines of a table may be drawn, given the ``extents`` of its columns or rows.

    The places are before the first extent, between each two, and after the last one. The outer ones
    are at the distance ``side`` from the extents.
    """
    pairs = itertools.pairwise(extents)
    middles = [(end + start) / 2 for (_, end), (start, _) in pairs]
    return [extents[0][0] - side, *middles, extents[-1][1] + side]


def _take_marks(table: ET.Element) -> tuple[list[int], list[int]]:
    """Remove the marks from the rows of ``table``; return the columns and rows with a line before.

    Also remove the last row if it has only a mark.
    """
    upright: list[int] = []
    level: list[int] = []
    for number, row in enumerate(list(table)):
        cell = row[0] if len(row) else None
        while cell is not None and len(cell) and (mark := _mark_of(cell[0])):
            cell.remove(cell[0])
            if mark["upright"]:
                upright = [column for column, sign in enumerate(mark["upright"]) if sign == "1"]
            else:
                level.append(number)
        if level[-1:] == [number] and len(row) == 1 and cell is not None and not len(cell):
            table.remove(row)
    return upright, level


def _mark_of(element: ET.Element) -> re.Match[str] | None:
    is_space = element.tag == "mspace"
    return _MARK.fullmatch(element.get("width", "")) if is_space else None
