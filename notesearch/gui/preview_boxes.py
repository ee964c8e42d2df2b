"""What the preview draws itself: boxes of tasks, and labels that stand for a picture."""

from urllib.parse import unquote

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen

from notesearch.gui import icons
from notesearch.gui.theme import Role, Theme, font, px
from notesearch.gui.translation import translate

_BOX = 12


def drawn(name: str, theme: Theme, ratio: float) -> QImage:
    """Return what ``ui:name`` shows: the box of a task, or a note about a missing picture."""
    kind, _, about = name.partition("/")
    if kind == "remote":
        label = translate("preview", "Image from the internet, not loaded · {name}")
        return _label(label.format(name=unquote(about)), theme, ratio)
    labels = {
        "missing": translate("preview", "Image not found · {name}"),
        "unshown": translate("preview", "Image cannot be shown · {name}"),
        "awaited": translate("preview", "Image · {name}"),
    }
    if kind in labels:
        name = unquote(about).rpartition("/")[2]
        return _label(labels[kind].format(name=name), theme, ratio)
    return _task_box(kind, theme, ratio)


def plain(theme: Theme) -> QImage:
    """Return what stands for a picture that is still being read; its room is known."""
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.code))
    return image


def _canvas(width: int, height: int, ratio: float) -> QImage:
    image = QImage(QSize(width, height) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _task_box(state: str, theme: Theme, ratio: float) -> QImage:
    side = px(_BOX)
    image = _canvas(side + px(4), side, ratio)
    painter = QPainter(image)
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
    painter.end()
    return image


def _label(text: str, theme: Theme, ratio: float) -> QImage:
    """Draw ``text`` in a rounded box with a picture's outline before it."""
    face: QFont = font(Role.META)
    metrics = QFontMetrics(face)
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, px(420))
    icon, gap, height = px(14), px(8), metrics.height() + px(10)
    image = _canvas(metrics.horizontalAdvance(text) + icon + 3 * gap, height, ratio)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    frame = QRectF(0.5, 0.5, image.width() / ratio - 1, height - 1)
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.setBrush(QColor(theme.code))
    painter.drawRoundedRect(frame, px(4), px(4))
    painter.drawPixmap(gap, (height - icon) // 2, icons.pixmap("image", theme.text3, icon, ratio))
    painter.setPen(QColor(theme.text2))
    painter.setFont(face)
    painter.drawText(frame.adjusted(icon + 2 * gap, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
    painter.end()
    return image
