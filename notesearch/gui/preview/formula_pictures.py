"""Formulas of the preview: draws what ``markdown.render`` packed, in the theme's colour."""

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
"""Width, height and depth below the baseline in em, and the formula's number."""
_PACKED = re.compile(r'("math:[\d./]{1,40}/)([\w=-]+)(?=")')
_MAX_BYTES = 2_000_000
_MAX_SIDE = 4000
_LINE_HEIGHT = 1.2
"""Height of usual fonts in em."""
_SCALE = 1.08
"""Enlarges formulas, whose letters are a little smaller than the letters of usual fonts."""


def extract_formulas(html: str) -> tuple[str, list[str]]:
    """Replace packed formulas in ``html`` by numbers and return them: Qt reads it faster."""
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        return f"{found[1]}{numbers.setdefault(found[2], len(numbers))}"

    return _PACKED.sub(number, html), list(numbers)


@dataclass(frozen=True, slots=True)
class _Placement:
    """A formula on a line of text.

    Attributes:
        size: Size of its drawing.
        above: How far the drawing reaches above the baseline.
        top, bottom: How far its picture reaches above and below the line on which Qt sets it.
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
    """Draw the ``packed`` formula at ``math:address``; an empty picture if it is invalid.

    The picture reaches as far above and below the baseline as letters do: Qt aligns images that
    way for "baseline", and a formula alone in a table cell stands level with its row. A formula
    that reaches deeper gets equal space above and below, for "middle".
    """
    found = _ADDRESS.fullmatch(address)
    placement = _place(found, face, width) if found else None
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
    found = _ADDRESS.fullmatch(address)
    placement = _place(found, face, width) if found else None
    if placement is None:
        return None
    size = placement.picture_size(ratio)
    return QSize(int(size.width() / ratio), int(size.height() / ratio))


def is_deep(address: str, face: QFont) -> bool:
    """Return whether a formula reaches further below the baseline than letters do."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return False
    metrics = QFontMetricsF(face)
    return float(found[3]) * _em(metrics) > metrics.descent()


def _em(metrics: QFontMetricsF) -> float:
    return metrics.height() / _LINE_HEIGHT * _SCALE


def _place(found: re.Match[str], face: QFont, available: int) -> _Placement | None:
    """Return the placement of a formula with these measures; None if they are invalid."""
    try:
        width, height, depth = (float(number) for number in found.groups()[:3])
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
    """Put ``drawing`` into the picture that Qt sets on the line."""
    image = QImage(placement.picture_size(ratio), drawing.format())
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        plain = QImage(drawing)
        plain.setDevicePixelRatio(1)
        painter.drawImage(0, round((placement.top - placement.above) * ratio), plain)
    image.setDevicePixelRatio(ratio)
    return image
