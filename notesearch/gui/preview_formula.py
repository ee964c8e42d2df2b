"""Formulas of the preview: unpacks what ``markdown.render`` drew, in the theme's colour."""

import binascii
import re
import zlib
from base64 import urlsafe_b64decode

from PySide6.QtCore import QByteArray, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from notesearch.gui.preview_svg import painted

_ADDRESS = re.compile(r"([\d.]{1,9})/([\d.]{1,9})/([\d.]{1,9})/([\w=-]+)")
_MAX_BYTES = 2_000_000
_ENLARGED = 1.08
"""Its letters are a little smaller than those of usual fonts."""


def formula(address: str, face: QFont, colour: str, room: int, ratio: float) -> QImage:
    """Return the picture packed in ``math:address``, to be set on the line; empty if it is none.

    The picture reaches as far below the line as letters do, as an image with the vertical
    alignment "baseline" is placed; one that reaches deeper is as tall below as above: "middle".
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return QImage()
    try:
        unpacked = zlib.decompressobj()
        svg = unpacked.decompress(urlsafe_b64decode(found[4]), _MAX_BYTES)
        width, height, depth = (float(number) for number in found.groups()[:3])
    except (ValueError, binascii.Error, zlib.error):
        return QImage()
    renderer = QSvgRenderer(QByteArray(svg))
    em = QFontMetricsF(face).height() / 1.2 * _ENLARGED
    em *= min(1.0, room / max(1.0, width * em))
    if not renderer.isValid() or not 0 < width * em <= 4000 or not 0 < height * em <= 4000:
        return QImage()
    drawing = painted(renderer, QSizeF(width, height) * em, ratio)
    _colour(drawing, colour)
    metrics = QFontMetricsF(face)
    above, below = (height - depth) * em, depth * em
    if below <= metrics.descent():
        return _on_line(drawing, above, metrics.descent(), above)
    raised = metrics.xHeight() / 2
    tall = max(2 * above - raised, 2 * below + raised)
    return _on_line(drawing, (tall + raised) / 2, (tall - raised) / 2, above)


def is_deep(address: str, face: QFont) -> bool:
    """Return whether the formula reaches further below the line than letters do."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return False
    metrics = QFontMetricsF(face)
    return float(found[3]) * metrics.height() / 1.2 * _ENLARGED > metrics.descent()


def _colour(drawing: QImage, colour: str) -> None:
    painter = QPainter(drawing)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(drawing.rect(), QColor(colour))
    painter.end()


def _on_line(drawing: QImage, top: float, bottom: float, above: float) -> QImage:
    """Return ``drawing`` in a picture that reaches ``top`` above the line, ``bottom`` below it."""
    ratio = drawing.devicePixelRatio()
    image = QImage(drawing.width(), max(1, round((top + bottom) * ratio)), drawing.format())
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    plain = QImage(drawing)
    plain.setDevicePixelRatio(1)
    painter.drawImage(0, round((top - above) * ratio), plain)
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image
