"""The running program: its parts, and how the main window is connected to the open vault."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from notesearch.config import Paths, Settings, resources
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.session.actions import MainActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.search_pane import SearchPane
from notesearch.gui.session.search_worker import OpenLibrary
from notesearch.gui.session.start_list import StartPage
from notesearch.gui.settings.multilingual_offer import MultilingualBar
from notesearch.gui.settings.settings_dialog import SettingsController
from notesearch.gui.translation import sentence_text, shortened, translate
from notesearch.gui.widgets.answer_texts import empty_query_message
from notesearch.gui.widgets.dialogs import open_dialog
from notesearch.gui.widgets.keys import KeyHint, caps_of
from notesearch.gui.widgets.notices import Message
from notesearch.gui.widgets.theme import Theme
from notesearch.gui.window.folder_chooser import FolderChooser, FolderScope
from notesearch.gui.window.index_display import IndexDisplay
from notesearch.gui.window.key_page import KeyPage, key_page
from notesearch.gui.window.main_window import FirstPaint
from notesearch.messages import Sentence

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary

_SAMPLE = resources() / "sample-vault"

_REOPENING = frozenset(
    """
    code_blocks dialect follow_links ignore language learning max_note_bytes meaning model
    other_files passage_overlap passage_tokens prefer_recent preferred_folders reranker
    reranker_ms results suffixes
    """.split()
)
"""The settings that take effect only when the vault is opened again."""


class App(QObject):
    """Creates the parts that ``FirstPaint`` lacks, connects all parts, and closes them in order.

    References between parts form no cycle, so Python destroys all parts with the last reference to
    this object. A cycle would stay until Python's garbage collector runs, which may happen in any
    thread; and a window that is destroyed outside the GUI thread ends the process.

    Signals:
        leaving: The user wants to quit.
    """

    leaving = Signal()

    def __init__(self, first: FirstPaint) -> None:
        super().__init__()
        self.preferences = first.preferences
        self.appearance = first.appearance
        self.window = first.window
        self.switcher = first.switcher
        self._paths = paths = first.paths
        self.model = ResultsModel()  # without a parent, so that it outlives the window showing it
        self.window.furnish(self.model)
        self.actions = MainActions(self.window, self)
        opener = partial(_opener, self.preferences)
        self.vault = OpenVault(opener, self, paused=self.settings.paused)
        # Before the parts that ask whether the window shows a problem with the folder.
        self.display = IndexDisplay(self.window, self.actions, self.vault, paths.data, self)
        self.multilingual = MultilingualBar(self.window, self.vault, self.preferences, self)
        contents = partial(
            _start_page, self.vault, self.actions, self.multilingual, self.preferences
        )
        self.pane = SearchPane(
            self.window,
            self.actions,
            self.vault,
            self.vault.main_workers,
            self.preferences,
            StartPage(contents, hint=translate("Try: {query}")),
            self,
        )
        self.folders = FolderChooser(self.window, self.actions, self.vault, self.preferences, self)
        self.scope = FolderScope(self.window, self.actions, self.pane.scope, self.vault, self)
        self.settings_controller = SettingsController(
            self.preferences, self.vault, self.display, self.pane.opener, self.appearance, self
        )
        self.window.set_menu(self.actions.menu())
        self.window.addActions([self.switcher.all, *self.switcher.numbered])
        self._show_hints()
        self.window.restore_panes()
        self._connect_vault()
        self._connect_window()
        self._connect_settings()

    @property
    def theme(self) -> Theme:
        """The theme of the windows."""
        return self.appearance.theme

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self.preferences.settings

    def start(self, vault: Path | None) -> None:
        """Open ``vault``, or ask for a folder if it is None; call this when the window is shown."""
        self._open_chosen(str(vault or ""))
        query = self.window.last_query
        if vault is not None and query:
            self.window.field.set_text(query)
            self.window.field.focus_all()

    def open(self, vault: Path) -> None:
        """Open ``vault``, and focus the search field."""
        self.vault.open(vault)
        self.window.field.setFocus()

    def _open_chosen(self, vault: str) -> None:
        """Open all vaults at once if the settings say so, else ``vault``; none if it is empty."""
        if not vault:
            self.vault.leave()
            return
        self.vault.open_joined(self.settings.joined or {"": Path(vault)})
        self.window.field.setFocus()

    def close(self) -> None:
        """End all threads and close all parts."""
        self.settings_controller.close()
        self.multilingual.close()
        self.folders.close()
        self.pane.close()
        self.vault.close()
        self.appearance.close()
        self.preferences.close()

    @property
    def bug_text(self) -> str:
        """The sentence that reports an unexpected error and names the log file."""
        return sentence_text(Sentence("bug_met", file=str(self._paths.log_file)))

    def report_bug(self) -> None:
        """Tell the user that something unexpected went wrong."""
        self.window.notices.show_bug(self.bug_text, [self.actions.show_details])

    def _connect_vault(self) -> None:
        vault = self.vault
        window = self.window
        vault.index_changed.connect(self.pane.refresh)
        vault.state_changed.connect(self._show_state)
        self.multilingual.changed.connect(self._show_state)
        vault.delete_failed.connect(window.notices.show_other)
        window.activated.connect(vault.refresh_missing)
        self.actions.try_again.triggered.connect(vault.refresh)
        self.actions.pause.setChecked(self.settings.paused)
        self.actions.pause.triggered.connect(self.pause)
        self.actions.sample_notes.triggered.connect(self._open_sample)
        self.folders.chosen.connect(self.open_folder)

    def _connect_window(self) -> None:
        window = self.window
        pane = self.pane
        actions = self.actions
        window.field.escaped.connect(self._escape)
        window.preview.browser.link_hovered.connect(window.bar.set_hovered)
        window.bar.more.clicked.connect(self._explain_line)
        window.results.summary.order_chosen.connect(self._choose_order)
        window.closing.connect(self._save_window)
        window.field.text_changed.connect(self._show_title)
        pane.search.everywhere = (actions.search_everywhere,)
        pane.search.set_newest_first(self.settings.newest_first)
        for action, slot in (
            (actions.close_window, window.close),
            (actions.show_menu, window.open_menu),
            (actions.about, window.show_about_box),
            (actions.keys, self._show_keys),
            (actions.quit, self.leave),
        ):
            action.triggered.connect(slot)

    def _connect_settings(self) -> None:
        actions = self.actions
        settings = self.settings_controller
        actions.settings.triggered.connect(settings.show)
        self.switcher.more.triggered.connect(settings.show_notes)  # a partial would form a cycle
        for action, page in (
            (actions.show_details, translate("About")),
            (actions.choose_editor, translate("Editor")),
        ):
            action.triggered.connect(partial(settings.show_page, page))
        self.appearance.changed.connect(self._on_appearance_changed)
        self.preferences.changed.connect(self._on_settings_changed)
        self.preferences.failed.connect(self.window.notices.show_settings)
        self.preferences.stored.connect(self.window.notices.settle_settings)
        self.preferences.problems_changed.connect(self._show_settings_problem)
        self._show_settings_problem()

    def _show_hints(self) -> None:
        self.window.bar.set_hints(
            [
                KeyHint(("↑", "↓"), translate("Select")),
                KeyHint(caps_of("Enter"), self.pane.opener.label),
                KeyHint(caps_of("Alt+Up"), translate("Parent section")),
                KeyHint(caps_of("Ctrl+K"), translate("All actions")),
            ]
        )

    @Slot()
    def _show_keys(self) -> None:
        open_dialog(key_page(self.actions, self.window, self.window.theme))

    @Slot()
    def _show_settings_problem(self) -> None:
        for problem in self.preferences.problems.values():
            self.window.notices.show_settings(sentence_text(problem))
            return
        self.window.notices.settle_settings()

    @Slot(str)
    def _show_title(self, query: str) -> None:
        shown = shortened(query)
        self.window.setWindowTitle(f"{shown} – notesearch" if shown else "notesearch")

    @Slot()
    def _explain_line(self) -> None:
        """Explain the status line: show the notes that were not read, or the Search settings."""
        if self.window.bar.line.explains == "meaning":
            self.settings_controller.show_page(
                translate("Search", comment="a page of the settings")
            )
        else:
            self.display.show_unread()

    @Slot()
    def _escape(self) -> None:
        """Cancel an Enter that waits for results, else close a message, else clear the field."""
        if not self.pane.search.cancel_enter() and not self.window.close_message():
            self.window.field.clear()

    @Slot()
    def _show_state(self) -> None:
        self.pane.show_state()
        for action in (self.actions.pause, self.actions.why_not):
            action.setEnabled(self.vault.is_open)
        leave = translate("Leave the sample notes")
        enter = translate("Try the sample notes")
        self.actions.sample_notes.setText(leave if self.vault.path == _SAMPLE else enter)
        if not self.vault.is_open:
            self.window.page.focus_action()

    @Slot(object)
    def _on_appearance_changed(self, theme: Theme) -> None:
        self.window.set_theme(theme)
        for page in self.window.findChildren(KeyPage):
            page.set_theme(theme)
        self.settings_controller.fit()

    @Slot(object)
    def _on_settings_changed(self, names: frozenset[str]) -> None:
        settings = self.settings
        if "editor" in names:
            self._show_hints()
        if "newest_first" in names:
            self.pane.search.set_newest_first(settings.newest_first)
        if "paused" in names:
            self.vault.set_paused(settings.paused)
            self.actions.pause.setChecked(settings.paused)
        if self._is_other_vault(names):
            self._open_chosen(settings.vault)
        elif names & _REOPENING:
            self.vault.reopen()

    def _is_other_vault(self, names: frozenset[str]) -> bool:
        if self.settings.joined or len(self.vault.folders) > 1:
            chosen = self.settings.joined or {"": Path(self.settings.vault)}
            return bool(names & {"vault", "vaults", "all_vaults"}) and self.vault.folders != chosen
        return "vault" in names and str(self.vault.path or "") != self.settings.vault

    @Slot(object)
    def open_folder(self, folder: Path) -> None:
        """Open the folder that the user chose, and remember it."""
        self.open(folder)
        chosen = self.settings.with_vault(folder)
        self.preferences.change(vault=chosen.vault, vaults=chosen.vaults, all_vaults=False)

    @Slot(bool)
    def pause(self, paused: bool) -> None:
        """Pause or resume indexing."""
        self.preferences.change(paused=paused)

    @Slot(bool)
    def _choose_order(self, newest: bool) -> None:
        self.preferences.change(newest_first=newest)

    @Slot()
    def _open_sample(self) -> None:
        """Open the sample notes; if they are open, go back to the user's own folder."""
        if self.vault.path != _SAMPLE:
            self.open(_SAMPLE)
        else:
            self._open_chosen(self.settings.vault)

    @Slot()
    def leave(self) -> None:
        """Save the state of the window, and emit ``leaving``, because the user wants to quit."""
        self._save_window()
        self.leaving.emit()

    @Slot()
    def _save_window(self) -> None:
        self.window.store_state(self._paths.data)


def _start_page(
    vault: OpenVault,
    actions: MainActions,
    multilingual: MultilingualBar,
    preferences: Preferences,
) -> tuple[Message, list[QAction]]:
    """Return the message and the buttons of the page shown without a query or a vault."""
    page = vault.obstacle
    if page is None:
        page = empty_query_message(vault.status)
        offer = multilingual.waiting
        if offer is None:
            return page, []
        return replace(page, detail=sentence_text(offer.text)), multilingual.choices
    if vault.open_problem:
        first = actions.try_again if vault.problem else actions.choose_folder
        return page, [first, actions.show_details]
    ignored = set(preferences.settings.ignore) - set(Settings().ignore)
    if vault.is_open and not vault.is_stuck and ignored:
        text = translate("Ignored according to the settings: {patterns}")
        detail = text.format(patterns=shortened(", ".join(sorted(ignored))))
        return replace(page, detail=detail), [actions.settings, actions.choose_folder]
    return page, [actions.choose_folder, actions.sample_notes]


def _opener(preferences: Preferences, folders: Mapping[str, Path]) -> OpenLibrary:
    """Return a function that opens the library of ``folders`` with the present settings."""
    return partial(_open_library, folders, preferences.settings, preferences.paths)


def _open_library(
    folders: Mapping[str, Path], settings: Settings, paths: Paths
) -> "SearchedLibrary":
    """Import, open and return the library, which is slow; call this in the search thread.

    ``folders`` maps the name of each vault to its folder; the name of a single vault is empty.
    """
    if "" in folders:
        from notesearch.library import NoteLibrary

        return NoteLibrary.open(folders[""], home=paths, settings=settings)
    from notesearch.libraries import NoteLibraries

    return NoteLibraries.open_joined(folders, home=paths, settings=settings)
