"""The Search page of the settings."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QLocale, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton

from notesearch import opened_sections
from notesearch.config import BOUNDS, CHOICES
from notesearch.errors import SettingsError
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.query_history import clear_history
from notesearch.gui.settings.settings_page import (
    LinesSetting,
    NumberSetting,
    ProblemLine,
    SettingsPage,
)
from notesearch.gui.translation import error_text, translate
from notesearch.gui.widgets.controls import text_label
from notesearch.gui.widgets.dialogs import question
from notesearch.gui.widgets.theme import px
from notesearch.gui.window.index_display import meaning_text


class DeleteButton(QPushButton):
    """A button that asks, and then calls ``delete``; ``problem`` shows why that failed."""

    deleted = Signal()

    def __init__(
        self, label: str, text: str, details: str, yes: str, delete: Callable[[], None]
    ) -> None:
        super().__init__(label)
        self.setAutoDefault(False)
        self._question = text, details, yes
        self._delete = delete
        self.problem = ProblemLine()
        self.clicked.connect(self._ask)

    @Slot()
    def _ask(self) -> None:
        title = translate("Search", comment="a page of the settings")
        question(self, title, *self._question, self._run).open()

    def _run(self) -> None:
        problem = ""
        try:
            self._delete()
        except SettingsError as error:
            problem = error_text(error)
        self.problem.report(problem)
        self.deleted.emit()


class SearchPage(SettingsPage):
    """The page about search; it also shows the progress of embedding."""

    def __init__(self, preferences: Preferences, vault: OpenVault) -> None:
        super().__init__(preferences)
        self._vault = vault
        self.state = text_label("", role="meta", tone="text2")
        text = translate("Search by meaning as well as by words")
        self.add_check(translate("Meaning"), "meaning", text, self.state)
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
        self._add_preferences()
        self._add_history()
        self._add_reading()
        vault.state_changed.connect(self._show_state)
        preferences.changed.connect(self._show_state)
        self._show_state()

    def _add_preferences(self) -> None:
        self._forget = DeleteButton(
            translate("Forget what was learnt…"),
            translate("Forget which sections you opened for which queries?"),
            translate("Starred and earlier queries stay, and so do your notes."),
            translate("Forget"),
            partial(opened_sections.forget, self.preferences.paths.openings),
        )
        self._forget.deleted.connect(self._show_state)
        self.add_check(
            translate("Learning"),
            "learning",
            translate("Sections that you opened for a query rank higher for it"),
            self.make_line(self._forget),
            self._forget.problem,
            hint=translate("The record of this stays on this computer, in separate files."),
        )
        text = translate("Recently changed notes rank slightly higher")
        self.add_check(translate("Preferred"), "prefer_recent", text)
        self._folders = LinesSetting(self.preferences, "preferred_folders")
        hint = translate(
            "One folder per line, such as journal/2026. Their notes rank slightly higher."
        )
        self.add_setting(translate("Preferred folders"), self._folders, hint=hint)

    def _add_history(self) -> None:
        clear = DeleteButton(
            translate("Clear the history…"),
            translate("Clear earlier queries and the list of sections opened last?"),
            translate("Starred queries stay, and so do your notes."),
            translate("Clear"),
            partial(clear_history, self.preferences.paths),
        )
        hint = translate("Deletes earlier queries and the list of sections opened last.")
        self.add_row(translate("History"), self.make_line(clear), clear.problem, hint=hint)

    def fit(self) -> None:
        """Scale all spaces to the application's font."""
        super().fit()
        self._folders.setFixedHeight(px(52))

    def _add_reading(self) -> None:
        text = translate("Search in code blocks too")
        self.add_check(translate("Code"), "code_blocks", text)
        usual = translate("Detect for each note")
        named = [("auto", usual), *sorted(_languages(), key=lambda pair: pair[1].casefold())]
        hint = translate(
            "Decides which forms of a word match each other. A language in a note’s front"
            " matter takes precedence."
        )
        self.add_choice(translate("Language of your notes"), "language", named, hint=hint)

    def showEvent(self, event: QShowEvent) -> None:
        """Show the state again, because it may have changed meanwhile."""
        super().showEvent(event)
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        self.model.setText(self.preferences.settings.model)
        self.state.setText(meaning_text(self._vault.status, self._vault.progress))
        self._forget.setEnabled(opened_sections.exist(self.preferences.paths.openings))


def _languages() -> list[tuple[str, str]]:
    variants = {"en": "en_IE", "es": "es_CU"}  # for others, Qt adds the country to the name
    names = (
        (code, QLocale(variants.get(code, code)).nativeLanguageName())
        for code in CHOICES["language"][1:]
    )
    return [(code, name[:1].upper() + name[1:]) for code, name in names]
