"""Lets the user choose the notes folder, and one folder in it to which to limit the search.

The notes folder is chosen in a dialog, or among folders found on this computer.
"""

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMessageBox

from notesearch.gui import wording
from notesearch.gui.session.actions import MainActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.search_controller import SearchScope
from notesearch.gui.system.vault_finder import MANY, FoundVault, VaultFinder
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.dialogs import choose_folder, message_box
from notesearch.gui.widgets.labels import everywhere
from notesearch.gui.widgets.message_page import SuggestedVaults, empty_folder_message
from notesearch.gui.window.index_display import IndexNotices
from notesearch.gui.window.main_window import MainWindow


class FolderChooser(QObject):
    """Lets the user choose a folder, and asks again if the choice looks like a mistake.

    Signals:
        chosen: The user chose this folder (``Path``).
    """

    chosen = Signal(object)

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        notices: IndexNotices,
        vault: OpenVault,
        preferences: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._notices = notices
        self._vault = vault
        self._preferences = preferences
        self._finders: list[VaultFinder] = []
        self._counting: VaultFinder | None = None
        self._searched = False
        self._large: tuple[Path, Path] | None = None
        actions.choose_folder.triggered.connect(self.choose)
        window.folder_dropped.connect(self.take)
        vault.state_changed.connect(self._find_folders)

    def close(self) -> None:
        """End the threads that search or count notes."""
        for finder in self._finders:
            finder.requestInterruption()
        for finder in self._finders:
            finder.wait()

    @Slot()
    def choose(self) -> None:
        """Open the desktop's dialog to choose a folder, and take the chosen folder."""
        near = next(iter(self._vault.folders.values()), Path.home())
        if chosen := choose_folder(self._window, near):
            self.take(str(chosen))

    @Slot(str)
    def take(self, folder: str) -> None:
        """Count the notes in ``folder``, and choose it, unless it has none or very many."""
        if self._counting is not None:  # on a slow disk, the former folder may still be counted
            self._counting.blockSignals(True)
            self._counting.requestInterruption()
        self._counting = finder = self._finder(Path(folder))
        finder.counted.connect(self._on_counted)
        finder.refused.connect(self._on_refused)
        finder.start()

    @Slot()
    def _find_folders(self) -> None:
        """Look once for folders of notes on this computer, before a folder is chosen."""
        if not self._vault.is_open and not self._searched:
            self._searched = True
            finder = self._finder(None)
            suggestions = SuggestedVaults()
            suggestions.chosen.connect(self._on_found_chosen)
            self._window.page.add_suggestions(suggestions)
            finder.found.connect(self._window.page.set_suggestions)
            finder.start()

    def _finder(self, folder: Path | None) -> VaultFinder:
        settings = self._preferences.settings
        suffixes = settings.searched_suffixes if folder else settings.suffixes
        finder = VaultFinder(suffixes, folder, self)
        self._finders.append(finder)
        return finder

    @Slot(object, object, object)
    def _on_counted(self, folder: Path, real: Path, notes: int | None) -> None:
        if notes == 0:
            self._show_empty(folder)
        elif notes is not None and notes > MANY:
            self._ask_large(folder, real)
        else:
            self._search(folder, real)

    @Slot(object)
    def _on_refused(self, file: Path) -> None:
        text = translate("window", "“{file}” is not a folder. Choose the folder of your notes.")
        self._notices.show_other(text.format(file=file.name), [self._actions.choose_folder])

    def _search(self, folder: Path, real: Path) -> None:
        self.chosen.emit(folder)
        parent = self._listed_parent(real)
        if parent is not None:
            inside = translate("window", "“{folder}” is inside “{around}”.")
            hint = translate(
                "window",
                "You already search “{around}”. To search one folder of it, use the button next"
                " to the search field; that needs no second index.",
            )
            message_box(
                self._window,
                translate("window", "Folder inside another folder"),
                inside.format(folder=folder.name, around=parent.name),
                hint.format(around=parent.name),
            ).open()

    def _listed_parent(self, folder: Path) -> Path | None:
        """Return a folder in the settings that contains ``folder``, a path without links."""
        listed = (Path(vault.path) for vault in self._preferences.settings.vaults)
        return next((parent for parent in listed if parent in folder.parents), None)

    def _show_empty(self, folder: Path) -> None:
        actions = self._actions
        if not self._vault.is_open:
            choices = [actions.choose_folder, actions.sample_notes]
            self._window.page.show_page(empty_folder_message(folder), choices)
            self._window.page.focus_action()
        else:
            text = translate("window", "There are no Markdown files in {folder}.").format(
                folder=folder
            )
            self._notices.show_other(text, [actions.choose_folder])

    def _ask_large(self, folder: Path, real: Path) -> None:
        """Ask whether ``folder`` is right, as it has very many notes: it may be a whole disk."""
        self._large = folder, real
        text = translate("window", "There are more than {many} notes in this folder.")
        details = translate(
            "window",
            "{folder} may contain more than your notes. Reading all of it takes a while,"
            " but you can start searching at once.",
        )
        box = message_box(
            self._window,
            translate("window", "Many notes"),
            text.format(many=wording.number(MANY)),
            details.format(folder=folder),
        )
        box.addButton(translate("window", "Search this folder"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.accepted.connect(self._search_large)
        box.open()

    @Slot()
    def _search_large(self) -> None:
        if self._large is not None:
            self._search(*self._large)

    @Slot(object)
    def _on_found_chosen(self, vault: FoundVault) -> None:
        self.chosen.emit(vault.path)


class FolderScope(QObject):
    """Offers the top-level folders of the vault, and limits the search to the chosen one."""

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        scope: SearchScope,
        vault: OpenVault,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._scope = scope
        self._vault = vault
        self._offered: tuple[str, ...] = ()
        window.folder.button.clicked.connect(self.offer_folders)
        window.folder.cross.clicked.connect(self.search_everywhere)
        window.folders.chosen.connect(self._choose)
        actions.choose_scope.triggered.connect(self.offer_folders)
        actions.search_everywhere.triggered.connect(self.search_everywhere)
        vault.opening.connect(self._show_folder)
        self._show_folder()

    @Slot()
    def offer_folders(self) -> None:
        """Open the list of the top-level folders, or close it."""
        window, status = self._window, self._vault.status
        popover, folder = window.folders, self._scope.folder
        if popover.is_open or self._vault.path is None:
            popover.close_up()
            return
        self._offered = ("", *(status.folders if status else ()))
        choices = [
            Choice(name or everywhere(), strong=name == folder, ends_group=not name)
            for name in self._offered
        ]
        current = self._offered.index(folder) if folder in self._offered else 0
        popover.offer(
            choices,
            prompt=translate("window", "Filter folders"),
            current=current,
            anchor=window.folder,
        )

    @Slot()
    def search_everywhere(self) -> None:
        """Search the whole notes folder."""
        self._search_in("")

    @Slot(int)
    def _choose(self, index: int) -> None:
        self._search_in(self._offered[index])

    def _search_in(self, folder: str) -> None:
        self._scope.set_folder(folder)
        self._show_folder()
        self._window.field.setFocus()

    @Slot()
    def _show_folder(self) -> None:
        """Show the folder on the button; hide the button unless exactly one vault is open."""
        self._window.folder.set_folder(self._scope.folder)
        self._window.folder.setVisible(self._vault.path is not None)
