"""Controls of the settings dialog.

A class whose name ends in ``Setting`` shows the value of a setting and changes it at once.
"""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPalette, QPen, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.translation import sentence_text
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import px
from notesearch.sentences import NO_SENTENCE

_PAUSE_MS = 800
_DROP_DOWN = 180


def button(text: str, slot: Callable[[], None]) -> QPushButton:
    """Return a button that calls ``slot``, a method of a QObject."""
    push_button = QPushButton(text)
    push_button.setAutoDefault(False)
    push_button.clicked.connect(slot)
    return push_button


class TickBox(QCheckBox):
    """A check box whose text wraps, with an outline that is visible in every theme.

    Fusion's outline is too pale.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size, in which every word may have a line of its own."""
        least = super().minimumSizeHint()
        words = (self.fontMetrics().horizontalAdvance(word) for word in self.text().split())
        return QSize(self._beside_text + max(words, default=0), least.height())

    def heightForWidth(self, width: int) -> int:
        """Return the height of the box if its text wraps at ``width``."""
        room, flags = QRect(0, 0, max(1, width - self._beside_text), 0), self._FLAGS
        text = self.fontMetrics().boundingRect(room, flags, self.text())
        line = self.fontMetrics().height()
        return self.sizeHint().height() + max(0, text.height() - line)

    _FLAGS = (
        Qt.AlignmentFlag.AlignVCenter
        | Qt.AlignmentFlag.AlignLeft
        | Qt.TextFlag.TextShowMnemonic
        | Qt.TextFlag.TextWordWrap
    )

    @property
    def _beside_text(self) -> int:
        """The width of the box without its text."""
        return self.sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint box, tick, focus and text in the palette's colours."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        style, colours = self.style(), self.palette()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            place = style.subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
            box, on = QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), self.isChecked()
            role = QPalette.ColorRole
            edge = colours.color(role.Dark if self.isEnabled() else role.Mid)
            accent = colours.color(role.Highlight) if self.isEnabled() else edge
            painter.setPen(QPen(accent if on else edge, 1))
            painter.setBrush(accent if on else colours.color(role.Base))
            painter.drawRoundedRect(box, px(4), px(4))
            if on:
                tick = colours.color(role.HighlightedText).name()
                drawn = icons.pixmap(
                    "check", tick, place.width() - 2, self.devicePixelRatioF(), 3.0
                )
                painter.drawPixmap(place.left() + 1, place.top() + 1, drawn)
            text = style.subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
            ink = colours.color(
                QPalette.ColorGroup.Normal if self.isEnabled() else QPalette.ColorGroup.Disabled,
                QPalette.ColorRole.WindowText,
            )
            painter.setPen(ink)
            whole = QRect(text.left(), 0, text.width(), self.height())  # the style has one line
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # of the text
            flags = self._FLAGS | Qt.AlignmentFlag.AlignAbsolute
            if self.isRightToLeft():
                flags ^= Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignRight
            painter.drawText(whole, flags, self.text())
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colours.color(role.Highlight), 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(5), px(5))


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
            align = Qt.AlignmentFlag
            side = align.AlignRight if self.isRightToLeft() else align.AlignLeft
            flags = align.AlignVCenter | align.AlignAbsolute | side
            painter.drawText(QStyle.visualRect(direction, whole, room), flags, text)


class CheckSetting(TickBox):
    """A check box with ``text`` for the boolean setting ``name``."""

    def __init__(self, preferences: Preferences, name: str, text: str) -> None:
        super().__init__(text)
        self._preferences, self.setting = preferences, name
        preferences.changed.connect(self.show_setting)
        self.clicked.connect(self._choose)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the current value."""
        self.setChecked(getattr(self._preferences.settings, self.setting))

    @Slot(bool)
    def _choose(self, chosen: bool) -> None:
        self._preferences.change(**{self.setting: chosen})


class ChoiceSetting(DropDown):
    """A drop-down for a setting with a few values.

    Args:
        preferences: The settings.
        name: The name of the setting.
        choices: Each value with its text.
        other: Returns the text of a value that is not among ``choices``.
    """

    def __init__(
        self,
        preferences: Preferences,
        name: str,
        choices: Sequence[tuple[Any, str]],
        other: Callable[[Any], str] = str,
    ) -> None:
        super().__init__()
        self._preferences, self.setting, self._other = preferences, name, other
        for value, text in choices:
            self.addItem(text, value)
        preferences.changed.connect(self.show_setting)
        self.activated.connect(self._choose)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the current value."""
        value = getattr(self._preferences.settings, self.setting)
        if self.findData(value) < 0:
            self.addItem(self._other(value), value)
        self.setCurrentIndex(self.findData(value))

    @Slot(int)
    def _choose(self, index: int) -> None:
        self._preferences.change(**{self.setting: self.itemData(index)})


class TextSetting(QLineEdit):
    """A field for the text setting ``name``; Enter or leaving the field makes a change."""

    def __init__(self, preferences: Preferences, name: str) -> None:
        super().__init__()
        self._preferences, self.setting = preferences, name
        preferences.changed.connect(self.show_setting)
        self.editingFinished.connect(self._choose)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the current value, unless the user is typing."""
        if not (self.hasFocus() and self.isModified()):
            self.setText(self.text_of(getattr(self._preferences.settings, self.setting)))

    def text_of(self, value: Any) -> str:  # noqa: ANN401 - a field has its own type
        """Return the text to show for the value of the setting."""
        return str(value)

    def value_of(self, text: str) -> Any:  # noqa: ANN401 - a field has its own type
        """Return the value of the setting for a text; None if the text is invalid."""
        return text.strip()

    @Slot()
    def _choose(self) -> None:
        if not self.isModified():
            return
        self.setModified(False)
        value = self.value_of(self.text())
        if value is not None:
            self._preferences.change(**{self.setting: value})
        self.show_setting()


class NumberSetting(TextSetting):
    """A field for the setting ``name``, shown as a number of units from ``least`` to ``most``.

    In the setting, one unit has the value ``unit``.
    """

    def __init__(
        self, preferences: Preferences, name: str, least: int, most: int, unit: int = 1
    ) -> None:
        self._least, self._most, self._unit = least, most, unit
        super().__init__(preferences, name)
        self.setFixedWidth(px(90))

    def text_of(self, value: int) -> str:
        """Return the number of units in ``value``."""
        return f"{value / self._unit:g}"

    def value_of(self, text: str) -> int | None:
        """Return the value for ``text``, within the limits; None if ``text`` is not a number."""
        try:
            number = int(text)
        except ValueError:
            return None
        return max(self._least, min(number, self._most)) * self._unit


class SuffixesSetting(TextSetting):
    """A field for the file suffixes of notes."""

    def text_of(self, value: tuple[str, ...]) -> str:
        """Return the suffixes, separated by spaces."""
        return " ".join(value)

    def value_of(self, text: str) -> tuple[str, ...] | None:
        """Return the suffixes, each with its dot; None if there are none."""
        words = text.replace(",", " ").split()
        found = tuple(dict.fromkeys(f".{w.strip('*.').lower()}" for w in words if w.strip("*.")))
        return found or None


class LinesSetting(QPlainTextEdit):
    """A field for the setting ``name``, a list of texts, one on each line.

    A change takes effect when the user pauses typing or leaves the field.
    """

    def __init__(self, preferences: Preferences, name: str) -> None:
        super().__init__()
        self._preferences, self.setting = preferences, name
        self.setTabChangesFocus(True)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._choose)
        preferences.changed.connect(self.show_setting)
        self.textChanged.connect(self._pause.start)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the current value, unless the field has it already."""
        lines = getattr(self._preferences.settings, self.setting)
        if lines != self._lines():
            with QSignalBlocker(self):
                self.setPlainText("\n".join(lines))
            self._pause.stop()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Apply the typed text."""
        super().focusOutEvent(event)
        self._choose()

    def _lines(self) -> tuple[str, ...]:
        return tuple(line.strip() for line in self.toPlainText().splitlines() if line.strip())

    @Slot()
    def _choose(self) -> None:
        self._pause.stop()
        self._preferences.change(**{self.setting: self._lines()})


BoundControl = CheckSetting | ChoiceSetting | TextSetting | LinesSetting
"""A control that shows a setting and changes it; ``setting`` is the name of that setting."""


class ProblemNote(QLabel):
    """Shows the problem with the setting ``name`` in the settings file; hidden if there is none."""

    def __init__(self, preferences: Preferences, name: str) -> None:
        super().__init__()
        self._preferences, self.setting = preferences, name
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setProperty("role", "meta")
        self.setProperty("tone", "danger")
        preferences.problems_changed.connect(self.show_problem)
        self.show_problem()

    @Slot()
    def show_problem(self) -> None:
        """Show the current problem, or hide the label."""
        problem = sentence_text(self._preferences.problems.get(self.setting, NO_SENTENCE))
        self.setText(problem)
        self.setAccessibleName(problem)
        self.setVisible(bool(problem))
