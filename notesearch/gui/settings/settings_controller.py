"""Opens the settings, which are made when they are first wanted."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.session.preferences import Preferences
from notesearch.gui.translation import translate
from notesearch.gui.window.look import Look
from notesearch.gui.window.open_flow import OpenFlow
from notesearch.gui.window.vault_flow import VaultFlow

if TYPE_CHECKING:
    from notesearch.gui.quick.tray import Tray
    from notesearch.gui.settings.settings_dialog import SettingsDialog
    from notesearch.gui.system.shortcut.shortcut_controller import ShortcutController


class SettingsController(QObject):
    """Shows one window of settings at most.

    Attributes:
        dialog: The window, once it was wanted.

    Signals:
        making: It is wanted for the first time, and shows what is known after this.
    """

    making = Signal()

    def __init__(
        self,
        preferences: Preferences,
        vaults: VaultFlow,
        opening: OpenFlow,
        look: Look,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._vaults = vaults
        self._opening = opening
        self._look = look
        self._shortcut: ShortcutController | None = None
        self._tray: Tray | None = None
        self.dialog: SettingsDialog | None = None

    def know(self, shortcut: "ShortcutController", tray: "Tray") -> None:
        """Take what only a program with quick search has."""
        self._shortcut, self._tray = shortcut, tray

    @Slot()
    def show(self) -> None:
        """Bring the settings to the front, where they were left."""
        dialog = self.made()
        dialog.fit()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def made(self) -> "SettingsDialog":
        """Return the window, shown or not."""
        if self.dialog is None:
            self.making.emit()
            self.dialog = self._make()
            self._look.dress(self.dialog)
            self.dialog.fit()
            self.dialog.resize(self.dialog.usual_size())  # of what it wears
        return self.dialog

    def show_page(self, title: str) -> None:
        """Bring the settings to the front, turned to a page."""
        self.show()
        assert self.dialog is not None
        self.dialog.show_page(title)

    @Slot()
    def show_notes(self) -> None:
        """Bring the page of the folders to the front."""
        self.show_page(translate("settings", "Notes"))

    @Slot()
    def show_editor(self) -> None:
        """Bring the page of the editor to the front."""
        self.show_page(translate("settings", "Editor"))

    @Slot()
    def show_about(self) -> None:
        """Bring the page to the front that says where everything is, to be copied."""
        self.show_page(translate("settings", "About"))

    @Slot()
    def fit(self) -> None:
        """Take distances from the font that the application has now."""
        if self.dialog is not None:
            self.dialog.fit()

    def close(self) -> None:
        """Close the window for good."""
        if self.dialog is not None:
            for page in self.dialog.pages:
                page.end()
            self.dialog.close()
            self.dialog = None

    def _make(self) -> "SettingsDialog":
        from notesearch.gui.settings.about_page import AboutPage
        from notesearch.gui.settings.appearance_page import AppearancePage
        from notesearch.gui.settings.editor_page import EditorPage
        from notesearch.gui.settings.models_page import ModelsPage
        from notesearch.gui.settings.notes_page import NotesPage
        from notesearch.gui.settings.quick_page import QuickPage
        from notesearch.gui.settings.search_page import SearchPage
        from notesearch.gui.settings.settings_dialog import SettingsDialog

        preferences, shortcut, tray = self._preferences, self._shortcut, self._tray
        return SettingsDialog(
            preferences,
            [
                NotesPage(preferences, self._vaults),
                SearchPage(preferences, self._vaults),
                ModelsPage(preferences, self._vaults),
                QuickPage(preferences, shortcut, tray),
                EditorPage(preferences, self._opening),
                AppearancePage(preferences),
                AboutPage(preferences, self._vaults, shortcut, tray),
            ],
        )
