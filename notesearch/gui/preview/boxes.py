"""What the preview draws itself: boxes of tasks, and labels that stand for a picture."""

from urllib.parse import unquote

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import Role, Theme, font, px

_BOX = 12
_ICON = 14
_GAP = 8


def drawn(name: str, theme: Theme, ratio: float) -> QImage:
    """Return what ``ui:name`` shows: the box of a task, or a note about a missing picture."""
    text = _said(name)
    return _label(text, theme, ratio) if text else _task_box(name, theme, ratio)


def label_size(name: str) -> QSize | None:
    """Return the room that the note ``ui:name`` takes; None for the box of a task."""
    text = _said(name)
    return _measured(text, QFontMetrics(font(Role.META)))[1] if text else None


def _said(name: str) -> str:
    """Return what the note ``ui:name`` says; empty for the box of a task."""
    kind, _, about = name.partition("/")
    about = unquote(about)
    if kind == "remote":
        label = translate("preview", "Online image, not loaded · {name}")
        return label.format(name=about)
    labels = {
        "missing": translate("preview", "Image not found · {name}"),
        "unshown": translate("preview", "Image can't be shown · {name}"),
        "awaited": translate("preview", "Image · {name}"),
    }
    return labels[kind].format(name=about.rpartition("/")[2]) if kind in labels else ""


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


def _measured(text: str, metrics: QFontMetrics) -> tuple[str, QSize]:
    """Return as much of ``text`` as a label shows, and the label's size."""
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, px(420))
    width = metrics.horizontalAdvance(text) + px(_ICON) + 3 * px(_GAP)
    return text, QSize(width, metrics.height() + px(10))


def _label(text: str, theme: Theme, ratio: float) -> QImage:
    """Draw ``text`` in a rounded box with a picture's outline before it."""
    face: QFont = font(Role.META)
    text, size = _measured(text, QFontMetrics(face))
    icon, gap, height = px(_ICON), px(_GAP), size.height()
    image = _canvas(size.width(), height, ratio)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(0.5, 0.5, image.width() / ratio - 1, height - 1)
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(QColor(theme.code))
        painter.drawRoundedRect(frame, px(4), px(4))
        painter.drawPixmap(
            gap, (height - icon) // 2, icons.pixmap("image", theme.text3, icon, ratio)
        )
        painter.setPen(QColor(theme.text2))
        painter.setFont(face)
        painter.drawText(
            frame.adjusted(icon + 2 * gap, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text
        )
    return image
