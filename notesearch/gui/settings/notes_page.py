"""The Notes page: folders, what to search in them, and the index."""

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox

from notesearch.config import CHOICES
from notesearch.gui import wording
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.fields import (
    CheckSetting,
    ChoiceSetting,
    LinesSetting,
    NumberSetting,
    SuffixesSetting,
)
from notesearch.gui.settings.settings_page import SettingsPage, button, text_label
from notesearch.gui.settings.vault_list import VaultChoices
from notesearch.gui.translation import translate
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.index_display import IndexDisplay

_MB = 1024 * 1024


class NotesPage(SettingsPage):
    """Changes here re-read the notes at once."""

    def __init__(self, preferences: Preferences, vault: OpenVault, display: IndexDisplay) -> None:
        super().__init__(preferences, translate("settings", "Notes"))
        self._vault, self._display = vault, display
        self.vaults = VaultChoices(preferences)
        self.vaults.removed.connect(vault.remove)
        self.add_row(translate("settings", "Folders"), self.vaults, setting="vaults")
        self._ignore = LinesSetting(preferences, "ignore")
        self.add_row(
            translate("settings", "Ignored"), self._ignore, hint=_patterns(), setting="ignore"
        )
        suffixes = SuffixesSetting(preferences, "suffixes")
        hint = translate("settings", "For example .md .markdown .txt")
        self.add_row(
            translate("settings", "File types"),
            self.add_line(suffixes),
            hint=hint,
            setting="suffixes",
        )
        largest = NumberSetting(preferences, "max_note_bytes", 1, 1024, _MB)
        hint = translate("settings", "Larger files are not read, and are listed as unread.")
        self.add_row(
            translate("settings", "Largest note"),
            self.add_line(largest, text_label("MB")),
            hint=hint,
            setting="max_note_bytes",
        )
        links = CheckSetting(
            preferences,
            "follow_links",
            translate("settings", "Follow symbolic links"),
        )
        hint = translate(
            "settings", "Also to places outside the folder. Each note is searched once."
        )
        self.add_row(translate("settings", "Links"), links, hint=hint, setting="follow_links")
        named = {
            "auto": translate("settings", "Detect automatically (MkDocs or Obsidian)"),
            "default": translate("settings", "Obsidian and GitHub"),
            "mkdocs": "MkDocs",
        }
        dialects = [(word, named[word]) for word in CHOICES["dialect"]]
        dialect = ChoiceSetting(preferences, "dialect", dialects)
        self.add_row(
            translate("settings", "Markdown flavour"), self.add_line(dialect), setting="dialect"
        )
        self._add_index()
        display.line_changed.connect(self._show_index)
        self._show_index()

    def fit(self) -> None:
        """Set all distances from the application's font."""
        super().fit()
        self._ignore.setFixedHeight(px(76))
        self.vaults.list.fit()

    def _add_index(self) -> None:
        paused = CheckSetting(self.preferences, "paused", translate("settings", "Pause indexing"))
        self._state = text_label("")
        self._where = text_label("", role="meta", tone="text2")
        self._where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        update = button(translate("settings", "Update index"), self._vault.refresh)
        self._rebuild = button(translate("settings", "Rebuild index…"), self._ask_to_rebuild)
        self._folder = button(translate("settings", "Show in folder"), self._show_folder)
        row = self.add_line(update, self._rebuild, self._folder)
        self.add_row(
            translate("settings", "Index"), self._state, self._where, paused, row, setting="paused"
        )

    @Slot()
    def _show_index(self) -> None:
        status, line = self._vault.status, self._display.line
        self._state.setText(line.text)
        size = wording.bytes_text(status.index_bytes) if status else ""
        place = status.index_path if status else ""
        text = translate("settings", "{size} at {place}").format(size=size, place=place)
        self._where.setText(text if place else "")
        self._where.setVisible(bool(place))
        self._rebuild.setEnabled(self._vault.session is not None)
        self._folder.setEnabled(bool(place))

    @Slot()
    def _show_folder(self) -> None:
        status = self._vault.status
        if status is not None:
            folder = Path(status.index_path).parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    @Slot()
    def _ask_to_rebuild(self) -> None:
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(translate("settings", "Rebuild the index"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(translate("settings", "Rebuild the index of this folder?"))
        box.setInformativeText(
            translate(
                "settings",
                "Your notes are not touched. You can search by words as soon as the notes are"
                " read; searching by meaning takes longer.",
            )
        )
        box.addButton(translate("settings", "Rebuild"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.accepted.connect(self._vault.rebuild)
        box.open()


def _patterns() -> str:
    return translate(
        "settings",
        "Patterns for folders and files, one per line, as in .gitignore. A"
        " .notesearchignore file in the folder and Obsidian's excluded files apply too.",
    )
