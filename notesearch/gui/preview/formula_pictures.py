"""Draws the formulas of the preview: compressed SVG from ``markdown.render``, in one colour."""

import binascii
import re
import zlib
from base64 import urlsafe_b64decode
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from notesearch.gui.preview.svg import paint

_ADDRESS = re.compile(r"([\d.]{1,9})/([\d.]{1,9})/([\d.]{1,9})/(\d+)")
"""An address: width, height and depth below the baseline in em, and the formula's number."""
_PACKED = re.compile(r'("math:[\d./]{1,40}/)([\w=-]+)(?=")')
_MAX_BYTES = 2_000_000
_MAX_SIDE = 4000
_LINE_HEIGHT = 1.2
"""Line height of usual fonts, in em."""
_SCALE = 1.08
"""Factor that enlarges formulas, whose letters are a little smaller than those of usual fonts."""


def extract_formulas(html: str) -> tuple[str, list[str]]:
    """Return ``html`` with a number in place of each compressed formula, and the formulas.

    Qt reads the shorter text faster.
    """
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"{match[1]}{numbers.setdefault(match[2], len(numbers))}"

    return _PACKED.sub(number, html), list(numbers)


@dataclass(frozen=True, slots=True)
class _Placement:
    """The measures of a formula in a line of text, in device independent pixels.

    Attributes:
        size: Size of the drawing.
        above: How far the drawing reaches above the baseline.
        top, bottom: How far the picture reaches above and below the baseline. The picture is the
            drawing with space around it.
    """

    size: QSizeF
    above: float
    top: float
    bottom: float

    def picture_size(self, ratio: float) -> QSize:
        """Return the size of the picture in device pixels."""
        width = (self.size * ratio).toSize().width()
        return QSize(width, max(1, round((self.top + self.bottom) * ratio)))


def draw_formula(
    address: str, packed: str, face: QFont, colour: str, width: int, ratio: float
) -> QImage:
    """Draw a formula; return an empty picture if it is invalid.

    Space around the drawing makes Qt align the picture correctly. Usually the picture reaches as
    far above and below the baseline as letters do, for the alignment "baseline". If the formula is
    deeper, the picture reaches as far above as below the middle of the letters, for "middle".

    Args:
        address: The address in the document after ``math:``.
        packed: The compressed SVG.
        face: The font of the text around the formula.
        colour: The colour of the formula.
        width: The available width in device independent pixels.
        ratio: Device pixels in one device independent pixel.
    """
    measures = _ADDRESS.fullmatch(address)
    placement = _measure(measures, face, width) if measures else None
    if placement is None:
        return QImage()
    try:
        svg = zlib.decompressobj().decompress(urlsafe_b64decode(packed), _MAX_BYTES)
    except (ValueError, binascii.Error, zlib.error):
        return QImage()
    renderer = QSvgRenderer(QByteArray(svg))
    if not renderer.isValid():
        return QImage()
    drawing = paint(renderer, placement.size, ratio)
    _fill(drawing, colour)
    return _set_on_line(drawing, placement, ratio)


def formula_size(address: str, face: QFont, width: int, ratio: float) -> QSize | None:
    """Return the size of the picture of ``math:address``; None if the address is invalid."""
    measures = _ADDRESS.fullmatch(address)
    placement = _measure(measures, face, width) if measures else None
    if placement is None:
        return None
    size = placement.picture_size(ratio)
    return QSize(int(size.width() / ratio), int(size.height() / ratio))


def is_deep(address: str, face: QFont) -> bool:
    """Return whether the formula ``math:address`` reaches deeper than the letters of ``face``."""
    measures = _ADDRESS.fullmatch(address)
    if measures is None:
        return False
    metrics = QFontMetricsF(face)
    return float(measures[3]) * _em(metrics) > metrics.descent()


def _em(metrics: QFontMetricsF) -> float:
    return metrics.height() / _LINE_HEIGHT * _SCALE


def _measure(measures: re.Match[str], face: QFont, available: int) -> _Placement | None:
    """Return the measures in pixels of a formula with ``measures`` in em; None if invalid.

    A formula wider than ``available`` pixels becomes smaller.
    """
    try:
        width, height, depth = (float(number) for number in measures.groups()[:3])
    except ValueError:
        return None
    metrics = QFontMetricsF(face)
    em = _em(metrics)
    em *= min(1.0, available / max(1.0, width * em))
    if not 0 < width * em <= _MAX_SIDE or not 0 < height * em <= _MAX_SIDE:
        return None
    size, above, below = QSizeF(width, height) * em, (height - depth) * em, depth * em
    if below <= metrics.descent():
        return _Placement(size, above, max(above, metrics.ascent()), metrics.descent())
    raised = metrics.xHeight() / 2
    tall = max(2 * above - raised, 2 * below + raised)
    return _Placement(size, above, (tall + raised) / 2, (tall - raised) / 2)


def _fill(drawing: QImage, colour: str) -> None:
    with QPainter(drawing) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(drawing.rect(), QColor(colour))


def _set_on_line(drawing: QImage, placement: _Placement, ratio: float) -> QImage:
    """Return the picture that Qt puts into the line: ``drawing`` with the space around it."""
    image = QImage(placement.picture_size(ratio), drawing.format())
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        plain = QImage(drawing)
        plain.setDevicePixelRatio(1)
        painter.drawImage(0, round((placement.top - placement.above) * ratio), plain)
    image.setDevicePixelRatio(ratio)
    return image
