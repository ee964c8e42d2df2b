"""The choice of one folder to search, by the button beside the field and by its popover."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.search_scope import SearchScope
from notesearch.gui.translation import translate
from notesearch.gui.widgets.popover import Choice
from notesearch.gui.window.folder_button import all_folders
from notesearch.gui.window.main_actions import MainActions
from notesearch.gui.window.main_window import MainWindow


class FolderScope(QObject):
    """Offers the top-level folders of the vault and limits the search to the chosen one."""

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
        if popover.is_open:
            popover.close_up()
            return
        self._offered = ("", *(status.folders if status else ()))
        choices = [
            Choice(name or all_folders(), strong=name == folder, ends_group=not name)
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
        """Search all folders."""
        self._search_in("")

    @Slot(int)
    def _choose(self, place: int) -> None:
        self._search_in(self._offered[place])

    def _search_in(self, folder: str) -> None:
        self._scope.set_folder(folder)
        self._show_folder()
        self._window.field.setFocus()

    @Slot()
    def _show_folder(self) -> None:
        """Name the folder on the button. Without a vault there is no button."""
        self._window.folder.set_folder(self._scope.folder)
        self._window.folder.setVisible(self._vault.path is not None)
