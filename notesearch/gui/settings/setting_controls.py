"""Controls for settings. Each shows the value of one setting, and changes it at once.

``SuffixesSetting`` and ``FoldersSetting`` first look into the notes folders. ``ProblemNote`` shows
what is wrong with a setting.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QWidget

from notesearch.gui import wording
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.translation import sentence_text, translate
from notesearch.gui.widgets.controls import DropDown, TickBox, leading_alignment
from notesearch.gui.window.folder_chooser import count_notes
from notesearch.library import has_folder
from notesearch.messages import NO_SENTENCE


class CheckSetting(TickBox):
    """A check box with ``text`` for the boolean setting ``name``."""

    def __init__(self, preferences: Preferences, name: str, text: str) -> None:
        super().__init__(text)
        self._preferences = preferences
        self.setting = name
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
        self._preferences = preferences
        self.setting = name
        self._other = other
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
        self._preferences = preferences
        self.setting = name
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
        """Return the value of ``text``; None if it is invalid. Subclasses implement this."""
        raise NotImplementedError

    def why_invalid(self, text: str) -> str:
        """Return a sentence that says why ``text`` is invalid."""
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

    def value_of(self, text: str) -> int | None:
        """Return the value of ``text``; None if it is not a number within the limits."""
        number = _number(text)
        if number is None or not self._least <= number <= self._most:
            return None
        return round(number * self._unit)

    def why_invalid(self, text: str) -> str:
        """Return a sentence with the limits."""
        sentence = translate("Type a number from {least} to {most} here, not “{text}”.")
        least, most = wording.number(self._least), wording.number(self._most)
        return sentence.format(least=least, most=most, text=text)


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

    Signals:
        refused: Some lines were invalid; carries a sentence that says why. It is empty as soon as
            the user types again.
    """

    refused = Signal(str)

    def __init__(self, preferences: Preferences, name: str) -> None:
        super().__init__()
        self._preferences = preferences
        self.setting = name
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


BoundControl = CheckSetting | ChoiceSetting | FieldSetting[Any] | LinesSetting
"""A control that shows a setting and changes it; ``setting`` is the name of that setting."""


class ProblemNote(QLabel):
    """Shows what is wrong with the setting ``name`` in the settings file; hidden if nothing is.

    An empty name stands for the whole file: all its settings, and the keys that have no effect.
    """

    def __init__(self, preferences: Preferences, name: str, parent: QWidget) -> None:
        super().__init__(parent)  # without a parent, a problem would be shown in its own window
        self._preferences = preferences
        self.setting = name
        self._refusal = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(leading_alignment(self))
        self.setWordWrap(True)
        self.setProperty("role", "meta")
        self.setProperty("tone", "danger")
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
        problem = "\n".join(filter(None, sentences))
        self.setText(problem)
        self.setAccessibleName(problem)
        self.setVisible(bool(problem))


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
        return translate("Type at least one file type here, such as .md.")

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
            why = translate("No file in your notes folder ends in {types}, so nothing was changed.")
            self.refuse(why.format(types=" ".join(suffixes)))


class FoldersSetting(LinesSetting):
    """A field for folders in the vault, one on each line; lines without a folder are left out."""

    def __init__(self, preferences: Preferences, name: str, vault: OpenVault) -> None:
        super().__init__(preferences, name)
        self._vault = vault

    def take(self, lines: tuple[str, ...]) -> None:
        """Change the setting to those ``lines`` that are folders; a thread looks for them."""
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
        why = translate("There is no folder “{folder}” in your notes folder.")
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
    """Return all ``lines``, then only those that are the path of a folder in one of ``folders``.

    While one of ``folders`` cannot be reached, every line may be such a path.
    """
    return lines, tuple(line for line in lines if _any_may(folders, partial(has_folder, path=line)))


def _any_may(folders: Sequence[Path], holds: Callable[[Path], bool]) -> bool:
    """Return whether ``holds`` is true of one of ``folders``, or one of them cannot be reached."""
    reached = [folder for folder in folders if folder.is_dir()]
    return len(reached) < len(folders) or any(map(holds, reached))
