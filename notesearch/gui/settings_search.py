"""The page of searching: by words or by meaning too, and what the list shows."""

from PySide6.QtCore import Slot

from notesearch.config import BOUNDS
from notesearch.gui import wording
from notesearch.gui.preferences import Preferences
from notesearch.gui.settings_fields import CheckSetting, NumberSetting
from notesearch.gui.settings_page import SettingsPage, said
from notesearch.gui.translation import translate
from notesearch.gui.vault_flow import VaultFlow


class SearchPage(SettingsPage):
    """Says how far searching by meaning is, too."""

    def __init__(self, preferences: Preferences, vaults: VaultFlow) -> None:
        super().__init__(preferences, translate("settings", "Search"))
        self._vaults = vaults
        meaning = CheckSetting(
            preferences,
            "meaning",
            translate("settings", "Search by meaning too, not only by words"),
        )
        self.state = said("", role="meta", tone="text2")
        self.add_row(translate("settings", "Meaning"), meaning, self.state, setting="meaning")
        self.model = said("")
        hint = translate("settings", "The page “Models” offers others.")
        self.add_row(translate("settings", "Model"), self.model, hint=hint)
        results = NumberSetting(preferences, "results", *BOUNDS["results"])
        hint = translate("settings", "Sections that a window lists at most.")
        self.add_row(
            translate("settings", "Results"), self.add_line(results), hint=hint, setting="results"
        )
        newest = CheckSetting(
            preferences, "newest_first", translate("settings", "List the newest notes first")
        )
        self.add_row(translate("settings", "Order"), newest, setting="newest_first")
        related = CheckSetting(
            preferences,
            "related_tag",
            translate("settings", "Mark sections that only mean the same as “Related”"),
        )
        self.add_row(translate("settings", "Marks"), related, setting="related_tag")
        vaults.told.connect(self._show_state)
        preferences.changed.connect(self._show_state)
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        self.model.setText(self.preferences.settings.model)
        self.state.setText(wording.meaning_text(self._vaults.status))
