"""Draws the formulas of the preview as pictures whose baseline is that of the text around."""

import binascii
import re
import zlib
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from notesearch.gui.preview.preview_style import DisplayFormat
from notesearch.gui.widgets.theme import contrast

_ADDRESS = re.compile(
    r"(\d+(?:\.\d*)?)/(\d+(?:\.\d*)?)/(\d+(?:\.\d*)?)/(?:(?P<ink>[0-9a-f]{6})/)?(\d+)"
)
"""What follows ``math:``: width, height and depth below the baseline in em, then the colour of the
surrounding text as ``rrggbb`` if it is not the usual one, then the formula's number."""
_PACKED = re.compile(r'("math:[\d./]{1,40}/)([\w=-]+)(?=")')
_COLOUR = re.compile(rb'((?:fill|stroke)=")(?!none)([^"]*)')
_READABLE = 3.0
"""The least contrast to the ground at which a colour can be read."""
_MAX_BYTES = 2_000_000
_MAX_SIDE = 4000
_LINE_HEIGHT = 1.2
"""Line height of usual fonts, in em."""
_TOLERANCE = 0.25
"""How much deeper than letters a formula may be without a larger font, as a share of the letters'
depth. A part of its empty edge is cut then, so that ``(x)`` makes no line higher."""
_SCALE = 1.08
"""Factor that enlarges formulas, whose letters are a little smaller than those of usual fonts."""


def extract_formulas(html: str) -> tuple[str, list[str]]:
    """Return ``html`` with a number in place of each formula, and the list of formulas.

    The number is an index of the list; Qt reads short HTML faster. Each entry is a compressed
    drawing. After ``=``, it has the TeX, except in later parts of a long formula.
    """
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"{match[1]}{numbers.setdefault(match[2], len(numbers))}"

    return _PACKED.sub(number, html), list(numbers)


@dataclass(frozen=True, slots=True)
class _Placement:
    """Where the drawing of a formula is in its picture, in device independent pixels.

    Attributes:
        area: The rectangle of the drawing.
        size: The size of the picture, which has space around the drawing.
    """

    area: QRectF
    size: QSize


def formula_source(packed: str) -> str:
    """Return the TeX of a formula from ``extract_formulas``; empty for a later part of one."""
    encoded = packed.partition("=")[2]
    return urlsafe_b64decode(f"{encoded}==").decode("utf-8", "replace")


def draw_formula(address: str, packed: str, display: DisplayFormat) -> QImage:
    """Draw the formula ``math:address``; return an empty picture if it is invalid.

    Space around the drawing makes Qt align it: the picture reaches at least as far above the
    baseline as letters do, and as far below it as the letters of ``formula_font``. ``packed`` is
    the drawing from ``extract_formulas``.
    """
    placement = _measure(address, display.font, display.width)
    if placement is None:
        return QImage()
    try:
        compressed = urlsafe_b64decode(f"{packed.partition('=')[0]}==")
        svg = zlib.decompressobj().decompress(compressed, _MAX_BYTES)
    except (ValueError, binascii.Error, zlib.error):
        return QImage()
    found = _ADDRESS.fullmatch(address)
    ink = f"#{found['ink']}" if found and found["ink"] else display.theme.text
    renderer = QSvgRenderer(QByteArray(_coloured(svg, ink, display.theme.base)))
    if not renderer.isValid():
        return QImage()
    picture = QImage(placement.size * display.ratio, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(display.ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, placement.area)
    return picture


def _coloured(svg: bytes, ink: str, ground: str) -> bytes:
    """Return the drawing ``svg`` with ``ink`` in place of black.

    Other colours that cannot be read on ``ground`` are mixed with ``ink``.
    """

    def recoloured(found: re.Match[bytes]) -> bytes:
        name = found[2].decode()
        colour = QColor(name)
        if name == "black" or not colour.isValid():
            return found[1] + ink.encode()
        if contrast(colour.name(), ground) < _READABLE:
            text = QColor(ink)
            colour = QColor(
                (colour.red() + text.red()) // 2,
                (colour.green() + text.green()) // 2,
                (colour.blue() + text.blue()) // 2,
            )
        return found[1] + colour.name().encode()

    return _COLOUR.sub(recoloured, svg)


def formula_font(address: str, face: QFont) -> QFont:
    """Return the font that the picture of the formula ``math:address`` needs in text of ``face``.

    With the alignment "baseline", the lower edge of a picture is as far below the baseline as the
    letters of the picture's font reach. So a formula that reaches deeper gets a larger font.
    """
    measures = _ADDRESS.fullmatch(address)
    return _font_reaching(float(measures[3]), face) if measures else face


def _font_reaching(depth: float, face: QFont) -> QFont:
    """Return ``face``, enlarged if its letters do not reach ``depth`` em below the baseline."""
    reaching = QFont(face)
    share = depth * _em(face) / QFontMetricsF(face).descent()
    if share > 1 + _TOLERANCE:
        reaching.setPointSize(ceil(face.pointSizeF() * share))
    return reaching


def _em(face: QFont) -> float:
    """Return the size of formulas in text of ``face``, in pixels."""
    return QFontMetricsF(face).height() / _LINE_HEIGHT * _SCALE


def formula_size(address: str, display: DisplayFormat) -> QSize | None:
    """Return the size in pixels of the picture of ``math:address``; None if it is invalid."""
    placement = _measure(address, display.font, display.width)
    return placement.size if placement else None


def _measure(address: str, face: QFont, available: int) -> _Placement | None:
    """Return the place of the formula ``math:address`` in its picture; None if it is invalid.

    A formula wider than ``available`` pixels becomes smaller.
    """
    measures = _ADDRESS.fullmatch(address)
    if measures is None:
        return None
    width, height, depth = map(float, measures.groups()[:3])
    em = _em(face)
    em *= min(1.0, available / max(1.0, width * em))
    if not 0 < width * em <= _MAX_SIDE or not 0 < height * em <= _MAX_SIDE:
        return None
    above = (height - depth) * em
    below = QFontMetricsF(_font_reaching(depth, face)).descent()
    lines = max(ceil(above + below), round(QFontMetricsF(face).ascent() + below))
    area = QRectF(0, lines - below - above, width * em, height * em)
    return _Placement(area, QSize(ceil(width * em), lines))
