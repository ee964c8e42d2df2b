"""The settings dialog, the base class of its pages, and their controls.

A class whose name ends in ``Setting`` shows the value of a setting and changes it at once.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QBoxLayout,
    QDialog,
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
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui import wording
from notesearch.gui.session.newest_worker import FileCall
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.translation import sentence_text, translate
from notesearch.gui.widgets.controls import (
    DropDown,
    TickBox,
    leading_alignment,
    plain_tip,
    set_margins,
    text_label,
)
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.folder_chooser import count_notes
from notesearch.messages import NO_SENTENCE


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
    """A drop-down for a setting with ``choices``; ``other`` returns the text of another value."""

    def __init__(
        self,
        preferences: Preferences,
        name: str,
        choices: Sequence[tuple[Any, str]],
        other: Callable[[Any], str] = str,
    ) -> None:
        super().__init__()
        self._preferences, self.setting, self._other = preferences, name, other
        self.offer(choices)
        preferences.changed.connect(self.show_setting)
        self.activated.connect(self._choose)

    def offer(self, choices: Sequence[tuple[Any, str]]) -> None:
        """Offer ``choices`` instead of the current ones."""
        self.clear()
        for value, text in choices:
            self.addItem(text, value)
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


Value = TypeVar("Value")


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
        self._preferences, self.setting = preferences, name
        preferences.changed.connect(self.show_setting)
        self.textEdited.connect(self._forgive)
        self.editingFinished.connect(self._choose)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the setting's value, unless the user is typing in this field."""
        if not (self.hasFocus() and self.isModified()):
            self.setText(self.text_of(getattr(self._preferences.settings, self.setting)))

    def text_of(self, value: Value) -> str:
        """Return the text to show for the value of the setting."""
        return str(value)

    def value_of(self, text: str) -> Value | None:
        """Return the value for a text; None if the text is invalid. Subclasses implement this."""
        raise NotImplementedError

    def why_invalid(self, text: str) -> str:
        """Return a sentence that says why ``text`` has no value; here, every text has one."""
        return ""

    def take(self, value: Value) -> None:
        """Change the setting to ``value``."""
        self._preferences.change(**{self.setting: value})
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
        text = self.text()
        value = self.value_of(text)
        if value is None:
            self.refuse(self.why_invalid(text))
        else:
            self.take(value)


class TextSetting(FieldSetting[str]):
    """A field for a text, without the spaces around it."""

    def value_of(self, text: str) -> str:
        """Return ``text`` without the spaces around it."""
        return text.strip()


class NumberSetting(FieldSetting[int]):
    """A field for the setting ``name``, shown as a number of units from ``least`` to ``most``."""

    def __init__(
        self, preferences: Preferences, name: str, least: int, most: int, unit: int = 1
    ) -> None:
        self._least, self._most, self._unit = least, most, unit
        super().__init__(preferences, name)

    def text_of(self, value: int) -> str:
        """Return ``value``, divided by the unit, as text."""
        return f"{value / self._unit:g}"

    def value_of(self, text: str) -> int | None:
        """Return the value for ``text``; None if ``text`` is not a number within the limits."""
        try:
            number = float(text.replace(",", "."))
        except ValueError:
            return None
        if not self._least <= number <= self._most:
            return None
        return round(number * self._unit)

    def why_invalid(self, text: str) -> str:
        """Return a sentence with the limits."""
        sentence = translate("settings", "Type a number from {least} to {most} here, not “{text}”.")
        least, most = wording.number(self._least), wording.number(self._most)
        return sentence.format(least=least, most=most, text=text)


class LinesSetting(QPlainTextEdit):
    """A field for the setting ``name``, a list of texts, one on each line.

    A change takes effect when the user leaves the field. A pattern that is not complete, such as
    ``*``, could remove all notes from the index.

    Signals:
        refused: Some lines were invalid; carries a sentence that says why. It is empty as soon as
            the user types again.
    """

    refused = Signal(str)

    def __init__(self, preferences: Preferences, name: str) -> None:
        super().__init__()
        self._preferences, self.setting = preferences, name
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._forgive)
        preferences.changed.connect(self.show_setting)
        self.show_setting()

    @Slot()
    def show_setting(self) -> None:
        """Show the current value, unless the field has it already or the user is typing."""
        lines = getattr(self._preferences.settings, self.setting)
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

    @Slot()
    def _forgive(self) -> None:
        if self.document().isModified():
            self.refused.emit("")

    def _lines(self) -> tuple[str, ...]:
        return tuple(line.strip() for line in self.toPlainText().splitlines() if line.strip())

    def take(self, lines: tuple[str, ...]) -> None:
        """Change the setting to ``lines``."""
        self._preferences.change(**{self.setting: lines})

    def _apply(self) -> None:
        self.document().setModified(False)
        lines = self._lines()
        if lines != getattr(self._preferences.settings, self.setting):
            self.take(lines)


class SuffixesSetting(FieldSetting[tuple[str, ...]]):
    """A field for the file suffixes of notes; it refuses suffixes that would hide all notes."""

    def __init__(self, preferences: Preferences, vault: OpenVault) -> None:
        super().__init__(preferences, "suffixes")
        self._vault = vault

    def text_of(self, value: tuple[str, ...]) -> str:
        """Return the suffixes, separated by spaces."""
        return " ".join(value)

    def value_of(self, text: str) -> tuple[str, ...] | None:
        """Return the suffixes, each with its dot; None if there are none."""
        words = text.replace(",", " ").replace(";", " ").split()
        names = (word.strip("*.").lower() for word in words)  # *.md and md mean .md
        return tuple(dict.fromkeys(f".{name}" for name in names if name)) or None

    def why_invalid(self, text: str) -> str:
        """Return a sentence with an example."""
        return translate("settings", "Type at least one file type here, such as .md.")

    def take(self, value: tuple[str, ...]) -> None:
        """Change the setting once a file with one of the suffixes is found."""
        folders = _folders(self._vault, self._preferences)
        current = self._preferences.settings.suffixes
        call = FileCall(partial(_used, folders, value, current), self)
        call.answered.connect(self._decide)
        call.start()

    @Slot(object)
    def _decide(self, answer: tuple[tuple[str, ...], bool]) -> None:
        suffixes, is_used = answer
        if is_used:
            super().take(suffixes)
        else:
            why = translate(
                "settings", "No file in your notes folder ends in {types}, so nothing was changed."
            )
            self.refuse(why.format(types=" ".join(suffixes)))


class FoldersSetting(LinesSetting):
    """A field for folders in the vault, one on each line; lines without a folder are left out."""

    def __init__(self, preferences: Preferences, name: str, vault: OpenVault) -> None:
        super().__init__(preferences, name)
        self._vault = vault

    def take(self, lines: tuple[str, ...]) -> None:
        """Change the setting to those of ``lines`` that are folders, once that is known."""
        folders = _folders(self._vault, self._preferences)
        call = FileCall(partial(_existing, folders, lines), self)
        call.answered.connect(self._decide)
        call.start()

    @Slot(object)
    def _decide(self, answer: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
        lines, existing = answer
        super().take(existing)
        self.show_setting()
        missing = [line for line in lines if line not in existing]
        why = translate("settings", "There is no folder “{folder}” in your notes folder.")
        self.refused.emit("\n".join(why.format(folder=folder) for folder in missing))


def _folders(vault: OpenVault, preferences: Preferences) -> Sequence[Path]:
    """Return the notes folders, the open ones first."""
    listed = preferences.settings.folders.values()
    return tuple(dict.fromkeys((*vault.folders.values(), *listed)))


def _used(
    folders: Sequence[Path], suffixes: tuple[str, ...], current: Sequence[str]
) -> tuple[tuple[str, ...], bool]:
    """Return ``suffixes``, and whether the setting may change to them.

    It may if a file below ``folders`` has one of them, or none has one of the ``current`` suffixes.
    While a folder cannot be reached, it may change, too.
    """
    return suffixes, _may_hold_notes(folders, suffixes) or not _may_hold_notes(folders, current)


def _may_hold_notes(folders: Sequence[Path], suffixes: Sequence[str]) -> bool:
    """Return whether a file below ``folders`` has one of ``suffixes``; True if that is unknown."""
    return _any_may(folders, lambda folder: count_notes(folder, suffixes, FileCall.is_ending) != 0)


def _existing(
    folders: Sequence[Path], lines: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return ``lines``, and those that are, or may be, a folder in one of ``folders``."""
    from notesearch.library import has_folder

    return lines, tuple(line for line in lines if _any_may(folders, partial(has_folder, path=line)))


def _any_may(folders: Sequence[Path], holds: Callable[[Path], bool]) -> bool:
    """Return whether ``holds`` is true of a folder, or a folder cannot be reached now."""
    reached = [folder for folder in folders if folder.is_dir()]
    return len(reached) < len(folders) or any(map(holds, reached))


BoundControl = CheckSetting | ChoiceSetting | FieldSetting[Any] | LinesSetting
"""A control that shows a setting and changes it; ``setting`` is the name of that setting."""


class ProblemNote(QLabel):
    """Shows what is wrong with the setting ``name``; hidden if nothing is.

    An empty name stands for the whole file, with the keys that have no effect.
    """

    def __init__(self, preferences: Preferences, name: str) -> None:
        super().__init__()
        self._preferences, self.setting, self._refusal = preferences, name, ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(leading_alignment(self))
        self.setWordWrap(True)
        self.setProperty("role", "meta")
        self.setProperty("tone", "danger")
        preferences.problems_changed.connect(self.show_problem)
        self.show_problem()

    @Slot(str)
    def show_refusal(self, why: str) -> None:
        """Show why the text in the field was refused; empty for a text that is valid."""
        self._refusal = why
        self.show_problem()

    @Slot()
    def show_problem(self) -> None:
        """Show the current problem, or hide the label."""
        stored = sentence_text(self._preferences.problems.get(self.setting, NO_SENTENCE))
        lines = [self._refusal or stored]
        if not self.setting:
            lines += map(sentence_text, self._preferences.remarks)
        problem = "\n".join(line for line in lines if line)
        self.setText(problem)
        self.setAccessibleName(problem)
        self.setVisible(bool(problem))


Entry = TypeVar("Entry")


class EntryList(QListWidget, Generic[Entry]):
    """A list with ``rows`` visible entries. A selected entry stays selected while it is there.

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
        texts = [text for _, text, _ in entries]
        self.setCurrentRow(texts.index(before) if before in texts else 0)

    def current(self) -> Entry | None:
        """Return the object of the selected entry; None without entries."""
        return self.entries[self.currentRow()] if self.currentItem() else None


# Lengths in pixels before scaling.
_LABELS = 150  # width of the column of labels
_RING = 3  # width of the focus ring, for which a check box leaves room
_LINE = 30  # greatest height of the first line of a control


class SettingsPage(QScrollArea):
    """A scrollable form with rows of settings. Call ``fit`` before it is shown."""

    def __init__(self, preferences: Preferences, title: str) -> None:
        super().__init__()
        self.preferences = preferences
        self.title = title
        self.setObjectName("settingsPage")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body = body = QWidget()
        body.setObjectName("settingsBody")
        self._column = QVBoxLayout(body)
        head = text_label(title, role="title")
        self._column.addWidget(head)
        self._grid = QGridLayout()
        self._column.addLayout(self._grid)
        self._column.addStretch(1)
        # The label, the controls, and the first of them, with which the label is aligned.
        self._rows: list[tuple[QLabel, QWidget, QWidget]] = []
        self._stackable: list[QHBoxLayout] = []  # lines that may become columns
        self._indented: list[QVBoxLayout] = []  # as much as a check box is by its focus ring
        self._room = 0
        self.setWidget(body)

    def add_row(self, name: str, *controls: QWidget, hint: str = "", setting: str = "") -> QLabel:
        """Add a row, and return the label of its hint.

        ``name`` is the label at the left. Below the controls come the hint and problems of
        ``setting``.
        """
        label, first = text_label(name), controls[0].focusProxy() or controls[0]
        label.setBuddy(first)  # on Linux, screen readers name a drop-down only by this
        labelled = QWidget(self._body)
        stack = QVBoxLayout(labelled)
        stack.setContentsMargins(0, 0, 0, 0)
        self._rows.append((label, labelled, controls[0]))
        below = text_label(hint, role="meta", tone="text2")
        below.setVisible(bool(hint))
        parts = [*controls, below]
        if setting:
            note = ProblemNote(self.preferences, setting)
            parts.append(note)
            if isinstance(first, FieldSetting | LinesSetting):
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
        return self.add_row(name, first, *others, hint=hint, setting=control.setting)

    def add_check(
        self, name: str, setting: str, text: str, *others: QWidget, hint: str = ""
    ) -> None:
        """Add a row with a check box with ``text`` for ``setting``; see also ``add_setting``."""
        box = CheckSetting(self.preferences, setting, text)
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

    def place_labels(self, room: int) -> None:
        """Place the labels beside or above their controls, to fit into ``room`` pixels.

        If that is not enough, controls that are side by side come one below the other.
        """
        self._room = room
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
            if self.least_width() <= room:
                return

    def least_width(self) -> int:
        """Return the smallest width at which no control is cut off, in pixels."""
        bar = self.verticalScrollBar().sizeHint().width()
        return self._body.minimumSizeHint().width() + bar

    def showEvent(self, event: QShowEvent) -> None:
        """Place the labels again, because controls may have appeared or changed their style."""
        super().showEvent(event)
        self.place_labels(self._room)

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


_NAMES = 170
_WIDEST_PAGE = 720


class SettingsDialog(QDialog):
    """The names of the pages on the left, a page on the right. Call ``fit`` before it is shown."""

    def __init__(self, preferences: Preferences, pages: Sequence[SettingsPage]) -> None:
        super().__init__()
        self.setWindowTitle(translate("settings", "Settings – notesearch"))
        self.setObjectName("settings")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.pages = tuple(pages)
        self.names = QListWidget()
        self.names.setObjectName("settingsNames")
        self.names.setAccessibleName(translate("settings", "Settings pages"))
        self.names.addItems([page.title for page in pages])
        self._stack = QStackedWidget()
        for page in pages:
            self._stack.addWidget(page)
        self.names.currentRowChanged.connect(self._stack.setCurrentIndex)
        self.problem = ProblemNote(preferences, "")
        self.problem.setObjectName("settingsProblem")
        right = QWidget()
        column = QVBoxLayout(right)
        column.addWidget(self.problem)
        column.addWidget(self._stack, 1)
        row = QHBoxLayout(self)
        row.addWidget(self.names)
        row.addWidget(right, 1)
        for layout in (row, column):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        for key, slot in (
            ("Ctrl+W", self.close),
            ("Ctrl+PgDown", self._show_next),
            ("Ctrl+PgUp", self._show_previous),
        ):
            QShortcut(QKeySequence(key), self).activated.connect(slot)
        self.names.setCurrentRow(0)
        self.names.setFocus()

    @property
    def page(self) -> SettingsPage:
        """The current page."""
        return self.pages[self.names.currentRow()]

    def show_page(self, title: str) -> None:
        """Show the page called ``title``, if there is one."""
        titles = [page.title for page in self.pages]
        if title in titles:
            self.names.setCurrentRow(titles.index(title))

    @Slot()
    def _show_next(self) -> None:
        self.names.setCurrentRow((self.names.currentRow() + 1) % len(self.pages))

    @Slot()
    def _show_previous(self) -> None:
        self.names.setCurrentRow((self.names.currentRow() - 1) % len(self.pages))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus to the next control, or to the previous one, and scroll to it."""
        moved = super().focusNextPrevChild(forward)
        reached = self.focusWidget()
        if moved and reached is not None and self.page.isAncestorOf(reached):
            self.page.ensureWidgetVisible(reached)
        return moved

    def sizeHint(self) -> QSize:
        """Return the default size, at which no page is cut off unless it is very wide."""
        widest = min(max(page.least_width() for page in self.pages), px(_WIDEST_PAGE))
        return QSize(max(px(780), px(_NAMES) + widest), px(560))

    def usual_size(self) -> QSize:
        """Return the default size, limited to the screen."""
        room = self.screen().availableSize()
        return self.sizeHint().boundedTo(QSize(room.width(), round(room.height() * 0.9)))

    @Slot()
    def fit(self) -> None:
        """Scale all spaces to the application's font."""
        self.names.setFixedWidth(px(_NAMES))
        for row in range(self.names.count()):
            self.names.item(row).setSizeHint(QSize(0, px(32)))
        for page in self.pages:
            page.fit()
            page.place_labels(self.screen().availableSize().width() - px(_NAMES))
        room = self.screen().availableSize() * 0.95
        self.setMinimumSize(QSize(px(560), px(360)).boundedTo(room))
        self.resize(self.size().expandedTo(self.usual_size()))
