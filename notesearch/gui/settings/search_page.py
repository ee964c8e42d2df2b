"""The Search page of the settings."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLocale, Slot
from PySide6.QtGui import QShowEvent

from notesearch import opened_sections
from notesearch.config import BOUNDS, CHOICES
from notesearch.errors import SettingsError
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.query_history import clear_history
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.settings.setting_controls import ChoiceSetting, FoldersSetting, NumberSetting
from notesearch.gui.settings.settings_page import SettingsPage, button
from notesearch.gui.translation import error_text, translate
from notesearch.gui.widgets.controls import text_label
from notesearch.gui.widgets.dialogs import question
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.index_display import meaning_text


class SearchPage(SettingsPage):
    """The page about search; it also shows the progress of embedding."""

    def __init__(self, preferences: Preferences, vault: OpenVault) -> None:
        super().__init__(preferences)
        self._vault = vault
        self.state = text_label("", role="meta", tone="text2")
        self.add_check(
            translate("Meaning"),
            "meaning",
            translate("Search by meaning as well as by words"),
            self.state,
        )
        self.model = text_label("")
        hint = translate("You can choose another on the “Models” page.")
        self.add_row(translate("Model"), self.model, hint=hint)
        results = NumberSetting(preferences, "results", *BOUNDS["results"])
        hint = translate("A window lists at most this many sections.")
        self.add_setting(translate("Results"), results, hint=hint)
        text = translate("Show the newest notes first in the main window")
        self.add_check(translate("Order"), "newest_first", text)
        text = translate("Label sections found only by meaning as “Related”")
        self.add_check(translate("Labels"), "related_tag", text)
        self._add_learning()
        self._add_history()
        self._add_reading()
        vault.state_changed.connect(self._show_state)
        preferences.changed.connect(self._show_state)
        self._show_state()

    def _add_learning(self) -> None:
        self.forget = button(translate("Forget what was learnt…"), self._ask_to_forget)
        hint = translate("The record of this stays on this computer, in separate files.")
        self.not_forgotten = text_label("", role="meta", tone="danger")
        self.not_forgotten.hide()
        line = self.make_line(self.forget)
        title = translate("Learning")
        text = translate("Sections that you opened for a query rank higher for it")
        self.add_check(title, "learning", text, line, self.not_forgotten, hint=hint)
        text = translate("Recently changed notes rank slightly higher")
        self.add_check(translate("Preferred"), "prefer_recent", text)
        self._folders = folders = FoldersSetting(self.preferences, "preferred_folders", self._vault)
        hint = translate(
            "One folder per line, such as journal/2026. Their notes rank slightly higher."
        )
        self.add_setting(translate("Preferred folders"), folders, hint=hint)

    def _add_history(self) -> None:
        self.clear = button(translate("Clear the history…"), self._ask_to_clear)
        self.not_cleared = text_label("", role="meta", tone="danger")
        self.not_cleared.hide()
        line = self.make_line(self.clear)
        hint = translate("Deletes earlier queries and the list of sections opened last.")
        self.add_row(translate("History"), line, self.not_cleared, hint=hint)

    @Slot()
    def _ask_to_forget(self) -> None:
        question(
            self,
            translate("Search", comment="a page of the settings"),
            translate("Forget which sections you opened for which queries?"),
            translate("Starred and earlier queries stay, and so do your notes."),
            translate("Forget"),
            self._forget,
        ).open()

    @Slot()
    def _forget(self) -> None:
        problem = _problem_of(opened_sections.forget, self.preferences.paths.openings)
        self.not_forgotten.setText(problem)
        self.not_forgotten.setVisible(bool(problem))
        self._show_state()

    @Slot()
    def _ask_to_clear(self) -> None:
        question(
            self,
            translate("Search", comment="a page of the settings"),
            translate("Clear earlier queries and the list of sections opened last?"),
            translate("Starred queries stay, and so do your notes."),
            translate("Clear"),
            self._clear,
        ).open()

    @Slot()
    def _clear(self) -> None:
        problem = _problem_of(clear_history, self.preferences.paths.data)
        self.not_cleared.setText(problem)
        self.not_cleared.setVisible(bool(problem))

    def fit(self) -> None:
        """Scale all spaces to the application's font."""
        super().fit()
        self._folders.setFixedHeight(px(52))

    def end(self) -> None:
        """Apply the preferred folders that were typed last."""
        FileCall.finish_all(self._folders)

    def _add_reading(self) -> None:
        text = translate("Search in code blocks too")
        self.add_check(translate("Code"), "code_blocks", text)
        usual = translate("Detect for each note")
        named = [("auto", usual), *sorted(_languages(), key=lambda pair: pair[1].casefold())]
        language = ChoiceSetting(self.preferences, "language", named)
        hint = translate(
            "Decides which forms of a word match each other. A language in a note’s front"
            " matter takes precedence."
        )
        self.add_setting(translate("Language of your notes"), language, hint=hint)

    def showEvent(self, event: QShowEvent) -> None:
        """Show the state again, because it may have changed meanwhile."""
        super().showEvent(event)
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        self.model.setText(self.preferences.settings.model)
        self.state.setText(meaning_text(self._vault.status, self._vault.progress))
        self.forget.setEnabled(opened_sections.exist(self.preferences.paths.openings))


def _problem_of(delete: Callable[[Path], None], folder: Path) -> str:
    """Delete files of ``folder`` with ``delete``; return why this failed, or an empty text."""
    try:
        delete(folder)
    except SettingsError as error:
        return error_text(error)
    return ""


def _languages() -> list[tuple[str, str]]:
    variants = {"en": "en_IE", "es": "es_CU"}  # for others, Qt adds the country to the name
    names = (
        (code, QLocale(variants.get(code, code)).nativeLanguageName())
        for code in CHOICES["language"][1:]
    )
    return [(code, name[:1].upper() + name[1:]) for code, name in names]
