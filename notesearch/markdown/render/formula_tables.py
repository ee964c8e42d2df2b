"""Matrices and arrays in formulas: their lines, and space between the columns as TeX has it.

``latex2mathml`` does not say which lines an ``{array}`` has, and ``ziamath`` draws none. So
``mark_lines`` marks them in the TeX, and ``LinedTable`` draws them. This module is imported late,
because importing ``ziamath`` is slow.
"""

import itertools
import re
from xml.etree import ElementTree as ET

from ziafont.fonttypes import BBox
from ziamath.drawable import HLine, VLine
from ziamath.nodes.mnode import Mnode
from ziamath.nodes.mtable import Mtable

_COLUMN_SPACE = "0.9em"
_LINE_WIDTH = 0.04
"""Width of a line, in em."""
_UPRIGHT, _LEVEL = "0.0{}1em", "0.0002em"
"""The widths of spaces that stand for upright lines and a level line. Nobody writes such spaces."""
_MARK = re.compile(r"0\.0([01]{1,40})1em|0\.0002em")

_ARRAY = re.compile(r"\\begin\{array\}\s*(?:\[\w\])?\s*\{((?:[^{}]|\{[^{}]*\}){1,80})\}")
_REPEATED = re.compile(r"\*\{?(\d{1,2})\}?\{([^{}]*)\}")
_BETWEEN = re.compile(r"[@!<>]\{[^{}]*\}")
_PARAGRAPH = re.compile(r"[pmb]\{[^{}]*\}")
_RULE = re.compile(r"(?:\\h(?:dash)?line(?![A-Za-z])\s*)+")


def mark_lines(tex: str) -> str:
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
    """Draws a table of MathML, with the lines that ``mark_lines`` has marked.

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
            if mark[1]:
                upright = [column for column, sign in enumerate(mark[1]) if sign == "1"]
            else:
                level.append(number)
        if level[-1:] == [number] and len(row) == 1 and cell is not None and not len(cell):
            table.remove(row)
    return upright, level


def _mark_of(element: ET.Element) -> re.Match[str] | None:
    is_space = element.tag == "mspace"
    return _MARK.fullmatch(element.get("width", "")) if is_space else None
