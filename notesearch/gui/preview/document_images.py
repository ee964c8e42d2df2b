"""The pictures of the preview's document, by address: files, formulas, task boxes and labels.

A label is a picture with a sentence, in place of a picture that is missing or not loaded. The
baseline of a formula is that of the text around it.
"""

import re
import zlib
from itertools import product
from math import ceil
from urllib.parse import quote, unquote

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QImage, QPainter, QPen
from PySide6.QtSvg import QSvgRenderer

from notesearch.gui.preview.preview_style import TASK_BOX, TASK_GAP, DisplayFormat
from notesearch.gui.preview.vault_images import Pictures
from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import DARK, LIGHT, Role, Theme, contrast, draw_box, font, px
from notesearch.markdown.render.formulas import ADDRESS

_ICON_SIDE = 14
_GAP = 8
_MAX_TEXT_WIDTH = 420
_SAMPLE = 32
_TOO_DARK, _TOO_LIGHT = 100, 240
"""A picture whose mean lightness (0 to 255) is below the first is dark; above the second, pale."""
_DRAWING = 0.6
"""A picture is a drawing if less than this share of it is opaque; a screenshot has more."""
_DARK_INK = 0.1
"""A drawing needs its dark lines if they are more than this share of its ink."""
_ONLINE = "remote/"
_COLOUR = re.compile(r'((?:fill|stroke)=")(?!none)([^"]*)')
_READABLE = 3.0
"""The least contrast to the ground at which a colour can be read."""
_MAX_SIDE = 4000
_LINE_HEIGHT = 1.2
"""Line height of usual fonts, in em."""
_TOLERANCE = 0.25
"""How much deeper than letters a formula may be without a larger font, as a share of the letters'
depth. A part of its empty edge is cut then, so that ``(x)`` makes no line higher."""
_SCALE = 1.08
"""Factor that enlarges formulas, whose letters are a little smaller than those of usual fonts."""


class DocumentImages:
    """Draws the pictures of one document: ``pictures`` from files, formulas, boxes and labels."""

    def __init__(self, pictures: Pictures | None = None) -> None:
        self._pictures = pictures or Pictures()

    def image(self, address: str, display: DisplayFormat) -> QImage:
        """Return the picture for an address in the document; an empty one if it is unknown."""
        scheme, _, rest = address.partition(":")
        if scheme == "image":
            return self._picture(rest, display)
        if scheme == "math":
            return self._formula(address, display)
        if scheme == "ui":
            return draw_placeholder(rest, display.theme, display.ratio)
        return QImage()

    @property
    def pictures(self) -> list[tuple[str, QImage]]:
        """The pictures that were read from files, each with its path, in the order of the text."""
        return [(name, image) for name, image in self._pictures.images.items() if image]

    def reserved_size(self, display: DisplayFormat, address: str, width: int) -> QSize | None:
        """Return the size of a picture that Qt will draw later, when it comes into view.

        None if the size is unknown. ``width`` is the width of the text around a picture, which
        limits a picture but not a label. Lengths are device-independent pixels.
        """
        scheme, _, rest = address.partition(":")
        if scheme == "math":
            place = _formula_place(address, display.font, display.width)
            return place[1] if place else None
        if scheme != "image":
            return _fit(_label_size(rest), display.width)
        target, requested_width = _parse(rest)
        size = self._size(target)
        if size is None:
            return _fit(_label_size(self._placeholder(target)), display.width)
        return _fit(size, width, requested_width)

    def _size(self, target: str) -> QSize | None:
        """Return the size of a picture, even before it is read; None if a label replaces it."""
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

    def _formula(self, address: str, display: DisplayFormat) -> QImage:
        """Draw the formula at ``address``; return an empty picture if it is invalid.

        Space around the drawing makes Qt align it: the picture reaches at least as far above the
        baseline as letters do, and as far below it as the letters of ``formula_font``.
        """
        found = ADDRESS.fullmatch(address)
        svg = self._pictures.formulas.get(found["drawing"]) if found else None
        place = _formula_place(address, display.font, display.width)
        if found is None or svg is None or place is None:
            return QImage()
        ink = f"#{found['ink']}" if found["ink"] else display.theme.text
        drawing = _coloured(zlib.decompress(svg).decode(), ink, display.theme.base)
        area, size = place
        picture = _canvas(size.width(), size.height(), display.ratio)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            QSvgRenderer(drawing.encode()).render(painter, area)
        return picture


def _fit_image(image: QImage, width: int, available: int, ratio: float) -> QImage:
    """Return ``image`` at the requested ``width``, but at most as wide as ``available``.

    Both are device independent pixels, each of which has ``ratio`` device pixels. With a ``width``
    of 0, the image keeps its own width and is never enlarged.
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
    """Return ``image``, on a light or dark ground if it could hardly be seen on the theme's.

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
    """Return the size at which to show a picture of ``size``; None if that is empty.

    The picture keeps its shape. Its width is ``requested_width``, or its own if that is 0, but at
    most ``available`` pixels.
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
    if text:
        return _draw_label(text, theme, ratio, below=_below(name))
    return _draw_task_box(name, theme, ratio)


def _label_size(name: str) -> QSize | None:
    """Return the size in pixels of the label ``ui:name``; None for a task box."""
    text = _label_text(name)
    return _label_box(text) + QSize(0, _below(name)) if text else None


def _label_box(text: str) -> QSize:
    metrics = QFontMetrics(font(Role.META))
    width = metrics.horizontalAdvance(text) + px(_ICON_SIDE) + 3 * px(_GAP)
    return QSize(width, metrics.height() + px(10))


def _below(name: str) -> int:
    """Return the height in pixels of the empty space under the label ``ui:name``."""
    return QFontMetrics(font(Role.META)).capHeight() if name.startswith(_ONLINE) else 0


def _label_text(name: str) -> str:
    """Return the text of the label ``ui:name``, cut if it is long; empty for a task box."""
    kind, _, target = name.partition("/")
    labels = {
        "remote": translate("Online image, not loaded · {name}"),
        "missing": translate("Image not found · {name}"),
        "unshown": translate("Image cannot be shown · {name}"),
        "awaited": translate("Image · {name}"),
    }
    text = labels.get(kind, "").format(name=unquote(target).rpartition("/")[2])
    end, most = Qt.TextElideMode.ElideRight, px(_MAX_TEXT_WIDTH)
    return QFontMetrics(font(Role.META)).elidedText(text, end, most)


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
        done = state == "checked"
        edge = QColor(theme.accent if done else theme.border_strong)
        draw_box(painter, QRectF(0, 0, side, side), px(3), fill=edge if done else None, edge=edge)
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


def _draw_label(text: str, theme: Theme, ratio: float, *, below: int) -> QImage:
    """Draw ``text`` after a picture icon, in a rounded box with empty space ``below``."""
    size = _label_box(text)
    icon = px(_ICON_SIDE)
    gap = px(_GAP)
    height = size.height()
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
        painter.setFont(font(Role.META))
        inside = frame.adjusted(icon + 2 * gap, 0, 0, 0)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, text)
    return image


def formula_tex(address: str) -> str:
    """Return the TeX to copy for the formula at ``address``.

    Empty for a part of a long formula, unless it is the first part.
    """
    found = ADDRESS.fullmatch(address)
    return unquote(found["copied"]) if found else ""


def _coloured(svg: str, ink: str, ground: str) -> str:
    """Return the drawing ``svg`` with ``ink`` in place of black.

    Other colours that cannot be read on ``ground`` are mixed with ``ink``.
    """

    def recoloured(found: re.Match[str]) -> str:
        colour = QColor(found[2])
        if found[2] == "black" or not colour.isValid():
            return found[1] + ink
        if contrast(colour.name(), ground) < _READABLE:
            text = QColor(ink)
            colour = QColor(
                (colour.red() + text.red()) // 2,
                (colour.green() + text.green()) // 2,
                (colour.blue() + text.blue()) // 2,
            )
        return found[1] + colour.name()

    return _COLOUR.sub(recoloured, svg)


def formula_font(address: str, face: QFont) -> QFont:
    """Return the font that the picture of the formula at ``address`` needs in text of ``face``.

    With the alignment "baseline", the lower edge of a picture is as far below the baseline as the
    letters of the picture's font reach. So a formula that reaches deeper gets a larger font.
    """
    measures = ADDRESS.fullmatch(address)
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


def _formula_place(address: str, face: QFont, available: int) -> tuple[QRectF, QSize] | None:
    """Return the rectangle of a formula in its picture, and the size of that; None if invalid.

    The picture at ``address`` has space around the formula. A formula wider than
    ``available`` pixels becomes smaller.
    """
    measures = ADDRESS.fullmatch(address)
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
    return area, QSize(ceil(width * em), lines)
