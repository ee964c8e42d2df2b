"""Where is searched: in all folders, in one of them, or in one note; and which notes come first."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.search_flow import SearchFlow
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choice_popover import Choice
from notesearch.gui.window.actions import Actions
from notesearch.gui.window.folder_button import every_folder
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.window.vault_flow import VaultFlow
from notesearch.gui.window.within_note import WithinNote


class WithinFlow(WithinNote):
    """The note in the field's chip comes before the folder of the button."""

    def __init__(
        self,
        window: MainWindow,
        actions: Actions,
        search: SearchFlow,
        reading: PreviewController,
        vaults: VaultFlow,
        preferences: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(window.field, actions, search, reading, vaults, parent)
        self._window = window
        self._vaults = vaults
        self._preferences = preferences
        self._folder = ""
        self._offered: tuple[str, ...] = ()
        window.folder.pressed.connect(self.offer_folders)
        window.folder.cleared.connect(self.search_everywhere)
        window.popovers.folders.chosen.connect(self._choose)
        actions.choose_scope.triggered.connect(self.offer_folders)
        actions.search_everywhere.triggered.connect(self.search_everywhere)
        vaults.told.connect(self._show_button)
        window.results.order_chosen.connect(self._keep_order)
        preferences.changed.connect(self._on_settings_changed)
        search.offer_elsewhere(actions.search_everywhere)
        search.set_newest_first(preferences.settings.newest_first)
        self._show_button()

    @Slot()
    def offer_folders(self) -> None:
        """Let the user choose among the folders at the top."""
        window, status = self._window, self._vaults.status
        popover = window.popovers.folders
        if popover.is_open:
            popover.close_up()
            return
        self._offered = ("", *(status.folders if status else ()))
        choices = [
            Choice(name or every_folder(), strong=name == self._folder, ends_group=not name)
            for name in self._offered
        ]
        current = self._offered.index(self._folder) if self._folder in self._offered else 0
        popover.offer(
            choices,
            prompt=translate("window", "Filter folders"),
            current=current,
            anchor=window.folder,
        )

    @Slot()
    def search_everywhere(self) -> None:
        """Search in all folders."""
        self.leave()
        self._show_folder("")
        self.apply()
        self._window.field.setFocus()

    @Slot(int)
    def _choose(self, place: int) -> None:
        self.leave()
        self._show_folder(self._offered[place])
        self.apply()
        self._window.field.setFocus()

    @Slot(bool)
    def _keep_order(self, newest: bool) -> None:
        self._preferences.change(newest_first=newest)

    @Slot(object)
    def _on_settings_changed(self, names: frozenset[str]) -> None:
        if "newest_first" in names:
            self._search.set_newest_first(self._preferences.settings.newest_first)

    @Slot()
    def _show_button(self) -> None:
        """Offer folders only where a vault is open."""
        self._window.folder.setVisible(self._vaults.vault is not None)

    @Slot()
    def forget(self) -> None:
        """Search everywhere in another vault."""
        self._show_folder("")
        super().forget()

    def _show_folder(self, folder: str) -> None:
        self._folder = folder
        self._window.folder.set_folder(folder)

    def apply(self) -> None:
        """Search where it is said."""
        self._search.set_within(self._note or (self._folder and f"{self._folder}/"))
