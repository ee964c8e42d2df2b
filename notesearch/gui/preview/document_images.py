"""The pictures of the preview's document, by address: files, formulas, task boxes and labels.

A label is a picture with a sentence, in place of a picture that is missing or not loaded.
"""

import binascii
import re
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil
from urllib.parse import quote, unquote

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QImage, QPainter, QPen
from PySide6.QtSvg import QSvgRenderer

from notesearch.gui.preview.images import Pictures
from notesearch.gui.preview.preview_style import TASK_BOX, TASK_GAP
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import DARK, LIGHT, Role, Theme, contrast, font, px

_ICON_SIDE = 14
_GAP = 8
_MAX_TEXT_WIDTH = 420
_SAMPLE = 32
_TOO_DARK, _TOO_LIGHT = 100, 240
"""Mean lightness, up to 255, at which a picture is dark, or nearly white."""
_DRAWING = 0.6
"""The part of a picture that has colour, below which it is a drawing, not a picture of a window."""
_DARK_INK = 0.1
"""The part of a drawing's ink from which it cannot be understood without its dark lines."""


@dataclass(frozen=True, slots=True)
class DisplayFormat:
    """How to draw pictures: the colours, and the font and the width of the surrounding text.

    ``width`` is in device independent pixels, each of which has ``ratio`` device pixels.
    """

    theme: Theme
    font: QFont
    width: int
    ratio: float


_ONLINE = "remote/"


class DocumentImages:
    """Draws the pictures of one document, which have already been read.

    ``formulas`` are compressed drawings, which the document numbers from 0. After a ``=`` follows
    the TeX.
    """

    def __init__(self, pictures: Pictures | None = None, formulas: Sequence[str] = ()) -> None:
        self._pictures = pictures or Pictures()
        self._formulas = formulas

    def image(self, address: str, display: DisplayFormat) -> QImage:
        """Return the picture for an address in the document; an empty one if it is unknown."""
        scheme, _, rest = address.partition(":")
        if scheme == "image":
            return self._picture(rest, display)
        if scheme == "math":
            return _draw_formula(unquote(rest), self._packed(rest), display)
        if scheme == "ui":
            return draw_placeholder(rest, display.theme, display.ratio)
        return QImage()

    @property
    def pictures(self) -> list[tuple[str, QImage]]:
        """The pictures that were read from files, each with its path, in the order of the text."""
        return [(name, image) for name, image in self._pictures.images.items() if image]

    def reserved_size(self, display: DisplayFormat, address: str, width: int) -> QSize | None:
        """Return the size of a picture, which may not be read yet; None if it is unknown.

        So pictures are drawn only when they come into view. ``width`` is the width of the text
        around a picture, which limits a picture, but not a label. Lengths are device-independent
        pixels.
        """
        scheme, _, rest = address.partition(":")
        if scheme == "math":
            placement = _measure(unquote(rest), display.font, display.width)
            return placement.size if placement else None
        if scheme != "image":
            return _fit(_label_size(rest), display.width)
        target, requested_width = _parse(rest)
        size = self._size(target)
        if size is None:
            return _fit(_label_size(self._placeholder(target)), display.width)
        return _fit(size, width, requested_width)

    def source(self, address: str) -> str:
        """Return the TeX of the formula at ``math:address``; empty for a later part of one."""
        encoded = self._packed(address).partition("=")[2]
        return urlsafe_b64decode(f"{encoded}==").decode("utf-8", "replace")

    def _packed(self, address: str) -> str:
        number = address.rpartition("/")[2]
        is_known = number.isdecimal() and int(number) < len(self._formulas)
        return self._formulas[int(number)] if is_known else ""

    def _size(self, target: str) -> QSize | None:
        """Return the size of a picture, read or not yet read; None if a label replaces it."""
        image = self._pictures.images.get(target)
        if image is not None:
            return image.size()
        size = self._pictures.sizes.get(target, QSize())
        is_awaited = target not in self._pictures.images and not size.isEmpty()
        return size if is_awaited and not self._pictures.complete else None

    def _placeholder(self, target: str) -> str:
        """Return the name of the label that replaces a picture, such as ``missing/cat.png``."""
        kind = "awaited"
        if target in self._pictures.images:
            existing = (name for name, _, modified in self._pictures.stamps if modified)
            kind = "unshown" if target in existing else "missing"
        return f"{kind}/{quote(target, safe='')}"

    def _picture(self, address: str, display: DisplayFormat) -> QImage:
        target, requested_width = _parse(address)
        image = self._pictures.images.get(target)
        if image is not None:
            fitted = _fit_image(image, requested_width, display.width, display.ratio)
            return on_visible_ground(fitted, display.theme)
        if self._size(target):
            blank = QImage(8, 8, QImage.Format.Format_RGB32)  # until the picture has been read
            blank.fill(QColor(display.theme.code))
            return blank
        return draw_placeholder(self._placeholder(target), display.theme, display.ratio)


def _fit_image(image: QImage, width: int, available: int, ratio: float) -> QImage:
    """Return ``image`` scaled to show it at ``width`` (0: its own), but at most ``available``.

    Both are device independent pixels, each of which has ``ratio`` device pixels. A picture is
    enlarged only if the note asks for a width.
    """
    target = (_fit(image.size(), available, width) or QSize()) * ratio
    is_enlarged = target.width() > image.width() and not width
    if is_enlarged or (target == image.size() and ratio == 1):
        return image
    smooth = Qt.TransformationMode.SmoothTransformation
    scaled = image.scaled(target, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    scaled.setDevicePixelRatio(ratio)
    return scaled


def on_visible_ground(image: QImage, theme: Theme) -> QImage:
    """Return ``image``, with a ground of the opposite brightness if it would hardly be visible.

    Many drawings are black on a transparent ground, which nobody could see in a dark theme.
    """
    if not image.hasAlphaChannel():
        return image
    sample = image.scaled(QSize(_SAMPLE, _SAMPLE), mode=Qt.TransformationMode.SmoothTransformation)
    colours = [sample.pixelColor(x, y) for x, y in product(range(_SAMPLE), repeat=2)]
    visible = sum(colour.alphaF() for colour in colours)
    light = sum(colour.lightness() * colour.alphaF() for colour in colours) / (visible or 1)
    is_hidden = light < _TOO_DARK if theme.dark else light > _TOO_LIGHT
    if theme.dark and visible < _DRAWING * len(colours):
        ink = sum(colour.alphaF() for colour in colours if colour.lightness() < _TOO_DARK)
        is_hidden |= ink > _DARK_INK * visible and light < _TOO_LIGHT
    if not (visible and is_hidden):
        return image
    ground = QImage(image.size(), QImage.Format.Format_RGB32)
    ground.setDevicePixelRatio(image.devicePixelRatio())
    ground.fill(QColor((LIGHT if theme.dark else DARK).base))
    with QPainter(ground) as painter:
        painter.drawImage(0, 0, image)
    return ground


def _fit(size: QSize | None, available: int, requested_width: int = 0) -> QSize | None:
    """Return the size at which to show a picture in its proportions; None without a size.

    Its width is ``requested_width``, or its own if that is 0, but at most ``available`` pixels.
    """
    if size is None or size.isEmpty():
        return None
    width = min(requested_width or size.width(), max(available, 1))
    return QSize(width, max(1, round(size.height() * width / size.width())))


def picture_target(address: str) -> str:
    """Return the path of the picture file in ``address``; empty for another kind of address."""
    scheme, _, rest = address.partition(":")
    return _parse(rest)[0] if scheme == "image" else ""


def _parse(address: str) -> tuple[str, int]:
    """Return the path in ``address`` and the width that the note asks for; 0 for no width."""
    target, _, width = address.partition("#")
    return unquote(target), int(width) if width.isdigit() else 0


def draw_placeholder(name: str, theme: Theme, ratio: float) -> QImage:
    """Draw the picture with the address ``ui:name``: a task box or a label."""
    text = _label_text(name)
    return (
        _draw_label(text, theme, ratio, below=_below(name))
        if text
        else _draw_task_box(name, theme, ratio)
    )


def _label_size(name: str) -> QSize | None:
    """Return the size in pixels of the label ``ui:name``; None for a task box."""
    text = _label_text(name)
    if not text:
        return None
    return _label_measures(text, QFontMetrics(font(Role.META)))[1] + QSize(0, _below(name))


def _below(name: str) -> int:
    """Return the height in pixels of the empty space under the label ``ui:name``."""
    is_online = name.startswith(_ONLINE)
    return QFontMetrics(font(Role.META)).capHeight() if is_online else 0


def _label_text(name: str) -> str:
    """Return the text of the label ``ui:name``; empty for a task box."""
    kind, _, target = name.partition("/")
    target = unquote(target)
    if name.startswith(_ONLINE):
        return translate("Online image, not loaded · {name}", name=target)
    labels = {
        "missing": translate("Image not found · {name}"),
        "unshown": translate("Image cannot be shown · {name}"),
        "awaited": translate("Image · {name}"),
    }
    return labels[kind].format(name=target.rpartition("/")[2]) if kind in labels else ""


def _canvas(width: int, height: int, ratio: float) -> QImage:
    image = QImage(QSize(width, height) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _draw_task_box(state: str, theme: Theme, ratio: float) -> QImage:
    side = px(TASK_BOX)
    image = _canvas(side + px(TASK_GAP), side, ratio)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        square = QRectF(0.5, 0.5, side - 1, side - 1)
        done = state == "checked"
        painter.setPen(QPen(QColor(theme.accent if done else theme.border_strong), 1))
        painter.setBrush(QColor(theme.accent) if done else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(square, px(3), px(3))
        strokes = {
            "checked": ((0.24, 0.53), (0.43, 0.71), (0.76, 0.31)),
            "cancelled": ((0.28, 0.5), (0.72, 0.5)),
            "started": ((0.3, 0.7), (0.7, 0.3)),
        }.get(state, ())
        pen = QPen(QColor(theme.accent_text if done else theme.text2), max(1.4, side / 8))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline([QPointF(x * side, y * side) for x, y in strokes])
    return image


def _label_measures(text: str, metrics: QFontMetrics) -> tuple[str, QSize]:
    """Return ``text``, cut at its end if it is too long for a label, and the label's size."""
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, px(_MAX_TEXT_WIDTH))
    width = metrics.horizontalAdvance(text) + px(_ICON_SIDE) + 3 * px(_GAP)
    return text, QSize(width, metrics.height() + px(10))


def _draw_label(text: str, theme: Theme, ratio: float, *, below: int) -> QImage:
    """Draw ``text`` after a picture icon, in a rounded box with empty space ``below``."""
    face = font(Role.META)
    text, size = _label_measures(text, QFontMetrics(face))
    icon, gap, height = px(_ICON_SIDE), px(_GAP), size.height()
    image = _canvas(size.width(), height + below, ratio)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(0.5, 0.5, image.width() / ratio - 1, height - 1)
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(QColor(theme.code))
        painter.drawRoundedRect(frame, px(4), px(4))
        picture = icons.pixmap("image", theme.text3, icon, ratio)
        painter.drawPixmap(gap, (height - icon) // 2, picture)
        painter.setPen(QColor(theme.text2))
        painter.setFont(face)
        inside = frame.adjusted(icon + 2 * gap, 0, 0, 0)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, text)
    return image


_ADDRESS = re.compile(
    r"(\d+(?:\.\d*)?)/(\d+(?:\.\d*)?)/(\d+(?:\.\d*)?)/(?:(?P<ink>[0-9a-f]{6})/)?(\d+)"
)
"""An address: width, height and depth below the baseline in em, the colour of the text around as
``rrggbb``, and the formula's number."""
_PACKED = re.compile(r'("math:[\d./]{1,40}/)([\w=-]+)(?=")')
_COLOUR = re.compile(rb'((?:fill|stroke)=")(?!none)([^"]*)')
_READABLE = 3.0
"""A formula's colour with less contrast to the ground is mixed with the colour of the text."""
_MAX_BYTES = 2_000_000
_MAX_SIDE = 4000
_LINE_HEIGHT = 1.2
"""Line height of usual fonts, in em."""
_TOLERANCE = 0.25
"""How much deeper than letters a formula may be, as a share of their depth. Then a part of its
empty edge is cut, so that ``(x)`` makes no line higher."""
_SCALE = 1.08
"""Factor that enlarges formulas, whose letters are a little smaller than those of usual fonts."""


def extract_formulas(html: str) -> tuple[str, list[str]]:
    """Return ``html`` with a number in place of each formula, so that Qt reads it faster.

    The second value is the list of the formulas.
    """
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"{match[1]}{numbers.setdefault(match[2], len(numbers))}"

    return _PACKED.sub(number, html), list(numbers)


@dataclass(frozen=True, slots=True)
class _Placement:
    """Where a formula is in its picture, which has space around it, in device independent pixels.

    Attributes:
        area: The rectangle of the drawing.
        size: Size of the picture.
    """

    area: QRectF
    size: QSize


def _draw_formula(address: str, packed: str, display: DisplayFormat) -> QImage:
    """Draw a formula from its compressed SVG; return an empty picture if that is invalid.

    Space around the drawing makes Qt align it: the picture reaches at least as far above the
    baseline as letters do, and as far below as those of ``formula_font``. ``address`` is what
    follows ``math:``.
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
    picture = _canvas(placement.size.width(), placement.size.height(), display.ratio)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, placement.area)
    return picture


def _coloured(svg: bytes, ink: str, ground: str) -> bytes:
    """Return the drawing of a formula with ``ink`` for black, and readable colours."""

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
    """Return the font for the picture of the formula ``math:address`` in text of ``face``.

    Qt puts the lower edge of a picture with the alignment "baseline" as far below the baseline as
    the letters of its font reach. So a formula that reaches deeper gets a larger font.
    """
    measures = _ADDRESS.fullmatch(address)
    return _font_reaching(float(measures[3]), face) if measures else face


def _font_reaching(depth: float, face: QFont) -> QFont:
    """Return ``face`` in its own size, or so large that letters reach ``depth`` em below a line."""
    reaching = QFont(face)
    share = depth * _em(face) / QFontMetricsF(face).descent()
    if share > 1 + _TOLERANCE:
        reaching.setPointSize(ceil(face.pointSizeF() * share))
    return reaching


def _em(face: QFont) -> float:
    """Return the size of formulas in text of ``face``, in pixels."""
    return QFontMetricsF(face).height() / _LINE_HEIGHT * _SCALE


def _measure(address: str, face: QFont, available: int) -> _Placement | None:
    """Return the place of the formula ``math:address``; None if its measures are invalid.

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
