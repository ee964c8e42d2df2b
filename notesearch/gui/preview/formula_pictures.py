"""Formulas of the preview: unpacks what ``markdown.render`` drew, in the theme's colour."""

import binascii
import re
import zlib
from base64 import urlsafe_b64decode
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from notesearch.gui.preview.svg import painted

_ADDRESS = re.compile(r"([\d.]{1,9})/([\d.]{1,9})/([\d.]{1,9})/(\d+)")
_PACKED = re.compile(r'("math:[\d./]{1,40}/)([\w=-]+)(?=")')
_MAX_BYTES = 2_000_000
_ENLARGED = 1.08
"""Its letters are a little smaller than those of usual fonts."""
_MOST = 4000
"""Pixels, either way."""


def set_apart(html: str) -> tuple[str, list[str]]:
    """Return ``html`` with numbers in place of packed pictures, and those: Qt reads it sooner."""
    numbers: dict[str, int] = {}

    def numbered(found: re.Match[str]) -> str:
        return f"{found[1]}{numbers.setdefault(found[2], len(numbers))}"

    return _PACKED.sub(numbered, html), list(numbers)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A formula on a line of text.

    Attributes:
        size: Of its drawing.
        above: How far it reaches above the base line.
        top, bottom: The same of its picture, which is set on the line or in the middle of it.
    """

    size: QSizeF
    above: float
    top: float
    bottom: float

    def picture(self, ratio: float) -> QSize:
        """Return the size of the picture in device pixels."""
        return QSize(
            (self.size * ratio).toSize().width(), max(1, round((self.top + self.bottom) * ratio))
        )


def formula(address: str, packed: str, face: QFont, colour: str, room: int, ratio: float) -> QImage:
    """Return the ``packed`` picture of ``math:address``, to be set on the line; empty if none.

    The picture reaches as far below the line as letters do, as an image with the vertical
    alignment "baseline" is placed; one that reaches deeper is as tall below as above: "middle".
    """
    found = _ADDRESS.fullmatch(address)
    placed = _placed(found, face, room) if found else None
    if found is None or placed is None:
        return QImage()
    try:
        svg = zlib.decompressobj().decompress(urlsafe_b64decode(packed), _MAX_BYTES)
    except (ValueError, binascii.Error, zlib.error):
        return QImage()
    renderer = QSvgRenderer(QByteArray(svg))
    if not renderer.isValid():
        return QImage()
    drawing = painted(renderer, placed.size, ratio)
    _colour(drawing, colour)
    return _on_line(drawing, placed, ratio)


def formula_size(address: str, face: QFont, room: int, ratio: float) -> QSize | None:
    """Return how large the picture of ``math:address`` will be; None if it is none."""
    found = _ADDRESS.fullmatch(address)
    placed = _placed(found, face, room) if found else None
    if placed is None:
        return None
    size = placed.picture(ratio)
    return QSize(int(size.width() / ratio), int(size.height() / ratio))


def _placed(found: re.Match[str], face: QFont, room: int) -> _Placed | None:
    """Return where a formula of these measures stands; None where they are none."""
    try:
        width, height, depth = (float(number) for number in found.groups()[:3])
    except ValueError:
        return None
    metrics = QFontMetricsF(face)
    em = metrics.height() / 1.2 * _ENLARGED
    em *= min(1.0, room / max(1.0, width * em))
    if not 0 < width * em <= _MOST or not 0 < height * em <= _MOST:
        return None
    size, above, below = QSizeF(width, height) * em, (height - depth) * em, depth * em
    if below <= metrics.descent():
        return _Placed(size, above, above, metrics.descent())
    raised = metrics.xHeight() / 2
    tall = max(2 * above - raised, 2 * below + raised)
    return _Placed(size, above, (tall + raised) / 2, (tall - raised) / 2)


def is_deep(address: str, face: QFont) -> bool:
    """Return whether the formula reaches further below the line than letters do."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return False
    metrics = QFontMetricsF(face)
    return float(found[3]) * metrics.height() / 1.2 * _ENLARGED > metrics.descent()


def _colour(drawing: QImage, colour: str) -> None:
    with QPainter(drawing) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(drawing.rect(), QColor(colour))


def _on_line(drawing: QImage, placed: _Placed, ratio: float) -> QImage:
    """Return ``drawing`` in the picture that is set on the line."""
    image = QImage(placed.picture(ratio), drawing.format())
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        plain = QImage(drawing)
        plain.setDevicePixelRatio(1)
        painter.drawImage(0, round((placed.top - placed.above) * ratio), plain)
    image.setDevicePixelRatio(ratio)
    return image
