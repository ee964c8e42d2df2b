"""The Editor page of the settings: two editors, and the command that opens each."""

import shlex
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel

from notesearch.errors import NotesearchError
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.settings.settings_page import ChoiceSetting, SettingsPage, TextSetting, button
from notesearch.gui.system.editors import (
    CODE_EDITORS,
    OBSIDIAN,
    SYSTEM,
    OpenLink,
    RunCommand,
    how_to_open,
)
from notesearch.gui.system.obsidian_link import NoteLocation
from notesearch.gui.translation import error_text, shortcut_text, translate
from notesearch.gui.widgets.controls import show_text, text_label


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


class EditorRows(ChoiceSetting):
    """A drop-down list of editors; below it a field for a command, and the command that runs."""

    def __init__(self, page: SettingsPage, name: str, title: str) -> None:
        self.command = TextSetting(page.preferences, name)
        self.command.setAccessibleName(translate("{title}: command", title=title))
        self.command.setAccessibleDescription(_placeholder_hint())
        self.command.setPlaceholderText("subl {path}:{line}")
        self._hint = text_label(_placeholder_hint(), role="meta", tone="text2")
        for part in (self.command, self._hint):
            part.setParent(page)  # without a parent, it would be shown in its own window
        self.runs: QLabel = text_label("", role="meta", tone="text2")
        editors = [
            (SYSTEM, translate("System default (opens at the top)")),
            (OBSIDIAN, "Obsidian"),
            *((word, family.name) for word, family in CODE_EDITORS.items()),
            (None, translate("Custom command")),
        ]
        super().__init__(page.preferences, name, editors)
        self.command.textEdited.connect(self._show_runs)
        self.command.editingFinished.connect(self.show_setting)  # nothing may have been typed
        page.add_row(title, page.make_line(self), self.command, self._hint, self.runs, setting=name)

    @Slot(int)
    def choose(self, index: int) -> None:
        """Change the setting to an editor, or show the field for a command."""
        if self.itemData(index) is not None:
            super().choose(index)
            return
        if self.findData(self.setting.value) >= 0:
            self.command.clear()  # it has the word of another editor
        self._show_command(shown=True)
        self.command.setFocus()

    @Slot()
    def show_setting(self) -> None:
        """Show the editor or the command, unless the user is typing a command."""
        if self.command.hasFocus() and self.command.isModified():
            return  # a command is being typed
        editor = self.setting.value
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
            show_text(self.runs, _how_it_opens(editor), "text2")
        except NotesearchError as error:
            show_text(self.runs, error_text(error), "danger")


def _how_it_opens(editor: str) -> str:
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
    match how_to_open(editor, example):
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
