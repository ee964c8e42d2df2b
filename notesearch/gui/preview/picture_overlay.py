"""An enlarged picture above a whole window."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from notesearch.gui.preview.document_images import on_visible_ground
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import Role, Theme, font, px

_MARGIN = 32
_CAPTION = 28
_ZOOM_STEP = 1.25
_MAX_ZOOM = 8.0
_PAN = 80
_NOTCH = 120
_CLOSING = {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
_ZOOMS = {
    Qt.Key.Key_Plus: _ZOOM_STEP,
    Qt.Key.Key_Equal: _ZOOM_STEP,
    Qt.Key.Key_Minus: 1 / _ZOOM_STEP,
}
_PANS = {Qt.Key.Key_Up: QPointF(0, _PAN), Qt.Key.Key_Down: QPointF(0, -_PAN)}

NamedPicture = tuple[str, QImage]
"""The name of a picture, and the picture."""


class PictureOverlay(QWidget):
    """Covers ``window`` with one of ``pictures``. A click, Escape or a change of focus closes it.

    The keys left and right show other pictures; plus, minus and the wheel zoom; 0 undoes the zoom;
    the keys up and down and a drag move the picture.
    """

    def __init__(
        self, window: QWidget, theme: Theme, pictures: Sequence[NamedPicture], index: int
    ) -> None:
        super().__init__(window)
        self.setObjectName("pictureOverlay")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._theme = theme
        self._pictures = list(pictures)
        self._index = index
        self._zoom = 1.0
        self._moved = QPointF()
        self._pressed: QPoint | None = None
        self._dragged = False
        self._focused_before = window.focusWidget()
        window.installEventFilter(self)
        self.setGeometry(window.rect())
        self._turn_to(index)
        self.show()
        self.raise_()
        self.setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme``."""
        self._theme = theme
        self._shown = on_visible_ground(self._pictures[self._index][1], theme)
        self.update()

    @property
    def name(self) -> str:
        """The name of the picture on screen."""
        return self._pictures[self._index][0]

    @property
    def picture_area(self) -> QRectF:
        """The rectangle of the picture; zoomed, it may be larger than the overlay."""
        image = self._pictures[self._index][1]
        size = QSizeF(image.size()) / image.devicePixelRatio()
        room = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN - px(_CAPTION))
        fitted = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        if fitted.width() > size.width() * 2:  # a small picture would be blurred
            fitted = size * 2
        fitted *= self._zoom
        corner = room.center() + self._moved - QPointF(fitted.width() / 2, fitted.height() / 2)
        return QRectF(corner, fitted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the whole window covered when its size changes."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close, zoom, move, or show another picture. Only shortcuts reach the window."""
        key = Qt.Key(event.key())
        if key in _CLOSING:
            self._leave()
        elif key in _ZOOMS:
            self._zoom_by(_ZOOMS[key])
        elif key == Qt.Key.Key_0:
            self._turn_to(self._index)
        elif key in _PANS:
            self._move_by(_PANS[key])
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            forward = (key == Qt.Key.Key_Right) != self.isRightToLeft()
            self._turn_to((self._index + (1 if forward else -1)) % len(self._pictures))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close if a key has moved the focus to a widget of the covered window."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason and not self.isHidden():
            self.close()

    def focusNextPrevChild(self, _forward: bool) -> bool:
        """Keep the focus, because everything else is covered; return True."""
        return True

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom in or out."""
        self._zoom_by(_ZOOM_STEP ** (event.angleDelta().y() / _NOTCH))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag or click begins."""
        self._pressed = event.position().toPoint()
        self._dragged = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the picture."""
        if self._pressed is not None:
            point = event.position().toPoint()
            self._move_by(QPointF(point - self._pressed))
            self._pressed = point
            self._dragged = True

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Close after a click."""
        was_clicked = self._pressed is not None and not self._dragged
        self._pressed = None
        if was_clicked:
            self._leave()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint the picture and its name on an empty ground."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.window))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.picture_area, self._shown)
            foot = QRectF(self.rect())
            foot.setTop(foot.bottom() - px(_CAPTION))
            painter.fillRect(foot, QColor(self._theme.window))
            painter.setPen(QColor(self._theme.text2))
            painter.setFont(font(Role.META))
            painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, self._caption())

    def _caption(self) -> str:
        if len(self._pictures) == 1:
            return self.name
        text = translate("{name} · picture {number} of {count}")
        return text.format(name=self.name, number=self._index + 1, count=len(self._pictures))

    def _turn_to(self, index: int) -> None:
        self._index = index
        self._zoom = 1.0
        self._moved = QPointF()
        self.setAccessibleName(translate("Enlarged picture: {name}", name=self.name))
        self.set_theme(self._theme)

    def _zoom_by(self, factor: float) -> None:
        self._zoom = max(1.0, min(self._zoom * factor, _MAX_ZOOM))
        self._move_by(QPointF())

    def _move_by(self, distance: QPointF) -> None:
        """Move the picture by ``distance`` pixels, but keep a part of it in view."""
        spare = self.picture_area.size() / 2
        moved = self._moved + distance
        self._moved = QPointF(
            max(-spare.width(), min(moved.x(), spare.width())),
            max(-spare.height(), min(moved.y(), spare.height())),
        )
        self.update()

    def _leave(self) -> None:
        self.close()
        if self._focused_before is not None:
            self._focused_before.setFocus()
