"""The main window as first painted: without result list and preview.

It imports and creates only what the first paint shows; ``app`` adds the rest.
"""

from notesearch.config import Paths, Settings
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.widgets.message_page import choose_folder_message, start_message
from notesearch.gui.window import window_state
from notesearch.gui.window.appearance import Appearance
from notesearch.gui.window.main_window import MainWindow
from notesearch.gui.window.status_bar import no_folder
from notesearch.gui.window.vault_switcher import VaultSwitcher


class FirstPaint:
    """The parts of the program needed for the first paint."""

    def __init__(self, settings: Settings, paths: Paths) -> None:
        self.paths = paths
        self.preferences = Preferences(settings, paths)
        self.appearance = Appearance(self.preferences)
        self.window = MainWindow(self.appearance.theme)
        self.switcher = VaultSwitcher(self.preferences, self.appearance.theme)
        self.window.add_beside_field(self.switcher)
        self.appearance.style(self.window)
        if settings.vault:
            self.window.page.show_page(start_message())
        else:
            self.window.page.show_page(choose_folder_message())
            self.window.field.set_enabled(False)
            self.window.folder.hide()
            self.window.status.set_line(no_folder())
        window_state.restore_place(self.window, paths.data)
