"""A page of the settings: rows of labelled controls, each of which changes a setting at once."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.translation import number_text, sentence_text, translate
from notesearch.gui.widgets.controls import (
    DropDown,
    TickBox,
    leading_alignment,
    plain_tip,
    set_margins,
    text_label,
)
from notesearch.gui.widgets.theme import px
from notesearch.messages import NO_SENTENCE

Value = TypeVar("Value")


class Setting(Generic[Value]):
    """The setting ``name``, which a control shows and changes.

    ``show``, a method of the control, shows the value; it is called after each change.
    """

    def __init__(self, preferences: Preferences, name: str, show: Callable[[], None]) -> None:
        self.preferences = preferences
        self.name = name
        preferences.changed.connect(show)

    @property
    def value(self) -> Value:
        """The current value."""
        value: Value = getattr(self.preferences.settings, self.name)
        return value

    def change(self, value: Value) -> None:
        """Change the setting to ``value``."""
        self.preferences.change(**{self.name: value})


class CheckSetting(TickBox):
    """A check box with ``text`` for the boolean setting ``name``."""

    def __init__(self, preferences: Preferences, name: str, text: str) -> None:
        super().__init__(text)
        self.setting = Setting[bool](preferences, name, self.show_setting)
        self.clicked.connect(self.setting.change)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the current value."""
        self.setChecked(self.setting.value)


class ChoiceSetting(DropDown):
    """A drop-down for the setting ``name``; ``choices`` are pairs of a value and its text.

    ``other`` returns the text of a value that is not among the choices.
    """

    def __init__(
        self,
        preferences: Preferences,
        name: str,
        choices: Sequence[tuple[Any, str]],
        other: Callable[[Any], str] = str,
    ) -> None:
        super().__init__()
        self.setting = Setting[Any](preferences, name, self.show_setting)
        self._other = other
        self.offer(choices)
        self.activated.connect(self.choose)

    def offer(self, choices: Sequence[tuple[Any, str]]) -> None:
        """Offer ``choices`` instead of the current ones."""
        self.clear()
        for value, text in choices:
            self.addItem(text, value)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the current value."""
        value = self.setting.value
        if self.findData(value) < 0:
            self.addItem(self._other(value), value)
        self.setCurrentIndex(self.findData(value))

    @Slot(int)
    def choose(self, index: int) -> None:
        """Change the setting to the choice at ``index``."""
        self.setting.change(self.itemData(index))


class FieldSetting(QLineEdit, Generic[Value]):
    """A field for the setting ``name``; Enter, or leaving the field, changes the setting.

    An invalid text changes nothing; the field then shows the setting's value again.

    Signals:
        refused: A text was invalid; carries a sentence that says why. It is empty as soon as the
            user types again.
    """

    refused = Signal(str)

    def __init__(self, preferences: Preferences, name: str) -> None:
        super().__init__()
        self.setting = Setting[Value](preferences, name, self.show_setting)
        self.textEdited.connect(self._forgive)
        self.editingFinished.connect(self._choose)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the setting's value, unless the user is typing in this field."""
        if not (self.hasFocus() and self.isModified()):
            self.setText(self.text_of(self.setting.value))

    def text_of(self, value: Value) -> str:
        """Return the text to show for the value of the setting."""
        return str(value)

    def value_of(self, text: str) -> Value:
        """Return the value of ``text``; raise a ``ValueError`` with a sentence if it is invalid."""
        raise NotImplementedError

    def take(self, value: Value) -> None:
        """Change the setting to ``value``."""
        self.setting.change(value)
        self.show_setting()

    def refuse(self, why: str) -> None:
        """Show the setting's value again; ``why`` says what is wrong with the text."""
        self.show_setting()
        self.refused.emit(why)

    @Slot()
    def _forgive(self) -> None:
        self.refused.emit("")

    @Slot()
    def _choose(self) -> None:
        if not self.isModified():
            return
        self.setModified(False)
        try:
            value = self.value_of(self.text())
        except ValueError as error:
            self.refuse(str(error))
        else:
            self.take(value)


class TextSetting(FieldSetting[str]):
    """A field for a text, without the spaces around it."""

    def value_of(self, text: str) -> str:
        """Return ``text`` without the spaces around it."""
        return text.strip()


class NumberSetting(FieldSetting[int]):
    """A field for the setting ``name``, a number.

    The field shows the number divided by ``unit``. The result is from ``least`` to ``most``.
    """

    def __init__(
        self, preferences: Preferences, name: str, least: int, most: int, unit: int = 1
    ) -> None:
        self._least = least
        self._most = most
        self._unit = unit
        super().__init__(preferences, name)

    def text_of(self, value: int) -> str:
        """Return ``value`` divided by the unit, in the number format of the user's language."""
        locale = QLocale()
        locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
        return locale.toString(value / self._unit, "g")

    def value_of(self, text: str) -> int:
        """Return the value of ``text``; raise a ``ValueError`` with the limits if it is invalid."""
        number = _number(text)
        if number is None or not self._least <= number <= self._most:
            sentence = translate("Type a number from {least} to {most} here, not “{text}”.")
            least, most = number_text(self._least), number_text(self._most)
            raise ValueError(sentence.format(least=least, most=most, text=text))
        return round(number * self._unit)


def _number(text: str) -> float | None:
    """Return the number in ``text``, in the user's format or with a comma or point; else None.

    In English, ``1,000`` is a thousand, but ``1,5`` is one and a half.
    """
    compact = "".join(text.split())  # some languages separate thousands by spaces
    number, is_number = QLocale().toDouble(compact)
    if is_number:
        return number
    try:
        return float(compact.replace(",", "."))
    except ValueError:
        return None


class LinesSetting(QPlainTextEdit):
    """A field for the setting ``name``, a list of texts, one on each line.

    A change takes effect when the user leaves the field. A pattern that is not complete, such as
    ``*``, could remove all notes from the index.
    """

    def __init__(self, preferences: Preferences, name: str) -> None:
        super().__init__()
        self.setting = Setting[tuple[str, ...]](preferences, name, self.show_setting)
        self.setTabChangesFocus(True)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the current value, unless the field has it already or the user is typing."""
        lines = self.setting.value
        if lines != self._lines() and not self.document().isModified():
            self.setPlainText("\n".join(lines))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Apply the typed text, unless the focus only went to another window or a menu."""
        super().focusOutEvent(event)
        reason = Qt.FocusReason
        if event.reason() not in {reason.ActiveWindowFocusReason, reason.PopupFocusReason}:
            self._apply()

    def hideEvent(self, event: QHideEvent) -> None:
        """Apply the typed text when the dialog closes."""
        super().hideEvent(event)
        self._apply()

    def _lines(self) -> tuple[str, ...]:
        return tuple(line.strip() for line in self.toPlainText().splitlines() if line.strip())

    def _apply(self) -> None:
        self.document().setModified(False)
        lines = self._lines()
        if lines != self.setting.value:
            self.setting.change(lines)


BoundControl = CheckSetting | ChoiceSetting | FieldSetting[Any] | LinesSetting
"""A control that shows a setting and changes it."""


class ProblemLine(QLabel):
    """Says what went wrong; hidden if nothing did."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(leading_alignment(self))
        self.setWordWrap(True)
        self.setProperty("role", "meta")
        self.setProperty("tone", "danger")
        self.hide()

    def report(self, problem: str) -> None:
        """Show ``problem``; hide the label if it is empty."""
        self.setText(problem)
        self.setAccessibleName(problem)
        self.setVisible(bool(problem))


class ProblemNote(ProblemLine):
    """Shows what is wrong with the setting ``name`` in the settings file; hidden if nothing is.

    An empty name stands for the whole file: all its settings, and the keys that have no effect.
    """

    def __init__(self, preferences: Preferences, name: str, parent: QWidget) -> None:
        super().__init__(parent)  # without a parent, a problem would be shown in its own window
        self._preferences = preferences
        self.setting = name
        self._refusal = ""
        preferences.problems_changed.connect(self.show_problem)
        self.show_problem()

    @Slot()
    @Slot(str)
    def show_refusal(self, why: str = "") -> None:
        """Show why a value was refused or not stored; without ``why``, hide that again."""
        self._refusal = why
        self.show_problem()

    @Slot()
    def show_problem(self) -> None:
        """Show the current problem, or hide the label."""
        problems = self._preferences.problems
        if self.setting:
            known = [problems.get(self.setting, NO_SENTENCE)]
        else:
            known = [*problems.values(), *self._preferences.remarks]
        sentences = (self._refusal, *map(sentence_text, known))
        self.report("\n".join(filter(None, sentences)))


def button(text: str, slot: Callable[[], None]) -> QPushButton:
    """Return a button that calls ``slot``, a method of a QObject."""
    push_button = QPushButton(text)
    push_button.setAutoDefault(False)
    push_button.clicked.connect(slot)
    return push_button


Entry = TypeVar("Entry")


class EntryList(QListWidget, Generic[Entry]):
    """A list in which ``rows`` entries are visible. New entries keep the selection by its text.

    ``entries`` are the objects that the rows stand for.
    """

    def __init__(self, name: str, rows: int) -> None:
        super().__init__()
        self._rows = rows
        self.entries: tuple[Entry, ...] = ()
        self.setObjectName("boxedList")
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fit()

    def fit(self) -> None:
        """Set the height from the application's font."""
        row = self.sizeHintForRow(0) if self.count() else px(24)
        self.setFixedHeight(row * self._rows + px(12))

    def show_entries(self, entries: Sequence[tuple[Entry, str, bool]]) -> None:
        """Replace the entries: each is an object, its text, and whether it is in use (bold)."""
        before = self.currentItem().text() if self.currentItem() else ""
        self.entries = tuple(entry for entry, _, _ in entries)
        with QSignalBlocker(self):
            self.clear()
            for _, text, used in entries:
                item = QListWidgetItem(text)
                item.setToolTip(plain_tip(text))
                font = item.font()
                font.setBold(used)
                item.setFont(font)
                self.addItem(item)
        self.fit()
        self.setCurrentRow(0)
        self.select(before)

    def select(self, text: str) -> None:
        """Select the entry ``text``, if there is one."""
        for item in self.findItems(text, Qt.MatchFlag.MatchExactly)[:1]:
            self.setCurrentItem(item)

    def current(self) -> Entry | None:
        """Return the object of the selected entry; None without entries."""
        return self.entries[self.currentRow()] if self.currentItem() else None


# Lengths in pixels before scaling.
_LABELS = 150  # width of the column of labels
_RING = 3  # width of the focus ring, for which a check box leaves room
_LINE = 30  # greatest height of the first line of a control


class SettingsPage(QScrollArea):
    """A scrollable form with rows of settings. Call ``fit`` before it is shown."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.preferences = preferences
        self.setObjectName("settingsPage")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body = body = QWidget()
        body.setObjectName("settingsBody")
        self._column = QVBoxLayout(body)
        self._head = text_label(role="title")
        self._column.addWidget(self._head)
        self._grid = QGridLayout()
        self._column.addLayout(self._grid)
        self._column.addStretch(1)
        # The label, the controls, and the first of them, with which the label is aligned.
        self._rows: list[tuple[QLabel, QWidget, QWidget]] = []
        self._stackable: list[QHBoxLayout] = []  # lines that may become columns
        self._indented: list[QVBoxLayout] = []  # aligned with check boxes, which have a focus ring
        self.setWidget(body)

    def set_title(self, title: str) -> None:
        """Show ``title`` above the rows."""
        self._head.setText(title)

    def add_row(self, name: str, *controls: QWidget, hint: str = "", setting: str = "") -> QLabel:
        """Add a row, and return the label of its hint.

        ``name`` is the label at the left. Below the controls come the hint and problems of
        ``setting``.
        """
        label = text_label(name)
        first = controls[0].focusProxy() or controls[0]
        label.setBuddy(first)  # on Linux, screen readers name a drop-down only by this
        labelled = QWidget(self._body)
        stack = QVBoxLayout(labelled)
        stack.setContentsMargins(0, 0, 0, 0)
        self._rows.append((label, labelled, controls[0]))
        below = text_label(hint, role="meta", tone="text2")
        if not hint:
            below.hide()  # never show it here: without a parent it would be a window
        parts = [*controls, below]
        if setting:
            note = ProblemNote(self.preferences, setting, labelled)
            parts.append(note)
            if isinstance(first, FieldSetting):
                first.refused.connect(note.show_refusal)
        for part in parts:
            line = QVBoxLayout()
            line.addWidget(part)
            stack.addLayout(line)
            if not isinstance(part, TickBox):
                self._indented.append(line)
        if not first.accessibleName() and not isinstance(first, QAbstractButton):
            first.setAccessibleName(name)
        if hint:
            first.setAccessibleDescription(hint)
        return below

    def add_setting(
        self, name: str, control: BoundControl, *others: QWidget, hint: str = ""
    ) -> QLabel:
        """Add a row for a control of a setting, and return the label of its hint."""
        is_wide = isinstance(control, CheckSetting | LinesSetting)
        first = control if is_wide else self.make_line(control)
        return self.add_row(name, first, *others, hint=hint, setting=control.setting.name)

    def add_check(
        self, name: str, setting: str, text: str, *others: QWidget, hint: str = ""
    ) -> None:
        """Add a row with a check box with ``text`` for ``setting``; see also ``add_setting``."""
        box = CheckSetting(self.preferences, setting, text)
        self.add_setting(name, box, *others, hint=hint)

    def add_choice(
        self,
        name: str,
        setting: str,
        choices: Sequence[tuple[Any, str]],
        *others: QWidget,
        other: Callable[[Any], str] = str,
        hint: str = "",
    ) -> None:
        """Add a row with a drop-down for ``setting``; see ``ChoiceSetting`` and ``add_setting``."""
        box = ChoiceSetting(self.preferences, setting, choices, other)
        self.add_setting(name, box, *others, hint=hint)

    def make_line(self, *widgets: QWidget, stretch: bool = True) -> QWidget:
        """Return ``widgets`` side by side as one control, which the caller adds to the page.

        They fill the width unless ``stretch``, which leaves space at the right. They go below each
        other where the page is narrow, unless one is a label.
        """
        line = QWidget()
        layout = QHBoxLayout(line)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in widgets:
            layout.addWidget(widget)
        if stretch:
            layout.addStretch(1)
        line.setFocusProxy(widgets[0])
        if not any(isinstance(widget, QLabel) for widget in widgets):
            self.may_stack(layout)
        return line

    def may_stack(self, line: QHBoxLayout) -> None:
        """Let ``place_labels`` put the controls of ``line`` one below the other if necessary."""
        self._stackable.append(line)

    def add_foot(self, widget: QWidget) -> None:
        """Add ``widget`` below all rows."""
        self._column.addWidget(widget)

    def place_labels(self) -> None:
        """Place the labels beside their controls, or above them where the page is narrow.

        If that is not enough, controls that are side by side come one below the other.
        """
        for is_above, is_stacked in ((False, False), (True, False), (True, True)):
            direction = QBoxLayout.Direction
            for line in self._stackable:
                line.setDirection(direction.TopToBottom if is_stacked else direction.LeftToRight)
            for row, (label, labelled, control) in enumerate(self._rows):
                margin = px(12) if is_above else _before_text(control)
                label.setContentsMargins(0, margin, 0, 0)
                self._grid.addWidget(label, 2 * row, 0, Qt.AlignmentFlag.AlignTop)
                cell = (2 * row + 1, 0) if is_above else (2 * row, 1)
                self._grid.addWidget(labelled, *cell)
            for indented in self._indented:
                set_margins(indented, 0 if is_above else px(_RING), 0, 0, 0)
            self._grid.setVerticalSpacing(px(6 if is_above else 14))
            self._grid.setColumnStretch(0, 1 if is_above else 0)
            self._grid.setColumnStretch(1, 0 if is_above else 1)
            self._grid.setColumnMinimumWidth(0, 0 if is_above else px(_LABELS))
            for part in (*self._body.findChildren(QLayout), self._column):
                part.activate()  # otherwise its size hint would be the former one
            bar = self.verticalScrollBar().sizeHint().width()
            if self._body.minimumSizeHint().width() + bar <= self.width():
                return

    def showEvent(self, event: QShowEvent) -> None:
        """Place the labels again, because controls may have appeared or changed their style."""
        super().showEvent(event)
        self.place_labels()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the labels again for another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.place_labels()

    def end(self) -> None:
        """Stop everything that the page has started, before the page is destroyed."""

    def fit(self) -> None:
        """Scale all spaces to the application's font."""
        for layout in self._body.findChildren(QBoxLayout):
            layout.setSpacing(px(6))
        self._column.setContentsMargins(px(28), px(22), px(28), px(18))
        for field in self.findChildren(NumberSetting):
            field.setFixedWidth(px(90))
        for entries in self.findChildren(EntryList):
            entries.fit()
        self._column.setSpacing(px(12))
        self._grid.setHorizontalSpacing(px(16) - px(_RING))


def _before_text(control: QWidget) -> int:
    """Return the distance in pixels from the top of ``control`` to its first line of text."""
    if isinstance(control, QLabel):
        return 0
    first = control.focusProxy() or control
    if isinstance(first, QAbstractScrollArea):
        return px(8)
    line = min(control.sizeHint().height(), px(_LINE))  # the rest is below the first line
    return max(0, max(line, first.sizeHint().height()) - first.fontMetrics().height()) // 2
