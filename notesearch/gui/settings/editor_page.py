"""The Editor page of the settings: two editors, and the command that opens each."""

import shlex
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel

from notesearch.errors import NotesearchError
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.settings.settings_page import SettingsPage, TextSetting, button
from notesearch.gui.system.editors import (
    CODE_EDITORS,
    OBSIDIAN,
    SYSTEM,
    OpenLink,
    RunCommand,
    launch,
)
from notesearch.gui.system.obsidian_link import NoteLocation
from notesearch.gui.translation import error_text, shortcut_text, translate
from notesearch.gui.widgets.controls import DropDown, show_text, text_label


class EditorPage(SettingsPage):
    """Lets the user choose two editors, and shows the exact command of each."""

    def __init__(self, preferences: Preferences, opener: SectionOpener) -> None:
        super().__init__(preferences)
        self.first = EditorRows(self, "editor", translate("Open notes with"))
        self.add_row(
            "",
            self.make_line(button(translate("Test with the current note"), opener.open_previewed)),
        )
        self.second = EditorRows(
            self, "second_editor", translate("With {keys}", keys=shortcut_text("Ctrl+Enter"))
        )
        links = [
            ("wiki", translate("For notes: [[Note#Heading]]")),
            ("obsidian", translate("For Obsidian: obsidian://open…")),
        ]
        self.add_choice(translate("Link format"), "copied_link", links)


class EditorRows(DropDown):
    """A drop-down list of editors; below it a field for a command, and the command that runs."""

    def __init__(self, page: SettingsPage, name: str, title: str) -> None:
        super().__init__()
        self._preferences = page.preferences
        self._name = name
        self.addItem(translate("System default (opens at the top)"), SYSTEM)
        self.addItem("Obsidian", OBSIDIAN)
        for word, family in CODE_EDITORS.items():
            self.addItem(family.name, word)
        self.addItem(translate("Custom command"))
        self.command = TextSetting(self._preferences, name)
        self.command.setAccessibleName(translate("{title}: command", title=title))
        self.command.setAccessibleDescription(_placeholder_hint())
        self.command.setPlaceholderText("subl {path}:{line}")
        self._hint = text_label(_placeholder_hint(), role="meta", tone="text2")
        self.runs: QLabel = text_label("", role="meta", tone="text2")
        self.activated.connect(self._choose)
        self.command.textEdited.connect(self._show_runs)
        self.command.editingFinished.connect(self._show)  # nothing may have been typed
        self._preferences.changed.connect(self._show)
        page.add_row(title, page.make_line(self), self.command, self._hint, self.runs, setting=name)
        self._show()

    @Slot(int)
    def _choose(self, index: int) -> None:
        editor = self.itemData(index)
        if editor is not None:
            self._preferences.change(**{self._name: editor})
            return
        if self.findData(getattr(self._preferences.settings, self._name)) >= 0:
            self.command.clear()  # it has the word of another editor
        self._show_command(shown=True)
        self.command.setFocus()

    @Slot()
    def _show(self) -> None:
        if self.command.hasFocus() and self.command.isModified():
            return  # a command is being typed
        editor = getattr(self._preferences.settings, self._name)
        index = self.findData(editor)
        self.setCurrentIndex(self.count() - 1 if index < 0 else index)
        self._show_command(shown=index < 0)
        self._show_runs(editor)

    def _show_command(self, *, shown: bool) -> None:
        self.command.setVisible(shown)
        self._hint.setVisible(shown)

    @Slot(str)
    def _show_runs(self, editor: str) -> None:
        try:
            show_text(self.runs, _runs(editor), "text2")
        except NotesearchError as error:
            show_text(self.runs, error_text(error), "danger")


def _runs(editor: str) -> str:
    """Return a sentence that says how ``editor`` opens an example note: by which command or link.

    Raises a ``NotesearchError`` if ``editor`` is a command that cannot run.
    """
    folder = Path.home() / "notes"
    example = NoteLocation(folder / "Trip to Japan.md", folder, 42, ("Kyoto", "Food"))
    if editor.strip() == OBSIDIAN:
        return translate(
            "Obsidian opens the note at the heading, or at the line if the Advanced URI"
            " plugin is installed."
        )
    match launch(editor, example):
        case RunCommand(words):
            return translate("Runs: {command}", command=shlex.join(words))
        case OpenLink(url):
            return translate("Opens: {link}", link=url)
    return translate("The note opens at the top. The default program cannot jump to the line.")


def _placeholder_hint() -> str:
    return translate(
        "You can use {path}, {line}, {column}, {heading}, {vault} and {vault_path}. The"
        " command runs directly, without a shell."
    )
