"""Controls of the settings dialog.

A class whose name ends in ``Setting`` shows the value of a setting and changes it at once.
"""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.translation import sentence_text
from notesearch.gui.widgets.controls import DropDown, TickBox
from notesearch.gui.widgets.theme import px
from notesearch.sentences import NO_SENTENCE

_PAUSE_MS = 800


def button(text: str, slot: Callable[[], None]) -> QPushButton:
    """Return a button that calls ``slot``, a method of a QObject."""
    push_button = QPushButton(text)
    push_button.setAutoDefault(False)
    push_button.clicked.connect(slot)
    return push_button


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
        lines = self._lines()
        if lines != getattr(self._preferences.settings, self.setting):
            self._preferences.change(**{self.setting: lines})


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
