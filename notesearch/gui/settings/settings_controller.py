"""Creates the settings dialog when it is first needed, and shows its pages.

Importing the dialog takes time that a query typed at the start would have to wait for.
"""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.section_opener import SectionOpener
from notesearch.gui.translation import translate
from notesearch.gui.widgets.keys import KeyHandover
from notesearch.gui.window.appearance import Appearance
from notesearch.gui.window.index_display import IndexDisplay

if TYPE_CHECKING:
    from notesearch.gui.quick.tray import Tray
    from notesearch.gui.settings.settings_dialog import SettingsDialog
    from notesearch.gui.system.global_shortcut import ShortcutController


class SettingsController(QObject):
    """Owns the settings dialog."""

    def __init__(
        self,
        preferences: Preferences,
        vault: OpenVault,
        display: IndexDisplay,
        opener: SectionOpener,
        appearance: Appearance,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._vault = vault
        self._display = display
        self._opener = opener
        self._appearance = appearance
        self._shortcut: ShortcutController | None = None
        self._tray: Tray | None = None
        self.dialog: SettingsDialog | None = None

    def set_quick_search(self, shortcut: "ShortcutController", tray: "Tray") -> None:
        """Set the parts that exist only with quick search, before the dialog is created."""
        self._shortcut = shortcut
        self._tray = tray

    @Slot()
    def show(self) -> None:
        """Show the dialog on the page it showed last."""
        if self.dialog is not None:
            self.dialog.fit()  # the font or the screen may have changed
        dialog = self.ensure_dialog()
        if not dialog.isVisible():
            dialog.names.setFocus()  # an arrow key should not change the setting used last
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        KeyHandover(dialog)

    def ensure_dialog(self) -> "SettingsDialog":
        """Return the dialog; create it if necessary, but do not show it."""
        if self.dialog is None:
            self.dialog = self._make()
            self._appearance.style(self.dialog)
            self.dialog.fit()
            self.dialog.resize(self.dialog.sizeHint())  # the style changes the size
        return self.dialog

    def show_page(self, title: str) -> None:
        """Show the dialog on the page called ``title``."""
        self.show()
        assert self.dialog is not None
        self.dialog.show_page(title)

    @Slot()
    def show_notes(self) -> None:
        """Show the page about the notes folders."""
        self.show_page(translate("Notes"))

    @Slot()
    def fit(self) -> None:
        """Scale all spaces to the application's font; of a hidden dialog, when it is shown."""
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.fit()

    def close(self) -> None:
        """Close and destroy the dialog."""
        if self.dialog is not None:
            self.dialog.close()  # this applies what is being typed, or starts to check it
            for page in self.dialog.made.values():
                page.end()
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

        preferences = self._preferences
        shortcut = self._shortcut
        tray = self._tray
        return SettingsDialog(
            preferences,
            {
                translate("Notes"): partial(NotesPage, preferences, self._vault, self._display),
                translate("Search", comment="a page of the settings"): partial(
                    SearchPage, preferences, self._vault
                ),
                translate("Models"): partial(ModelsPage, preferences, self._vault),
                translate("Quick search"): partial(QuickPage, preferences, shortcut, tray),
                translate("Editor"): partial(EditorPage, preferences, self._opener),
                translate("Appearance"): partial(AppearancePage, preferences),
                translate("About"): partial(AboutPage, preferences, self._vault, shortcut, tray),
            },
        )
