"""Painted controls: a box to tick, and a drop-down."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from notesearch.gui.widgets import icons
from notesearch.gui.widgets.labels import leading_alignment
from notesearch.gui.widgets.theme import focus_ring, px

_DROP_DOWN = 180
_WIDEST = 1_000_000


class TickBox(QCheckBox):
    """A check box whose text wraps. Its outline is visible in every theme; Fusion's is too pale."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size, in which each word may stand on a line of its own."""
        least = super().minimumSizeHint()
        words = (self._size_of(word).width() for word in self.text().split())
        return QSize(self._beside_text + max(words, default=0), least.height())

    def heightForWidth(self, width: int) -> int:
        """Return the height of the box if its text wraps at ``width``."""
        room = QRect(0, 0, max(1, width - self._beside_text), 0)
        text = self.fontMetrics().boundingRect(room, self._FLAGS, self.text())
        return self.sizeHint().height() + text.height() - self._size_of(self.text()).height()

    _FLAGS = Qt.TextFlag.TextShowMnemonic | Qt.TextFlag.TextWordWrap

    @property
    def _beside_text(self) -> int:
        return self.sizeHint().width() - self._size_of(self.text()).width()

    def _size_of(self, text: str) -> QSize:
        """Return the size of ``text`` in one line; the advance of its letters is rounded down."""
        whole = QRect(0, 0, _WIDEST, 0)
        return self.fontMetrics().boundingRect(whole, self._FLAGS, text).size()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint box, tick, focus and text in the palette's colours."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        style, colours = self.style(), self.palette()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            tick_area = style.subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
            box, on = QRectF(tick_area).adjusted(0.5, 0.5, -0.5, -0.5), self.isChecked()
            role = QPalette.ColorRole
            edge = colours.color(role.Dark if self.isEnabled() else role.Mid)
            accent = colours.color(role.Highlight) if self.isEnabled() else edge
            painter.setPen(QPen(accent if on else edge, 1))
            painter.setBrush(accent if on else colours.color(role.Base))
            painter.drawRoundedRect(box, px(4), px(4))
            if on:
                tick = colours.color(role.HighlightedText).name()
                drawn = icons.pixmap(
                    "check", tick, tick_area.width() - 2, self.devicePixelRatioF(), 3.0
                )
                painter.drawPixmap(tick_area.left() + 1, tick_area.top() + 1, drawn)
            text = style.subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
            ink = colours.color(
                QPalette.ColorGroup.Normal if self.isEnabled() else QPalette.ColorGroup.Disabled,
                QPalette.ColorRole.WindowText,
            )
            painter.setPen(ink)
            whole = QRect(text.left(), 0, text.width(), self.height())  # the style has one line
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # of the text
            painter.drawText(whole, self._FLAGS | leading_alignment(self), self.text())
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                ring = focus_ring()
                painter.setPen(QPen(colours.color(role.Highlight), ring))
                inner = QRectF(self.rect()).adjusted(ring / 2, ring / 2, -ring / 2, -ring / 2)
                painter.drawRoundedRect(inner, px(5), px(5))


class DropDown(QComboBox):
    """A drop-down that reacts to the mouse wheel only while it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """Return a size in which the longest text fits."""
        texts = (self.itemText(row) for row in range(self.count()))
        width = max((self.fontMetrics().horizontalAdvance(text) for text in texts), default=0)
        return QSize(width + px(44), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size, in which the text may be elided."""
        whole = self.sizeHint()
        return QSize(min(px(_DROP_DOWN), whole.width()), whole.height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Change the choice only if the drop-down has the focus; otherwise let the page scroll."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint frame, text and a chevron in the palette's colours."""
        colours = self.palette()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            role, focus = QPalette.ColorRole, self.hasFocus()
            edge = role.Mid if not self.isEnabled() else role.Highlight if focus else role.Dark
            width = 2 if focus else 1
            painter.setPen(QPen(colours.color(edge), width))
            painter.setBrush(colours.color(role.Base))
            inset = width / 2
            box = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
            painter.drawRoundedRect(box, px(6), px(6))
            group = QPalette.ColorGroup.Normal if self.isEnabled() else QPalette.ColorGroup.Disabled
            ink = colours.color(group, role.Text)
            size = px(13)
            glyph = icons.pixmap("chevron-down", ink.name(), size, self.devicePixelRatioF())
            direction, whole = self.layoutDirection(), self.rect()
            end = QRect(whole.width() - size - px(9), (whole.height() - size) // 2, size, size)
            painter.drawPixmap(QStyle.visualRect(direction, whole, end), glyph)
            painter.setPen(ink)
            room = whole.adjusted(px(10), 0, end.left() - whole.width() - px(4), 0)
            text = self.fontMetrics().elidedText(
                self.currentText(), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(
                QStyle.visualRect(direction, whole, room), leading_alignment(self), text
            )
