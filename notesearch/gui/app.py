"""The window's parts wired together, in one place, once the window is painted."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.config import Paths, Settings, resources
from notesearch.gui.front import Front
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.row_digits import RowDigits
from notesearch.gui.session.announcer import Announcer
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.query_history import HistoryFlow, QueryHistory
from notesearch.gui.session.search_flow import SearchFlow
from notesearch.gui.session.search_worker import OpenLibrary
from notesearch.gui.settings.settings_controller import SettingsController
from notesearch.gui.translation import translate
from notesearch.gui.widgets.key_hints import Hint, caps_of
from notesearch.gui.widgets.search_field import InputMethodRelay
from notesearch.gui.widgets.theme import Theme
from notesearch.gui.window import window_state
from notesearch.gui.window.actions import Actions
from notesearch.gui.window.folder_flow import FolderFlow
from notesearch.gui.window.open_flow import OpenFlow
from notesearch.gui.window.popovers import Popovers
from notesearch.gui.window.recent_flow import RecentFlow
from notesearch.gui.window.result_panes import ResultPanes
from notesearch.gui.window.section_flow import SectionFlow
from notesearch.gui.window.vault_flow import VaultFlow
from notesearch.gui.window.window_flow import WindowFlow
from notesearch.gui.window.within_flow import WithinFlow
from notesearch.results import SectionResult

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

_INDEX = {
    "ignore",
    "suffixes",
    "max_note_bytes",
    "follow_links",
    "meaning",
    "model",
    "results",
    "dialect",
    "reranker",
    "reranker_ms",
    "code_blocks",
    "language",
}
"""Settings for which the vault is opened anew."""


class App(QObject):
    """The running program: builds what ``Front`` lacks, connects all, takes it down in order.

    No part holds what holds it: then all of them end at once when the program lets go of this
    object. Parts in a circle would be left to Python's collector, which runs in any thread, and
    a window that is taken down outside of the GUI thread ends the process.

    Signals:
        leaving: The user wants the program to end.
    """

    leaving = Signal()

    def __init__(self, front: Front) -> None:
        super().__init__()
        self.preferences, self.look = front.preferences, front.look
        self._paths = paths = front.paths
        settings = self.preferences.settings
        self.model = ResultsModel()  # of no parent: it ends after the window that shows it
        self.preview = PreviewPane(self.theme)
        self.window, self.switcher = front.window, front.switcher
        self._furnish_window()
        self.actions = Actions(self.window, self)
        self.search = SearchFlow(self.window, self.model, self)
        self.reading = PreviewController(self.preview, self)
        opener = partial(_opener, self.preferences)
        self.vaults = VaultFlow(self.window, self.actions, self.search, opener, self)
        self.vaults.set_paused(settings.paused)
        self.vaults.turns.refused.connect(self.vaults.notices.tell_besides)
        self.opening = OpenFlow(
            self.window, self.actions, self.reading, self.vaults, self.preferences, self
        )
        self.within = WithinFlow(
            self.window,
            self.actions,
            self.search,
            self.reading,
            self.vaults,
            self.preferences,
            self,
        )
        self.folders = FolderFlow(self.window, self.actions, self.vaults, self.preferences, self)
        self.windows = WindowFlow(self.window, self.actions, self.vaults, self)
        self.history = HistoryFlow(self.window.field, QueryHistory(paths.data), self)
        self.opening.opened.connect(self._remember_query)
        self.sections = SectionFlow(self.window, self.actions, self.reading, self.vaults, self)
        self.settings_controller = SettingsController(
            self.preferences, self.vaults, self.opening, self.look, self
        )
        self.switcher.more.triggered.connect(self.settings_controller.show_notes)
        self.window.addActions(self.switcher.numbered)
        self.announcer = Announcer(self.window, self)
        self.window.set_menu(self.actions.menu())
        self._show_hints()
        window_state.restore_panes(self.window, paths.data)
        self._connect_panes()
        self._connect_actions()
        self.recent = RecentFlow(
            self.window, self.model, self.search, self.vaults, paths.data, self
        )
        self.opening.opened.connect(self.recent.remember)
        self.preferences.changed.connect(self._on_settings_changed)
        self.preferences.failed.connect(self.vaults.notices.tell_besides)

    @property
    def theme(self) -> Theme:
        """What the windows wear."""
        return self.look.theme

    def start(self, vault: Path | None) -> None:
        """Open ``vault``, or ask for a folder; called when the window is on screen."""
        if vault is None:
            self.vaults.show_page()
        else:
            self.vaults.open(vault)

    def close(self) -> None:
        """End all threads."""
        self.settings_controller.close()
        self.folders.close()
        self.reading.stop()
        self.announcer.stop()
        self.vaults.close()
        self.look.close()
        self.preferences.close()

    def report_bug(self) -> None:
        """Say that something went wrong that nobody foresaw."""
        self.vaults.notices.tell_besides(
            translate(
                "window",
                "Something went wrong. Your notes are safe. Details are in {file}.",
            ).format(file=self._paths.log_file)
        )

    def _furnish_window(self) -> None:
        panes = ResultPanes(self.model, self.preview, self.theme)
        digits = RowDigits(self.window, panes.results.view)
        self.window.furnish(panes, Popovers(self.window, self.theme), digits)
        InputMethodRelay(
            self.window.field, (panes.results.view, panes.preview.browser), self.window
        )

    def _connect_panes(self) -> None:
        view = self.window.results.view
        view.selected.connect(self._on_selected)
        view.opened.connect(self.opening.open_selected)
        self.window.field.escaped.connect(self.search.escape)
        for nothing_listed in (self.search.emptied, self.search.missed):
            nothing_listed.connect(self.reading.clear)
        self.search.settled.connect(self.announcer.after_pause)
        self.reading.note_missing.connect(self.model.set_gone)
        self.vaults.opening.connect(self._attach_preview)
        self.preview.browser.link_hovered.connect(self.window.status.set_hovered)
        self.preview.head.open_button.clicked.connect(self.opening.open_previewed)
        self.preview.head.outline_button.clicked.connect(self.sections.outline.show)
        self.sections.open_wanted.connect(self.opening.open_at)
        self.window.closing.connect(self._on_closing)

    def _connect_actions(self) -> None:
        actions = self.actions
        self.folders.chosen.connect(self.open_folder)
        actions.sample_notes.triggered.connect(self._open_sample)
        actions.quit.triggered.connect(self.leave)
        actions.settings.triggered.connect(self.settings_controller.show)
        actions.show_details.triggered.connect(self.settings_controller.show_about)
        actions.pause.setChecked(self.settings.paused)
        actions.pause.triggered.connect(self.pause)
        actions.connect_preview(self.preview, self.reading)
        actions.choose_editor.triggered.connect(self.settings_controller.show_editor)
        self.look.changed.connect(self._on_look_changed)

    def _show_hints(self) -> None:
        self.window.status.set_hints(
            [
                Hint(("↑", "↓"), translate("window", "Select")),
                Hint(caps_of("Enter"), self.opening.label),
                Hint(caps_of("Alt+Up"), translate("window", "Parent section")),
                Hint(caps_of("Ctrl+K"), translate("window", "All actions")),
            ]
        )

    @Slot(object)
    def _on_look_changed(self, theme: Theme) -> None:
        self.window.set_theme(theme)
        self.preview.set_theme(theme)
        self.switcher.set_theme(theme)
        self._show_hints()
        self.settings_controller.fit()

    @Slot(object)
    def _on_settings_changed(self, names: frozenset[str]) -> None:
        """Have everything follow that depends on the settings ``names``."""
        settings = self.settings
        if "editor" in names:
            self._show_hints()
        if "paused" in names:
            self.vaults.set_paused(settings.paused)
            self.actions.pause.setChecked(settings.paused)
        if "vault" in names and str(self.vaults.vault or "") != settings.vault:
            self._open_listed(settings.vault)
        elif names & _INDEX:
            self.vaults.reopen()

    @Slot(object)
    def _on_selected(self, result: SectionResult) -> None:
        self.opening.turn_to(result)
        self.reading.show(result, self.search.text)

    @Slot()
    def _remember_query(self) -> None:
        self.history.remember(self.search.text)

    @Slot(object)
    def _attach_preview(self, _vault: object) -> None:
        self.reading.attach(self.vaults.session.main if self.vaults.session else None)

    @Slot(object)
    def open_folder(self, folder: Path) -> None:
        """Open a folder that the user chose, and remember it."""
        self.vaults.open(folder)
        chosen = self.settings.with_vault(folder)
        self.change(vault=chosen.vault, vaults=chosen.vaults)

    def _open_listed(self, path: str) -> None:
        if path:
            self.vaults.open(Path(path))
        else:
            self.vaults.leave()

    @property
    def settings(self) -> Settings:
        """What the user chose, as far as it is known."""
        return self.preferences.settings

    def change(self, **chosen: Any) -> None:  # noqa: ANN401 - each setting has its own type
        """Take over what the user chose, and keep it beside what the file says meanwhile."""
        self.preferences.change(**chosen)

    @Slot(bool)
    def pause(self, paused: bool) -> None:
        """Have changed notes wait, or indexed, from now on."""
        self.change(paused=paused)

    def look_at_settings(self) -> None:
        """Take up what a later start of the program wrote into the settings, its folder most."""
        self.preferences.read_file()

    @Slot()
    def _open_sample(self) -> None:
        self.vaults.open(resources() / "sample-vault")

    @Slot()
    def leave(self) -> None:
        """Have the program end, as the user wants."""
        self._on_closing()
        self.leaving.emit()

    @Slot()
    def _on_closing(self) -> None:
        window_state.save(self.window, self._paths.data)


def _opener(preferences: Preferences, vault: Path) -> OpenLibrary:
    return partial(_open_library, vault, preferences.settings, preferences.paths)


def _open_library(vault: Path, settings: Settings, paths: Paths) -> "NoteLibrary":
    """Import the library, which takes a while, and open it: called in the searching thread."""
    from notesearch.library import NoteLibrary

    return NoteLibrary.open(vault, home=paths, settings=settings)
