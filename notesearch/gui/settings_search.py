"""The page of searching: by words or by meaning too, and what the list shows."""

from PySide6.QtCore import Slot

from notesearch.config import BOUNDS, BUILTIN_MODEL
from notesearch.gui import wording
from notesearch.gui.preferences import Preferences
from notesearch.gui.settings_fields import CheckSetting, NumberSetting, TextSetting
from notesearch.gui.settings_page import SettingsPage, said
from notesearch.gui.vault_flow import VaultFlow

_MODEL = (
    "“{builtin}” comes with the program. A folder with another model of sentence-transformers"
    " takes its place; your notes are then read for it anew."
)


class SearchPage(SettingsPage):
    """Says how far searching by meaning is, too."""

    def __init__(self, preferences: Preferences, vaults: VaultFlow) -> None:
        super().__init__(preferences, "Search")
        self._vaults = vaults
        meaning = CheckSetting(preferences, "meaning", "Search by meaning too, not only by words")
        self.state = said("", role="meta", tone="text2")
        self.add_row("Meaning", meaning, self.state, setting="meaning")
        model = TextSetting(preferences, "model")
        hint = _MODEL.format(builtin=BUILTIN_MODEL)
        self.add_row("Model", model, hint=hint, setting="model")
        results = NumberSetting(preferences, "results", *BOUNDS["results"])
        hint = "Sections that a window lists at most."
        self.add_row("Results", self.add_line(results), hint=hint, setting="results")
        newest = CheckSetting(preferences, "newest_first", "List the newest notes first")
        self.add_row("Order", newest, setting="newest_first")
        related = CheckSetting(
            preferences, "related_tag", "Mark sections that only mean the same as “Related”"
        )
        self.add_row("Marks", related, setting="related_tag")
        vaults.told.connect(self._show_state)
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        self.state.setText(wording.meaning_text(self._vaults.status))
