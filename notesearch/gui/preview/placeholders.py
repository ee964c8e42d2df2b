"""Pictures that the preview draws itself: task boxes, and labels in place of missing pictures."""

from urllib.parse import unquote

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Role, Theme, font, px

_BOX_SIDE = 12
_ICON_SIDE = 14
_GAP = 8
_MAX_TEXT_WIDTH = 420


def draw_placeholder(name: str, theme: Theme, ratio: float) -> QImage:
    """Draw the picture with the address ``ui:name``: a task box, or a label for a picture."""
    text = _label_text(name)
    return _draw_label(text, theme, ratio) if text else _draw_task_box(name, theme, ratio)


def label_size(name: str) -> QSize | None:
    """Return the size of the label ``ui:name``; None for a task box."""
    text = _label_text(name)
    return _measure(text, QFontMetrics(font(Role.META)))[1] if text else None


def draw_blank(theme: Theme) -> QImage:
    """Return a plain area for a picture that is still being read and whose size is known."""
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.code))
    return image


def _label_text(name: str) -> str:
    """Return the text of the label ``ui:name``; empty for a task box."""
    kind, _, target = name.partition("/")
    target = unquote(target)
    if kind == "remote":
        label = translate("preview", "Online image, not loaded · {name}")
        return label.format(name=target)
    labels = {
        "missing": translate("preview", "Image not found · {name}"),
        "unshown": translate("preview", "Image can't be shown · {name}"),
        "awaited": translate("preview", "Image · {name}"),
    }
    return labels[kind].format(name=target.rpartition("/")[2]) if kind in labels else ""


def _canvas(width: int, height: int, ratio: float) -> QImage:
    image = QImage(QSize(width, height) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _draw_task_box(state: str, theme: Theme, ratio: float) -> QImage:
    side = px(_BOX_SIDE)
    image = _canvas(side + px(4), side, ratio)
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


def _measure(text: str, metrics: QFontMetrics) -> tuple[str, QSize]:
    """Return the part of ``text`` that fits in a label, and the size of the label."""
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, px(_MAX_TEXT_WIDTH))
    width = metrics.horizontalAdvance(text) + px(_ICON_SIDE) + 3 * px(_GAP)
    return text, QSize(width, metrics.height() + px(10))


def _draw_label(text: str, theme: Theme, ratio: float) -> QImage:
    """Draw ``text`` after a picture icon, in a rounded box."""
    face = font(Role.META)
    text, size = _measure(text, QFontMetrics(face))
    icon, gap, height = px(_ICON_SIDE), px(_GAP), size.height()
    image = _canvas(size.width(), height, ratio)
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
