"""Small widgets: labels that show text as it is or shortened, a box to tick, and a drop-down."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLayout,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QToolButton,
    QWidget,
)

from notesearch.gui.translation import shortcut_text, translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.marked_line import ELLIPSIS, fitted, shortenings, with_gaps
from notesearch.gui.widgets.theme import draw_box, focus_ring, px

SEPARATOR = " · "
_DROP_DOWN = 180
_WIDEST = 1_000_000


def all_folders() -> str:
    """Return the label of the choice to search all notes folders at once."""
    return translate("All folders")


def everywhere() -> str:
    """Return the label of the choice to search a notes folder with all its subfolders."""
    return translate("Everywhere")


def text_label(text: str = "", *, role: str = "", tone: str = "", wrap: bool = True) -> QLabel:
    """Return a label for ``text``; ``role`` and ``tone`` are names in the style sheet."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(leading_alignment(label))
    label.setWordWrap(wrap)
    label.setProperty("role", role)
    label.setProperty("tone", tone)
    return label


def announce(widget: QWidget, text: str) -> None:
    """Let screen readers say ``text``, which ``widget`` shows, without moving the focus."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def show_text(label: QLabel, text: str, tone: str) -> None:
    """Show ``text`` on ``label`` in the colour ``tone``, which is a name in the style sheet."""
    label.setText(text)
    label.setProperty("tone", tone)
    label.style().polish(label)


class PromptField(QLineEdit):
    """A field whose ``prompt``, shown while it is empty, is also its name for screen readers."""

    def __init__(self, prompt: str = "") -> None:
        super().__init__()
        self.setObjectName("boxed")
        self.set_prompt(prompt)
        self.fit()

    def set_prompt(self, prompt: str) -> None:
        """Show another prompt."""
        self.setPlaceholderText(prompt)
        self.setAccessibleName(prompt)

    def fit(self) -> None:
        """Set the height from the application's font."""
        self.setMinimumHeight(px(30))


def icon_button(tip: str, keys: str = "") -> QToolButton:
    """Return a button for an icon with the tooltip ``tip``, in which ``{keys}`` is its shortcut."""
    button = QToolButton()
    button.setToolTip(tip.format(keys=shortcut_text(keys)))
    button.setAccessibleName(button.toolTip())
    return button


def leading_alignment(widget: QWidget) -> Qt.AlignmentFlag:
    """Return the alignment at the side where ``widget`` begins: left, or right in Arabic.

    Qt would align a text by its own direction.
    """
    align = Qt.AlignmentFlag
    side = align.AlignRight if widget.isRightToLeft() else align.AlignLeft
    return align.AlignVCenter | align.AlignAbsolute | side


def set_margins(part: QLayout | QWidget, start: int, top: int, end: int, bottom: int) -> None:
    """Set the margins of ``part``; in Arabic, ``start`` is on the right, unlike Qt's ``left``."""
    left, right = (end, start) if QApplication.isRightToLeft() else (start, end)
    part.setContentsMargins(left, top, right, bottom)


def plain_tip(text: str) -> str:
    """Return a tooltip that shows ``text`` as it is, even if Qt would take it for HTML."""
    if "<" not in text and "&" not in text:
        return text
    from html import escape

    return f"<span>{escape(text)}</span>".replace("\n", "<br>")


class ElidedLabel(QLabel):
    """A label of one line. If it is too narrow, it leaves out whole words or folders.

    Parts after a ``SEPARATOR`` are left out first; of a ``path``, the folders in the middle.
    ``role`` and ``tone`` are names in the style sheet.
    """

    def __init__(self, *, path: bool = False, role: str = "", tone: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setProperty("tone", tone)
        self._is_path = path
        self._shorter: tuple[str, ...] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def set_texts(self, text: str, *shorter: str) -> None:
        """Show ``text``, or the first of ``shorter`` that fits."""
        self._shorter = shorter
        self.setText(text)
        self.update()

    @property
    def shown(self) -> str:
        """The text as it is shown, shortened if necessary."""
        room = self.contentsRect().width()
        metrics = self.fontMetrics()
        for text in self._forms():
            if metrics.horizontalAdvance(text) <= room:
                return text
        last = [*self._forms()][-1]
        if self._is_path:
            return metrics.elidedText(last, Qt.TextElideMode.ElideMiddle, room)
        return fitted(last, metrics, room)

    def _forms(self) -> Iterator[str]:
        text = self.text()
        yield text
        while SEPARATOR in text:
            text = text.rpartition(SEPARATOR)[0]
            yield text
        if self._is_path:  # with fewer and fewer folders
            folder = text.rstrip("/")
            end = text.removeprefix(folder)
            parts = folder.split("/")
            for kept in shortenings(len(parts)):
                yield "/".join(with_gaps(parts, kept, ELLIPSIS)) + end
        yield from self._shorter

    def minimumSizeHint(self) -> QSize:
        """Return a size with the width of a few letters, so that the label may become narrow."""
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as fits."""
        room = self.contentsRect()
        role = self.foregroundRole()
        text = self.shown
        style: QStyle = self.style()
        with QPainter(self) as painter:
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # of the text
            style.drawItemText(
                painter, room, leading_alignment(self), self.palette(), self.isEnabled(), text, role
            )


class TickBox(QCheckBox):
    """A check box whose text wraps. Its outline is visible in every theme; Fusion's is too pale."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
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
        # The box stands beside the first line of the text.
        below = self.heightForWidth(self.width()) - self.sizeHint().height()
        option.rect.setHeight(self.height() - below)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_box(painter, option)
            self._paint_text(painter, option)
            if self.hasFocus():
                edge = self.palette().color(QPalette.ColorRole.Highlight)
                draw_box(painter, self.rect(), px(5), edge=edge, width=focus_ring())

    def _paint_box(self, painter: QPainter, option: QStyleOptionButton) -> None:
        colours = self.palette()
        role = QPalette.ColorRole
        place = QStyle.SubElement.SE_CheckBoxIndicator
        area = self.style().subElementRect(place, option, self)
        edge = colours.color(role.Dark if self.isEnabled() else role.Mid)
        fill = colours.color(role.Base)
        if self.isChecked():
            edge = colours.color(role.Highlight) if self.isEnabled() else edge
            fill = edge
        draw_box(painter, area, px(4), fill=fill, edge=edge)
        if self.isChecked():
            ink = colours.color(role.HighlightedText).name()
            tick = icons.pixmap("check", ink, area.width() - 2, self.devicePixelRatioF(), 3.0)
            painter.drawPixmap(area.left() + 1, area.top() + 1, tick)

    def _paint_text(self, painter: QPainter, option: QStyleOptionButton) -> None:
        place = QStyle.SubElement.SE_CheckBoxContents
        text = self.style().subElementRect(place, option, self)
        whole = QRect(text.left(), 0, text.width(), self.height())  # the style has one line
        painter.setPen(_ink(self, QPalette.ColorRole.WindowText))
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # of the text
        painter.drawText(whole, self._FLAGS | leading_alignment(self), self.text())


def _ink(widget: QWidget, role: QPalette.ColorRole) -> QColor:
    """Return the colour of text on ``widget``; it is pale while the widget is disabled."""
    group = QPalette.ColorGroup.Normal if widget.isEnabled() else QPalette.ColorGroup.Disabled
    return widget.palette().color(group, role)


class DropDown(QComboBox):
    """A drop-down that reacts to the mouse wheel only while it has the focus."""

    def __init__(self) -> None:
        super().__init__()
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

    def event(self, event: QEvent) -> bool:
        """Let Alt+Down open the list even if the window has a shortcut for it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            has_alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
            if has_alt and event.key() == Qt.Key.Key_Down:
                event.accept()
                return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Change the choice only if the drop-down has the focus; otherwise let the page scroll."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint frame, chevron and text in the palette's colours."""
        whole = self.rect()
        size = px(13)
        chevron = QRect(whole.width() - size - px(9), (whole.height() - size) // 2, size, size)
        room = whole.adjusted(px(10), 0, chevron.left() - whole.width() - px(4), 0)
        direction = self.layoutDirection()
        ink = _ink(self, QPalette.ColorRole.Text)
        glyph = icons.pixmap("chevron-down", ink.name(), size, self.devicePixelRatioF())
        right = Qt.TextElideMode.ElideRight
        text = self.fontMetrics().elidedText(self.currentText(), right, room.width())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_frame(painter)
            painter.drawPixmap(QStyle.visualRect(direction, whole, chevron), glyph)
            painter.setPen(ink)
            place = QStyle.visualRect(direction, whole, room)
            painter.drawText(place, leading_alignment(self), text)

    def _paint_frame(self, painter: QPainter) -> None:
        colours = self.palette()
        role = QPalette.ColorRole
        edge = role.Dark if self.isEnabled() else role.Mid
        width = 1
        if self.hasFocus():
            edge = role.Highlight
            width = 2
        fill = colours.color(role.Base)
        draw_box(painter, self.rect(), px(6), fill=fill, edge=colours.color(edge), width=width)
